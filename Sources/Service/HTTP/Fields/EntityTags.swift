import HTTP1

/// An entity tag (RFC 9110 §8.8.3), `"12"` or `W/"12"`.
private struct EntityTag {
  var isWeak: Bool
  /// What stands between the quotes.
  var opaque: ArraySlice<UInt8>

  init?(_ scanner: inout FieldScanner) {
    isWeak = scanner.take(UInt8(ascii: "W"))
    if isWeak && !scanner.take(UInt8(ascii: "/")) { return nil }
    guard scanner.take(UInt8(ascii: "\"")) else { return nil }
    opaque = scanner.take { $0 == 0x21 || ($0 >= 0x23 && $0 != 0x7F) }
    guard scanner.take(UInt8(ascii: "\"")) else { return nil }
  }
}

/// The tags of a condition, as a list or `*`; nil from `init` where it is neither.
private enum TagList {
  case any
  case tags([EntityTag])

  init?(_ values: [ArraySlice<UInt8>]) {
    if values.count == 1, values[0].trimmed.elementsEqual("*".utf8) {
      self = .any
      return
    }
    var tags: [EntityTag] = []
    for value in values {
      var scanner = FieldScanner(value)
      while scanner.nextElement() {
        guard let tag = EntityTag(&scanner), scanner.isAtElementEnd else { return nil }
        tags.append(tag)
      }
    }
    if tags.isEmpty { return nil }
    self = .tags(tags)
  }
}

/// Under which revisions a command may run (`If-Match`, protocol §7).
public enum RevisionCondition: Sendable, Equatable {
  /// No condition.
  case none
  /// `*`: any revision will do.
  case any
  /// One of these; none of them where only tags that name no revision were given.
  case oneOf([Int])

  /// Reads every `If-Match` field.
  ///
  /// O(n).
  ///
  /// A revision is named by the tag of any of its representations: `"12"`, or `"12-…"` for one in other clothes.
  /// Weak tags and tags of other forms name none (strong comparison, RFC 9110 §8.8.3.2).
  ///
  /// - Throws: `malformed-request` where a field is neither `*` nor a list of tags.
  public init(_ fields: HeaderFields) throws(Problem) {
    guard fields.first("if-match") != nil else {
      self = .none
      return
    }
    switch TagList(fields.all("if-match")) {
    case nil:
      throw Problem(
        .malformedRequest, detail: "If-Match is * or a list of entity tags in double quotes, as \"12\"")
    case .any: self = .any
    case .tags(let tags): self = .oneOf(tags.compactMap(Self.revision))
    }
  }

  /// Whether a command may run on the list at `revision`.
  public func allows(_ revision: Int) -> Bool {
    switch self {
    case .none, .any: true
    case .oneOf(let revisions): revisions.contains(revision)
    }
  }

  /// The revision whose tag this is: its digits as the server writes them, alone or before a `-`.
  private static func revision(_ tag: EntityTag) -> Int? {
    let digits = tag.opaque.prefix { $0.isDigit }
    let rest = tag.opaque[digits.endIndex...]
    guard !tag.isWeak, digits.count <= 16, digits.count == 1 || digits.first != UInt8(ascii: "0"),
      rest.isEmpty || rest.first == UInt8(ascii: "-")
    else { return nil }
    return decimal(digits)
  }
}

extension HeaderFields {
  /// Whether `If-None-Match: *` asks that there be nothing yet (RFC 9110 §13.1.2).
  public var asksForNew: Bool {
    guard first("if-none-match") != nil, case .any = TagList(all("if-none-match")) else { return false }
    return true
  }

  /// Whether `If-None-Match` holds `tag` (with its quotes) or `*`, so that a GET is answered 304.
  ///
  /// Compared weakly (RFC 9110 §13.1.2). A field that cannot be read holds nothing. O(n).
  public func ifNoneMatchHolds(_ tag: [UInt8]) -> Bool {
    guard let first = first("if-none-match") else { return false }
    if first.elementsEqual(tag) { return true }
    var scanner = FieldScanner(tag[...])
    guard let wanted = EntityTag(&scanner) else { return false }
    switch TagList(all("if-none-match")) {
    case nil: return false
    case .any: return true
    case .tags(let tags): return tags.contains { $0.opaque.elementsEqual(wanted.opaque) }
    }
  }
}
