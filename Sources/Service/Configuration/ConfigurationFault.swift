import JSONText

/// One thing that is wrong with the configuration: where it stands, what it is, and what would be right.
public struct ConfigurationFault: Error, Sendable, Equatable {
  /// Where a fault stands.
  public enum Place: Sendable, Equatable {
    /// The file as such: it is missing, unreadable, or too large.
    case file
    /// A byte of the file, where it is no JSON; the offset counts from 0, line and column from 1.
    case byte(offset: Int, line: Int, column: Int)
    /// A value of the file; for a missing or unknown key the place where it would be or is.
    case pointer(JSONPointer)
    /// An environment variable.
    case variable(String)
    /// A command-line flag.
    case flag(String)
  }

  /// Where.
  public var place: Place
  /// What is wrong, in one clause.
  public var problem: String
  /// What would be right, in one clause.
  public var remedy: String

  /// A fault.
  public init(at place: Place, _ problem: String, remedy: String) {
    self.place = place
    self.problem = problem
    self.remedy = remedy
  }

  /// The fault as one line of text without a line break, whatever was written in `file`.
  public func line(file: String) -> String {
    let subject =
      switch place {
      case .file: file
      case .byte(let offset, let line, let column):
        "\(file): byte \(offset) (line \(line), column \(column))"
      case .pointer(let pointer) where pointer.tokens.isEmpty: "\(file): the whole file"
      case .pointer(let pointer): "\(file): \(pointer.text)"
      case .variable(let name): name
      case .flag(let name): name
      }
    return "\(subject): \(problem); \(remedy)".onOneLine
  }
}

/// Everything that is wrong with a configuration; never empty.
///
/// A server does not start with one of these (exit status 78, EX_CONFIG), and a running one keeps its old tables.
public struct ConfigurationFaults: Error, Sendable, Equatable, CustomStringConvertible {
  /// The configuration file's path, as it was given.
  public let file: String
  /// The faults, in the order in which they were found.
  public let faults: [ConfigurationFault]
  /// How many more there were than are kept in `faults`.
  public let omitted: Int

  /// Faults of `file`.
  public init(file: String, _ faults: [ConfigurationFault], omitted: Int = 0) {
    self.file = file
    self.faults = faults
    self.omitted = omitted
  }

  /// The exit status of a process that cannot start because of them: EX_CONFIG of sysexits.h.
  public static let exitStatus: Int32 = 78

  /// One line for each fault, `FILE: /json/pointer: what is wrong; what would be right`.
  public var lines: [String] {
    let lines = faults.map { $0.line(file: file) }
    return omitted == 0 ? lines : lines + ["\(file): and \(omitted) more".onOneLine]
  }

  /// The lines, with a line break between them.
  public var description: String { lines.joined(separator: "\n") }
}

/// Collects faults while a configuration is read, at most one for each place.
///
/// The first fault of a place is its cause: a variable that is not set also makes a bad host name, and nobody
/// needs to be told twice. Past `maximumCount` faults are only counted.
final class FaultList {
  private(set) var faults: [ConfigurationFault] = []
  private(set) var omitted = 0
  private var places: Set<JSONPointer> = []

  /// The most faults that are kept: a screen or two, also for a file that is something else entirely.
  static let maximumCount = 100

  /// Adds a fault, unless its place in the file has one.
  func report(_ fault: ConfigurationFault) {
    if case .pointer(let pointer) = fault.place, !places.insert(pointer).inserted { return }
    if faults.count < Self.maximumCount { faults.append(fault) } else { omitted += 1 }
  }

  /// Throws what has been collected, if anything.
  func throwIfAny(file: String) throws(ConfigurationFaults) {
    guard faults.isEmpty else { throw ConfigurationFaults(file: file, faults, omitted: omitted) }
  }
}

extension String {
  /// The text with everything escaped that would break, hide or reorder a line of a terminal or a log.
  var onOneLine: String {
    var line = ""
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        line += "\\u{\(String(scalar.value, radix: 16))}"
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }
}

extension Bytes {
  /// The text in quotes for a fault's line, cut where it is long.
  var quoted: String {
    let text = string
    return text.count <= 60 ? "\"\(text)\"" : "\"\(text.prefix(59))…\""
  }
}
