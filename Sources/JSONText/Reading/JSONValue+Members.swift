extension JSONValue {
  /// Looks a member up by its unescaped name; nil where it is absent or this is no object; O(text).
  public func member(_ name: Bytes) -> JSONValue? {
    name.withUnsafeBytes { member(unescaped: $0) }
  }

  /// Looks a member up by its unescaped name; nil where it is absent or this is no object; O(text).
  public func member(named name: StaticString) -> JSONValue? {
    member(unescaped: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
  }

  private func member(unescaped name: UnsafeBufferPointer<UInt8>) -> JSONValue? {
    guard kind == .object else { return nil }
    let range = text.withUnsafeBytes { (bytes) -> Range<Int>? in
      var cursor = JSONCursor(bytes)
      guard cursor.enter() else { return nil }
      repeat {
        let place = cursor.name()
        let value = cursor.value()
        if cursor.isSame(place, name) { return value }
      } while cursor.advance()
      return nil
    }
    return range.map { JSONValue(trusted: text[$0]) }
  }

  /// Calls `body` with each member's unescaped name and its value, in the text's order, until it throws.
  ///
  /// Nothing is called where this is no object. O(text), without copies but for names with escapes.
  public func forEachMember<E: Error>(_ body: (Bytes, JSONValue) throws(E) -> Void) throws(E) {
    guard kind == .object else { return }
    try text.withUnsafeBytes { (bytes) throws(E) in
      var cursor = JSONCursor(bytes)
      guard cursor.enter() else { return }
      repeat {
        let place = cursor.name()
        let value = cursor.value()
        try body(unescaped(place, in: bytes), JSONValue(trusted: text[value]))
      } while cursor.advance()
    }
  }

  /// Calls `body` with each element's index, from 0, and the element, in order, until it throws.
  ///
  /// Nothing is called where this is no array. O(text), without copies.
  public func forEachElement<E: Error>(_ body: (Int, JSONValue) throws(E) -> Void) throws(E) {
    guard kind == .array else { return }
    try text.withUnsafeBytes { (bytes) throws(E) in
      var cursor = JSONCursor(bytes)
      guard cursor.enter() else { return }
      var index = 0
      repeat {
        try body(index, JSONValue(trusted: text[cursor.value()]))
        index &+= 1
      } while cursor.advance()
    }
  }

  /// The members in order, names unescaped; none where this is no object; O(text).
  public var members: [(name: Bytes, value: JSONValue)] {
    var members: [(name: Bytes, value: JSONValue)] = []
    members.reserveCapacity(4)  // enough for most objects that a client sends
    forEachMember { name, value in members.append((name, value)) }
    return members
  }

  /// The elements in order; none where this is no array; O(text).
  public var elements: [JSONValue] {
    var elements: [JSONValue] = []
    forEachElement { _, element in elements.append(element) }
    return elements
  }

  /// The number of elements or members; 0 for what has neither; O(text).
  public var count: Int {
    let kind = kind
    guard kind == .array || kind == .object else { return 0 }
    return text.withUnsafeBytes { bytes in
      var cursor = JSONCursor(bytes)
      guard cursor.enter() else { return 0 }
      var count = 0
      repeat {
        if kind == .object { _ = cursor.name() }
        _ = cursor.value()
        count &+= 1
      } while cursor.advance()
      return count
    }
  }

  /// A string's contents in this value's text: shared where there are no escapes, else unescaped anew.
  func unescaped(_ place: JSONCursor.StringPlace, in bytes: UnsafeBufferPointer<UInt8>) -> Bytes {
    guard place.isEscaped else { return text[place.range] }
    return Bytes(JSONEscapes.unescaped(UnsafeBufferPointer(rebasing: bytes[place.range])))
  }
}
