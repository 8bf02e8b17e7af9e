import JSONText
import ListModel
import Sessions

// What comes behind a page: whether there is more, and where.
extension AnswerReader {
  /// Where the style itself ends or goes on.
  private enum StyleSign {
    /// Nothing comes behind this page.
    case ends
    /// There is more, or there may be: only the style's own sign was asked.
    case goesOn(WebPlace)
    /// The style has no sign of its own.
    case silent(WebPlace)
  }

  /// Fills in the page's `hasNext`, the token of its `next`, and the failure of an upstream that repeats itself.
  ///
  /// - Parameter isCut: whether `maxItems` ends the list here.
  func follow(_ reading: Reading, _ answer: WebAnswer, isCut: Bool, _ page: inout Page) throws(FaultyAnswer) {
    let style = source.paging.style
    var behind = place
    behind.next = nil
    switch style {
    case .cursor: if let cursor = place.next { behind.use(cursor) }
    case .link, .next:
      behind.use(asked.text)
      behind.use(answer.address.text)
    case .page, .offset, .grow, .none: break
    }
    switch try sign(reading, answer, behind) {
    case .ends:
      page.next.token = behind.token(style: style)
    case .goesOn(let next):
      page.next.token = next.token(style: style)
      page.hasNext = !isCut && (hasMore(reading, answer, page) ?? true)
      if page.hasNext, let text = next.next, behind.hasUsed(text) {
        page.hasNext = false
        let what = if case .cursor = style { "cursor" } else { "address" }
        page.failure = UpstreamFailure(
          .repeats,
          detail: "the next \(what) that the upstream names was used before; following it would never end",
          upstreamStatus: answer.status)
      }
    case .silent(let next):
      page.next.token = next.token(style: style)
      page.hasNext = !isCut && (hasMore(reading, answer, page) ?? (reading.items.count >= size))
    }
  }

  private func sign(
    _ reading: Reading, _ answer: WebAnswer, _ behind: WebPlace
  ) throws(FaultyAnswer) -> StyleSign {
    var next = behind
    switch source.paging.style {
    case .page, .offset:
      return reading.items.isEmpty ? .ends : .silent(next)
    case .none:
      return .ends
    case .grow:
      next.asked = size
      if let cap = request.table.maxItems, size >= cap { return .ends }
      return .silent(next)
    case .cursor(_, let pointer):
      let value: JSONValue? =
        switch pointer {
        case .answer(let pointer): reading.document.value(at: pointer)
        case .lastItem(let pointer): reading.items.last?.value(at: pointer)
        }
      guard let value, value.kind != .null else { return .ends }
      guard let cursor = value.string ?? (value.kind == .number ? value.text : nil) else {
        throw unusable("the next cursor is no string and no number", value, answer)
      }
      if cursor.isEmpty { return .ends }
      next.next = cursor.compacted()
    case .link:
      guard let reference = LinkField.next(in: answer.fields.values(of: "link")) else { return .ends }
      next.next = try address(reference, JSONValue.string(reference), answer)
    case .next(let pointer):
      guard let value = reading.document.value(at: pointer), value.kind != .null else { return .ends }
      guard let reference = value.string else {
        throw unusable("the next address is no string", value, answer)
      }
      if reference.isEmpty { return .ends }
      next.next = try address(reference, value, answer)
    }
    return .goesOn(next)
  }

  private func address(
    _ reference: Bytes, _ value: JSONValue, _ answer: WebAnswer
  ) throws(FaultyAnswer) -> Bytes {
    guard let address = answer.address.resolving(reference) else {
      throw unusable("the next address is no http or https address", value, answer)
    }
    return address.text
  }

  private func unusable(_ detail: String, _ value: JSONValue, _ answer: WebAnswer) -> FaultyAnswer {
    FaultyAnswer(
      UpstreamFailure(.malformed, detail: detail, upstreamStatus: answer.status),
      evidence: value.text.compacted())
  }

  /// What the `hasNext` rule says of what lies behind the page; nil where there is no rule, or the answer lacks the
  /// number that it asks for.
  private func hasMore(_ reading: Reading, _ answer: WebAnswer, _ page: Page) -> Bool? {
    switch source.hasNext {
    case nil: nil
    case .totalHeader(let name): answer.fields[name].flatMap(Self.number).map { page.next.read < $0 }
    case .totalPointer(let pointer):
      reading.document.value(at: pointer).flatMap(Self.number).map { page.next.read < $0 }
    case .pagesPointer(let pointer):
      reading.document.value(at: pointer).flatMap(Self.number).map { page.next.pages < $0 }
    case .pointer(let pointer): reading.document.value(at: pointer)?.bool ?? false
    }
  }

  /// A count, written as a number or as a string of digits.
  private static func number(_ value: JSONValue) -> Int? {
    value.string.flatMap(number) ?? value.integer ?? value.double.map { Int($0.rounded().clamped) }
  }

  private static func number(_ text: Bytes) -> Int? { Int(text.string) }
}

extension Double {
  /// Within what an `Int` holds.
  fileprivate var clamped: Double { isNaN ? 0 : Swift.min(Swift.max(self, -9e18), 9e18) }
}
