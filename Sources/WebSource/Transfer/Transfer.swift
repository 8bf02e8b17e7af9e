import CCurl
import Glibc
import JSONText
import ListModel

/// One request on the wire and its answer as it comes: a curl easy handle and what it collects.
///
/// It lives on the web loop's thread alone. The pool that runs it holds it while curl has its address; the handle is
/// freed by `deinit`, when the pool has taken it out of the multi handle.
final class Transfer {
  /// What one hop of a fetch sends.
  struct Order {
    var address: WebAddress
    /// Fields for this address; nothing of another origin's.
    var fields: [WebRequest.Field]
    var body: [UInt8]?
    /// Seconds until it is given up, the whole answer included.
    var seconds: Double
    /// The most bytes of the body.
    var bodyBytes: Int
    var caFile: String?
  }

  /// What has come.
  struct Collected {
    var status = 0
    var fields = AnswerFields()
    var body: [UInt8] = []
    /// Bytes of all heads, interim ones included.
    var headBytes = 0
    /// Whether the last head has ended.
    var hasHead = false
    /// Whether the body went past its limit.
    var isTooLarge = false
    /// Whether the head went past its limit.
    var isHeadTooLarge = false
  }

  let handle: UnsafeMutableRawPointer
  private(set) var collected = Collected()
  /// The most bytes of the body.
  let bodyBytes: Int
  private var list: UnsafeMutablePointer<curl_slist>?
  let completion: (Transfer, CURLcode) -> Void

  /// The most bytes of an answer's heads.
  static let maximumHeadBytes = 256 << 10

