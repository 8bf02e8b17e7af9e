import JSONText
import ListModel
import Testing

@Suite("A list that was saved")
struct KeepingTests {
  private func list(_ rows: String) throws -> ListState {
    var list = TestList()
    try list.take("insert", "{\"rows\":\(rows)}")
    return list.list
  }

  private func restored(_ text: Bytes, like list: ListState) throws -> ListState {
    try ListState(saved: text, rules: list.rules)
  }

  @Test(
    "has the same rows again, whatever their ids and cells are",
    arguments: [
      "[]", #"[{"id":"a","data":1}]"#, #"[{"id":"a\"b","data":{}},{"id":"c","data":[1,"}"]}]"#,
      #"[{"id":"\u0001","data":null},{"id":"é","data":"\\"},{"id":"\\","data":"\""}]"#,
      #"[{"id":"a","cell":"A\"B","data":1},{"id":"b","cell":"Ü","data":2}]"#,
    ])
  func rows(_ rows: String) throws {
    let list = try list(rows)
    let again = try restored(list.saved(), like: list)
    #expect(again.saved() == list.saved())
    let (before, after) = (list.version, again.version)
    #expect(before.rowCount == after.rowCount)
    for index in 0..<before.itemCount {
      #expect(after.row(at: index) == before.row(at: index))
      #expect(after.items[index].id == before.items[index].id && after.items[index].isWhole)
      #expect(after.items[index].data.text == before.items[index].data.text)
      #expect(after.items[index].cellText == before.items[index].cellText)
    }
  }

  @Test("takes edits by id, also where it is long")
  func edits() throws {
    var list = TestList()
    let rows = (0..<500).map { #"{"id":"i\#($0)","data":\#($0)}"# }.joined(separator: ",")
    try list.take("insert", "{\"rows\":[\(rows)]}")
    let again = try restored(list.list.saved(), like: list.list)
    #expect(again.version.index(ofItem: "i499") == 499)
    #expect(again.sampledBytes > 500 * 20 && again.sampledBytes < 500 * 60)
  }

  @Test(
    "is not taken from rows that lack something",
    arguments: [
      "{}", #"{"id":"","cell":"C","data":1}"#, #"{"cell":"C","data":1}"#, #"{"id":"a","data":1}"#,
      #"{"id":"a","cell":"C"}"#, #"{"id":4,"cell":"C","data":1}"#, "7",
      "{\"id\":\"\(String(repeating: "a", count: 257))\",\"cell\":\"C\",\"data\":1}",
    ])
  func damage(_ row: String) throws {
    let list = try list("[]")
    let text = list.saved().string.replacingOccurrences(of: "\"items\":[]", with: "\"items\":[\(row)]")
    #expect(throws: DamagedText.self) { try restored(Bytes(text), like: list) }
  }

  @Test("says of rows with more in them that they are not whole, or leaves that out")
  func surplus() throws {
    let list = try list("[]")
    for row in [
      #"{"id":"a","cell":"C","data":1,"more":2}"#, #"{"id":"a","more":2,"cell":"C","data":1}"#,
    ] {
      let text = list.saved().string.replacingOccurrences(of: "\"items\":[]", with: "\"items\":[\(row)]")
      let item = try restored(Bytes(text), like: list).version.items[0]
      #expect(!item.isWhole || item.row.string == #"{"id":"a","cell":"C","data":1}"#)
    }
  }
}
