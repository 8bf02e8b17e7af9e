/// One field line taken apart (RFC 9112 §5), of a head or a trailer.
struct FieldLine {
  /// Where the name stands: one or more token bytes.
  let name: Range<Int>
  /// Where the value stands, without the blanks around it; may be empty.
  let value: Range<Int>

  /// Takes `line` apart, which is a non-empty line of `LineScanner`, so the value's bytes are already good.
  @inline(__always)
  init(_ line: Range<Int>, of input: UnsafeRawBufferPointer) throws(RequestFailure) {
    var colon = line.lowerBound
    while colon < line.upperBound, ByteSet.token.contains(input[colon]) { colon &+= 1 }
    guard colon < line.upperBound, colon > line.lowerBound, input[colon] == UInt8(ascii: ":") else {
      throw Self.fault(at: colon, of: line, input)
    }
    name = line.lowerBound..<colon
    value = input.trimmed(colon + 1..<line.upperBound)
  }

  private static func fault(
    at offset: Int, of line: Range<Int>, _ input: UnsafeRawBufferPointer
  ) -> RequestFailure {
    if input[line.lowerBound].isBlank {
      return RequestFailure(.malformed, "a field line begins with white space (obsolete line folding)")
    }
    guard offset < line.upperBound else {
      return RequestFailure(.malformed, "a field line has no colon")
    }
    if input[offset].isBlank {
      return RequestFailure(.malformed, "white space in a field name or before its colon")
    }
    return RequestFailure(.malformed, "a field name is empty or holds a byte that no token holds")
  }
}
