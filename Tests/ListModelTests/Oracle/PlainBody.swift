/// An object of a body, of which members are taken until nothing may be left.
struct PlainBody {
  let pointer: String
  private var members: [PlainJSON.Member]

  init(_ value: PlainJSON, _ pointer: String, code: String = "invalid-body") throws(PlainRefusal) {
    guard case .object(let members) = value else { throw PlainRefusal(code, pointer) }
    self.members = members
    self.pointer = pointer
  }

  func has(_ name: Text) -> Bool { members.contains { $0.name == name } }

  mutating func take(_ name: Text) -> PlainJSON? {
    guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
    return members.remove(at: index).value
  }

  func fault(_ name: Text, _ code: String = "invalid-body") -> PlainRefusal {
    let token = name.string.replacing("~", with: "~0").replacing("/", with: "~1")
    return PlainRefusal(code, "\(pointer)/\(token)")
  }

  mutating func bool(_ name: Text) throws(PlainRefusal) -> Bool? {
    guard let value = take(name) else { return nil }
    guard let bool = value.bool else { throw fault(name) }
    return bool
  }

  mutating func string(_ name: Text) throws(PlainRefusal) -> Text? {
    guard let value = take(name) else { return nil }
    guard let text = value.text else { throw fault(name) }
    return text
  }

  mutating func array(_ name: Text) throws(PlainRefusal) -> [PlainJSON]? {
    guard let value = take(name) else { return nil }
    guard case .array(let elements) = value else { throw fault(name) }
    return elements
  }

  mutating func integer(_ name: Text) throws(PlainRefusal) -> Int? {
    guard let value = take(name) else { return nil }
    return try PlainBody.integer(value, "\(pointer)/\(name)")
  }

  /// An integer of any size; what no `Int` holds is out of any range, at its end of it.
  static func integer(_ value: PlainJSON, _ pointer: String) throws(PlainRefusal) -> Int {
    guard case .number(let number) = value, value.isOf(type: "integer") else {
      throw PlainRefusal("invalid-body", pointer)
    }
    return Int(number) ?? (number.hasPrefix("-") ? Int.min : Int.max)
  }

  /// The one of `names` that is there.
  func one(of names: [Text], optional: Bool = false) throws(PlainRefusal) -> Text? {
    let present = names.filter(has)
    if present.count > 1 { throw fault(present[1]) }
    if present.isEmpty, !optional { throw PlainRefusal("invalid-body", pointer) }
    return present.first
  }

  /// "Unknown members of a command's body get 422 with their pointer".
  func only(_ names: [Text]) throws(PlainRefusal) {
    for member in members where !names.contains(member.name) { throw fault(member.name) }
  }

  // MARK: Rows

  /// "`id` is a string of 1–256 bytes of UTF-8".
  static func isID(_ text: Text) -> Bool { (1...256).contains(text.count) }

  mutating func id() throws(PlainRefusal) -> Text {
    guard let id = take("id")?.text, PlainBody.isID(id) else { throw fault("id", "invalid-row") }
    return id
  }

  mutating func cell() throws(PlainRefusal) -> Text? {
    guard let value = take("cell") else { return nil }
    guard let cell = value.text, (1...256).contains(cell.count) else { throw fault("cell", "invalid-row") }
    return cell
  }
}
