import JSONText

/// A value of the configuration file, with its place and the list that its faults go to.
///
/// Every reading method gives the value read, or reports one fault at this place and gives nil. So a section reads
/// all of its members, goes on with defaults where one is wrong, and says everything that is wrong at once.
struct ConfigurationValue {
  let json: JSONValue
  let place: JSONPointer
  let faults: FaultList

  /// Reports a fault at this place.
  func report(_ problem: String, right remedy: String) {
    faults.report(ConfigurationFault(at: .pointer(place), problem, remedy: "\(remedy) would be right"))
  }

  /// Reports that the value has another JSON type than the one wanted.
  private func reportKind(right remedy: String) {
    let kind =
      switch json.kind {
      case .object: "an object"
      case .array: "an array"
      case .string: "a string"
      case .number: "a number"
      case .bool: "\(json.text)"
      case .null: "null"
      }
    report("\(kind) is the wrong type", right: remedy)
  }
}

// MARK: - Plain values

extension ConfigurationValue {
  /// A boolean.
  func bool() -> Bool? {
    guard let bool = json.bool else {
      reportKind(right: "true or false")
      return nil
    }
    return bool
  }

  /// A number written as an integer, without fraction and exponent, within a range.
  func integer(in range: ClosedRange<Int>) -> Int? {
    let right = "a whole number from \(range.lowerBound) to \(range.upperBound)"
    guard json.kind == .number else {
      reportKind(right: right)
      return nil
    }
    guard let integer = json.integer, range.contains(integer) else {
      let isInteger = json.text.array.allSatisfy { $0 == UInt8(ascii: "-") || isDigit($0) }
      let problem = isInteger ? "is out of range" : "is not written as a whole number"
      report("\(json.text.string.prefix(40)) \(problem)", right: right)
      return nil
    }
    return integer
  }

  /// A length of time in seconds: any number above 0, up to a year.
  func seconds() -> Double? {
    let right = "a number of seconds above 0, up to \(Int(Self.maximumSeconds))"
    guard json.kind == .number else {
      reportKind(right: right)
      return nil
    }
    guard let seconds = json.double, seconds > 0, seconds <= Self.maximumSeconds else {
      report("\(json.text.string.prefix(40)) is out of range", right: right)
      return nil
    }
    return seconds
  }

  private static let maximumSeconds = 31_536_000.0

  /// A string.
  func string(right: String = "a string") -> Bytes? {
    guard let string = json.string else {
      reportKind(right: right)
      return nil
    }
    return string
  }

  /// A string that one of the settings reads (`Setting`); what was written is never repeated, it may be a secret.
  func setting<Value>(_ setting: Setting<Value>) -> Value? {
    guard let text = string(right: setting.right) else { return nil }
    guard let value = setting.read(text.string) else {
      report(text.isEmpty ? "is empty" : "is \(setting.wrong)", right: setting.right)
      return nil
    }
    return value
  }

  /// One of the names of a closed choice.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(of _: Choice.Type) -> Choice? {
    let names = Choice.allCases.map(\.rawValue)
    let right = "one of \(names.map { "\"\($0)\"" }.joined(separator: ", "))"
    guard let text = string(right: right) else { return nil }
    guard let choice = Choice(rawValue: text.string) else {
      report(unknown(text, among: names), right: right)
      return nil
    }
    return choice
  }

  /// A JSON Pointer (RFC 6901).
  func pointer() -> JSONPointer? {
    let right = "a JSON Pointer, such as \"/id\" (\"\" is the whole)"
    guard let text = string(right: right) else { return nil }
    guard let pointer = JSONPointer(text) else {
      report("\(text.quoted) is no JSON Pointer", right: right)
      return nil
    }
    return pointer
  }

  /// A name that people choose for a cell, a table, a state or a parameter.
  func name(_ rule: NameRule) -> Bytes? {
    guard let name = string(right: rule.right) else { return nil }
    return check(name, rule) ? name : nil
  }

  /// Whether `name`, which is this value or its key, keeps `rule`; reports it where not.
  func check(_ name: Bytes, _ rule: NameRule) -> Bool {
    guard rule.allows(name) else {
      report("\(name.quoted) is no name of a \(rule.noun)", right: rule.right)
      return false
    }
    return true
  }

  /// Says that `written` is none of `names`, and which it was probably meant to be.
  func unknown(_ written: Bytes, among names: some Sequence<String>) -> String {
    let hint = nearestName(to: written.string, among: names).map { ", perhaps \"\($0)\" was meant" } ?? ""
    return "\(written.quoted) is unknown\(hint)"
  }
}

