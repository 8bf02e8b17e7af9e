/// The text/event-stream format (WHATWG HTML §9.2), with exactly one `data` line an event.
public enum ServerSentEvents {
  /// One event: `id`, `event`, `data`, in this order (protocol §8), and an empty line.
  ///
  /// CR and LF in `data` would begin a new line of the stream and become spaces; minified JSON has none.
  public static func frame(id: Int?, event: StaticString, data: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(data.count + event.utf8CodeUnitCount + 48)
    appendStart(id: id, event: event, to: &output)
    let start = output.count
    output.append(contentsOf: data)
    for index in start..<output.count where output[index] == .carriageReturn || output[index] == .lineFeed {
      output[index] = .space
    }
    appendEnd(to: &output)
    return output
  }

  /// Appends an event up to its data; the data, without CR or LF, and `appendEnd` follow.
  public static func appendStart(id: Int?, event: StaticString, to output: inout [UInt8]) {
    if let id {
      output.append(text: "id: ")
      output.append(number: id)
      output.append(text: "\n")
    }
    output.append(text: "event: ")
    output.append(text: event)
    output.append(text: "\ndata: ")
  }

  /// Ends the event that `appendStart` began.
  public static func appendEnd(to output: inout [UInt8]) {
    output.append(text: "\n\n")
  }

  /// A comment line, which clients ignore, and which shows both ends that the connection lives.
  public static func comment(_ text: StaticString = "") -> [UInt8] {
    var output: [UInt8] = []
    output.append(text: text.utf8CodeUnitCount > 0 ? ": " : ":")
    output.append(text: text)
    output.append(text: "\n\n")
    return output
  }

  /// Tells clients how long to wait before they connect again.
  public static func retry(milliseconds: Int) -> [UInt8] {
    var output: [UInt8] = []
    output.append(text: "retry: ")
    output.append(number: milliseconds)
    output.append(text: "\n\n")
    return output
  }
}
