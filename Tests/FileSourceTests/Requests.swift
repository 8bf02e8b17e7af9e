import FileSource
import Foundation
import JSONText
import ListModel
import Sessions
import SourceContract
import TestSupport

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
