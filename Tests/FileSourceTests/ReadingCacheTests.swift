import FileSource
import Foundation
import JSONText
import ListModel
import SourceContract
import Testing
import TestSupport

/// When a file is read again, when it is parsed again, and what is forgotten.
@Suite(.timeLimit(.minutes(5)))
struct ReadingCacheTests {
  /// How often each path was parsed.
  private final class Parses {
    var counts: [String: Int] = [:]
  }

  private let folder: TemporaryFolder
  private let parses = Parses()

  init() throws { folder = try TemporaryFolder() }

  private func cache(limit: Int) -> ReadingCache {
    ReadingCache(limit: limit) { [parses] (content, key) in
      parses.counts[key.path, default: 0] += 1
      return Result { () throws(UpstreamFailure) in
        try FileItems(of: content, name: "list.json", items: key.items)
      }
    }
  }

  private func key(_ path: String, _ items: JSONPointer = JSONPointer()) -> ReadingCache.Key {
    ReadingCache.Key(path: path, items: items)
  }

  @Test("A file is parsed once while it stays the same, however it is rewritten")
  func parsesOnce() throws {
    var cache = cache(limit: 1 << 20)
    let path = try folder.write("[1,2]", to: "a.json")
    for _ in 0..<3 { #expect(try cache.items(key(path)).count == 2) }
    try folder.write("[1,2]", to: "a.json")
    for _ in 0..<3 { #expect(try cache.items(key(path)).count == 2) }
    #expect(parses.counts == [path: 1])
    try folder.overwrite(Array("[3,4,5]".utf8), in: "a.json")
    for _ in 0..<3 { #expect(try cache.items(key(path)).count == 3) }
    #expect(parses.counts == [path: 2])
  }

  @Test("A file that has not changed for long is read once, even where it is faulty")
  func trustsSettledFiles() throws {
    let path = "/bin/sh"
    try #require(try identity(of: path).isSettled(at: FileIdentity.now()))
    var cache = cache(limit: 1 << 20)
    #expect(try bytesRead { #expect(throws: UpstreamFailure.self) { try cache.items(key(path)) } } > 50_000)
    for _ in 0..<3 {
      #expect(try bytesRead { #expect(throws: UpstreamFailure.self) { try cache.items(key(path)) } } < 10_000)
    }
    #expect(parses.counts == [path: 1])
  }

  /// The bytes that this thread reads from files in `body`, and a few more for asking.
  private func bytesRead(_ body: () -> Void) throws -> Int {
    let before = try bytesReadSoFar()
    body()
    return try bytesReadSoFar() - before
  }

  private func bytesReadSoFar() throws -> Int {
    let counters = try String(contentsOfFile: "/proc/thread-self/io", encoding: .utf8)
    let line = try #require(counters.split(separator: "\n").first { $0.hasPrefix("rchar: ") })
    return try #require(Int(line.dropFirst(7)))
  }

  @Test("What was used least recently is forgotten first, the newest never")
  func forgets() throws {
    let paths = try (0..<3).map {
      try folder.write("[\"\(String(repeating: "x", count: 1000))\"]", to: "\($0).json")
    }
    var cache = cache(limit: 2500)
    for index in [0, 1, 0, 2, 0, 1, 2, 2] { #expect(try cache.items(key(paths[index])).count == 1) }
    #expect(parses.counts == [paths[0]: 1, paths[1]: 2, paths[2]: 2])

    var tiny = self.cache(limit: 1)
    parses.counts = [:]
    for index in [0, 0, 1, 1, 0] { #expect(try tiny.items(key(paths[index])).count == 1) }
    #expect(parses.counts == [paths[0]: 2, paths[1]: 1])
  }

  @Test("Times that a later change could share are not relied on")
  func settles() {
    let second: Int64 = 1_000_000_000
    var status = stat()
    status.st_mtim = timespec(tv_sec: 100, tv_nsec: 5)
    status.st_ctim = timespec(tv_sec: 200, tv_nsec: 5)
    let identity = FileIdentity(of: status)
    #expect(!identity.isSettled(at: 0))
    #expect(!identity.isSettled(at: 103 * second), "it changed behind its own time of modification")
    #expect(!identity.isSettled(at: 200 * second))
    #expect(!identity.isSettled(at: 202 * second + 5))
    #expect(identity.isSettled(at: 202 * second + 6))

    status.st_mtim = timespec(tv_sec: .max, tv_nsec: 0)
    #expect(FileIdentity(of: status) != identity)
    status.st_mtim = timespec(tv_sec: 9_000_000_000, tv_nsec: 0)
    #expect(!FileIdentity(of: status).isSettled(at: 300 * second), "a time to come is never settled")
  }

  private func identity(of path: String) throws -> FileIdentity {
    var status = stat()
    try #require(stat(path, &status) == 0)
    return FileIdentity(of: status)
  }
}
