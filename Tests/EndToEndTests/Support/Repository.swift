import Foundation

/// Where the files are that tests read and run.
enum Repository {
  /// The folder of `Package.swift`.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The server that was built together with the tests that are running: it lies beside them.
  static let server = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("rowcast")

  /// A file of the repository as text.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}

/// Runs `body`, which may block, on a thread of its own, so that no thread of the cooperative pool waits.
///
/// Threads of that pool block all signals, and what they start inherits that: processes too, which nobody could then
/// ask to end. So the thread takes signals again.
func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      var none = sigset_t()
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, nil)
      continuation.resume(with: Result { try body() })
    }
  }
}
