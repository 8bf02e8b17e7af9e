/// The members of one object by name, whatever their number.
struct MemberIndex {
  /// A member as places in the text.
  struct Member {
    let name: JSONCursor.StringPlace
    let value: Range<Int>
  }

  /// How many members are looked through one by one.
  private static let fewMembers = 8

  /// In the text's order.
  private(set) var members: [Member] = []

  private let text: JSONCursor
  /// Filled only for more members than are looked through.
  private var table = SlotTable()

  /// The members from the one at the cursor on; leaves the cursor after the object.
  ///
  /// O(their names' length, and the logarithm of the text's for each).
  init(rest cursor: inout JSONCursor, ends: ContainerEnds) {
    text = cursor
    repeat {
      let name = cursor.name()
      members.append(Member(name: name, value: ends.passValue(&cursor)))
    } while cursor.advance()
    guard members.count > Self.fewMembers else { return }
    table = SlotTable(capacity: members.count)
    for (index, member) in members.enumerated() {
      table.insert(index, hash: Self.hash(member.name, in: text))
    }
  }

  /// Where in `members` the one is whose name stands at a place of another text; nil where there is none.
  ///
  /// O(the name's length).
  func index(of name: JSONCursor.StringPlace, in other: JSONCursor) -> Int? {
    guard members.count > Self.fewMembers else {
      return members.firstIndex { text.isSame($0.name, name, of: other) }
    }
    return table.index(hash: Self.hash(name, in: other)) { text.isSame(members[$0].name, name, of: other) }
  }

  private static func hash(_ name: JSONCursor.StringPlace, in text: JSONCursor) -> UInt64 {
    text.withContents(name) { KeyedHash.ofProcess.hash($0, salt: 0) }
  }
}
