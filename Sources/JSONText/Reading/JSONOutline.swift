/// Where the values of a text's outer levels stand, found in one pass: for those who look for several members in
/// several objects of it.
///
/// Values are known by their nodes, numbered from 0, the root, in the text's order. Finding one counts no references
/// and copies nothing; only what is asked for is made a value.
public struct JSONOutline: Sendable {
  private struct Node: Sendable {
    /// Of a member; empty for elements and the root.
    var name: Range<UInt32>
    var isEscaped: Bool
    var value: Range<UInt32>
    /// The node behind this one and all inside it.
    var next: UInt32
  }

  private let text: Bytes
  private var nodes: [Node] = []

  /// The outline of a value's first `levels` levels of objects and arrays, its own being the first; O(text).
  ///
  /// Recursion is as deep as that.
  public init(of value: JSONValue, levels: Int) {
    text = value.text
    nodes.reserveCapacity(16)  // enough for most bodies that clients send
    text.withUnsafeBytes { bytes in
      var cursor = JSONCursor(bytes)
      add(&cursor, name: JSONCursor.StringPlace(range: 0..<0, isEscaped: false), levels: levels)
    }
  }

  /// Adds the value at the cursor with all inside it that the outline has, and passes it.
  private mutating func add(_ cursor: inout JSONCursor, name: JSONCursor.StringPlace, levels: Int) {
    let index = nodes.count
    let start = cursor.position
    nodes.append(
      Node(name: Self.place(name.range), isEscaped: name.isEscaped, value: Self.place(start..<start), next: 0)
    )
    let isObject = cursor.byte == ASCII.openBrace
    if levels > 0, isObject || cursor.byte == ASCII.openBracket {
      var more = cursor.enter()
      while more {
        let name = isObject ? cursor.name() : JSONCursor.StringPlace(range: 0..<0, isEscaped: false)
        add(&cursor, name: name, levels: levels - 1)
        more = cursor.advance()
      }
    } else {
      _ = cursor.value()
    }
    nodes[index].value = Self.place(start..<cursor.position)
    nodes[index].next = UInt32(nodes.count)
  }

  // MARK: Nodes

  /// The first member or element of a node; `end(of:)` where there is none.
  public func first(in node: Int) -> Int { node + 1 }

  /// The node behind all those inside a node.
  public func end(of node: Int) -> Int { Int(nodes[node].next) }

  /// Its value; O(1).
  public func value(of node: Int) -> JSONValue { JSONValue(trusted: text[Self.range(nodes[node].value)]) }

  /// The name of a member, unescaped; O(1), O(its length) where it has escapes.
  public func name(of node: Int) -> Bytes {
    let name = text[Self.range(nodes[node].name)]
    return nodes[node].isEscaped ? Bytes(name.withUnsafeBytes { JSONEscapes.unescaped($0) }) : name
  }

  /// Whether a member has this name; O(its length).
  public func isNamed(_ name: StaticString, _ node: Int) -> Bool {
    isNamed(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), node)
  }

  /// The member of this name in a node's object; nil where there is none; O(members).
  public func member(named name: StaticString, of node: Int) -> Int? {
    member(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), of: node)
  }

  /// The member of this name in a node's object; nil where there is none; O(members).
  public func member(_ name: Bytes, of node: Int) -> Int? {
    name.withUnsafeBytes { member($0, of: node) }
  }

  private func member(_ name: UnsafeBufferPointer<UInt8>, of node: Int) -> Int? {
    var member = first(in: node)
    let end = end(of: node)
    while member < end {
      if isNamed(name, member) { return member }
      member = self.end(of: member)
    }
    return nil
  }

  private func isNamed(_ name: UnsafeBufferPointer<UInt8>, _ node: Int) -> Bool {
    let place = Self.range(nodes[node].name)
    let isEscaped = nodes[node].isEscaped
    guard isEscaped || place.count == name.count else { return false }
    return text.withUnsafeBytes {
      JSONCursor($0).isSame(JSONCursor.StringPlace(range: place, isEscaped: isEscaped), name)
    }
  }

  // MARK: Places

  /// Texts have less than 4 GiB (`Bytes`).
  @inline(__always)
  private static func place(_ range: Range<Int>) -> Range<UInt32> {
    UInt32(truncatingIfNeeded: range.lowerBound)..<UInt32(truncatingIfNeeded: range.upperBound)
  }

  @inline(__always)
  private static func range(_ place: Range<UInt32>) -> Range<Int> {
    Int(place.lowerBound)..<Int(place.upperBound)
  }
}
