import FileSource
import Foundation
import JSONText
import ListModel
import Sessions
import SourceContract
import Testing
import TestSupport

/// Paths that lead to no readable file, and files that change.
@Suite(.timeLimit(.minutes(5)))
struct FileAccessTests {
  let folder: TemporaryFolder
  let source = FileSource()

  init() throws { folder = try TemporaryFolder() }

  private func failure(of path: String) async -> UpstreamFailure? {
    await source.page(request(path)).failure
  }

  @Test("What is missing is unreachable")
  func missing() async throws {
    try folder.write("[]", to: "file.json")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("dangling.json"), withDestinationPath: "nowhere")
    for path in [folder.path("list.json"), folder.path("dangling.json"), "", folder.path("file.json\0.json")]
    {
      let failure = await failure(of: path)
      #expect(failure?.code == .unreachable)
      #expect(failure?.detail.hasSuffix("the file does not exist") == true, "\(path)")
      #expect(failure?.detail.contains(folder.path) == false)
    }
    #expect(
      await failure(of: folder.path("file.json/list.json"))?.detail
        == "list.json: the file does not exist: a part of its path is no folder")
  }

  @Test("What cannot be looked at is unreachable")
  func unreadable() async throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("loop.json"), withDestinationPath: "loop.json")
    for name in ["loop.json", String(repeating: "x", count: 300) + ".json"] {
      let failure = await failure(of: folder.path(name))
      #expect(failure?.code == .unreachable)
      #expect(failure?.detail.hasPrefix("\(name): the file cannot be read: ") == true)
    }
  }

  @Test("What may not be read is unreachable", .enabled(if: geteuid() != 0, "root may read everything"))
  func forbidden() async throws {
    let path = try folder.write("[]", to: "list.json")
    #expect(await failure(of: path) == nil)
    chmod(path, 0)
    #expect(
      await failure(of: path)
        == UpstreamFailure(.unreachable, detail: "list.json: this server may not read the file"))
  }

  @Test("What is no regular file is refused, and nothing blocks")
  func special() async throws {
    #expect(
      await failure(of: folder.path)?.detail.hasSuffix(": this is no regular file but a folder") == true)
    mkfifo(folder.path("pipe.json"), 0o600)
    #expect(
      await failure(of: folder.path("pipe.json"))
        == UpstreamFailure(.unreachable, detail: "pipe.json: this is no regular file but a FIFO"))
    #expect(
      await failure(of: "/dev/zero")
        == UpstreamFailure(.unreachable, detail: "zero: this is no regular file but a device"))
  }

  @Test("A file over 256 MiB is too large, and is not read")
  func tooLarge() async throws {
    let path = try folder.write("[]", to: "list.json")
    truncate(path, (256 << 20) + 1)
    #expect(
      await failure(of: path)
        == UpstreamFailure(
          .tooLarge, detail: "list.json: the file is larger than 268435456 bytes, the most that are read"))
  }

  @Test("A file whose size is not told is read to its end")
  func sizeUnknown() async throws {
    // One line of numbers, of size 0 by its status: a header without records, where nothing would be a fault.
    #expect(try await source.page(request("/proc/self/statm")).get().items.isEmpty)
  }

  @Test("A symbolic link leads to the file that it names then")
  func symbolicLink() async throws {
    for name in ["a", "b"] {
      try folder.write("[{\"id\":\"\(name)\"}]", to: "\(name).json")
      try? folder.remove("list.json")
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("list.json"), withDestinationPath: "\(name).json")
      let page = try await source.page(request(folder.path("list.json"))).get()
      #expect(page.items.map(\.id.string) == [name])
    }
  }

  @Test("A change of the same size, at once and under the same time, is seen")
  func sameSizeSameTime() async throws {
    let path = folder.path("list.json")
    for number in 100..<140 {
      try folder.overwrite(Array("[{\"id\":\"\(number)\"}]".utf8), in: "list.json")
      try setTime(of: path, secondsSince1970: 1_000_000_000)
      let page = try await source.page(request(path)).get()
      #expect(page.items.map(\.id.string) == ["\(number)"])
    }
  }

  @Test("A faulty file that is put right is read")
  func repaired() async throws {
    let path = try folder.write("[{\"id\":\"a\"}", to: "list.json")
    #expect(await failure(of: path)?.code == .malformed)
    #expect(await failure(of: path)?.code == .malformed)
    try folder.write("[{\"id\":\"a\"}]", to: "list.json")
    #expect(await failure(of: path) == nil)
  }

  @Test("Tables with other pointers into one file do not disturb each other")
  func twoTables() async throws {
    let path = try folder.write(#"{"a":[{"id":"x"}],"b":[{"id":"y"}]}"#, to: "list.json")
    for _ in 0..<3 {
      for (pointer, id) in [("a", "x"), ("b", "y")] {
        let page = try await source.page(request(path, items: JSONPointer(tokens: [Bytes(pointer)]))).get()
        #expect(page.items.map(\.id.string) == [id])
      }
    }
  }

  @Test("Readings that do not fit into the cache are read again, and right")
  func tinyCache() async throws {
    let source = FileSource(cacheBytes: 1)
    for name in ["a", "b"] {
      let path = try folder.write("[{\"id\":\"\(name)\"}]", to: "\(name).json")
      try setTime(of: path, secondsSince1970: 1_000_000_000)
    }
    for _ in 0..<3 {
      for name in ["a", "b"] {
        let page = try await source.page(request(folder.path("\(name).json"))).get()
        #expect(page.items.map(\.id.string) == [name])
      }
    }
  }

  private func setTime(of path: String, secondsSince1970 seconds: Int) throws {
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
  }
}
