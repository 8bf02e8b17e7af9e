import JSONText
import ListModel

/// Everything that a server is told before it starts: the file, then `ROWCAST_…` variables, then flags.
public struct Configuration: Sendable {
  /// How the server meets the world.
  public var server = ServerSettings()
  /// The form of the log on standard error; only a variable or a flag says it.
  public var log = LogFormat.text
  /// Where sessions are kept.
  public var store = StoreChoice.standard
  /// The tables, in the order of the file.
  public var tables: [TableDefinition] = []

  /// A server of defaults without tables.
  public init() {}

  /// The file that is read where neither `--config` nor `ROWCAST_CONFIG` names one, relative to the working folder.
  public static let standardFile = "Config/rowcast.json"

  /// The path of the file to read: the flag's, else the variable's, else the standard one.
  public static func file(flag: String?, environment: [String: String]) -> String {
    flag ?? environment.setting("ROWCAST_CONFIG") ?? standardFile
  }
}

/// How the server meets the world, `server`.
public struct ServerSettings: Sendable, Equatable {
  /// The address or name to listen on, without brackets.
  public var host = "127.0.0.1"
  /// Where the host was named.
  var hostPlace = ConfigurationFault.Place.pointer(JSONPointer(tokens: ["server", "host"]))
  /// The port; 0 takes a free one.
  public var port = 8_080
  /// The number of event loops; 0 for one a core.
  public var threads = 0
  /// Tokens that open, read and change sessions; secrets.
  public var tokens: [String] = []
  /// Tokens that also see the list of sessions and the metrics; secrets.
  public var adminTokens: [String] = []
  /// Host names of requests besides IP addresses and `localhost`, in lower case.
  public var hosts: [String] = []
  /// Origins of requests besides the server's own, in the form in which browsers send them; `null` may be one.
  public var origins: [String] = []
  /// The bounds.
  public var limits = Limits()
  /// Whether a server without tokens may listen on other addresses than loopback: `ROWCAST_ALLOW_ANONYMOUS=1`.
  public var allowsAnonymous = false

  /// The settings where nothing says otherwise.
  public init() {}

  /// Whether requests need a token.
  public var wantsTokens: Bool { !tokens.isEmpty || !adminTokens.isEmpty }

  /// Whether only this machine reaches the server; of names only `localhost` counts.
  public var listensOnLoopback: Bool { IPAddress(host)?.isLoopback ?? (host == "localhost") }
}

extension Configuration {
  /// Why the server may not listen where it is told to; nil where it may.
  ///
  /// Whoever reaches a server without tokens can read and change everything, so only this machine may, unless it
  /// is allowed by name.
  public var listeningFault: ConfigurationFault? {
    if server.wantsTokens || server.allowsAnonymous || server.listensOnLoopback { return nil }
    return ConfigurationFault(
      at: server.hostPlace, "without a token the server does not listen on \(server.host)",
      remedy: "set ROWCAST_TOKEN (or server.tokens), listen on 127.0.0.1, or set ROWCAST_ALLOW_ANONYMOUS=1")
  }
}
