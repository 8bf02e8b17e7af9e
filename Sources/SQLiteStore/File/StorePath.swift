import Glibc

/// Where a store's file lies once all symbolic links are followed.
///
/// The lock and SQLite's own files lie beside the file itself, whatever names lead to it: so all who use it meet.
struct StorePath {
  /// As it was given.
  let given: String
  /// Absolute, without symbolic links.
  let file: String
  /// The folder that holds it.
  let folder: String

  var lock: String { file + ".lock" }
  var log: String { file + "-wal" }

  /// Links followed one after the other before a path is taken for a circle.
  private static let maximumLinks = 40

  /// Follows `path`; the file itself need not be there.
  ///
  /// - Parameter makesFolders: whether folders that are missing are made.
  init(_ path: String, makesFolders: Bool) throws(StoreFileFailure) {
    given = path
    // A C string would end at a NUL, and name another file.
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw StoreFileFailure(.path, path: path, "is no path")
    }
    var next = path
    for _ in 0..<Self.maximumLinks {
      let (parent, name) = Self.split(next)
      guard !name.isEmpty, name != ".", name != ".." else {
        throw StoreFileFailure(.path, path: path, "names a folder, not a file")
      }
      if makesFolders { try Self.makeFolder(parent, for: path) }
      guard let real = realpath(parent, nil) else {
        throw StoreFileFailure(path: path, "cannot be reached", errno: errno)
      }
      let folder = String(cString: real)
      free(real)
      let file = (folder == "/" ? "" : folder) + "/" + name
      guard let target = Self.target(ofLink: file) else {
        self.folder = folder
        self.file = file
        return
      }
      next = target.hasPrefix("/") ? target : folder + "/" + target
    }
    throw StoreFileFailure(path: path, "cannot be reached", errno: ELOOP)
  }

  /// The size of the file; nil where there is none.
  ///
  /// - Throws: where something else than a regular file is there.
  func size() throws(StoreFileFailure) -> Int? {
    var status = stat()
    guard lstat(file, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw StoreFileFailure(path: given, "cannot be looked at", errno: errno)
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return Int(status.st_size)
    case S_IFDIR: throw StoreFileFailure(.path, path: given, "is a folder, not a file")
    default: throw StoreFileFailure(.path, path: given, "is no regular file")
    }
  }

  /// Makes sure that no other name leads to the file: its log and its lock would not be found under that.
  func refuseOtherNames() throws(StoreFileFailure) {
    var status = stat()
    guard lstat(file, &status) == 0, status.st_nlink > 1 else { return }
    throw StoreFileFailure(
      .path, path: given,
      "has \(status.st_nlink) names (hard links): a server under another would not know of this one")
  }

  /// The size of the write-ahead log; 0 where there is none.
  var logSize: Int {
    var status = stat()
    return lstat(log, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Makes an empty file that only its owner may read, for lists hold what others should not see.
  func make() throws(StoreFileFailure) {
    let descriptor = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StoreFileFailure(path: given, "cannot be made", errno: errno) }
    close(descriptor)
    syncFolder()
  }

  /// Makes new names in the file's folder durable.
  func syncFolder() { Self.sync(folder) }

  private static func sync(_ folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    // Some file systems know no such thing for folders, and then there is nothing to be done.
    fsync(descriptor)
    close(descriptor)
  }

  private static func split(_ path: String) -> (parent: String, name: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
    let parent = path[..<slash]
    return (parent.isEmpty ? "/" : String(parent), String(path[path.utf8.index(after: slash)...]))
  }

  private static func makeFolder(_ folder: String, for path: String) throws(StoreFileFailure) {
    var status = stat()
    if stat(folder, &status) == 0 { return }
    guard errno == ENOENT else { return }
    let (parent, name) = split(folder)
    if parent != folder, !name.isEmpty { try makeFolder(parent, for: path) }
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else {
      throw StoreFileFailure(path: path, "lies in a folder that cannot be made", errno: errno)
    }
    sync(parent)
  }

  private static func target(ofLink path: String) -> String? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &target, target.count)
    guard count > 0 else { return nil }
    return String(decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
