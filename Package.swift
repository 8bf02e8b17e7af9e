// swift-tools-version: 6.2
// The tree is the architecture: one folder is one target, and arrows point down only
// (Documentation/Architecture.md). Build with `--explicit-target-dependency-import-check error`,
// as every script here does, so that an arrow that is not written below does not compile.

import PackageDescription

let strict: [SwiftSetting] = [.swiftLanguageMode(.v6), .treatAllWarnings(as: .error)]

func library(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: dependencies, swiftSettings: strict)
}

let package = Package(
  name: "rowcast",
  products: [.executable(name: "rowcast", targets: ["rowcast"])],
  targets: [
    // The core: decisions over values; no socket, clock, thread, disk or randomness.
    library("ListDiff"),
    library("JSONText"),
    library("ListModel", ["ListDiff", "JSONText"]),
    library("HTTP1"),

    // The machines around it, and the ports to the world.
    library("Sessions", ["ListModel", "ListDiff", "JSONText"]),
    .target(
      name: "Service",
      dependencies: ["Sessions", "ListModel", "ListDiff", "JSONText", "HTTP1"],
      exclude: ["Resources"],  // the plugin reads them
      swiftSettings: strict,
      plugins: ["EmbedResources"]),
    .plugin(
      name: "EmbedResources", capability: .buildTool(), dependencies: ["ResourceEmbedder"],
      path: "Sources/EmbedResources"),
    .executableTarget(name: "ResourceEmbedder", swiftSettings: strict),

    // The other end: what follows a session, and what draws one as text.
    library("RowcastClient", ["ListDiff", "JSONText"]),
    library("Screen", ["RowcastClient", "JSONText"]),

    // The world: one importer for each C library.
    .systemLibrary(name: "CThreads"),
    library("Threads", ["CThreads"]),
    .systemLibrary(
      name: "CLibevent", pkgConfig: "libevent_core", providers: [.apt(["libevent-dev"])]),
    library("EventLoop", ["CLibevent", "HTTP1", "Threads"]),
    library("FileSource", ["Sessions", "ListModel", "JSONText", "Threads"]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    library("SQLiteStore", ["CSQLite", "Sessions", "JSONText", "Threads"]),
    .systemLibrary(name: "CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"])]),
    library("ZstdPacking", ["CZstd"]),
    library("WebSource", ["Sessions", "ListModel", "JSONText", "EventLoop", "CCurl"]),
    .executableTarget(
      name: "rowcast",
      dependencies: [
        "Service", "Sessions", "ListModel", "JSONText", "HTTP1", "EventLoop", "FileSource",
        "RowcastClient", "Screen", "SQLiteStore", "Threads", "WebSource", "ZstdPacking",
      ],
      swiftSettings: strict,
      // Swift's own libraries in the program: it starts faster, takes less memory, and runs without a toolchain.
      linkerSettings: [.unsafeFlags(["-static-stdlib"])]),

    .executableTarget(
      name: "JSONBenchmark", dependencies: ["JSONText"], path: "Benchmarks/json", swiftSettings: strict),
    .executableTarget(
      name: "StoreBenchmark", dependencies: ["SQLiteStore", "Sessions", "JSONText"], path: "Benchmarks/store",
      exclude: ["run"],
      swiftSettings: strict),

    // What the tests of several targets need: random numbers, folders, programs that are run.
    .systemLibrary(name: "CSpawn", path: "Tests/CSpawn"),
    .target(
      name: "TestSupport", dependencies: ["CSpawn"], path: "Tests/TestSupport", swiftSettings: strict),
    tests("ListDiffTests", ["ListDiff", "TestSupport"]),
    tests("JSONTextTests", ["JSONText", "TestSupport"]),
    tests("ListModelTests", ["ListModel", "ListDiff", "JSONText", "TestSupport"]),
    tests("HTTP1Tests", ["HTTP1", "TestSupport"]),
    tests("SessionsTests", ["Sessions", "ListModel", "ListDiff", "JSONText", "TestSupport"]),
    tests("ServiceTests", ["Service", "Sessions", "ListModel", "JSONText", "HTTP1", "TestSupport"]),
    tests("EventLoopTests", ["EventLoop", "HTTP1", "TestSupport"]),
    // One suite for every source.
    .target(
      name: "SourceContract", dependencies: ["Sessions", "ListModel", "JSONText"],
      path: "Tests/SourceContract",
      swiftSettings: strict),
    // A web API that answers what a test wants, and as badly.
    .target(
      name: "ScriptedUpstream", dependencies: ["TestSupport"], path: "Tests/ScriptedUpstream",
      swiftSettings: strict),
    tests(
      "FileSourceTests",
      ["FileSource", "SourceContract", "Sessions", "ListModel", "JSONText", "TestSupport"]),
    tests(
      "WebSourceTests",
      [
        "WebSource", "Service", "SourceContract", "ScriptedUpstream", "Sessions", "ListModel", "JSONText",
        "TestSupport",
      ]),
    // What every store must do; the suites of the stores run it.
    .target(
      name: "StoreContract", dependencies: ["Sessions", "JSONText", "TestSupport"],
      path: "Tests/StoreContract",
      swiftSettings: strict),
    tests(
      "SQLiteStoreTests", ["SQLiteStore", "CSQLite", "StoreContract", "Sessions", "JSONText", "TestSupport"]),
    tests("ThreadsTests", ["Threads"]),
    tests("ZstdPackingTests", ["ZstdPacking", "TestSupport"]),
    tests("RowcastClientTests", ["RowcastClient", "ListDiff", "JSONText"]),
    tests("ScreenTests", ["Screen", "RowcastClient", "JSONText"]),
    tests(
      "EndToEndTests",
      ["ScriptedUpstream", "CSQLite", "JSONText", "ListDiff", "RowcastClient", "TestSupport"]),
  ]
)
