import Foundation
import JSONText
import ListModel
import ScriptedUpstream
import Sessions
import SourceContract
import Synchronization
import Testing
import WebSource

/// The contract of every source, kept over the network.
@Suite(.timeLimit(.minutes(5)))
struct WebSourceContractTests {
  @Test("A web source keeps the contract", arguments: WebUpstream.Form.allCases, PageSourceContract.allCases)
  func keepsContract(form: WebUpstream.Form, clause: PageSourceContract) async throws {
    try await clause.verify(on: WebUpstream(form))
  }
}

/// A list behind an API that pages by offset and tells the total.
struct WebUpstream: UpstreamUnderTest {
  enum Form: String, CaseIterable {
    case totalInHeader, totalInBody, posted
  }

  let source: any PageSource
  let table: TableDefinition
  private let upstream: ScriptedUpstream
  private let form: Form

  init(_ form: Form) throws {
    self.form = form
    let upstream = try ScriptedUpstream { _ in .nothing(.close) }
    self.upstream = upstream
    let url = #""url": "\#(upstream.origin)/list""#
    let web =
      switch form {
      case .totalInHeader:
        try WebTable(
          #"\#(url), "paging": {"style": "offset", "offset": "from", "size": "n"}, "hasNext": {"totalHeader": "X-Total"}"#
        )
      case .totalInBody:
        try WebTable(
          #"\#(url), "items": "/hits", "paging": {"style": "offset", "offset": "from", "size": "n"}, "hasNext": {"totalPointer": "/total"}"#
        )
      case .posted:
        try WebTable(
          #"\#(url), "method": "POST", "body": {"from": "{offset}", "n": "{size}"}, "items": "/hits", "paging": {"style": "offset"}, "hasNext": {"totalPointer": "/total"}"#
        )
      }
    source = web.source
    table = web.table
  }

  var secret: String { "\(upstream.port)" }

  func hold(_ rows: [UpstreamRow]) {
    let form = form
    upstream.follow { request in
      let body = Data(request.body.utf8)
      let posted = (try? JSONSerialization.jsonObject(with: body)) as? [String: String]
      let from = Int(posted?["from"] ?? request.query("from") ?? "") ?? 0
      let count = Int(posted?["n"] ?? request.query("n") ?? "") ?? 0
      let page = rows.dropFirst(from).prefix(count).map { #"{"id": "\#($0.id)", "name": "\#($0.name)"}"# }
      let array = "[" + page.joined(separator: ",") + "]"
      if form == .totalInHeader { return .json(array, [("x-total", "\(rows.count)")]) }
      return .json(#"{"total": \#(rows.count), "hits": \#(array)}"#)
    }
  }

  func goAway() { upstream.follow { _ in .nothing(.close) } }
}
