import JSONText

/// Puts environment variables in the place of every `${NAME}` in the strings of a JSON text.
///
/// A name is `[A-Za-z_][A-Za-z0-9_]*`. Values of members and elements are expanded, names of members are not; what
/// a variable holds is not expanded again; a `$` without `{` behind it is itself. A variable that is set to nothing
/// gives nothing; one that is not set, and a `${` that names none, is a fault.
struct VariableExpansion {
  let environment: [String: String]
  let faults: FaultList
  /// What the variables held that were put in.
  private(set) var values: Set<String> = []

  init(environment: [String: String], faults: FaultList) {
    self.environment = environment
    self.faults = faults
  }

  /// The value with its variables put in; the same text where it has none.
  ///
  /// O(size × depth).
  mutating func expanding(_ value: JSONValue, at place: JSONPointer = JSONPointer()) -> JSONValue {
    guard mayHoldVariable(value.text) else { return value }
    var text: [UInt8] = []
    switch value.kind {
    case .object:
      text.append(UInt8(ascii: "{"))
      value.forEachMember { name, member in
        if text.count > 1 { text.append(UInt8(ascii: ",")) }
        text.append(jsonString: name)
        text.append(UInt8(ascii: ":"))
        text.append(expanding(member, at: place.appending(name)).text)
      }
      text.append(UInt8(ascii: "}"))
    case .array:
      text.append(UInt8(ascii: "["))
      value.forEachElement { index, element in
        if text.count > 1 { text.append(UInt8(ascii: ",")) }
        text.append(expanding(element, at: place.appending(index)).text)
      }
      text.append(UInt8(ascii: "]"))
    case .string:
      guard let string = value.string else { return value }
      text.append(jsonString: expanding(string, at: place))
    case .number, .bool, .null: return value
    }
    return JSONValue(trusted: Bytes(text))
  }

  /// The string with its variables put in; faults of all of them make one line.
  private mutating func expanding(_ string: Bytes, at place: JSONPointer) -> Bytes {
    var result: [UInt8] = []
    var unset: [String] = []
    var rest = string
    while let start = rest.firstVariable {
      result.append(rest[0..<start])
      rest = rest[(start + 2)..<rest.count]
      let length = rest.variableNameLength
      guard length > 0, length < rest.count, rest[length] == UInt8(ascii: "}") else {
        report("\"${\" begins no variable", "${NAME}, of letters, digits and _, would be right", place)
        return string
      }
      let name = rest[0..<length].string
      rest = rest[(length + 1)..<rest.count]
      guard let value = environment[name] else {
        unset.append(name)
        continue
      }
      result.append(contentsOf: value.utf8)
      values.insert(value)
    }
    guard unset.isEmpty else {
      let names = unset.joined(separator: ", ")
      report("not in the environment: \(names)", "set it there, or write the value itself here", place)
      return string
    }
    result.append(rest)
    return Bytes(result)
  }

  private func report(_ problem: String, _ remedy: String, _ place: JSONPointer) {
    faults.report(ConfigurationFault(at: .pointer(place), problem, remedy: remedy))
  }

  /// Whether a JSON text has a `$`, written as itself or as an escape.
  private func mayHoldVariable(_ text: Bytes) -> Bool {
    text.withUnsafeBytes { bytes in
      bytes.contains(UInt8(ascii: "$")) || bytes.indices.contains { bytes[$0...].starts(with: "u0024".utf8) }
    }
  }
}

extension Bytes {
  /// Where the first `${` stands.
  fileprivate var firstVariable: Int? {
    withUnsafeBytes { bytes in
      bytes.indices.dropLast().first { bytes[$0] == UInt8(ascii: "$") && bytes[$0 + 1] == UInt8(ascii: "{") }
    }
  }

  /// The length of the variable name at the start; 0 where there is none.
  fileprivate var variableNameLength: Int {
    withUnsafeBytes { bytes in
      if let first = bytes.first, isDigit(first) { return 0 }
      return bytes.prefix { isLetter($0) || isDigit($0) || $0 == UInt8(ascii: "_") }.count
    }
  }
}
