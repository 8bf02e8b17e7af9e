import JSONText
import RowcastClient
import Screen
import Testing

@Suite("The picture of a list") struct ListScreenTests {
  private func list(
    _ rows: [String], state: String = "populated", items: Int? = nil, more: [String: String] = [:]
  ) throws -> FollowedList {
    let text = """
      {"session":"tour","table":"elements","params":{},"revision":12,"state":"\(state)",\
      "loading":\(more["loading"] ?? "null"),"hasNext":\(more["hasNext"] ?? "false"),\
      "error":\(more["error"] ?? "null"),"itemCount":\(items ?? rows.count),"rowCount":\(rows.count),\
      "selected":\(more["selected"] ?? "null"),"offset":0,"rows":[\(rows.joined(separator: ","))]}
      """
    return try FollowedList(snapshot: JSONValue(parsing: Bytes(text)))
  }

  private func item(_ id: String, _ data: String, cell: String = "ElementCell") -> String {
    "{\"id\":\"\(id)\",\"cell\":\"\(cell)\",\"data\":\(data)}"
  }

  private func status(_ kind: String, _ data: String, visible: Bool = true) -> String {
    "{\"placeholder\":\"\(kind)\",\"cell\":\"MoreCell\",\"visible\":\(visible),\"selectable\":true,\"data\":\(data)}"
  }

  private func picture(
    _ list: FollowedList?, _ connection: ConnectionState? = nil, columns: Int = .max, height: Int = .max
  ) -> [String] {
    ListScreen(list, connection: connection).lines(columns: columns, height: height).map(\.plain)
  }

