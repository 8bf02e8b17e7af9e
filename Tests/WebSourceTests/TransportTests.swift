import Foundation
import JSONText
import ListModel
import ScriptedUpstream
import SourceContract
import Testing

/// HTTP/2 over TLS, and the codings that curl was built with.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: NodeUpstream.isPossible, "there is no node here; Scripts/deps test installs it"))
struct TransportTests {
  private func table(_ node: NodeUpstream, _ authority: TestAuthority, _ path: String, _ rest: String = "")
    throws
    -> WebTable
  {
    try WebTable(
      #""url": "https://127.0.0.1:\#(node.port)/\#(path)", "caFile": "\#(authority.certificate)"\#(rest)"#)
  }

  private func member(_ name: Bytes, of page: Page) -> String? {
    page.items.first?.data.member(name)?.string?.string
  }

  @Test("An upstream that speaks HTTP/2 is spoken to in it")
  func version2() async throws {
    let authority = try TestAuthority()
    let node = try NodeUpstream(authority)
    for path in ["", "moved", "deflate"] {
      let page = try await table(node, authority, path).page().get()
      #expect(member("version", of: page) == "2.0", "\(path)")
    }
    // Many at a time over one connection are told apart.
    let table = try table(node, authority, "")
    await withTaskGroup(of: [String]?.self) { group in
      for _ in 0..<30 { group.addTask { await table.page().page?.ids } }
      for await ids in group { #expect(ids == ["1"]) }
    }
  }

  @Test("br is asked for and understood where curl has it, and the cap counts what comes out of it")
  func brotli() async throws {
    let authority = try TestAuthority()
    let node = try NodeUpstream(authority)
    let plain = try await table(node, authority, "").page().get()
    let codings = try #require(member("codings", of: plain))
    #expect(codings.contains("gzip"))
    guard codings.contains("br") else { return }
    #expect(try await table(node, authority, "br").page().get().ids == ["1"])
    let bomb = try table(node, authority, "bomb", #", "bodyBytes": 100000"#)
    #expect(await bomb.page().failure?.code == .tooLarge)
  }

  static let failures: [(path: String, code: UpstreamFailure.Code, status: Int?)] = [
    ("refused", .unreachable, nil), ("dropped", .unreachable, nil), ("cut", .malformed, 200),
    ("never", .timeout, nil),
  ]

  @Test("A stream that breaks fails like a connection that does", arguments: failures)
  func broken(path: String, code: UpstreamFailure.Code, status: Int?) async throws {
    let authority = try TestAuthority()
    let node = try NodeUpstream(authority)
    let seconds = code == .timeout ? 1 : 30
    let table = try table(node, authority, path, #", "retries": 0, "timeoutSeconds": \#(seconds)"#)
    let failure = try #require(await table.page().failure)
    #expect(failure.code == code && failure.upstreamStatus == status, "\(failure)")
  }
}
