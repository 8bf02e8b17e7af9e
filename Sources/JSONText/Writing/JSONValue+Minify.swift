extension JSONValue {
  /// The same text without white space outside strings; the same storage where there was none; O(n).
  public func minified() -> JSONValue {
    let output = text.withUnsafeBytes { (bytes) -> [UInt8]? in
      var cursor = JSONCursor(bytes)
      guard cursor.passUntilSpace() else { return nil }
      var output: [UInt8] = []
      output.reserveCapacity(bytes.count)
      var start = 0
      repeat {
        output.append(contentsOf: bytes[start..<cursor.position])
        _ = cursor.nextByte()
        start = cursor.position
      } while cursor.passUntilSpace()
      output.append(contentsOf: bytes[start..<cursor.end])
      return output
    }
    return output.map { JSONValue(trusted: Bytes($0)) } ?? self
  }
}

extension JSONCursor {
  /// Moves to the next white space outside strings; false (and at the end) where there is none.
  fileprivate mutating func passUntilSpace() -> Bool {
    while position < end {
      let byte = base[position]
      if byte == ASCII.quote {
        _ = string()
      } else if ASCII.isSpace(byte) {
        return true
      } else {
        position &+= 1
      }
    }
    return false
  }
}
