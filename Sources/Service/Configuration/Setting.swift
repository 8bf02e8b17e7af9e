/// How one setting is read from text, the same in the file, in a variable and behind a flag.
public struct Setting<Value: Sendable>: Sendable {
  /// What a text that cannot be read is, such as `no port`.
  let wrong: String
  /// What would be right, such as `a whole number from 0 to 65535`.
  let right: String
  /// Reads a text; nil where it is wrong.
  let read: @Sendable (String) -> Value?
}

/// The form of the request log on standard error.
public enum LogFormat: String, Sendable, CaseIterable {
  /// A line of words for people.
  case text
  /// A JSON object a line.
  case json
}

/// The settings that stand in the file, in `ROWCAST_…` variables and in flags.
public enum Settings {
  /// An address or a name to listen on; an IPv6 address may stand in brackets, which are taken off.
  public static let host = Setting(
    wrong: "no host to listen on", right: "an IP address or a host name",
    read: { text in
      let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
      let bare = isBracketed ? String(text.dropFirst().dropLast()) : text
      if IPAddress(bare) != nil { return bare }
      return isBracketed ? nil : HostName(text)?.text
    })

  /// A port; 0 takes a free one.
  public static let port = number(in: portRange, wrong: "no port")
  static let portRange = 0...65_535

  /// The number of event loops; 0 for one a core.
  public static let threads = number(in: threadRange, wrong: "no number of threads")
  static let threadRange = 0...1_024

  /// The most pages that `try` reads.
  static let pages = number(in: 1...10_000, wrong: "no number of pages")

  /// Where sessions are kept.
  public static let store = Setting(
    wrong: "no store",
    right: "memory:, sqlite:PATH[?synchronous=full|normal|off] or redis://[[user]:password@]host:port/db",
    read: { StoreChoice($0) })

  /// The form of the log.
  public static let log = Setting(
    wrong: "no form of the log", right: "text or json", read: { LogFormat(rawValue: $0) })

  /// A path.
  static let path = Setting(
    wrong: "no path", right: "the path of a file",
    read: { text in text.isEmpty || text.utf8.contains(0) ? nil : text })

  /// The name of a table, as a client gives it; whether there is such a one the server says.
  static let tableName = Setting(
    wrong: "no table's name", right: "one of those that GET /v1/tables lists",
    read: { text in text.isEmpty ? nil : text })

  /// A bearer token: what may stand in a header field, without white space.
  static let token = Setting(
    wrong: "no token", right: "printable ASCII characters without white space, one at least",
    read: { text in !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } ? text : nil })

  /// A name that requests may give in `Host`, in lower case.
  static let hostName = Setting(
    wrong: "no host name", right: "a host name without scheme, port and path, such as \"lists.example.com\"",
    read: { HostName($0)?.text })

  /// An origin as browsers send it, or `null`.
  static let origin = Setting(
    wrong: "no origin", right: "an origin without path, such as \"https://app.example.com\", or \"null\"",
    read: { WebOrigin($0)?.text })

  private static func number(in range: ClosedRange<Int>, wrong: String) -> Setting<Int> {
    Setting(wrong: wrong, right: "a whole number from \(range.lowerBound) to \(range.upperBound)") { text in
      guard !text.isEmpty, text.utf8.allSatisfy(isDigit), let number = Int(text) else { return nil }
      return range.contains(number) ? number : nil
    }
  }
}
