import CSQLite
import Glibc

/// Why a store's file cannot be used.
public struct StoreFileFailure: Error, Sendable, Equatable {
  /// The kind of the failure.
  public enum Code: Sendable {
    /// The path leads to nothing usable: a folder, a device, a place where nothing can be made.
    case path
    /// Another server has it.
    case locked
    /// It is no SQLite database, or one of another program.
    case foreign
    /// A newer version of this program has written it.
    case newer
    /// It is a store, but damaged.
    case damaged
    /// It, or its folder, can only be read; or the disk is full.
    case unwritable
    /// What is to be made of it is there already, or cannot be written.
    case output
  }

  /// The kind of the failure.
  public let code: Code
  /// The path that was given.
  public let path: String
  /// What is wrong, in one clause.
  public let problem: String

  init(_ code: Code, path: String, _ problem: String) {
    self.code = code
    self.path = path
    self.problem = problem
  }

  /// The same about a file that is to be made.
  static func output(_ failure: StoreFileFailure, _ file: String) -> StoreFileFailure {
    StoreFileFailure(.output, path: file, failure.problem)
  }

  /// What the system's `error` kept from happening.
  init(path: String, _ attempt: String, errno error: Int32) {
    let isUnwritable = [EACCES, EPERM, EROFS, ENOSPC, EDQUOT].contains(error)
    let reason = strerror(error).map { String(cString: $0) } ?? "error \(error)"
    self.init(isUnwritable ? .unwritable : .path, path: path, "\(attempt): \(reason)")
  }

  /// What SQLite's `error` kept from happening.
  init(path: String, _ error: SQLiteError) {
    switch error.kind {
    case SQLITE_NOTADB: self.init(.foreign, path: path, "is no SQLite database")
    case SQLITE_CORRUPT: self.init(.damaged, path: path, "is damaged (\(error.detail))")
    case SQLITE_READONLY: self.init(.unwritable, path: path, "can only be read")
    case SQLITE_CANTOPEN:
      self.init(.unwritable, path: path, "cannot be opened for writing (nor may be its folder)")
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(.locked, path: path, "is locked by another program")
    case SQLITE_FULL: self.init(.unwritable, path: path, "cannot grow: the disk is full")
    default: self.init(.unwritable, path: path, "cannot be used (\(error.detail))")
    }
  }

  /// One line: the path and what is wrong with it, without control characters.
  public var line: String {
    let shown = path.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
    return "\(String(String.UnicodeScalarView(shown))) \(problem)"
  }
}
