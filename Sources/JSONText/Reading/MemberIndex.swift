/// The members of one object by name, whatever their number.
struct MemberIndex {
  struct Member {
    /// The unescaped name.
    let name: [UInt8]
    /// Where the name's raw contents lie in the text.
    let rawName: Range<Int>
    /// Where the value lies in the text.
    let value: Range<Int>
  }

  /// In the text's order.
  private(set) var members: [Member] = []

  /// Filled only for objects too large to be searched one by one.
  private var places: [[UInt8]: Int] = [:]
  private static let fewMembers = 8

  /// The members from the one at the cursor on; leaves the cursor after the object; O(text).
  init(rest cursor: inout JSONCursor) {
    repeat {
      let place = cursor.name()
      members.append(
        Member(name: cursor.contents(place), rawName: place.range, value: cursor.value()))
    } while cursor.advance()
    guard members.count > Self.fewMembers else { return }
    places.reserveCapacity(members.count)
    for (index, member) in members.enumerated() { places[member.name] = index }
  }

  /// Where the member `name` is in `members`; nil where there is none; O(the name's length).
  func index(of name: [UInt8]) -> Int? {
    places.isEmpty ? members.firstIndex { $0.name == name } : places[name]
  }
}
