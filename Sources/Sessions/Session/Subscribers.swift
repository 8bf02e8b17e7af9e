import ListModel

/// The open streams of a session.
///
/// One frame is made a change and format, and shared by all who want it.
struct Subscribers {
  private struct Subscriber {
    let number: Int
    let format: FeedEncoding.Format
    let sink: any FeedSink
  }

  private var all: [Subscriber] = []

  /// How many there are.
  var count: Int { all.count }

  /// Adds a stream; `number` finds it again.
  mutating func add(_ number: Int, _ format: FeedEncoding.Format, _ sink: any FeedSink) {
    all.append(Subscriber(number: number, format: format, sink: sink))
  }

  /// Takes a stream out that has ended.
  ///
  /// O(log n): numbers rise.
  mutating func remove(_ number: Int) {
    var low = 0
    var high = all.count
    while low < high {
      let middle = (low + high) / 2
      if all[middle].number < number { low = middle + 1 } else { high = middle }
    }
    if low < all.count, all[low].number == number { all.remove(at: low) }
  }

  /// Sends a change to everyone.
  ///
  /// O(subscribers).
  func send(_ change: Change, _ encoding: FeedEncoding) {
    guard !all.isEmpty else { return }
    for format in FeedEncoding.Format.allCases where all.contains(where: { $0.format == format }) {
      let frame = encoding.change(change, format)
      for subscriber in all where subscriber.format == format { subscriber.sink.send(change: frame) }
    }
  }

  /// Ends all streams.
  ///
  /// O(subscribers).
  mutating func finish(_ reason: EndReason, _ encoding: FeedEncoding) {
    guard !all.isEmpty else { return }
    let frame = encoding.end(reason)
    for subscriber in all { subscriber.sink.finish(frame) }
    all = []
  }
}
