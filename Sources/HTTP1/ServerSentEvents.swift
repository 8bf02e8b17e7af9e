/// The text/event-stream format (WHATWG HTML §9.2), one `data` line an event.
public enum ServerSentEvents {
  /// One event: `id`, `event`, `data`, in this order (protocol §8), and an empty line.
  ///
  /// CR and LF in `data` become spaces, which JSON text outside of strings does not mind and never holds inside.
  public static func frame(id: Int?, event: StaticString, data: [UInt8]) -> [UInt8] { [] }

  /// Appends an event up to its data; the data (without CR or LF) and `appendEnd` follow.
  public static func appendStart(id: Int?, event: StaticString, to output: inout [UInt8]) {}

  /// Ends the event that `appendStart` began.
  public static func appendEnd(to output: inout [UInt8]) {}

  /// A comment line, which clients ignore.
  public static func comment(_ text: StaticString = "") -> [UInt8] { [] }

  /// Tells clients how long to wait before they connect again.
  public static func retry(milliseconds: Int) -> [UInt8] { [] }
}
