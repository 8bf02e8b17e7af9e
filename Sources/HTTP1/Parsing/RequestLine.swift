/// A request line taken apart: `METHOD SP target SP HTTP/x.y`, with exactly these two spaces (RFC 9112 §3).
struct RequestLine {
  /// The method; nil for a token that stands for none that is built here, CONNECT and TRACE among them.
  let method: Method?
  /// Where path, query and authority stand; nil without a method.
  let target: RequestTarget?
  /// 0, or 1 for all higher minor versions (RFC 9110 §2.5).
  let minorVersion: Int

  /// Takes `line` apart, which is a line of `LineScanner`.
  @inline(__always)
  init(_ line: Range<Int>, of input: UnsafeRawBufferPointer) throws(RequestFailure) {
    var methodEnd = line.lowerBound
    while methodEnd < line.upperBound, ByteSet.token.contains(input[methodEnd]) { methodEnd &+= 1 }
    guard methodEnd > line.lowerBound, methodEnd < line.upperBound, input[methodEnd] == .space else {
      throw RequestFailure(.malformed, "the request line does not begin with a method and a space")
    }
    let targetStart = methodEnd + 1
    var targetEnd = targetStart
    while targetEnd < line.upperBound, input[targetEnd] != .space { targetEnd &+= 1 }
    guard targetEnd < line.upperBound else {
      throw RequestFailure(.malformed, "the request line has no version")
    }
    minorVersion = try Self.minorVersion(input[part: targetEnd + 1..<line.upperBound])

    method = Self.method(input[part: line.lowerBound..<methodEnd])
    if let method {
      target = try RequestTarget(targetStart..<targetEnd, of: input, method: method)
    } else {
      // The form of such a method's target is unknown (CONNECT has one of its own), but no target is empty.
      target = nil
      guard targetEnd > targetStart, ByteSet.visible.containsAll(of: input[part: targetStart..<targetEnd])
      else {
        throw RequestFailure(.malformed, "the request target is empty or holds a byte that must be encoded")
      }
    }
  }

  /// The method that is exactly these bytes: methods are case-sensitive (RFC 9110 §9.1).
  @inline(__always)
  private static func method(_ name: UnsafeRawBufferPointer) -> Method? {
    func matches(_ word: StaticString) -> Bool {
      for index in 0..<name.count where name[index] != word.utf8Start[index] { return false }
      return true
    }
    switch name.count {
    case 3: return matches("GET") ? .get : matches("PUT") ? .put : nil
    case 4: return matches("POST") ? .post : matches("HEAD") ? .head : nil
    case 5: return matches("PATCH") ? .patch : nil
    case 6: return matches("DELETE") ? .delete : nil
    case 7: return matches("OPTIONS") ? .options : nil
    default: return nil
    }
  }

  /// Reads `HTTP/x.y`; also `HTTP/x`, as versions without minor numbers are named.
  @inline(__always)
  private static func minorVersion(_ version: UnsafeRawBufferPointer) throws(RequestFailure) -> Int {
    let prefix: StaticString = "HTTP/"
    let length = prefix.utf8CodeUnitCount
    guard version.count > length, version[part: 0..<length].elementsEqual(prefix.bytes),
      let major = version[length].decimalDigit
    else {
      throw RequestFailure(.malformed, "the request line does not end with a space and HTTP/1.1 or HTTP/1.0")
    }
    if version.count == length + 3, version[length + 1] == UInt8(ascii: "."),
      let minor = version[length + 2].decimalDigit
    {
      if major == 1 { return min(Int(minor), 1) }
    } else if version.count != length + 1 || major == 1 {
      throw RequestFailure(.malformed, "the version in the request line is not HTTP/digit.digit")
    }
    throw RequestFailure(.unsupportedVersion, "only HTTP/1.1 and HTTP/1.0 are spoken here")
  }
}
