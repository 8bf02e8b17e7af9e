/// What `rowcast watch` shows, and how.
public struct WatchOptions: Sendable, Equatable {
  /// The address as it was given, of a session, a page or a server.
  public var url: String
  /// The table to open a session on.
  public var table: String?
  /// The token behind the flag; `token(in:)` looks further.
  public var token: String?
  /// Whether to draw the present list and end.
  public var isOnce = false
  /// Whether to print JSON Lines.
  public var isJSON = false

  /// Shows what is at `url`, live and for people.
  public init(url: String) {
    self.url = url
  }

  /// The token that requests bear: the flag's, else that of `ROWCAST_TOKEN`.
  public func token(in environment: [String: String]) throws(UsageError) -> String? {
    if let token { return token }
    guard let text = environment.setting("ROWCAST_TOKEN") else { return nil }
    guard let token = Settings.token.read(text) else {
      throw UsageError(
        problem: "ROWCAST_TOKEN is \(Settings.token.wrong); \(Settings.token.right) would be right",
        command: .watch)
    }
    return token
  }
}
