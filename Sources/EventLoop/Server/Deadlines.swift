/// One deadline for each of the connections 0..<count, side by side, so that a look at all of them is one
/// pass over memory: 5,000 take a few microseconds.
///
/// Setting one is a store. The alarm for the earliest is moved only when a new one lies before it; an alarm
/// that comes too early, because its deadline was put off, just looks and is set anew.
struct Deadlines {
  private var times: [Double] = []
  /// When to look next: not after the earliest deadline.
  private(set) var alarm = Double.infinity

  /// Looks at most this often, in seconds, so that many deadlines close together cost one pass.
  private static let grain = 0.02

  var count: Int { times.count }

  subscript(slot: Int) -> Double { times[slot] }

  /// Adds a slot behind the others, without a deadline.
  mutating func append() {
    times.append(.infinity)
  }

  /// Removes a slot; the last one takes its place.
  mutating func remove(_ slot: Int) {
    let last = times.removeLast()
    if slot < times.count { times[slot] = last }
  }

  /// Sets a deadline; true if the alarm is to be set anew.
  mutating func set(_ slot: Int, to time: Double) -> Bool {
    times[slot] = time
    guard time < alarm else { return false }
    alarm = time
    return true
  }

  /// Whether the deadline has come; if so it is taken off.
  mutating func take(_ slot: Int, at now: Double) -> Bool {
    guard slot < times.count, times[slot] <= now else { return false }
    times[slot] = .infinity
    return true
  }

  /// After a look at all: the time of the next.
  ///
  /// O(count).
  mutating func rewind(at now: Double) {
    let earliest = times.min() ?? .infinity
    alarm = earliest == .infinity ? earliest : max(earliest, now + Self.grain)
  }
}
