import JSONText
import Testing

@Suite("Outlines")
struct OutlineTests {
  @Test func membersAndElementsAreFoundWhereTheyStand() throws {
    let text: Bytes = #" {"rows" : [ {"\u0069d":"a" , "data":{"x":[1, 2]}}, {}, 7 ], "at": 0 } "#
    let outline = JSONOutline(of: try JSONValue(parsing: text), levels: 3)
    let rows = try #require(outline.member(named: "rows", of: 0))
    #expect(outline.name(of: rows) == "rows")
    let first = outline.first(in: rows)
    let id = try #require(outline.member(Bytes("id"), of: first))
    #expect(outline.name(of: id) == "id")
    #expect(outline.isNamed("id", id) && !outline.isNamed("\\u0069d", id))
    #expect(outline.value(of: id).text == "\"a\"")
    let data = try #require(outline.member(named: "data", of: first))
    #expect(outline.value(of: data).text == #"{"x":[1, 2]}"#)
    #expect(outline.end(of: data) == data + 1, "what lies deeper than the levels has no nodes")
    let second = outline.end(of: first)
    #expect(outline.value(of: second).text == "{}")
    #expect(outline.end(of: second) == second + 1)
    let third = outline.end(of: second)
    #expect(outline.value(of: third).integer == 7)
    #expect(outline.end(of: third) == outline.end(of: rows))
    let at = try #require(outline.member(named: "at", of: 0))
    #expect(outline.value(of: at).integer == 0)
    #expect(outline.end(of: at) == outline.end(of: 0))
    #expect(outline.member(named: "id", of: 0) == nil && outline.member(named: "x", of: data) == nil)
  }

  @Test(arguments: ["7", "\"id\"", "[]", "{}", "null"])
  func whatHasNoMembersHasOneNode(_ text: String) throws {
    let outline = JSONOutline(of: try JSONValue(parsing: Bytes(text)), levels: 3)
    #expect(outline.end(of: 0) == 1)
    #expect(outline.member(named: "id", of: 0) == nil)
    #expect(outline.value(of: 0).text == Bytes(text))
  }
}
