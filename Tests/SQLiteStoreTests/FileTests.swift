import Foundation
import JSONText
import SQLiteStore
import Sessions
import StoreContract
import Testing
import TestSupport

/// What may lie at a store's path, and what becomes of it.
@Suite(.timeLimit(.minutes(5)))
struct FileTests {
  @Test("Folders and file are made, for their owner alone")
  func makesFolders() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a/b/rowcast.db")
    let store = try SQLiteStore(path: path)
    try store.write(.new("a", 1))
    store.close()
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path("a/b")).sorted() == [
        "rowcast.db", "rowcast.db.lock",
      ])
    let again = try SQLiteStore(path: path)
    #expect(again.census.sessions == 1)
    #expect(try again.session("a") != nil)
  }

  @Test("An empty file becomes a store")
  func fillsEmptyFile() throws {
    let folder = try TemporaryFolder()
    try folder.write(Data(), to: "s.db")
    #expect(refusal(of: folder.path("s.db")) == nil)
  }

  @Test("One server at a time has a store, by whatever name")
  func locks() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("s.db"))
    try FileManager.default.createDirectory(atPath: folder.path("d"), withIntermediateDirectories: true)
    let link = folder.path("d/link.db")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "../s.db")
    for path in [folder.path("s.db"), link, folder.path("d/../s.db")] {
      let failure = try #require(refusal(of: path))
      #expect(failure.code == .locked)
      #expect(failure.line == "\(path) is in use by another server (process \(getpid()))")
    }
    store.close()
    #expect(refusal(of: link) == nil)
    #expect(try folder.names() == ["d", "s.db", "s.db.lock"], "the link's own folder stays as it was")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("d")) == ["link.db"])
  }

  @Test("A store that is closed is free at once, whatever child of this process was being started")
  func frees() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("s.db"))
    let lock = try #require(
      (0..<4096).first { descriptor in
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        return link == folder.path("s.db.lock")
      })
    // As a child has it until it begins its own program.
    let inherited = dup(Int32(lock))
    defer { close(inherited) }
    store.close()
    #expect(refusal(of: folder.path("s.db")) == nil)
  }

  @Test("A link to nothing leads to where the file is made")
  func followsDanglingLink() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.db"), withDestinationPath: "there/s.db")
    #expect(refusal(of: folder.path("link.db")) == nil)
    #expect(FileManager.default.fileExists(atPath: folder.path("there/s.db")))
    try FileManager.default.createSymbolicLink(atPath: folder.path("x"), withDestinationPath: "y")
    try FileManager.default.createSymbolicLink(atPath: folder.path("y"), withDestinationPath: "x")
    #expect(refusal(of: folder.path("x"))?.code == .path)
  }

  @Test(
    "Names that mean something else to SQLite are names of files",
    arguments: [":memory:", "file:s.db?mode=memory"])
  func takesNamesLiterally(_ name: String) throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path(name))
    try store.write(.new("a", 1))
    store.close()
    #expect(try folder.names().contains(name))
  }

  struct Foreign: CustomTestStringConvertible {
    var testDescription: String
    var code: StoreFileFailure.Code
    var content: @Sendable (_ path: String) throws -> Void

    static func bytes(_ bytes: [UInt8]) -> @Sendable (String) throws -> Void {
      { try Data(bytes).write(to: URL(fileURLWithPath: $0)) }
    }

    static func store(_ path: String, then statements: String = "") throws {
      let store = try SQLiteStore(path: path)
      for number in 1...200 {
        try store.write(.new(Bytes("s\(number)"), number), .step(Bytes("s\(number)"), 1))
      }
      store.close()
      try sql(statements, on: path)
    }

    /// A store with some bytes of its file changed.
    static func damaged(_ damage: @escaping @Sendable (inout Data) -> Void)
      -> @Sendable (String) throws -> Void
    {
      { path in
        try store(path)
        var content = try Data(contentsOf: URL(fileURLWithPath: path))
        damage(&content)
        try content.write(to: URL(fileURLWithPath: path))
      }
    }
  }

  static let foreign: [Foreign] = [
    Foreign(testDescription: "a few bytes", code: .foreign, content: Foreign.bytes(Array("hello".utf8))),
    Foreign(
      testDescription: "text", code: .foreign,
      content: Foreign.bytes(Array(String(repeating: "{\"a\":1}\n", count: 3000).utf8))),
    Foreign(
      testDescription: "zeros", code: .foreign, content: Foreign.bytes([UInt8](repeating: 0, count: 20_000))),
    Foreign(
      testDescription: "a header alone", code: .foreign,
      content: Foreign.bytes(Array("SQLite format 3\0".utf8))),
    Foreign(testDescription: "another program's database", code: .foreign) {
      try sql("CREATE TABLE t (a); INSERT INTO t VALUES (1)", on: $0)
    },
    Foreign(testDescription: "another program's marked database", code: .foreign) {
      try sql("PRAGMA application_id = 5; PRAGMA user_version = 1; PRAGMA journal_mode = WAL", on: $0)
    },
    Foreign(testDescription: "a newer store", code: .newer) {
      try Foreign.store($0, then: "PRAGMA user_version = 2; CREATE TABLE later (a)")
    },
    Foreign(
      testDescription: "a store cut in the middle", code: .damaged,
      content: Foreign.damaged { $0.removeLast($0.count / 2) }),
    Foreign(
      testDescription: "a store cut after its first page", code: .damaged,
      content: Foreign.damaged { $0.removeLast($0.count - 4096) }),
    Foreign(
      testDescription: "a store cut within a page", code: .damaged,
      content: Foreign.damaged { $0.removeLast(100) }),
    Foreign(
      testDescription: "a store with a page of noise", code: .damaged,
      content: Foreign.damaged { content in
        for index in 8192..<12288 { content[index] = UInt8(truncatingIfNeeded: index &* 37) }
      }),
    Foreign(
      testDescription: "a store with pages of zeros", code: .damaged,
      content: Foreign.damaged { content in
        for index in 12288..<content.count { content[index] = 0 }
      }),
  ]

  @Test("What is no store in order is refused and stays as it was", arguments: foreign)
  func refuses(_ sample: Foreign) throws {
    let folder = try TemporaryFolder()
    try sample.content(folder.path("s.db"))
    let (before, names) = (try folder.content("s.db"), try folder.names())
    let failure = try #require(refusal(of: folder.path("s.db")), "it was taken")
    #expect(failure.code == sample.code, "\(failure.line)")
    #expect(failure.line.hasPrefix(folder.path("s.db") + " ") && !failure.line.contains("\n"))
    #expect(try folder.content("s.db") == before)
    #expect(Set(try folder.names()).union(["s.db.lock"]) == Set(names).union(["s.db.lock"]))
  }

  @Test("A newer store that was killed keeps its log")
  func leavesLog() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("a.db"))
    try store.write(.new("a", 1))
    try sql("PRAGMA user_version = 99", on: folder.path("a.db"))
    for suffix in ["", "-wal"] {
      try folder.write(folder.content("a.db" + suffix), to: "b.db" + suffix)
    }
    store.close()
    let (file, log) = (try folder.content("b.db"), try folder.content("b.db-wal"))
    #expect(log.count > 0)
    #expect(refusal(of: folder.path("b.db"))?.code == .newer)
    #expect(try folder.content("b.db") == file)
    #expect(try folder.content("b.db-wal") == log)
    // The file cut to nothing beside a log that is not: SQLite would take it for a new one and drop the log.
    try folder.write(Data(), to: "b.db")
    #expect(refusal(of: folder.path("b.db"))?.code == .damaged)
    #expect(try folder.content("b.db-wal") == log)
  }

  @Test("What is no place for a file is refused")
  func refusesPlaces() throws {
    let folder = try TemporaryFolder()
    try folder.write(Data("x".utf8), to: "file")
    mkfifo(folder.path("fifo"), 0o600)
    for path in [
      folder.path, folder.path("x/"), folder.path("."), folder.path(".."), "", "a\0b", folder.path("fifo"),
      "/dev/null", folder.path("file/s.db"), folder.path("file/deeper/s.db"), "/proc/s.db", "/proc/x/s.db",
      folder.path(String(repeating: "n", count: 300)),
    ] {
      let failure = try #require(refusal(of: path), "\(path)")
      #expect([.path, .unwritable].contains(failure.code), "\(failure.line)")
      #expect(!failure.line.contains { $0.isNewline }, "\(failure.line)")
    }
    #expect(try folder.names() == ["fifo", "file"])
  }

  @Test("A file that may only be read is refused", .enabled(if: Mount.isPossible, "mounting needs root"))
  func refusesReadOnly() throws {
    let mount = try Mount(megabytes: 4)
    defer { withExtendedLifetime(mount) {} }
    let store = try SQLiteStore(path: mount.path("s.db"))
    try store.write(.new("a", 1))
    store.close()
    try mount.remount("ro")
    #expect(refusal(of: mount.path("s.db"))?.code == .unwritable)
    #expect(refusal(of: mount.path("new.db"))?.code == .unwritable)
    #expect(refusal(of: mount.path("new/s.db"))?.code == .unwritable)
    try mount.remount("rw")
    #expect(refusal(of: mount.path("s.db")) == nil)
  }
}
