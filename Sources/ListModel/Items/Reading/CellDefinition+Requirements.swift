import JSONText

/// The first thing in which data is off what its cell requires.
public struct RequirementViolation: Error, Sendable, Equatable {
  /// Where, from the data's own root; a member that is missing is pointed at where it should be.
  public let pointer: JSONPointer
  /// What would be right, in one clause.
  public let message: String
}

extension CellDefinition {
  /// Checks data against `required`, in the order in which the table lists the members.
  ///
  /// A client's row is checked as it is given, an upstream's after its projection. Other members are free. Where
  /// anything is required, data must be an object. O(required members × size of the data).
  public func firstViolation(in data: JSONValue) -> RequirementViolation? {
    guard let first = required.first else { return nil }
    guard data.kind == .object else {
      return RequirementViolation(
        pointer: JSONPointer(), message: "an object with the member \(first.member) was expected")
    }
    for (member, type) in required {
      let value = data.member(member)
      if let value, type.matches(value) { continue }
      let fault = value == nil ? "is missing; it must be" : "must be"
      return RequirementViolation(
        pointer: JSONPointer(tokens: [member]), message: "\(member) \(fault) \(type.phrase)")
    }
    return nil
  }
}
