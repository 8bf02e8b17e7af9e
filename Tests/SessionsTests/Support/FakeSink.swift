import Sessions
import Synchronization

/// The stream of one client: it notes what it is given, as text.
final class FakeSink: FeedSink {
  private let noted = Mutex<(lines: [String], frames: [[UInt8]])>(([], []))

  /// What was sent, line by line: `begin …`, `change …`, `end …`.
  var lines: [String] { noted.withLock { $0.lines } }

  /// The frames as they were given.
  var frames: [[UInt8]] { noted.withLock { $0.frames } }

  /// The revisions of all changes in the order in which they came.
  var revisions: [Int] {
    lines.flatMap { $0.split(separator: " ") }.compactMap { $0.first == "#" ? Int($0.dropFirst()) : nil }
  }

  func begin(with frames: [UInt8]) { note("begin", frames) }
  func send(change frame: [UInt8]) { note("change", frame) }
  func finish(_ frame: [UInt8]) { note("end", frame) }

  private func note(_ kind: String, _ frame: [UInt8]) {
    noted.withLock {
      $0.lines.append("\(kind) \(String(decoding: frame, as: UTF8.self))")
      $0.frames.append(frame)
    }
  }
}

extension FeedEncoding {
  /// `#R ` for a change (`~#R ` as a patch), `=R` for a snapshot, the reason for an end.
  static let noted = FeedEncoding(
    change: { change, format in Array("\(format == .ops ? "" : "~ ")#\(change.revision) ".utf8) },
    snapshot: { Array("=\($0.version.revision)".utf8) },
    end: { Array($0.rawValue.utf8) })
}
