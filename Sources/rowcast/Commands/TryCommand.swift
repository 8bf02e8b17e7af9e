import Glibc
import JSONText
import ListModel
import Service
import Sessions
import WebSource

/// `rowcast try`: reads a table's source once and prints the rows as clients would get them, one a line; on standard
/// error what was asked and answered, and where it failed the part of the answer that was to blame.
struct TryCommand {
  private let table: TableDefinition
  private let limits: Limits
  private let pages: Int
  private var list: ListState
  private let context: ListContext
  private let source: any PageSource

  static func run(_ attempt: Attempt, environment: [String: String]) -> Int32 {
    let path = Configuration.file(flag: attempt.file, environment: environment)
    do throws(ConfigurationFaults) {
      let configuration = try Configuration.load(file: path, environment: environment)
      let tables = configuration.tables
      guard let table = tables.first(where: { $0.name == Bytes(attempt.table) }) else {
        let names = tables.map(\.name.string).joined(separator: ", ")
        Terminal.complain("rowcast: there is no such table in \(path); it has: \(names)")
        return UsageError.exitStatus
      }
      let sources = PageSources(fetches: 1, trace: { tell($0, of: table) }) { _ in }
      guard let source = sources.source(of: table) else {
        Terminal.complain("rowcast: the rows of this table come from clients; there is nothing to read")
        return 1
      }
      do throws(Refusal) {
        var command = try TryCommand(table, source, configuration.server.limits, attempt)
        return command.run()
      } catch {
        Terminal.complain(
          "rowcast: --param: \(error.pointer.map { "\($0.text.string): " } ?? "")\(error.detail)")
        return UsageError.exitStatus
      }
    } catch {
      for line in error.lines { Terminal.complain(line) }
      return ConfigurationFaults.exitStatus
    }
  }

  private init(
    _ table: TableDefinition, _ source: any PageSource, _ limits: Limits, _ attempt: Attempt
  ) throws(Refusal) {
    self.table = table
    self.limits = limits
    self.source = source
    pages = attempt.pages
    context = ListContext(
      isClient: false, itemsPerSession: limits.itemsPerSession, rowBytes: limits.rowBytes,
      params: table.params)
    var params: [UInt8] = [UInt8(ascii: "{")]
    for (index, param) in attempt.params.enumerated() {
      if index > 0 { params.append(UInt8(ascii: ",")) }
      params.append(jsonString: Bytes(param.name))
      params.append(UInt8(ascii: ":"))
      params.append(jsonString: Bytes(param.value))
    }
    params.append(UInt8(ascii: "}"))
    let checked = try context.parameters(JSONValue(trusted: Bytes(params)))
    list = ListState(rules: ListRules(look: table.look), revision: 0, params: checked)
  }

  private mutating func run() -> Int32 {
    var failure: UpstreamFailure?
    var leftOut = 0
    var command = Command.load(nil)
    for _ in 0..<pages {
      let outcome: Outcome
      do throws(Refusal) {
        outcome = try list.perform(command, in: context)
      } catch {
        break  // nothing left to fetch
      }
      guard var effect = outcome.effect else { break }
      while case .read(let generation, let place) = effect {
        let result = read(place)
        switch result {
        case .success(let page):
          leftOut += page.leftOut
          failure = page.failure
        case .failure(let reason): failure = reason
        }
        guard let next = list.finish(generation: generation, with: result, in: context).effect else { break }
        effect = next
      }
      if failure != nil { break }
      command = .loadMore(nil)
    }
    return report(failure, leftOut: leftOut)
  }

  private func report(_ failure: UpstreamFailure?, leftOut: Int) -> Int32 {
    let version = list.version
    for index in 0..<version.rowCount {
      if let row = version.row(at: index) {
        Terminal.write(row.array + [UInt8(ascii: "\n")], to: STDOUT_FILENO)
      }
    }
    let more = list.hasMore ? "there is more" : "nothing next"
    let out = leftOut == 0 ? "" : ", \(leftOut) left out (no usable id, off required, or over rowBytes)"
    Terminal.complain("\(version.itemCount) items\(out); \(more)")
    guard let failure else { return 0 }
    Terminal.complain("\(failure.code.rawValue): \(failure.detail)")
    return 1
  }

  /// Waits for a page on this thread.
  private func read(_ place: Place) -> Result<Page, UpstreamFailure> {
    var definition = table
    definition.maxItems = min(table.maxItems ?? .max, limits.itemsPerSession)
    var params: [(name: Bytes, value: Bytes)] = []
    JSONValue(trusted: list.params).forEachMember { name, value in
      params.append((name, value.string ?? .empty))
    }
    let request = PageRequest(
      table: definition, look: table.look, params: params, place: place, rowBytes: limits.rowBytes)
    return Answer.wait { answer in source.read(request) { answer($0) } }
  }

  /// Says what was asked and answered.
  ///
  /// Values of the query are left out: some are secrets, and all are in the configuration.
  @Sendable private static func tell(_ exchange: WebExchange, of table: TableDefinition) {
    var line = "\(exchange.method) \(exchange.address.display)"
    if case .http(let source) = table.source { line = Secrets(source).hidden(in: line) }
    line += exchange.status.map { " → \($0)" } ?? " → no answer"
    line += ", \(exchange.milliseconds) ms"
    if exchange.bytes > 0 { line += ", \(exchange.bytes) bytes" }
    if exchange.attempt > 1 { line += ", attempt \(exchange.attempt)" }
    Terminal.complain(line)
    if let evidence = exchange.evidence, !evidence.isEmpty {
      Terminal.complain("  from the answer: \(evidence.string.printable)")
    }
  }
}

extension WebAddress {
  /// The address with the values of its query left out.
  fileprivate var display: String {
    let text = text.string
    guard let mark = text.firstIndex(of: "?") else { return text }
    let query = text[text.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false).map {
      part in
      guard let equals = part.firstIndex(of: "=") else { return "…" }
      let value = part[part.index(after: equals)...]
      let isNumber =
        !value.isEmpty && value.utf8.count < 8 && value.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
      return "\(part[..<equals])=\(isNumber ? String(value) : "…")"
    }
    return "\(text[..<mark])?\(query.joined(separator: "&"))"
  }
}

extension String {
  /// The text on one line, without anything that a terminal would obey.
  fileprivate var printable: String {
    String(
      String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
  }
}
