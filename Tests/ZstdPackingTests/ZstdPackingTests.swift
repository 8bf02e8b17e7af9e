import TestSupport
import Testing
import ZstdPacking

@Suite("Texts packed by Zstandard")
struct ZstdPackingTests {
  private let packing = ZstdPacking()

  @Test("come back as they were", arguments: 0..<200 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    let text = Self.text(seed)
    let packed = try #require(packing.pack(text))
    #expect(packing.unpack(packed) == text, "seed \(seed)")
  }

  @Test("of like rows take a small part of their size, of noise hardly more than it")
  func sizes() throws {
    let rows = (0..<20).flatMap {
      Array(#"{"id":"r\#($0)","cell":"Cell","data":{"title":"One row of many"}}"#.utf8)
    }
    #expect(try #require(packing.pack(rows)).count < rows.count / 5)
    var random = Seeded(1)
    let noise = (0..<5000).map { _ in UInt8(random.below(256)) }
    #expect(try #require(packing.pack(noise)).count < noise.count + 32)
  }

  @Test("are told from what nobody has packed", arguments: 0..<300 as Range<UInt64>)
  func damage(seed: UInt64) throws {
    var random = Seeded(seed)
    let text = Self.text(seed)
    let packed = try #require(packing.pack(text))
    #expect(packing.unpack(Array(packed.dropLast(1 + random.below(packed.count)))) == nil, "seed \(seed)")
    // There is no checksum: a changed byte may give another text, but never one of another size.
    var changed = packed
    changed[random.below(changed.count)] ^= UInt8(1 + random.below(255))
    if let other = packing.unpack(changed) { #expect(other.count <= 1 << 30, "seed \(seed)") }
    #expect(
      packing.unpack((0..<random.below(60)).map { _ in UInt8(random.below(256)) }) == nil, "seed \(seed)")
  }

  @Test("of a frame that claims to be of any size are not waited for")
  func claim() {
    // Magic number, a descriptor with an eight-byte content size, the largest one.
    let frame: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd, 0xe0] + Array(repeating: 0xff, count: 8) + [1, 0, 0]
    #expect(packing.unpack(frame) == nil)
    #expect(packing.unpack([]) == nil)
  }

  private static func text(_ seed: UInt64) -> [UInt8] {
    var random = Seeded(seed)
    let alphabet = 1 + random.below(256)
    return (0..<random.below(20_000)).map { _ in UInt8(random.below(alphabet)) }
  }
}