  @Test("shows items by id, cell, title and the rest, and status rows apart")
  func rows() throws {
    let list = try list(
      [
        item("H", #"{"number":1,"name":"Hydrogen","gas":true,"none":null,"tags":["a", 1]}"#),
        item("He", #"{"title":"","text":"Helium"}"#, cell: "Cell"),
        item("n", "[1, 2]"), item("s", #""plain\ntext""#), item("e", "{}"),
        status("more", #"{"title":"Load more"}"#), status("hidden", "{}", visible: false),
      ], items: 5, more: ["hasNext": "true", "selected": "\"He\""])
    #expect(
      picture(list) == [
        "elements  populated  5 items, more to come  revision 12  session tour",
        "  H   ElementCell  Hydrogen  number: 1  gas: true  tags: [\"a\", 1]",
        "> He  Cell         Helium  title:",
        "  n   ElementCell  [1, 2]",
        "  s   ElementCell  plain text",
        "  e   ElementCell",
        "  [more]  MoreCell  Load more",
      ])
  }

  @Test("says how the list and its connection stand, the connection first where there is little room")
  func header() throws {
    let loading = try list([item("a", "1")], state: "maintenance", more: ["loading": "\"load-more\""])
    #expect(
      picture(loading, .live, columns: 70)[0]
        == "elements  maintenance  loading more  1 item  revision 12  sessi…  live")
    #expect(picture(loading, .live, columns: 20)[0] == "elements  mai…  live")
    let waiting = ConnectionState.waiting(reason: "Connection \u{1B}refused", seconds: 1.2)
    #expect(picture(loading, waiting, columns: 20)[0] == "Connection ␛refused…")
    #expect(picture(nil, .connecting, columns: 30)[0] == "no list yet         connecting")
    #expect(picture(nil, .connecting, columns: 3) == ["co…"])
  }

  @Test("shows why the last fetch failed")
  func error() throws {
    let list = try list(
      [], state: "error",
      more: ["error": #"{"type":"/problems/upstream-status","title":"No\u001b luck","detail":"It is 500."}"#])
    #expect(
      picture(list) == [
        "elements  error  0 items  revision 12  session tour", "! No␛ luck: It is 500.",
      ])
    #expect(picture(list, columns: 9) == ["elements…", "! No␛ lu…"])
  }

  @Test("shows the first and the last of more rows than there is room for")
  func window() throws {
    let rows = (0..<100).map { item("i\($0)", "{}", cell: "C") }
    let list = try list(rows)
    #expect(
      picture(list, height: 8) == [
        "elements  populated  100 items  revision 12  session tour",
        "  i0   C", "  i1   C", "  i2   C", "  i3   C", "  … 94 more rows, 5 to 98 of 100", "  i98  C",
        "  i99  C",
      ])
    for height in 0...102 {
      let lines = picture(list, columns: 12, height: height)
      #expect(lines.count == min(height, 101), "height \(height)")
    }
    #expect(picture(list, height: 2).last == "  … 100 more rows, 1 to 100 of 100")
    #expect(picture(list, height: 3).suffix(2) == ["  i0  C", "  … 99 more rows, 2 to 100 of 100"])
  }

  @Test("is never wider than its window, and has no escapes but its own, whatever the data")
  func hostileData() throws {
    let evil = #"\u001b[2J\u009b1m\u202e\n\u0000水👨‍👩‍👧‍👦\u0301"#
    let rows = [
      item(evil, #"{"title":"\#(evil)","\#(evil)":"\#(evil)","x":{"\#(evil)":["\#(evil)"]}}"#, cell: evil),
      status("error", #"{"title":"\#(evil)"}"#),
    ]
    let list = try list(
      rows, state: evil,
      more: ["error": #"{"title":"\#(evil)"}"#, "loading": #""\#(evil)""#, "selected": #""\#(evil)""#])
    for columns in 0...100 {
      for line in ListScreen(list, connection: .live).lines(columns: columns) {
        #expect(line.columns <= columns)
        let bare = line.styled.replacing(/\u{1B}\[[0-9]+m/, with: "")
        let isClean = bare.unicodeScalars.allSatisfy {
          $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value) && $0 != "\u{202E}"
        }
        #expect(isClean, "\(bare)")
      }
    }
  }

  @Test("of a change has a line for each op")
  func change() throws {
    let text = """
      {"revision":13,"cause":"batch","state":"populated","loading":null,"hasNext":false,"error":null,"selected":"a",\
      "itemCount":2,"rowCount":3,"ops":[{"op":"delete","from":4},{"op":"move","from":2,"to":0},\
      {"op":"insert","to":1,"row":\(item("a", "{\"title\":\"A\\u001b\"}"))},\
      {"op":"update","from":5,"to":2,"row":\(status("more", "{}"))}]}
      """
    let change = try FollowedChange(JSONValue(parsing: Bytes(text)))
    #expect(
      change.lines.map(\.plain) == [
        "revision 13  batch  populated  2 items  3 rows  selected a",
        "  - 4", "  > 2 → 0", "  + 1  a  ElementCell  A␛", "  ~ 5 → 2  [more]  MoreCell",
      ])
  }
}

@Suite("A frame") struct FrameTests {
  private func lines(_ texts: [String]) -> [StyledLine] {
    texts.map { text in
      var line = StyledLine()
      line.append(text, .strong)
      return line
    }
  }

  @Test("writes the lines that differ, and erases those that are gone")
  func differences() {
    var frame = Frame()
    #expect(
      frame.update(to: lines(["a", "b", "c"]), isColored: false)
        == "\u{1B}[1;1H\u{1B}[Ka\u{1B}[2;1H\u{1B}[Kb\u{1B}[3;1H\u{1B}[Kc")
    #expect(frame.update(to: lines(["a", "b", "c"]), isColored: false) == "")
    #expect(
      frame.update(to: lines(["a", "x"]), isColored: false) == "\u{1B}[2;1H\u{1B}[Kx\u{1B}[3;1H\u{1B}[K")
    frame.forget()
    #expect(
      frame.update(to: lines(["a"]), isColored: true) == "\u{1B}[2J\u{1B}[1;1H\u{1B}[K\u{1B}[1ma\u{1B}[0m")
  }
}
