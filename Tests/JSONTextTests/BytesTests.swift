import JSONText
import Testing

@Suite("Bytes")
struct BytesTests {
  @Test("slices share their storage and count from their own start")
  func slices() {
    let whole = Bytes("hello world")
    let world = whole[6..<11]
    #expect(world == "world" && world.count == 5 && world[0] == UInt8(ascii: "w"))
    #expect(world[1..<3] == "or" && world[1..<3].storageRange == 7..<9)
    #expect(world.compacted().storage.count == 5 && world.compacted() == world)
    #expect(world.array == Array("world".utf8) && whole.array == Array("hello world".utf8))
    #expect(whole[3..<3].isEmpty && whole[11..<11] == .empty)
  }

  @Test("equality and hashing go by bytes, not by characters")
  func equality() {
    #expect(Bytes("é") != Bytes("e\u{301}"))
    #expect(Bytes("abc") != Bytes("abd") && Bytes("ab") != Bytes("abc"))
    let places: Set<Bytes> = [Bytes("xabc")[1..<4], "abc", "ab"]
    #expect(places.count == 2)
  }

  @Test("an array grows by slices, literals and numbers")
  func appending() {
    var array: [UInt8] = []
    array.append(Bytes("xabc")[1..<4])
    array.append(literal: "\"é\"")
    array.append(decimal: 42)
    array.append(Bytes.empty)
    #expect(Bytes(array) == "abc\"é\"42")
  }
}