// MARK: - Arrays and objects

extension ConfigurationValue {
  /// An array's elements as `read` gives them, those without fault.
  func array<Element>(of what: String, _ read: (ConfigurationValue) -> Element?) -> [Element]? {
    guard json.kind == .array else {
      reportKind(right: "an array of \(what)")
      return nil
    }
    var elements: [Element] = []
    json.forEachElement { index, element in
      if let element = read(ConfigurationValue(json: element, place: place.appending(index), faults: faults))
      {
        elements.append(element)
      }
    }
    return elements
  }

  /// An object whose keys are free names: its members as `read` gives them, in order, those without fault.
  func entries<Entry>(
    of what: String, _ read: (Bytes, ConfigurationValue) -> Entry?
  ) -> [(name: Bytes, value: Entry)]? {
    guard json.kind == .object else {
      reportKind(right: "an object of \(what)")
      return nil
    }
    var entries: [(name: Bytes, value: Entry)] = []
    json.forEachMember { name, member in
      let value = ConfigurationValue(json: member, place: place.appending(name), faults: faults)
      if let entry = read(name, value) { entries.append((name, entry)) }
    }
    return entries
  }

  /// An object whose keys are known: what `read` makes of it.
  ///
  /// A key that `read` did not ask for is a fault.
  func object<Section>(_ read: (inout ConfigurationObject) -> Section?) -> Section? {
    guard json.kind == .object else {
      reportKind(right: "an object")
      return nil
    }
    var object = ConfigurationObject(self)
    let section = read(&object)
    object.reportUnknownKeys()
    return section
  }

  /// Any object, for clients; minified.
  func anyObject() -> JSONValue? {
    guard json.kind == .object else {
      reportKind(right: "an object")
      return nil
    }
    return json.minified()
  }
}

/// An object of the configuration file whose keys are known: those that are asked for.
struct ConfigurationObject {
  private let value: ConfigurationValue
  private var known: [String] = []

  fileprivate init(_ value: ConfigurationValue) { self.value = value }

  /// The value of a key; nil where it is left out.
  subscript(key: String) -> ConfigurationValue? {
    mutating get {
      known.append(key)
      let name = Bytes(key)
      guard let member = value.json.member(name) else { return nil }
      return ConfigurationValue(json: member, place: value.place.appending(name), faults: value.faults)
    }
  }

  /// The value of a key that may not be left out: a fault where it is.
  mutating func required(_ key: String, right remedy: String) -> ConfigurationValue? {
    if let value = self[key] { return value }
    reportMissing(key, right: remedy)
    return nil
  }

  /// Reports that a key is missing.
  func reportMissing(_ key: String, right remedy: String) {
    let missing = ConfigurationValue(
      json: .null, place: value.place.appending(Bytes(key)), faults: value.faults)
    missing.report("is missing", right: remedy)
  }

  /// Reports a fault of the object as a whole.
  func report(_ problem: String, right remedy: String) { value.report(problem, right: remedy) }

  /// Takes the keys that were not asked for as known: the section is refused as a whole.
  mutating func ignoreOthers() {
    value.json.forEachMember { name, _ in known.append(name.string) }
  }

  fileprivate func reportUnknownKeys() {
    value.json.forEachMember { name, member in
      let text = name.string
      guard !known.contains(text) else { return }
      let hint = nearestName(to: text, among: known).map { "perhaps \"\($0)\" was meant, " } ?? ""
      let fault = ConfigurationFault(
        at: .pointer(value.place.appending(name)), "unknown key",
        remedy: "\(hint)known here: \(known.joined(separator: ", "))")
      value.faults.report(fault)
    }
  }
}
