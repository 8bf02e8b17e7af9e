import FileSource
import JSONText
import ListModel
import Sessions
import SourceContract
import Testing
import TestSupport

/// The contract of every source, kept with each format of file.
@Suite(.timeLimit(.minutes(5)))
struct FileSourceContractTests {
  @Test(
    "A file source keeps the contract", arguments: FileUpstream.Format.allCases, PageSourceContract.allCases)
  func keepsContract(format: FileUpstream.Format, clause: PageSourceContract) async throws {
    try await clause.verify(on: FileUpstream(format))
  }
}

/// A file, rewritten for what it shall hold.
struct FileUpstream: UpstreamUnderTest {
  enum Format: String, CaseIterable {
    case json, ndjson, csv
    /// An array inside a document, in a file whose name says nothing.
    case unnamed
  }

  let source: any PageSource = FileSource()
  private let format: Format
  private let folder: TemporaryFolder

  init(_ format: Format) throws {
    self.format = format
    folder = try TemporaryFolder()
  }

  var secret: String { folder.path }

  private var name: String { format == .unnamed ? "list" : "list.\(format.rawValue)" }

  var table: TableDefinition {
    let items = JSONPointer(tokens: format == .unnamed ? ["found", "list"] : [])
    let file = FileDefinition(path: folder.path(name), items: items, id: JSONPointer(tokens: ["id"]))
    return TableDefinition(name: "t", title: "T", source: .file(file), look: TableLook())
  }

  func hold(_ rows: [UpstreamRow]) throws {
    let objects = rows.map { #"{"id": "\#($0.id)", "name": "\#($0.name)"}"# }
    let content =
      switch format {
      case .json: "[" + objects.joined(separator: ",\n") + "]"
      case .ndjson: objects.map { $0 + "\n" }.joined()
      case .csv: "id,name\r\n" + rows.map { "\($0.id),\($0.name)\r\n" }.joined()
      case .unnamed: #"{"found": {"list": ["# + objects.joined(separator: ",") + "]}}"
      }
    try folder.write(content, to: name)
  }

  func goAway() throws { try folder.remove(name) }
}
