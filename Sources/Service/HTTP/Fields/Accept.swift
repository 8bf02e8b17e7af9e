import HTTP1

/// A form in which a resource can be had.
public enum Representation: Sendable, Equatable {
  case json, eventStream

  fileprivate var type: StaticString { self == .json ? "application" : "text" }
  fileprivate var subtype: StaticString { self == .json ? "json" : "event-stream" }
}

/// What a client takes (RFC 9110 §12.5.1).
///
/// The most specific range that covers a type decides on it; parameters other than `q` are passed over, and so are
/// ranges that cannot be read. A request without a readable range takes everything.
struct Accept {
  private struct Range {
    /// 0 `*/*`, 1 `type/*`, 2 `type/subtype`.
    var specificity: Int
    var type: ArraySlice<UInt8>
    var subtype: ArraySlice<UInt8>
    /// Thousandths.
    var quality: Int
  }

  private var ranges: [Range] = []

  /// Reads every `Accept` field.
  ///
  /// O(n).
  init(_ fields: HeaderFields) {
    guard fields.first("accept") != nil else { return }
    for value in fields.all("accept") {
      var scanner = FieldScanner(value)
      while scanner.nextElement() {
        if let range = Self.range(&scanner) { ranges.append(range) } else { scanner.skipElement() }
      }
    }
  }

  /// How welcome a form is, 0–1000, and whether it was named in full.
  func quality(of form: Representation) -> (thousandths: Int, isNamed: Bool) {
    if ranges.isEmpty { return (1000, false) }
    var best: Range?
    for range in ranges where covers(range, form) && range.specificity > best?.specificity ?? -1 {
      best = range
    }
    return (best?.quality ?? 0, best?.specificity == 2)
  }

  private func covers(_ range: Range, _ form: Representation) -> Bool {
    (range.specificity == 0 || range.type.equals(ignoringCase: form.type))
      && (range.specificity < 2 || range.subtype.equals(ignoringCase: form.subtype))
  }

  private static func range(_ scanner: inout FieldScanner) -> Range? {
    guard let type = scanner.token(), scanner.take(UInt8(ascii: "/")), let subtype = scanner.token() else {
      return nil
    }
    let anyType = type.elementsEqual("*".utf8)
    let anySubtype = subtype.elementsEqual("*".utf8)
    if anyType && !anySubtype { return nil }
    var quality = 1000
    while let (name, value) = scanner.parameter() {
      guard name.equals(ignoringCase: "q") else { continue }
      guard let given = thousandths(value) else { return nil }
      quality = given
    }
    guard scanner.isAtElementEnd else { return nil }
    return Range(
      specificity: anyType ? 0 : anySubtype ? 1 : 2, type: type, subtype: subtype, quality: quality)
  }

  /// A weight (RFC 9110 §12.4.2), `0`–`1` with at most three digits behind the point.
  private static func thousandths(_ weight: [UInt8]) -> Int? {
    guard let first = weight.first, first == UInt8(ascii: "0") || first == UInt8(ascii: "1") else {
      return nil
    }
    let whole = first == UInt8(ascii: "1") ? 1000 : 0
    guard weight.count > 1 else { return whole }
    let digits = weight[2...]
    guard weight[1] == UInt8(ascii: "."), digits.count <= 3, digits.allSatisfy(\.isDigit) else { return nil }
    let padded = Array(digits) + Array(repeating: UInt8(ascii: "0"), count: 3 - digits.count)
    let sum = whole + (decimal(padded) ?? 0)
    return sum <= 1000 ? sum : nil
  }
}

extension Request {
  /// The form in which a client wants what can be had as JSON and, where `offersStream`, as an event stream.
  ///
  /// Where both are welcome alike it is JSON, unless the stream was named in full.
  ///
  /// - Throws: `not-acceptable` where the client takes none of them.
  public func representation(offersStream: Bool = false) throws(Problem) -> Representation {
    guard let value = fields.first("accept") else { return .json }
    if value.elementsEqual("*/*".utf8) || value.elementsEqual("application/json".utf8),
      !fields.isRepeated("accept")
    {
      return .json
    }
    let accept = Accept(fields)
    let json = accept.quality(of: .json).thousandths
    let stream = accept.quality(of: .eventStream)
    if offersStream, stream.thousandths > 0,
      stream.thousandths > json || (stream.thousandths == json && stream.isNamed)
    {
      return .eventStream
    }
    guard json > 0 else {
      let forms = offersStream ? "application/json and text/event-stream" : "application/json"
      throw Problem(.notAcceptable, detail: "Accept rules out \(forms), all that there is here")
    }
    return .json
  }
}
