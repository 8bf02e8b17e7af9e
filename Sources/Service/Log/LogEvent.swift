import JSONText

/// Something other than a request that the log tells: a start, a drain, a faulty file.
public struct LogEvent: Sendable {
  /// How much it matters.
  public enum Level: String, Sendable {
    case info, warning, error
  }

  /// A value beside the message.
  public enum Value: Sendable {
    case text(Bytes)
    case number(Int)
  }

  /// When, in milliseconds since 1970.
  public var time: Int
  /// How much it matters.
  public var level: Level
  /// Its kind, one word or several joined by `-`, for programs to look for.
  public var name: StaticString
  /// What has happened, for people.
  public var message: String
  /// What else is to be known, in order; the names are plain words.
  public var members: [(name: StaticString, value: Value)]

  /// An event of these values.
  public init(
    time: Int, _ level: Level, _ name: StaticString, _ message: String,
    members: [(name: StaticString, value: Value)] = []
  ) {
    self.time = time
    self.level = level
    self.name = name
    self.message = message
    self.members = members
  }

  /// The event as a line, its end included.
  func line(_ format: LogFormat) -> [UInt8] {
    var line: [UInt8] = []
    switch format {
    case .text: writeText(to: &line)
    case .json: writeJSON(to: &line)
    }
    return line
  }

  private func writeText(to line: inout [UInt8]) {
    line.append(rfc3339: time)
    line.append(UInt8(ascii: " "))
    line.append(contentsOf: level.rawValue.utf8)
    line.append(UInt8(ascii: " "))
    line.append(literal: name)
    line.append(literal: ": ")
    line.append(singleLine: Bytes(message))
    for (name, value) in members {
      line.append(UInt8(ascii: " "))
      line.append(literal: name)
      line.append(UInt8(ascii: "="))
      switch value {
      case .text(let text): line.append(singleLine: text)
      case .number(let number): line.append(decimal: number)
      }
    }
    line.append(UInt8(ascii: "\n"))
  }

  private func writeJSON(to line: inout [UInt8]) {
    line.append(literal: "{\"time\":\"")
    line.append(rfc3339: time)
    line.append(literal: "\",\"level\":\"")
    line.append(contentsOf: level.rawValue.utf8)
    line.append(literal: "\",\"event\":\"")
    line.append(literal: name)
    line.append(literal: "\",\"message\":")
    line.append(jsonString: Bytes(message))
    for (name, value) in members {
      line.append(literal: ",\"")
      line.append(literal: name)
      line.append(literal: "\":")
      switch value {
      case .text(let text): line.append(jsonString: Bytes(text.string))
      case .number(let number): line.append(decimal: number)
      }
    }
    line.append(literal: "}\n")
  }
}

extension Array where Element == UInt8 {
  /// Appends text for people as one line: controls become spaces, ill-formed UTF-8 is replaced.
  ///
  /// O(n).
  fileprivate mutating func append(singleLine text: Bytes) {
    for scalar in text.string.unicodeScalars {
      let isControl =
        scalar.properties.generalCategory == .control || scalar.value == 0x2028 || scalar.value == 0x2029
      append(contentsOf: isControl ? [UInt8(ascii: " ")] : Array(String(scalar).utf8))
    }
  }
}
