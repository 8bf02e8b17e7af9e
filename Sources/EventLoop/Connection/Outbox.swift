import CLibevent
import Glibc

/// The bytes that one turn of a loop writes to one socket: gathered first, then handed over in one system
/// call.
///
/// Small runs are copied behind each other, large ones stay where they are. What the socket does not take
/// moves to the connection's output buffer, which libevent drains when the socket can be written again. So an
/// answer that fits the socket costs one `send`, no buffer of libevent's and no change of what is polled.
struct Outbox {
  /// Runs up to this many bytes are copied, longer ones are shared.
  static let copyLimit = 4096
  /// From this many bytes on it is time to flush.
  static let fullAt = 65_536
  /// Shared runs that one system call takes; far below the system's limit of 1,024 pieces.
  private static let sharedLimit = 64

  /// What was copied, or written here in place.
  ///
  /// Appending is all that others do.
  var bytes: [UInt8] = []
  /// The shared runs, each with the place in `bytes` that it stands before.
  private var shared: [(before: Int, run: SharedRun)] = []

  /// How a flush ended.
  enum Outcome {
    /// The socket has taken everything.
    case written
    /// The rest waits in the output buffer.
    case waits
    /// The connection is broken, and everything is dropped.
    case broken
  }

  var isEmpty: Bool { bytes.isEmpty && shared.isEmpty }

  var isFull: Bool { bytes.count >= Self.fullAt || !shared.isEmpty }

  /// Appends a run: O(1) if it is long, else O(its length).
  mutating func append(_ run: [UInt8]) {
    if run.count <= Self.copyLimit {
      bytes.append(contentsOf: run)
    } else {
      shared.append((bytes.count, SharedRun(run)))
    }
  }

  /// Writes all to `socket`, the rest to `buffer`, and is empty afterwards.
  mutating func flush(to socket: Int32, rest buffer: OpaquePointer) -> Outcome {
    defer { clear() }
    if shared.isEmpty {
      return bytes.withUnsafeBytes { all in
        let taken = send(socket, all.baseAddress, all.count, Int32(MSG_NOSIGNAL))
        if taken == all.count { return .written }
        guard let taken = accepted(taken) else { return .broken }
        evbuffer_add(buffer, all.baseAddress.map { $0 + taken }, all.count - taken)
        return .waits
      }
    }
    return withPieces { pieces in
      var skip = 0
      var vectors = pieces.map {
        iovec(iov_base: .init(mutating: $0.bytes.baseAddress), iov_len: $0.bytes.count)
      }
      let taken = vectors.withUnsafeMutableBufferPointer { vectors in
        var message = msghdr()
        message.msg_iov = vectors.baseAddress
        message.msg_iovlen = vectors.count
        return sendmsg(socket, &message, Int32(MSG_NOSIGNAL))
      }
      guard let taken = accepted(taken) else { return .broken }
      skip = taken
      return Self.add(pieces, skipping: skip, to: buffer) ? .waits : .written
    }
  }

  /// Puts all into `buffer` behind what waits there, and is empty afterwards.
  mutating func move(to buffer: OpaquePointer) {
    defer { clear() }
    withPieces { _ = Self.add($0, skipping: 0, to: buffer) }
  }

  /// Drops all.
  mutating func clear() {
    bytes.removeAll(keepingCapacity: bytes.capacity <= 4 * Self.fullAt)
    if !shared.isEmpty { shared.removeAll() }
  }

  /// Whether another shared run would be one too many for a system call.
  var isCrowded: Bool { shared.count >= Self.sharedLimit }

  private struct Piece {
    var bytes: UnsafeRawBufferPointer
    var owner: SharedRun?
  }

  private func withPieces<Result>(_ body: ([Piece]) -> Result) -> Result {
    bytes.withUnsafeBytes { all in
      var pieces: [Piece] = []
      pieces.reserveCapacity(2 * shared.count + 1)
      var start = 0
      for (end, run) in shared {
        if end > start { pieces.append(Piece(bytes: .init(rebasing: all[start..<end]))) }
        pieces.append(Piece(bytes: run.pointer, owner: run))
        start = end
      }
      if all.count > start { pieces.append(Piece(bytes: .init(rebasing: all[start...]))) }
      return body(pieces)
    }
  }

  /// Adds what `pieces` hold behind their first `skipping` bytes; false if that is nothing.
  private static func add(_ pieces: [Piece], skipping: Int, to buffer: OpaquePointer) -> Bool {
    var skip = skipping
    var added = false
    for piece in pieces {
      if skip >= piece.bytes.count {
        skip -= piece.bytes.count
        continue
      }
      let rest = UnsafeRawBufferPointer(rebasing: piece.bytes[skip...])
      skip = 0
      added = true
      if let owner = piece.owner {
        owner.add(rest, to: buffer)
      } else {
        evbuffer_add(buffer, rest.baseAddress, rest.count)
      }
    }
    return added
  }

  /// The number of bytes that a send took, 0 where the socket is full, nil where it is broken.
  private func accepted(_ result: Int) -> Int? {
    if result >= 0 { return result }
    return errno == EAGAIN || errno == EINTR ? 0 : nil
  }
}

/// A byte array that C reads from while this object lives.
///
/// `pointer` outlives the closure that gave it: an array's elements stand in a heap object that neither moves
/// nor changes while a reference to it is held and nobody mutates through that reference, and `run` is such a
/// reference.
private final class SharedRun {
  private let run: [UInt8]
  let pointer: UnsafeRawBufferPointer

  init(_ run: [UInt8]) {
    self.run = run
    pointer = run.withUnsafeBytes { $0 }
  }

  /// Lends a part of the run to `buffer`: retained here, released by `release` when the buffer is done with
  /// it.
  func add(_ part: UnsafeRawBufferPointer, to buffer: OpaquePointer) {
    let retained = Unmanaged.passRetained(self)
    let status = evbuffer_add_reference(buffer, part.baseAddress, part.count, release, retained.toOpaque())
    if status != 0 { retained.release() }
  }
}

private func release(_: UnsafeRawPointer?, _: Int, run: UnsafeMutableRawPointer?) {
  guard let run else { return }
  Unmanaged<SharedRun>.fromOpaque(run).release()
}
