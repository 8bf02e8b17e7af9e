import JSONText

/// The bytes that a part of a path stands for: each `%XX` once (RFC 3986 §2.1), `+` stays.
///
/// The path's own storage is shared where nothing is encoded. O(n).
///
/// - Throws: `malformed-request` for a `%` without two hexadecimal digits, and, in a query, for NUL: an id may hold it.
func percentDecoded(_ path: [UInt8], _ range: Range<Int>) throws(Problem) -> Bytes {
  try percentDecoded(Bytes(sharing: path, in: range), plusIsSpace: false)
}

/// The same for a part of a query; `plusIsSpace` reads `+` as forms write spaces.
func percentDecoded(_ encoded: Bytes, plusIsSpace: Bool) throws(Problem) -> Bytes {
  let isPlain = encoded.withUnsafeBytes { bytes in
    bytes.allSatisfy { $0 != UInt8(ascii: "%") && $0 != 0 && !(plusIsSpace && $0 == UInt8(ascii: "+")) }
  }
  if isPlain { return encoded }
  var decoded: [UInt8] = []
  decoded.reserveCapacity(encoded.count)
  var index = 0
  while index < encoded.count {
    var byte = encoded[index]
    index += 1
    if byte == UInt8(ascii: "%") {
      guard index + 1 < encoded.count, let high = encoded[index].hexValue,
        let low = encoded[index + 1].hexValue
      else {
        throw Problem(
          .malformedRequest, detail: "a % in the path or query is not followed by two hexadecimal digits")
      }
      byte = high << 4 | low
      index += 2
    } else if plusIsSpace && byte == UInt8(ascii: "+") {
      byte = UInt8(ascii: " ")
    }
    guard byte != 0 || !plusIsSpace else { throw Problem(.malformedRequest, detail: "the query holds a NUL") }
    decoded.append(byte)
  }
  return Bytes(decoded)
}