  /// A transfer that no pool runs yet; nil where curl cannot make one.
  ///
  /// - Parameter completion: called once by the pool, when the transfer has ended by itself.
  init?(
    _ order: Order, userAgent: String, trusting certificates: (basis: Certificates, all: [UInt8]?),
    completion: @escaping (Transfer, CURLcode) -> Void
  ) {
    guard let handle = curl_easy_init() else { return nil }
    self.handle = handle
    self.completion = completion
    bodyBytes = order.bodyBytes
    set(CURLOPT_URL, order.address.text.string)
    set(CURLOPT_PROTOCOLS_STR, "http,https")
    set(CURLOPT_PATH_AS_IS, 1)
    set(CURLOPT_FOLLOWLOCATION, 0)
    set(CURLOPT_NOSIGNAL, 1)
    // A look-up goes on in its thread when the transfer is given up; otherwise curl would wait for it here.
    set(CURLOPT_QUICK_EXIT, 1)
    set(CURLOPT_TIMEOUT_MS, Int(max(1, min(order.seconds * 1000, 1e9))))
    set(CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, min(order.seconds * 1000, 1e9))))
    set(CURLOPT_ACCEPT_ENCODING, "")
    set(CURLOPT_USERAGENT, userAgent)
    set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
    trust(certificates)
    setFields(order)
    if let body = order.body {
      set(CURLOPT_POST, 1)
      set(CURLOPT_POSTFIELDSIZE, body.count)
      set(CURLOPT_COPYPOSTFIELDS, body)
    }
    let me = Unmanaged.passUnretained(self).toOpaque()
    rowcast_curl_set_pointer(handle, CURLOPT_PRIVATE, me)
    rowcast_curl_set_pointer(handle, CURLOPT_WRITEDATA, me)
    rowcast_curl_set_pointer(handle, CURLOPT_HEADERDATA, me)
    rowcast_curl_set_data_callback(handle, CURLOPT_WRITEFUNCTION, bodyCame)
    rowcast_curl_set_data_callback(handle, CURLOPT_HEADERFUNCTION, headLineCame)
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(list)
  }

  /// Whether a line of an answer has come.
  var hasBegun: Bool { collected.headBytes > 0 }

  /// The status with which a proxy refused the way to the upstream; nil where none did.
  var proxyRefusal: Int? {
    var status = 0
    rowcast_curl_get_long(handle, CURLINFO_HTTP_CONNECTCODE, &status)
    return status >= 300 ? status : nil
  }

  /// Takes out what has come.
  func takeCollected() -> Collected {
    let taken = collected
    collected = Collected()
    return taken
  }

  // MARK: Options

  private func set(_ option: CURLoption, _ value: Int) { rowcast_curl_set_long(handle, option, value) }

  private func set(_ option: CURLoption, _ value: String) { rowcast_curl_set_text(handle, option, value) }

  private func set(_ option: CURLoption, _ value: [UInt8]) {
    value.withUnsafeBytes { bytes in
      // Copied by curl; a size was given before, so it need not end with a zero.
      _ = rowcast_curl_set_pointer(handle, option, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    }
  }

  private func setFields(_ order: Order) {
    // Also where a proxy is asked first: it gets none of these.
    set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE))
    // Nor is what it says of the tunnel taken for the upstream's answer.
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    var names: Set<String> = []
    for field in order.fields {
      let name = field.name.string
      names.insert(name.lowercased())
      // "Name;" is how curl is told of an empty value; "Name:" would take the field away.
      add(field.value.isEmpty ? "\(name);" : "\(name): \(field.value.string)")
    }
    if !names.contains("accept") { add("Accept: application/json, */*;q=0.5") }
    if order.body != nil {
      if !names.contains("content-type") { add("Content-Type: application/json") }
      add("Expect:")
    }
    rowcast_curl_set_list(handle, CURLOPT_HTTPHEADER, list)
  }

  private func add(_ line: String) {
    if let longer = curl_slist_append(list, line) { list = longer }
  }

  private func trust(_ certificates: (basis: Certificates, all: [UInt8]?)) {
    if let folder = certificates.basis.folder { set(CURLOPT_CAPATH, folder) }
    guard var all = certificates.all else {
      if let file = certificates.basis.file { set(CURLOPT_CAINFO, file) }
      return
    }
    all.withUnsafeMutableBytes { bytes in
      var blob = curl_blob(data: bytes.baseAddress, len: bytes.count, flags: UInt32(CURL_BLOB_COPY))
      _ = rowcast_curl_set_blob(handle, CURLOPT_CAINFO_BLOB, &blob)
    }
  }

  // MARK: Callbacks

  /// Takes a part of the body; false ends the transfer.
  fileprivate func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard bytes.count <= bodyBytes - collected.body.count else {
      collected.isTooLarge = true
      return false
    }
    collected.body.append(contentsOf: bytes)
    return true
  }

  /// Takes a line of a head, or of the trailer behind a body; false ends the transfer.
  fileprivate func takeHead(_ line: UnsafeBufferPointer<UInt8>) -> Bool {
    collected.headBytes += line.count
    guard collected.headBytes <= Self.maximumHeadBytes else {
      collected.isHeadTooLarge = true
      return false
    }
    if line.starts(with: "HTTP/".utf8) {
      // Another head: of the final answer behind an interim one, or of the upstream behind a proxy's.
      collected.fields = AnswerFields()
      collected.hasHead = false
    } else if line.allSatisfy({ $0 <= 0x20 }) {
      var status = 0
      rowcast_curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
      collected.status = status
      collected.hasHead = status >= 200
    } else if !collected.hasHead {
      collected.fields.add(line: line)
    }
    return true
  }
}

private func bodyCame(
  _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ user: UnsafeMutableRawPointer?
) -> Int {
  data.bytes(size * count, of: user) { $0.take($1) }
}

private func headLineCame(
  _ data: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ user: UnsafeMutableRawPointer?
) -> Int {
  data.bytes(size * count, of: user) { $0.takeHead($1) }
}

extension Optional where Wrapped == UnsafeMutablePointer<CChar> {
  /// Hands bytes to the transfer that curl was given as `user`; gives what curl wants to hear: the count, or 0 to end.
  ///
  /// The pool holds the transfer while curl can call.
  fileprivate func bytes(
    _ count: Int, of user: UnsafeMutableRawPointer?,
    _ take: (Transfer, UnsafeBufferPointer<UInt8>) -> Bool
  ) -> Int {
    guard let user, let self else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(user).takeUnretainedValue()
    return self.withMemoryRebound(to: UInt8.self, capacity: count) { start in
      take(transfer, UnsafeBufferPointer(start: start, count: count)) ? count : 0
    }
  }
}
