import JSONText
import ListModel

/// What was last read of each file, so that a thousand sessions of a table do not parse its file a thousand times.
///
/// A reading is used again only while the file is known to be unchanged; faulty texts are remembered like good ones.
/// The readings used least recently go when all together hold more than `limit` bytes; the newest always stays.
/// Not safe for several threads: the reading thread owns it.
package struct ReadingCache {
  /// One reading: of a path, with a pointer to the items.
  package struct Key: Hashable {
    package let path: String
    package let items: JSONPointer

    package init(path: String, items: JSONPointer) {
      self.path = path
      self.items = items
    }
  }

  private struct Reading {
    let identity: FileIdentity
    /// Whether the identity alone tells that the file is still the same.
    let isSettled: Bool
    let content: [UInt8]
    let outcome: Result<FileItems, UpstreamFailure>
    let bytes: Int
    var lastUse: UInt64
  }

  private var readings: [Key: Reading] = [:]
  private var bytes = 0
  private var uses: UInt64 = 0
  private let limit: Int
  private let parse: (_ content: [UInt8], _ key: Key) -> Result<FileItems, UpstreamFailure>

  /// An empty cache.
  ///
  /// - Parameters:
  ///   - limit: the bytes of content and index that it may hold beside the newest reading's.
  ///   - parse: makes the items of a content.
  package init(
    limit: Int, parse: @escaping (_ content: [UInt8], _ key: Key) -> Result<FileItems, UpstreamFailure>
  ) {
    self.limit = limit
    self.parse = parse
  }

  /// The items that the file holds now.
  ///
  /// O(1) where it is unchanged since it was last read; O(size), without parsing, where it may have changed without
  /// showing it (see `FileIdentity.isSettled`) but did not; else O(size) with parsing.
  package mutating func items(_ key: Key) throws(UpstreamFailure) -> FileItems {
    let file = RegularFile(path: key.path)
    let now = FileIdentity.now()
    let identity = try file.identity()
    let last = readings[key]
    if let last, last.isSettled, last.identity == identity {
      uses += 1
      readings[key]?.lastUse = uses
      return try last.outcome.get()
    }
    // A content that is newer than `identity` does no harm: the next look finds another identity.
    let content = try file.content()
    let outcome = last?.content == content ? last?.outcome : nil
    return try keep(
      outcome ?? parse(content, key), of: content, at: key, identity, settled: identity.isSettled(at: now))
  }

  private mutating func keep(
    _ outcome: Result<FileItems, UpstreamFailure>, of content: [UInt8], at key: Key, _ identity: FileIdentity,
    settled: Bool
  ) throws(UpstreamFailure) -> FileItems {
    uses += 1
    forget(key)
    let index = if case .success(let items) = outcome { items.indexBytes } else { 0 }
    let reading = Reading(
      identity: identity, isSettled: settled, content: content, outcome: outcome,
      bytes: content.count + index, lastUse: uses)
    while bytes + reading.bytes > limit, let oldest = leastRecentlyUsed { forget(oldest) }
    readings[key] = reading
    bytes += reading.bytes
    return try outcome.get()
  }

  private var leastRecentlyUsed: Key? {
    readings.min { $0.value.lastUse < $1.value.lastUse }?.key
  }

  private mutating func forget(_ key: Key) {
    if let reading = readings.removeValue(forKey: key) { bytes -= reading.bytes }
  }
}
