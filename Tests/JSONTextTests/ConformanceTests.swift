import Foundation
import JSONText
import Testing

/// The outside suites, where they are at hand.
@Suite("Conformance", .enabled(if: SharedData.isPresent, "needs ../shared/data or ROWCAST_SHARED_DATA"))
struct ConformanceTests {
  /// nst/JSONTestSuite leaves these to the parser; our rules refuse all but numbers out of any type's range.
  private static let acceptedByChoice: Set<String> = [
    "i_number_double_huge_neg_exp.json", "i_number_huge_exp.json", "i_number_neg_int_huge_exp.json",
    "i_number_pos_double_huge_exp.json", "i_number_real_neg_overflow.json", "i_number_real_pos_overflow.json",
    "i_number_real_underflow.json", "i_number_too_big_neg_int.json", "i_number_too_big_pos_int.json",
    "i_number_very_big_negative_int.json",
  ]
  /// Valid by its grammar, refused by our rule that a name comes once in an object.
  private static let refusedByChoice: Set<String> = [
    "y_object_duplicated_key.json", "y_object_duplicated_key_and_value.json",
  ]

  @Test("every file of JSONTestSuite is accepted or refused as its name or our rules say")
  func jsonTestSuite() throws {
    let archive = try SharedData.gunzipped("json-test-suite.json.gz")
    let document = try JSONValue(parsing: Bytes([UInt8](archive)))
    var seen = 0
    try #require(document.member(named: "files")).forEachMember { (path, encoded) throws in
      guard path.string.hasPrefix("test_parsing/") else { return }
      seen += 1
      let name = path.string.split(separator: "/").last.map(String.init) ?? ""
      let base64 = try #require(encoded.string).string
      let contents = try #require(Data(base64Encoded: base64))
      let accepted = (try? JSONValue(parsing: Bytes([UInt8](contents)))) != nil
      let expected =
        name.hasPrefix("y_") && !Self.refusedByChoice.contains(name) || Self.acceptedByChoice.contains(name)
      #expect(accepted == expected, "\(name)")
    }
    #expect(seen > 300)
  }

  @Test("the big list of naughty strings survives unescaping and writing")
  func naughtyStrings() throws {
    let file = try SharedData.file("blns.json")
    let strings = try JSONValue(parsing: Bytes([UInt8](file))).elements
    let reference = try JSONDecoder().decode([String].self, from: file)
    #expect(strings.count == reference.count)
    for (value, expected) in zip(strings, reference) {
      #expect(value.string == Bytes(expected))
      let written = JSONValue.string(Bytes(expected))
      #expect(try JSONValue(parsing: written.text).string == Bytes(expected))
      #expect(written.isEqual(to: value))
      #expect(written.contentHash(seed: 1) == value.contentHash(seed: 1))
    }
  }
}
