import JSONText
import ListModel
import Sessions

/// Makes a page of an upstream's answer, or says what is wrong with it.
///
/// A value without network or clock: the answer, what was asked, and the source's definition decide alone.
struct AnswerReader {
  let source: HTTPDefinition
  let request: PageRequest
  let place: WebPlace
  /// The size that was asked for.
  let size: Int
  /// The address that was asked first, before any redirect.
  let asked: WebAddress

  /// What stands at the table's pointers.
  struct Reading {
    var document: JSONValue
    var items: [JSONValue]
  }

  /// The page that an answer with a status of success gives.
  ///
  /// O(size of the body).
  func page(_ answer: WebAnswer) throws(FaultyAnswer) -> Page {
    guard let reading = try reading(answer) else { return endPage }
    let known = place.asked > 0 ? request.place.read : 0
    let cap = max(request.table.maxItems ?? .max, 0)
    let room = max(0, cap - (place.asked > 0 ? 0 : request.place.read))
    let taken = reading.items.prefix(room)
    let reader = ItemReader(id: source.id, look: request.look, rowBytes: request.rowBytes)
    let read: ReadItems
    do {
      read = try reader.readPage(taken)
    } catch {
      throw FaultyAnswer(error.after(answer), evidence: reading.items.first?.text.excerpt(around: 0))
    }
    let again = known > 0 ? usable(in: taken.prefix(known), by: reader) : 0
    var next = request.place
    next.read = place.asked > 0 ? max(known, taken.count) : request.place.read + taken.count
    next.pages += 1
    let isCut = taken.count < reading.items.count || next.read >= cap
    var page = Page(
      items: Array(read.items.dropFirst(again)), hasNext: false, next: next, leftOut: read.leftOut.total,
      again: Array(read.items.prefix(again)))
    try follow(reading, answer, isCut: isCut, &page)
    return page
  }

  /// Whether nothing is left to read behind the place: the list holds all that it may, or the style has no way on.
  var isAtEnd: Bool {
    guard request.place.pages > 0 else { return false }
    if let cap = request.table.maxItems, request.place.read >= cap { return true }
    return switch source.paging.style {
    case .cursor, .link, .next: place.next == nil
    case .none: true
    case .page, .offset, .grow: false
    }
  }

  /// How many of some raw items become items.
  private func usable(in raws: ArraySlice<JSONValue>, by reader: ItemReader) -> Int {
    do { return try reader.readPage(raws).items.count } catch { return 0 }  // none of them has an id
  }

  /// The page of an upstream that has nothing (more): no items, nothing next.
  var endPage: Page {
    var next = request.place
    next.pages += 1
    return Page(items: [], hasNext: false, next: next)
  }

  /// The answer's document and items; nil where the status says that there is no body.
  private func reading(_ answer: WebAnswer) throws(FaultyAnswer) -> Reading? {
    if answer.status == 204 || answer.status == 205 { return nil }
    let mark = answer.body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = Bytes(sharing: answer.body, in: mark..<answer.body.count)
    let document: JSONValue
    do {
      document = try JSONValue(parsing: text)
    } catch {
      let problem =
        text.isEmpty
        ? "the answer has no body, where JSON was expected"
        : "the answer is no strict JSON at byte \(mark + error.offset): \(error.message)"
      throw faulty(.malformed, problem, answer, evidence: text.excerpt(around: error.offset))
    }
    if let error = source.error, let sign = error.sign(in: document) {
      throw faulty(
        .error, error.message(in: document) ?? "the answer says that it failed", answer, evidence: sign.text)
    }
    guard let array = document.value(at: source.items) else {
      throw faulty(
        .malformed, "the pointer to the items, \"\(source.items.text)\", leads nowhere in the answer", answer,
        evidence: document.nearest(to: source.items).text)
    }
    guard array.kind == .array else {
      let place = source.items.tokens.isEmpty ? "the whole answer" : "what stands at \"\(source.items.text)\""
      throw faulty(
        .malformed, "\(place) is no array of items but \(array.kind.phrase)", answer, evidence: array.text)
    }
    return Reading(document: document, items: array.elements)
  }

