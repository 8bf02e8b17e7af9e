import JSONText
import RowcastClient
import Testing

@Suite("Typed cells") struct CellTypesTests {
  private enum Entry: Equatable {
    case user(name: String, age: Int?)
    case reading(Double, isValid: Bool)
  }

  private var types: CellTypes<Entry> {
    var types = CellTypes<Entry>()
    types.register("UserCell") { data throws(CellFault) in
      .user(name: try data.string("name"), age: try data.read("age", "a whole number") { $0.integer })
    }
    types.register("ReadingCell") { data throws(CellFault) in
      .reading(try data.number("value"), isValid: try data.bool("valid"))
    }
    return types
  }

  private func content(_ cell: String, _ data: String) throws -> Entry? {
    let text = "{\"id\":\"a\",\"cell\":\"\(cell)\",\"data\":\(data)}"
    return try types.content(of: FollowedRow(try JSONValue(parsing: Bytes(text))))
  }

  @Test("are read by the cell's name")
  func reading() throws {
    #expect(try content("UserCell", #"{"name":"Ada \u00e9","age":36}"#) == .user(name: "Ada é", age: 36))
    #expect(try content("UserCell", #"{"name":"Ada","age":null}"#) == .user(name: "Ada", age: nil))
    #expect(try content("ReadingCell", #"{"value":1e2,"valid":false}"#) == .reading(100, isValid: false))
    #expect(try content("OtherCell", "{}") == nil)
  }

  @Test("say which member is wrong")
  func faults() {
    func fault(_ cell: String, _ data: String) -> CellFault? {
      #expect(throws: CellFault.self) { try content(cell, data) }
    }
    #expect(fault("UserCell", "{}") == CellFault(member: "name", expected: "a string"))
    #expect(fault("UserCell", "[1]") == CellFault(member: "name", expected: "a string"))
    #expect(
      fault("UserCell", #"{"name":"x","age":1.5}"#) == CellFault(member: "age", expected: "a whole number"))
    #expect(
      fault("ReadingCell", #"{"value":1,"valid":1}"#) == CellFault(member: "valid", expected: "true or false")
    )
  }
}
