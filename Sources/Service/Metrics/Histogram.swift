/// How long things took, counted in buckets.
final class Histogram: Sendable {
  /// Upper bounds of the buckets in nanoseconds, and as Prometheus names them in seconds.
  static let bounds: [(nanoseconds: Int, label: StaticString)] = [
    (100_000, "0.0001"), (250_000, "0.00025"), (500_000, "0.0005"), (1_000_000, "0.001"),
    (2_500_000, "0.0025"), (5_000_000, "0.005"), (10_000_000, "0.01"), (25_000_000, "0.025"),
    (50_000_000, "0.05"), (100_000_000, "0.1"), (250_000_000, "0.25"), (500_000_000, "0.5"),
    (1_000_000_000, "1"), (2_500_000_000, "2.5"), (5_000_000_000, "5"), (10_000_000_000, "10"),
    (30_000_000_000, "30"), (60_000_000_000, "60"),
  ]

  /// One cell a bucket, one for what is above them all, one for the sum in nanoseconds.
  private let cells = AtomicCells(count: bounds.count + 2)

  /// Counts one that took so long; less than nothing counts as nothing.
  ///
  /// O(buckets).
  func observe(nanoseconds: Int) {
    let time = max(nanoseconds, 0)
    var bucket = 0
    while bucket < Self.bounds.count && time > Self.bounds[bucket].nanoseconds { bucket += 1 }
    cells.add(1, at: bucket)
    cells.add(time, at: Self.bounds.count + 1)
  }

  /// How many lie in each bucket, not counting those of the buckets below; the last is for what is above them all.
  var buckets: [Int] { (0...Self.bounds.count).map { cells[$0] } }

  /// The sum of all, in nanoseconds.
  var sum: Int { cells[Self.bounds.count + 1] }
}
