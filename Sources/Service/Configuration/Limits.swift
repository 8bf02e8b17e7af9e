/// The bounds of a server, `server.limits`.
public struct Limits: Sendable, Equatable {
  /// The most bytes of a request's head.
  public var headerBytes = 65_536
  /// The most bytes of a request's body.
  public var bodyBytes = 8_388_608
  /// The most bytes of a row's minified data.
  public var rowBytes = 65_536
  /// The most items that a session holds.
  public var itemsPerSession = 100_000
  /// The most sessions.
  public var sessions = 100_000
  /// The most open streams and waiting callers of a session.
  public var subscribersPerSession = 10_000
  /// Seconds without use after which a session ends, for tables that do not say; 0 for never.
  public var idleSeconds = 86_400
  /// Seconds within which a request's head has to be there.
  public var headerSeconds = 10
  /// Seconds within which a request's body has to be there.
  public var bodySeconds = 30
  /// Seconds for which a connection may wait for its next request.
  public var keepAliveSeconds = 75
  /// The most connections.
  public var connections = 20_000
  /// How many of a session's newest changes are kept at least, or those within `keptBytes`, if they are fewer.
  public var keptChanges = 1_000
  /// The bytes of changes that are kept at least.
  public var keptBytes = 8_388_608
  /// The most bytes that may wait for a slow reader of a stream behind the event being written.
  public var streamBufferBytes = 1_048_576
  /// The memory of sessions kept ready, for stores other than memory.
  public var residentBytes = 268_435_456
  /// The most upstream requests at a time.
  public var fetches = 64

  /// The limits where the file does not say otherwise.
  public init() {}
}

extension Limits {
  init(_ limits: inout ConfigurationObject) {
    func read(_ key: String, _ limit: inout Int, _ range: ClosedRange<Int>) {
      limit = limits[key]?.integer(in: range) ?? limit
    }
    read("headerBytes", &headerBytes, Self.text)
    read("bodyBytes", &bodyBytes, Self.text)
    read("rowBytes", &rowBytes, Self.text)
    read("itemsPerSession", &itemsPerSession, Self.count)
    read("sessions", &sessions, Self.count)
    read("subscribersPerSession", &subscribersPerSession, Self.count)
    read("idleSeconds", &idleSeconds, Self.idle)
    read("headerSeconds", &headerSeconds, Self.seconds)
    read("bodySeconds", &bodySeconds, Self.seconds)
    read("keepAliveSeconds", &keepAliveSeconds, Self.seconds)
    read("connections", &connections, Self.count)
    read("keptChanges", &keptChanges, Self.count)
    read("keptBytes", &keptBytes, Self.memory)
    read("streamBufferBytes", &streamBufferBytes, Self.memory)
    read("residentBytes", &residentBytes, Self.memory)
    read("fetches", &fetches, Self.count)
  }

  /// Bytes of one text: `Bytes` holds up to 4 GiB, and a text has to fit in it several times over.
  static let text = 1...(1 << 30)
  /// Bytes of a buffer.
  static let memory = 1...(1 << 40)
  /// Numbers of things.
  static let count = 1...Int(Int32.max)
  /// Seconds of waiting, up to a year.
  static let seconds = 1...31_536_000
  /// Seconds of a session's life without use, up to a hundred years; 0 for ever.
  static let idle = 0...3_153_600_000
}
