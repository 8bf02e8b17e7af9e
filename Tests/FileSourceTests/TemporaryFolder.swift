import FileSource
import Foundation
import JSONText
import ListModel
import Sessions
import SourceContract

/// A folder of its own for one test, removed with it.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "rowcast-files-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file, a new one even where there was one of the name, and gives its path.
  @discardableResult
  func write(_ content: [UInt8], to name: String) throws -> String {
    unlink(path(name))
    return try overwrite(content, in: name)
  }

  /// Writes a file, a new one even where there was one of the name, and gives its path.
  @discardableResult
  func write(_ content: String, to name: String) throws -> String {
    try write(Array(content.utf8), to: name)
  }

  /// Writes into a file that stays the same one, and gives its path.
  @discardableResult
  func overwrite(_ content: [UInt8], in name: String) throws -> String {
    try Data(content).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// Removes a file.
  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }
}

/// A request for a page of a file.
func request(
  _ path: String, items: JSONPointer = JSONPointer(), id: JSONPointer = JSONPointer(tokens: ["id"]),
  look: TableLook = TableLook(), place: Place = .top, pageSize: Int = 1000, maxItems: Int? = nil
) -> PageRequest {
  let table = TableDefinition(
    name: "t", title: "T", source: .file(FileDefinition(path: path, items: items, id: id)),
    pageSize: pageSize,
    maxItems: maxItems, look: look)
  return PageRequest(table: table, look: look, params: [], place: place, rowBytes: 65536)
}

/// The first page of a file with this content.
func page(
  ofFileWith content: [UInt8], named name: String, items: JSONPointer = JSONPointer()
) async throws -> Result<Page, UpstreamFailure> {
  let folder = try TemporaryFolder()
  return await FileSource().page(request(try folder.write(content, to: name), items: items))
}

/// The data of each item of a file's first page, as text.
func data(ofFileWith content: String, named name: String) async throws -> [String] {
  try await page(ofFileWith: Array(content.utf8), named: name).get().items.map(\.data.text.string)
}

/// Why a file with this content is no list; nil where it is one.
func failure(
  ofFileWith content: [UInt8], named name: String, items: JSONPointer = JSONPointer()
) async throws -> UpstreamFailure? {
  try await page(ofFileWith: content, named: name, items: items).failure
}
