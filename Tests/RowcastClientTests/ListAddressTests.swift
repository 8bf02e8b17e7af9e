import RowcastClient
import Testing

@Suite("An address of a list") struct ListAddressTests {
  @Test(
    "of a session is read from the session's URL and from its page's",
    arguments: [
      ("http://127.0.0.1:8080/v1/sessions/tour", "http://127.0.0.1:8080/v1/sessions/tour"),
      ("HTTP://Lists.example/v1/sessions/a_b-9", "http://Lists.example:80/v1/sessions/a_b-9"),
      ("http://[::1]:81/v1/sessions/x?offset=1", "http://[::1]:81/v1/sessions/x"),
      ("http://a/lists/v1/sessions/x", "http://a:80/lists/v1/sessions/x"),
      ("http://a:1/?session=x", "http://a:1/v1/sessions/x"),
      ("http://a:1?session=x", "http://a:1/v1/sessions/x"),
      ("http://a:1/?table=t&session=x", "http://a:1/v1/sessions/x"),
      ("http://a:1/lists/index.html?session=x&y", "http://a:1/lists/v1/sessions/x"),
    ])
  func sessions(url: String, session: String) throws {
    guard case .session(let address) = ListAddress(url: url) else {
      Issue.record("\(url) is no session")
      return
    }
    #expect(address.description == session)
  }

  @Test("of a table or a server is read from a page's URL")
  func tablesAndServers() {
    let server = ServerAddress(host: "a", port: 80)
    #expect(ListAddress(url: "http://a/?table=f%C3%BCr+alle%21") == .table("für alle!", server))
    #expect(ListAddress(url: "http://a") == .server(server))
    #expect(ListAddress(url: "http://a/?table=") == .server(server))
    #expect(
      ListAddress(url: "http://a/lists/") == .server(ServerAddress(host: "a", port: 80, prefix: "/lists")))
    #expect(ServerAddress(host: "::1", port: 7).authority == "[::1]:7")
  }

  @Test(
    "is refused where it is none",
    arguments: [
      "", "tour", "a:80/v1/sessions/x", "https://a/v1/sessions/x", "http://", "http:///v1/sessions/x",
      "http://a:0/v1/sessions/x", "http://a:65536/", "http://a:/v1/sessions/x", "http://a:8x/", "http://u@a/",
      "http://[::1/", "http://[::1]x/", "http://[zz]/", "http://a b/", "http://a/\r\nHost: b",
      "http://a/#token=x",
      "http://a/v1/sessions/", "http://a/v1/sessions/x%20y", "http://a/v1/sessions/ä",
      "http://a/?session=x.y", "http://a/?session=\(String(repeating: "x", count: 65))",
    ])
  func refusals(url: String) {
    #expect(ListAddress(url: url) == nil)
  }
}
