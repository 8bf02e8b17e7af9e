/// The members of one object as places in its text: for those who look for several names in it.
///
/// Finding a member counts no references and copies nothing; only what is asked for is made a value.
public struct JSONMembers: Sendable {
  private struct Member: Sendable {
    let name: Range<UInt32>
    let value: Range<UInt32>
    let isEscaped: Bool
  }

  private let text: Bytes
  private var members: [Member] = []

  /// The members of an object, in order; none where this is no object; O(text).
  public init(of object: JSONValue) {
    text = object.text
    guard object.kind == .object else { return }
    members.reserveCapacity(4)  // enough for most objects that a client sends
    text.withUnsafeBytes { bytes in
      var cursor = JSONCursor(bytes)
      guard cursor.enter() else { return }
      repeat {
        let name = cursor.name()
        members.append(
          Member(
            name: Self.place(name.range), value: Self.place(cursor.value()), isEscaped: name.isEscaped))
      } while cursor.advance()
    }
  }

  /// Their indices, from 0, in the text's order.
  public var indices: Range<Int> { members.indices }

  /// The name of a member, unescaped; O(1), O(its length) where it has escapes.
  public func name(at index: Int) -> Bytes {
    let name = text[Self.range(members[index].name)]
    return members[index].isEscaped ? Bytes(name.withUnsafeBytes { JSONEscapes.unescaped($0) }) : name
  }

  /// The value of a member; O(1).
  public func value(at index: Int) -> JSONValue {
    JSONValue(trusted: text[Self.range(members[index].value)])
  }

  /// Whether a member has this name; O(its length).
  public func isNamed(_ name: StaticString, at index: Int) -> Bool {
    isNamed(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount), at: index)
  }

  /// The member of a name; nil where there is none; O(members).
  public func index(of name: StaticString) -> Int? {
    let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    for index in members.indices where isNamed(name, at: index) { return index }
    return nil
  }

  /// The member of a name; nil where there is none; O(members).
  public func index(of name: Bytes) -> Int? {
    name.withUnsafeBytes { name in members.indices.first { isNamed(name, at: $0) } }
  }

  private func isNamed(_ name: UnsafeBufferPointer<UInt8>, at index: Int) -> Bool {
    let member = members[index]
    guard member.isEscaped || member.name.count == name.count else { return false }
    return text.withUnsafeBytes { bytes in
      let place = JSONCursor.StringPlace(range: Self.range(member.name), isEscaped: member.isEscaped)
      return JSONCursor(bytes).isSame(place, name)
    }
  }

  /// Texts have less than 4 GiB (`Bytes`).
  @inline(__always)
  private static func place(_ range: Range<Int>) -> Range<UInt32> {
    UInt32(range.lowerBound)..<UInt32(range.upperBound)
  }

  @inline(__always)
  private static func range(_ place: Range<UInt32>) -> Range<Int> {
    Int(place.lowerBound)..<Int(place.upperBound)
  }
}