  /// The failure of an answer whose status is none of success.
  func failure(ofStatus answer: WebAnswer, now: Int) -> FaultyAnswer {
    var detail = "the upstream answered with status \(answer.status)"
    if let hint = Self.hint(forStatus: answer.status) { detail += ": \(hint)" }
    let mark = answer.body.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = Bytes(sharing: answer.body, in: mark..<answer.body.count)
    if let rule = source.error, !text.isEmpty, let document = Self.json(text),
      let words = rule.message(in: document)
    {
      detail += "; it says: \(words)"
    }
    let wait = answer.fields["retry-after"].flatMap { RetryAfter.seconds($0, now: now) }
    return FaultyAnswer(
      UpstreamFailure(.status, detail: detail, upstreamStatus: answer.status, retryAfter: wait),
      evidence: text.excerpt(around: 0),
      isTransient: answer.status >= 500 && answer.fields["retry-after"] == nil)
  }

  private static func json(_ text: Bytes) -> JSONValue? {
    do { return try JSONValue(parsing: text) } catch { return nil }
  }

  private static func hint(forStatus status: Int) -> String? {
    switch status {
    case 400, 422: "the request is not to its liking; check url, query and body of the source"
    case 401: "it wants other credentials; check the source's headers"
    case 403: "it does not allow this; check the source's headers, and whether a limit is used up"
    case 404, 410: "there is nothing at this address; check the source's url and the parameters"
    case 405: "it wants another method; check the source's method"
    case 429: "too many requests; try again later"
    case 500...: "it is in trouble itself; try again later"
    default: nil
    }
  }

  private func faulty(
    _ code: UpstreamFailure.Code, _ detail: String, _ answer: WebAnswer, evidence: Bytes
  ) -> FaultyAnswer {
    FaultyAnswer(
      UpstreamFailure(code, detail: detail, upstreamStatus: answer.status),
      evidence: evidence.excerpt(around: 0))
  }
}

extension ErrorRule {
  /// What says in a document that it failed; nil where nothing does.
  fileprivate func sign(in document: JSONValue) -> JSONValue? {
    guard let value = document.value(at: pointer) else { return nil }
    if let equals { return value.isEqual(to: equals) ? value : nil }
    return value.kind == .null ? nil : value
  }

  /// The text for people, shortened; nil where there is none.
  fileprivate func message(in document: JSONValue) -> String? {
    guard let value = message.flatMap(document.value(at:)), value.kind != .null else { return nil }
    let text = (value.string ?? value.text).string
    return text.isEmpty ? nil : text.unicodeScalars.count > 500 ? "\(text.prefix(499))…" : text
  }
}

extension UpstreamFailure {
  /// This failure with the status of the answer that it is about.
  func after(_ answer: WebAnswer) -> UpstreamFailure {
    var told = self
    told.upstreamStatus = answer.status
    return told
  }
}

extension JSONValue {
  /// The value at the longest beginning of a pointer that leads somewhere.
  fileprivate func nearest(to pointer: JSONPointer) -> JSONValue {
    var tokens = pointer.tokens
    while !tokens.isEmpty {
      tokens.removeLast()
      if let value = value(at: JSONPointer(tokens: tokens)) { return value }
    }
    return self
  }
}

extension Bytes {
  /// Up to a few hundred bytes of a text, with those at `offset` among them.
  fileprivate func excerpt(around offset: Int) -> Bytes {
    let start = Swift.max(0, Swift.min(offset - 60, count))
    return self[start..<Swift.min(count, start + 400)].compacted()
  }
}

extension JSONValue.Kind {
  /// The kind with its article, for sentences.
  fileprivate var phrase: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .bool: "a boolean"
    case .null: "null"
    }
  }
}
