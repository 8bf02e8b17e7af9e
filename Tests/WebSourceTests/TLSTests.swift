import Foundation
import JSONText
import ListModel
import ScriptedUpstream
import SourceContract
import Testing
import WebSource

/// Which certificates are trusted.
@Suite(.timeLimit(.minutes(5)))
struct TLSTests {
  @Test("An authority is trusted that caFile or SSL_CERT_FILE names, for its own names")
  func authorities() async throws {
    let authority = try TestAuthority()
    let port = try authority.serve(#"[{"id": 1}]"#)
    let url = #""url": "https://127.0.0.1:\#(port)/list""#
    let named = try WebTable(#"\#(url), "caFile": "\#(authority.certificate)""#)
    #expect(try await named.page().get().ids == ["1"])
    let fromEnvironment = try WebTable(url, certificates: Certificates(file: authority.certificate))
    #expect(try await fromEnvironment.page().get().ids == ["1"])

    let stranger = try TestAuthority()
    let others = [
      try WebTable(url), try WebTable(#"\#(url), "caFile": "\#(stranger.certificate)""#),
      try WebTable(#""url": "https://localhost:\#(port)/list", "caFile": "\#(authority.certificate)""#),
    ]
    for table in others {
      let failure = await table.page().failure
      #expect(failure?.code == .unreachable)
      #expect(failure?.detail.contains("caFile") == true)
      #expect(table.retries.count == 0)
    }
  }

  @Test("A caFile that is not there is said")
  func missingFile() async throws {
    let table = try WebTable(#""url": "https://127.0.0.1:1/", "caFile": "/no/such/file""#)
    let failure = await table.page().failure
    #expect(failure?.code == .unreachable && failure?.detail.contains("caFile") == true)
  }
}
