// What JSONText does to a page of 1,000 rows of about 200 bytes: one line per measure, best of several runs, in
// CPU time of this process. Ends with 1 where a goal is missed.

import Glibc
import JSONText

func processSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Prints how fast `body`, which works through `bytes` bytes each time, ran at its best; says whether that reaches
/// the goal, in MB/s.
@discardableResult
func measure(_ name: String, bytes: Int, goal: Int = 0, _ body: () -> Int) -> Bool {
  var best = Double.infinity
  var check = 0
  for _ in 0..<15 {
    let start = processSeconds()
    let repeats = 40
    for _ in 0..<repeats { check &+= body() }
    best = min(best, (processSeconds() - start) / Double(repeats))
  }
  let perSecond = Int(Double(bytes) / best / 1e6)
  var line = "\(name): \(perSecond) MB/s"
  let isMet = perSecond >= goal
  if goal > 0 { line += " (goal: at least \(goal), \(isMet ? "met" : "missed"))" }
  // The sum of all results keeps the work from being optimised away.
  print(line + ", \(Int(best * 1e6)) µs for \(bytes) bytes, sum \(check & 0xFFFF)")
  return isMet
}

func row(_ number: Int) -> String {
  let digits = String(number)
  let id = "6f1e2c9a-4b7d-4e21-9c3f-" + String(repeating: "0", count: 12 - digits.count) + digits
  return #"{"id":"\#(id)","title":"Article \#(digits) on the keeping of lists","#
    + #""note":"Rows come and go; what stays is what was said of them, word by word.","#
    + #""price":\#(number % 90 + 10).5,"qty":\#(number % 7),"done":\#(number % 2 == 0)}"#
}

let compact = Bytes("[" + (0..<1000).map(row).joined(separator: ",") + "]")
let spaced = Bytes("[\n  " + (0..<1000).map(row).joined(separator: ",\n  ") + "\n]\n")
let japanese = Bytes(
  "[" + (0..<1000).map { #"{"id":\#($0),"title":"一覧の行は来て、そして去る。残るのは言葉だけである。"}"# }.joined(separator: ",") + "]"
)
let wide = Bytes("{" + (0..<20_000).map { #""member-\#($0)":\#($0)"# }.joined(separator: ",") + "}")

func validate(_ text: Bytes) -> Int {
  do {
    return try JSONValue(parsing: text).text.count
  } catch {
    print("refused at \(error.offset): \(error.message)")
    exit(1)
  }
}

let isFastEnough = measure("validate 1000 rows", bytes: compact.count, goal: 500) { validate(compact) }
measure("validate 1000 rows on lines of their own", bytes: spaced.count) { validate(spaced) }
measure("validate 1000 Japanese rows", bytes: japanese.count) { validate(japanese) }
measure("validate one object of 20000 members", bytes: wide.count) { validate(wide) }

/// Takes a page apart into its rows' ids and bytes, and writes it again; gives the length of what was written.
func splitAndJoin(_ page: JSONValue) -> Int {
  var rows: [(id: Bytes, row: Bytes)] = []
  rows.reserveCapacity(1000)
  page.forEachElement { _, row in
    if let id = row.member(named: "id")?.string { rows.append((id, row.text)) }
  }
  var writer = JSONWriter(capacity: page.text.count)
  writer.beginArray()
  for row in rows { writer.raw(row.row) }
  writer.endArray()
  return writer.bytes.count
}

measure("split 1000 rows to (id, raw bytes) and back", bytes: compact.count) {
  splitAndJoin(JSONValue(trusted: compact))
}
measure("validate, split and back", bytes: compact.count) {
  validate(compact) &+ splitAndJoin(JSONValue(trusted: compact))
}

let rows = JSONValue(trusted: compact).elements
measure("minify 1000 rows, each", bytes: compact.count) {
  rows.reduce(0) { $0 &+ $1.minified().text.count }
}
measure("hash 1000 rows, each", bytes: compact.count) {
  rows.reduce(0) { $0 &+ Int(truncatingIfNeeded: $1.contentHash(seed: 1)) }
}

exit(isFastEnough ? 0 : 1)
