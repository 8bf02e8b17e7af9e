import SourceContract
import Testing
import TestSupport

/// CSV as RFC 4180 has it, seen through the rows that it becomes.
@Suite(.timeLimit(.minutes(5)))
struct CSVTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var text: String
    var objects: [String]

    init(_ description: String, _ text: String, _ objects: String...) {
      testDescription = description
      self.text = text
      self.objects = objects
    }
  }

  static let readable = [
    Case("lines end with CRLF", "id,n\r\n1,x\r\n2,y\r\n", #"{"id":"1","n":"x"}"#, #"{"id":"2","n":"y"}"#),
    Case("lines end with LF", "id,n\n1,x\n2,y\n", #"{"id":"1","n":"x"}"#, #"{"id":"2","n":"y"}"#),
    Case("lines end either way", "id,n\r\n1,x\n2,y\r\n", #"{"id":"1","n":"x"}"#, #"{"id":"2","n":"y"}"#),
    Case("the last line has no end", "id,n\n1,x", #"{"id":"1","n":"x"}"#),
    Case("the last field is empty and its line has no end", "id,n\n1,", #"{"id":"1","n":""}"#),
    Case("a header alone is an empty list", "id,n\n"),
    Case("a header alone without an end", "id,n"),
    Case("one column", "id\na\nb", #"{"id":"a"}"#, #"{"id":"b"}"#),
    Case("fields are empty", "id,a,b,c\n1,,,\n", #"{"id":"1","a":"","b":"","c":""}"#),
    Case("spaces belong to the field", "id,n\n1, x \n", #"{"id":"1","n":" x "}"#),
    Case("quotes enclose commas", "id,n\n1,\"a,b\"\n", #"{"id":"1","n":"a,b"}"#),
    Case("quotes enclose line ends", "id,n\n1,\"a\r\nb\nc\"\n", #"{"id":"1","n":"a\r\nb\nc"}"#),
    Case("quotes are doubled", "id,n\n1,\"say \"\"hi\"\"\"\n", #"{"id":"1","n":"say \"hi\""}"#),
    Case("doubled quotes alone", "id,n\n1,\"\"\"\"\"\"\n", #"{"id":"1","n":"\"\""}"#),
    Case("an empty field is quoted", "id,n\n\"1\",\"\"", #"{"id":"1","n":""}"#),
    Case("a carriage return is quoted", "id,n\n1,\"a\rb\"\n", #"{"id":"1","n":"a\rb"}"#),
    Case("the header is quoted", "\"id\",\"a,\"\"b\"\"\"\n1,x\n", #"{"id":"1","a,\"b\"":"x"}"#),
    Case("a column has an empty name", "id,\n1,x\n", #"{"id":"1","":"x"}"#),
    Case(
      "names differ in their bytes alone", "id,\u{E9},e\u{301}\n1,a,b\n",
      "{\"id\":\"1\",\"\u{E9}\":\"a\",\"e\u{301}\":\"b\"}"),
    Case("a byte order mark", "\u{FEFF}id,n\n1,x\n", #"{"id":"1","n":"x"}"#),
    Case("controls and other scripts", "id,n\n1,\u{0}\u{1}\t日本\n", #"{"id":"1","n":"\u0000\u0001\t日本"}"#),
    Case(
      "blank lines between records", "id,n\n\n1,x\n\r\n\n2,y\n\n\n", #"{"id":"1","n":"x"}"#,
      #"{"id":"2","n":"y"}"#),
    Case("numbers stay text", "id,n\n007,1e3\n", #"{"id":"007","n":"1e3"}"#),
  ]

  @Test("CSV is read", arguments: readable)
  func reads(_ sample: Case) async throws {
    #expect(try await data(ofFileWith: sample.text, named: "list.csv") == sample.objects)
  }

  static let faulty: [(text: String, detail: String)] = [
    ("", "line 1: there is no header"),
    ("\u{FEFF}", "line 1: there is no header"),
    ("\n", "line 1: there is no header"),
    ("\r\nid,n\n", "line 1: there is no header"),
    ("id,n,id\n", "line 1: the header names the column \"id\" twice"),
    ("id,n,\"id\"\n1,2,3\n", "line 1: the header names the column \"id\" twice"),
    ("id,n\n1\n", "line 2: the record has 1 field, the header has 2"),
    ("id,n\n1,x\n2,y,z\n", "line 3: the record has 3 fields, the header has 2"),
    ("id,n\n1,x,", "line 2: the record has 3 fields, the header has 2"),
    ("id,n\n\"\"\n", "line 2: the record has 1 field, the header has 2"),
    ("id,n\n1,\"a\nb\"\n2\n", "line 4: the record has 1 field, the header has 2"),
    ("id,n\n1,\"x\n2,y\n", "line 2: the quote that opens here is never closed"),
    ("id,n\n1,\"x\"\"\n2,y\n", "line 2: the quote that opens here is never closed"),
    ("\"", "line 1: the quote that opens here is never closed"),
    ("id,n\n1,\"x\"y\n", "line 2: text stands behind a closing quote"),
    ("id,n\n1,\"x\" ,\n", "line 2: text stands behind a closing quote"),
    ("id,n\n1,5\" pipe\n", "line 2: a quote stands inside a field that does not begin with one"),
    ("id,n\r1,x\r", "line 1: a carriage return stands without a line feed"),
    ("id,n\n1,x\r", "line 2: a carriage return stands without a line feed"),
    ("id,n\n1,\"x\"\r2", "line 2: a carriage return stands without a line feed"),
  ]

  @Test("Faulty CSV is malformed, with its line", arguments: faulty)
  func refuses(text: String, detail: String) async throws {
    let failure = try await failure(ofFileWith: Array(text.utf8), named: "list.csv")
    #expect(failure?.code == .malformed)
    #expect(failure?.detail.hasPrefix("list.csv: " + detail) == true, "\(failure?.detail ?? "no failure")")
  }

  @Test("CSV that is no UTF-8 is malformed, with its line")
  func refusesOtherEncodings() async throws {
    let failure = try await failure(
      ofFileWith: Array("id,n\n1,x\n2,".utf8) + [0xE9, 0x0A], named: "list.csv")
    #expect(failure?.detail == "list.csv: line 3: byte 11 of the file is no UTF-8")
  }

  @Test("Random tables come back as they were written", arguments: [1, 2, 3, 4, 5, 6, 7, 8] as [UInt64])
  func roundTrip(seed: UInt64) async throws {
    var random = Seeded(seed)
    for round in 0..<25 {
      let columns =
        ["id"] + (1..<Int.random(in: 2...6, using: &random)).map { "c\($0) " + random.text(upTo: 3) }
      let records = (0..<Int.random(in: 0...20, using: &random)).map { row in
        ["\(row)"] + columns.dropFirst().map { _ in random.text(upTo: 8) }
      }
      let text = random.csv([columns] + records)
      let items = try await page(ofFileWith: Array(text.utf8), named: "list.csv").get().items
      let read = items.map { item in
        columns.map { item.data.member(.init($0))?.string?.string ?? "nothing" }
      }
      #expect(read == records, "seed \(seed), round \(round)")
      #expect(items.allSatisfy { $0.data.count == columns.count }, "seed \(seed), round \(round)")
    }
  }
}

extension Seeded {
  /// A short text, rich in what CSV and JSON care for.
  mutating func text(upTo length: Int) -> String {
    let pieces = [
      "a", "b", " ", ",", "\"", "\"\"", "\n", "\r\n", "\r", "\t", "\\", "é", "日", "🙂", "\u{0}", "{", "null",
    ]
    var text = ""
    for _ in 0..<Int.random(in: 0...length, using: &self) {
      text += pieces[Int.random(in: 0..<pieces.count, using: &self)]
    }
    return text
  }

  /// A table as CSV: needless quotes here and there, either line end, the last one there or not.
  mutating func csv(_ records: [[String]]) -> String {
    var text = ""
    for (row, record) in records.enumerated() {
      let fields = record.map { field in
        let scalars = field.unicodeScalars
        let needsQuotes = scalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
        guard needsQuotes || Bool.random(using: &self) else { return field }
        return "\"" + scalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\""
      }
      text += fields.joined(separator: ",")
      if row < records.count - 1 || Bool.random(using: &self) {
        text += Bool.random(using: &self) ? "\r\n" : "\n"
      }
    }
    return text
  }
}
