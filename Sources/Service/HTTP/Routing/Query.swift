import JSONText

/// The parameters of a query that this service knows, decoded, and checked when they are asked for.
///
/// Pairs are split at `&`, names from values at the first `=`; `%XX` and `+` (a space) are decoded as forms encode them.
/// Parameters of other names are passed over, as caches and clients add their own; a known one twice is refused,
/// for who wrote it meant one of the two. A parameter that the path does not use is not checked.
public struct Query: Sendable {
  /// How a change tells what it did.
  public enum Format: Sendable, Equatable {
    /// Ops (protocol §4).
    case ops
    /// An RFC 6902 patch (`format=json-patch`).
    case jsonPatch
  }

  private enum Name: CaseIterable {
    case offset, limit, since, wait, tag, format, cursor

    var text: StaticString {
      switch self {
      case .offset: "offset"
      case .limit: "limit"
      case .since: "since"
      case .wait: "wait"
      case .tag: "tag"
      case .format: "format"
      case .cursor: "cursor"
      }
    }
  }

  private var values: [(name: Name, value: Bytes)] = []

  /// Reads what stood behind `?`; nil where there was none.
  ///
  /// O(n).
  ///
  /// - Throws: `malformed-request` for a bad `%`, for NUL and for a known name that comes twice.
  public init(_ query: [UInt8]?) throws(Problem) {
    guard let query else { return }
    let whole = Bytes(query)
    var start = 0
    while start < whole.count {
      var end = start
      var equals: Int?
      while end < whole.count && whole[end] != UInt8(ascii: "&") {
        if equals == nil && whole[end] == UInt8(ascii: "=") { equals = end }
        end += 1
      }
      let name = try percentDecoded(whole[start..<(equals ?? end)], plusIsSpace: true)
      let value = try percentDecoded(whole[(equals.map { $0 + 1 } ?? end)..<end], plusIsSpace: true)
      if let known = Name.allCases.first(where: { name.equals($0.text) }) {
        guard self.value(known) == nil else {
          throw Problem(.malformedRequest, detail: "the query names \(known.text) twice")
        }
        values.append((known, value))
      }
      start = end + 1
    }
  }

  /// The first row of the window, counted from 0; 0 where none is given.
  public func offset() throws(Problem) -> Int { try number(.offset) ?? 0 }

  /// Whether a window of the rows is asked for, by `offset` or `limit`.
  public var asksForWindow: Bool { value(.offset) != nil || value(.limit) != nil }

  /// The most rows of the window; nil for all.
  public func limit() throws(Problem) -> Int? { try number(.limit) }

  /// `limit` of a list by pages: a number in `range`, `fallback` where none is given.
  public func limit(in range: ClosedRange<Int>, fallback: Int) throws(Problem) -> Int {
    guard let limit = try number(.limit) else { return fallback }
    guard range.contains(limit) else {
      throw Problem(
        .malformedRequest, detail: "limit is a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return limit
  }

  /// The revision that the client has; nil where none is given.
  ///
  /// Other numbers count for a ceiling where they are too large; this one stands for a place, and is refused.
  public func since() throws(Problem) -> Int? {
    guard let value = value(.since) else { return nil }
    guard value.withUnsafeBytes({ $0.allSatisfy(\.isDigit) }), let revision = Int(value.string) else {
      throw Problem(.malformedRequest, detail: "since is a revision, 0 or more and below 2⁶³, in digits")
    }
    return revision
  }

  /// Seconds to wait for news, 0–60; nil where none are given.
  public func wait() throws(Problem) -> Int? {
    guard let seconds = try number(.wait) else { return nil }
    guard seconds <= 60 else {
      throw Problem(.malformedRequest, detail: "wait is a whole number of seconds from 0 to 60")
    }
    return seconds
  }

  /// The client's name for its change; nil where none is given.
  public func tag() throws(Problem) -> Bytes? {
    guard let tag = value(.tag) else { return nil }
    guard tag.isClientName else {
      throw Problem(.malformedRequest, detail: "tag is 1 to 64 characters of A–Z a–z 0–9 _ -")
    }
    return tag
  }

  /// How changes are to be told.
  public func format() throws(Problem) -> Format {
    guard let format = value(.format) else { return .ops }
    guard format.equals("json-patch") else {
      throw Problem(.malformedRequest, detail: "format is json-patch or left out")
    }
    return .jsonPatch
  }

  /// Where the page before ended; nil for the first page.
  public var cursor: Bytes? { value(.cursor) }

  private func value(_ name: Name) -> Bytes? {
    values.first { $0.name == name }?.value
  }

  private func number(_ name: Name) throws(Problem) -> Int? {
    guard let value = value(name) else { return nil }
    guard let number = value.withUnsafeBytes({ decimal($0) }) else {
      throw Problem(.malformedRequest, detail: "\(name.text) is a number, 0 or more, in digits")
    }
    return number
  }
}

extension Bytes {
  func equals(_ literal: StaticString) -> Bool {
    withUnsafeBytes { $0.elementsEqual(literal.buffer) }
  }
}
