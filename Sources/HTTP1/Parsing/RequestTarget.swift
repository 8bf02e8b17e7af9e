/// Where the parts of a request target stand (RFC 9112 §3.2).
///
/// The bytes are strictly those of RFC 3986: no fragment, and none of ``"<>[\]^`{|}``, which those who write addresses
/// encode. Percent triplets stay as they are, and unchecked, for whoever decodes them.
struct RequestTarget {
  /// The path, `*` for the asterisk form, or the `/` that an empty path stands for.
  let path: Range<Int>
  /// What follows the first `?`.
  let query: Range<Int>?
  /// The authority of the absolute form.
  let authority: Range<Int>?

  /// Takes `target` apart for a method whose targets have the origin or the absolute form.
  @inline(__always)
  init(
    _ target: Range<Int>, of input: UnsafeRawBufferPointer, method: Method
  ) throws(RequestFailure) {
    guard let first = target.first.map({ input[$0] }) else {
      throw RequestFailure(.malformed, "the request target is empty")
    }
    let isAsterisk = first == UInt8(ascii: "*") && target.count == 1
    guard !isAsterisk || method == .options else {
      throw RequestFailure(.malformed, "only OPTIONS may have the target *")
    }
    if first == UInt8(ascii: "/") || isAsterisk {
      try self.init(origin: target, of: input, authority: nil, emptyPath: nil)
    } else {
      try self.init(absolute: target, of: input)
    }
  }

  /// `path ["?" query]`, where `emptyPath` says what an empty path stands for.
  @inline(__always)
  private init(
    origin target: Range<Int>, of input: UnsafeRawBufferPointer, authority: Range<Int>?,
    emptyPath: Range<Int>?
  ) throws(RequestFailure) {
    var end = target.lowerBound
    while end < target.upperBound, ByteSet.path.contains(input[end]) { end &+= 1 }
    let path = target.lowerBound..<end
    self.path = path.isEmpty ? emptyPath ?? path : path
    self.authority = authority
    if end < target.upperBound, input[end] == UInt8(ascii: "?") {
      let query = end + 1..<target.upperBound
      end = target.upperBound
      self.query = query
      guard ByteSet.query.containsAll(of: input[part: query]) else { throw Self.badByte }
    } else {
      self.query = nil
    }
    guard end == target.upperBound else { throw Self.badByte }
  }

  /// `http://authority path ["?" query]`, also https, in any case.
  private init(absolute target: Range<Int>, of input: UnsafeRawBufferPointer) throws(RequestFailure) {
    let text = input[part: target]
    var scheme = 0
    while scheme < text.count, text[scheme] != UInt8(ascii: ":") { scheme += 1 }
    let start = scheme + 3
    guard start <= text.count, text[part: scheme..<start].isCaseInsensitively("://"),
      text[part: 0..<scheme].isCaseInsensitively("http")
        || text[part: 0..<scheme].isCaseInsensitively("https")
    else {
      throw RequestFailure(.malformed, "the request target is neither a path nor an http or https address")
    }
    var end = start
    while end < text.count, text[end] != UInt8(ascii: "/"), text[end] != UInt8(ascii: "?") { end += 1 }
    guard Authority.isValid(text[part: start..<end]) else {
      throw RequestFailure(.malformed, "the authority of the request target is no host with an optional port")
    }
    let base = target.lowerBound
    // An empty path means "/": the last slash of "://" is one that can be pointed at.
    try self.init(
      origin: base + end..<target.upperBound, of: input, authority: base + start..<base + end,
      emptyPath: base + start - 1..<base + start)
  }

  private static var badByte: RequestFailure {
    RequestFailure(.malformed, "the request target holds a byte that must be percent-encoded")
  }
}
