import Foundation
import ScriptedUpstream
import Testing
import TestSupport

/// The usual environment variables for proxies.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct ProxyTests {
  private func attempt(_ url: String, _ rest: String = "", through environment: [String: String]) async throws
    -> Finished
  {
    let file = try ConfigurationFile(
      #"{"tables": {"list": {"source": {"kind": "http", "url": "\#(url)", "retries": 0, "headers": {"Authorization": "Bearer for-the-upstream"}\#(rest)}}}}"#
    )
    return try await onThread {
      try Finished(running: ["try", "list", "--config", file.path], environment: environment)
    }
  }

  @Test("http_proxy is asked for any address, no_proxy names those it is not asked for")
  func plain() async throws {
    let proxy = try ScriptedUpstream { _ in .json(#"[{"id": "by proxy"}]"#) }
    let upstream = try ScriptedUpstream { _ in .json(#"[{"id": "directly"}]"#) }
    let far = try await attempt("http://far.invalid/list?a=b", through: ["http_proxy": proxy.origin])
    #expect(far.status == 0 && far.output.contains("by proxy"), "\(far)")
    #expect(proxy.requests.map(\.target) == ["http://far.invalid/list?a=b"])
    let near = try await attempt(
      upstream.origin, through: ["http_proxy": proxy.origin, "no_proxy": "localhost,127.0.0.1"])
    #expect(near.output.contains("directly") && proxy.requests.count == 1, "\(near)")
    let gone = try await attempt(upstream.origin, through: ["http_proxy": "http://127.0.0.1:1"])
    #expect(gone.status == 1 && gone.errors.contains("upstream-unreachable") && upstream.requests.count == 1)
  }

  @Test("through https_proxy goes a tunnel, and nothing of what the upstream is to get is shown to it")
  func tunnel() async throws {
    let authority = try TestAuthority()
    let port = try authority.serve(#"[{"id": "through"}]"#)
    let proxy = try TunnelProxy(answering: "HTTP/1.1 200 Connection established\r\nX-Proxy: yes\r\n\r\n")
    let file = #", "caFile": "\#(authority.certificate)""#
    let address = "https://127.0.0.1:\(port)/list"
    let through = try await attempt(address, file, through: ["https_proxy": proxy.url])
    #expect(through.status == 0 && through.output.contains("through"), "\(through)")
    let head = try #require(proxy.heads.first)
    #expect(head.hasPrefix("CONNECT 127.0.0.1:\(port) HTTP/1.1\r\n"))
    #expect(!head.contains("for-the-upstream") && proxy.heads.count == 1)
  }

  @Test("a proxy that refuses is told from an upstream that does", arguments: [403, 407, 503])
  func refusal(status: Int) async throws {
    let proxy = try TunnelProxy(
      answering: "HTTP/1.1 \(status) No\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
    let refused = try await attempt("https://127.0.0.1:1/list", through: ["https_proxy": proxy.url])
    #expect(refused.status == 1 && refused.errors.contains("upstream-unreachable"), "\(refused)")
    #expect(refused.errors.contains("proxy") && refused.errors.contains("\(status)"), "\(refused)")
  }
}
