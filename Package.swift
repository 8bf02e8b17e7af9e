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
    library("Service", ["Sessions", "ListModel", "ListDiff", "JSONText", "HTTP1"]),

    // The world: one importer for each C library.
    .systemLibrary(
      name: "CLibevent", pkgConfig: "libevent_core", providers: [.apt(["libevent-dev"])]),
    library("EventLoop", ["CLibevent", "HTTP1"]),
    library("FileSource", ["Sessions", "ListModel", "JSONText"]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    library("SQLiteStore", ["CSQLite", "Sessions", "JSONText"]),
    .executableTarget(
      name: "rowcast",
      dependencies: [
        "Service", "Sessions", "ListModel", "JSONText", "HTTP1", "EventLoop", "FileSource", "SQLiteStore",
      ],
      swiftSettings: strict),

    .executableTarget(
      name: "JSONBenchmark", dependencies: ["JSONText"], path: "Benchmarks/json", swiftSettings: strict),
    .executableTarget(
      name: "StoreBenchmark", dependencies: ["SQLiteStore", "Sessions", "JSONText"], path: "Benchmarks/store",
      swiftSettings: strict),

    tests("ListDiffTests", ["ListDiff"]),
    tests("JSONTextTests", ["JSONText"]),
    tests("ListModelTests", ["ListModel", "ListDiff", "JSONText"]),
    tests("HTTP1Tests", ["HTTP1"]),
    tests("SessionsTests", ["Sessions", "ListModel", "ListDiff", "JSONText"]),
    tests("ServiceTests", ["Service", "Sessions", "ListModel", "JSONText", "HTTP1"]),
    tests("EventLoopTests", ["EventLoop", "HTTP1"]),
    tests("FileSourceTests", ["FileSource", "Sessions", "ListModel", "JSONText"]),
    // What every store must do; the suites of the stores run it.
    .target(
      name: "StoreContract", dependencies: ["Sessions", "JSONText"], path: "Tests/StoreContract",
      swiftSettings: strict),
    tests("SQLiteStoreTests", ["SQLiteStore", "CSQLite", "StoreContract", "Sessions", "JSONText"]),
    tests("EndToEndTests", ["JSONText", "ListDiff"]),
  ]
)
