import Foundation
import TestSupport

/// A command of a document and the answer that stands below it.
///
/// In a fenced block named `console` a line that begins with `$ ` is a command; lines that end in a backslash go on in
/// the next. What follows up to the next command is its answer. In an answer `…` stands for anything within a line,
/// and a line of nothing but `…` for any number of lines.
struct ConsoleExample: Sendable {
  /// The number of the command's first line in the document, from 1.
  let line: Int
  /// The command as bash takes it.
  let command: String
  /// The lines of the answer.
  var answer: [String]

  /// The examples of a document, in order.
  static func all(in document: String) -> [ConsoleExample] {
    var examples: [ConsoleExample] = []
    var isInside = false
    var goesOn = false
    for (index, line) in document.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("```") {
        isInside = line == "```console"
        goesOn = false
      } else if isInside, let last = examples.last, goesOn {
        examples[examples.count - 1] = ConsoleExample(
          line: last.line, command: last.command + "\n" + line, answer: [])
        goesOn = line.hasSuffix("\\")
      } else if isInside, line.hasPrefix("$ ") {
        examples.append(ConsoleExample(line: index + 1, command: String(line.dropFirst(2)), answer: []))
        goesOn = line.hasSuffix("\\")
      } else if isInside, !examples.isEmpty {
        examples[examples.count - 1].answer.append(String(line))
      }
    }
    return examples
  }

  /// Whether `output` is what the document says.
  func isAnswered(by output: String) -> Bool {
    Self.matches(answer[...], Self.lines(of: output)[...])
  }

  private static func matches(_ expected: ArraySlice<String>, _ actual: ArraySlice<String>) -> Bool {
    guard let first = expected.first else { return actual.isEmpty }
    if first == "…" {
      return (0...actual.count).contains { matches(expected.dropFirst(), actual.dropFirst($0)) }
    }
    guard let line = actual.first, matches(first, line) else { return false }
    return matches(expected.dropFirst(), actual.dropFirst())
  }

  /// Whether the parts between the `…` of `expected` stand in `line` in their order, the outer ones at its ends.
  private static func matches(_ expected: String, _ line: String) -> Bool {
    let parts = expected.components(separatedBy: "…")
    guard let first = parts.first, let last = parts.last, parts.count > 1 else { return expected == line }
    guard line.hasPrefix(first), line.hasSuffix(last), line.utf8.count >= first.utf8.count + last.utf8.count
    else { return false }
    var rest = line.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.range(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }

  /// The lines of an output, without the carriage returns of HTTP's heads and without the empty ones at its end.
  private static func lines(of output: String) -> [String] {
    var lines = output.replacingOccurrences(of: "\r\n", with: "\n").components(separatedBy: "\n")
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines
  }
}

/// A shell that runs a document's commands one after the other, so that a variable set by one is there for the next.
enum Console {
  /// Runs the commands in one bash and gives the standard output of each.
  ///
  /// Blocks, for at most `seconds`. Addresses of the documents, `127.0.0.1:8080` and `localhost:8080`, stand for
  /// `port`, and the other way round in what is given back.
  static func run(_ examples: [ConsoleExample], port: Int, within seconds: Double = 120) throws -> [String] {
    // Unit separators, which no output here holds, stand between the commands' outputs.
    let script = examples.map { $0.command + "\nprintf '\\037'\n" }.joined()
      .replacingOccurrences(of: "127.0.0.1:8080", with: "127.0.0.1:\(port)")
      .replacingOccurrences(of: "localhost:8080", with: "127.0.0.1:\(port)")
    let outputs = try Finished(shell: script, within: seconds).output
      .replacingOccurrences(of: "127.0.0.1:\(port)", with: "127.0.0.1:8080")
      .components(separatedBy: "\u{1F}")
    return Array(outputs.prefix(examples.count))
  }
}
