/// Names a place in a JSON document (RFC 6901).
public struct JSONPointer: Sendable, Hashable {
  /// Unescaped reference tokens; none is the whole document.
  public var tokens: [Bytes]

  /// A pointer of these tokens.
  public init(tokens: [Bytes] = []) { self.tokens = tokens }

  /// Reads the escaped form; nil where `text` is no JSON Pointer (RFC 6901 §3); O(n).
  public init?(_ text: Bytes) {
    tokens = []
    guard !text.isEmpty else { return }
    guard text[0] == ASCII.slash else { return nil }
    var token: [UInt8] = []
    var position = 1
    while position < text.count {
      let byte = text[position]
      position += 1
      switch byte {
      case ASCII.slash:
        tokens.append(Bytes(token))
        token = []
      case UInt8(ascii: "~"):
        guard position < text.count else { return nil }
        switch text[position] {
        case ASCII.zero: token.append(UInt8(ascii: "~"))
        case UInt8(ascii: "1"): token.append(ASCII.slash)
        default: return nil
        }
        position += 1
      default:
        token.append(byte)
      }
    }
    tokens.append(Bytes(token))
  }

  /// The escaped form, as `/a~1b/0`; O(n).
  public var text: Bytes {
    var text: [UInt8] = []
    for token in tokens {
      text.append(ASCII.slash)
      token.withUnsafeBytes { bytes in
        for byte in bytes {
          switch byte {
          case UInt8(ascii: "~"): text.append(literal: "~0")
          case ASCII.slash: text.append(literal: "~1")
          default: text.append(byte)
          }
        }
      }
    }
    return Bytes(text)
  }

  /// This pointer with one more token, given unescaped.
  public func appending(_ token: Bytes) -> JSONPointer { JSONPointer(tokens: tokens + [token]) }

  /// This pointer with one more token, the index of an element.
  public func appending(_ index: Int) -> JSONPointer { appending(Bytes(String(index))) }
}

extension JSONValue {
  /// The value that `pointer` names in this document; nil where it names none; O(text) for each token.
  ///
  /// In an array a token must be an index from 0 without leading zeros; `-`, the element after the last, never
  /// exists (RFC 6901 §4).
  public func value(at pointer: JSONPointer) -> JSONValue? {
    var value = self
    for token in pointer.tokens {
      guard let next = value.child(token) else { return nil }
      value = next
    }
    return value
  }

  private func child(_ token: Bytes) -> JSONValue? {
    switch kind {
    case .object: member(token)
    case .array: JSONPointer.index(token).flatMap { element(at: $0) }
    default: nil
    }
  }

  /// The element at `index`, counted from 0; nil where there is none or this is no array; O(text up to it).
  public func element(at index: Int) -> JSONValue? {
    guard kind == .array, index >= 0 else { return nil }
    let range = text.withUnsafeBytes { (bytes) -> Range<Int>? in
      var cursor = JSONCursor(bytes)
      guard cursor.enter() else { return nil }
      var passed = 0
      repeat {
        let value = cursor.value()
        if passed == index { return value }
        passed &+= 1
      } while cursor.advance()
      return nil
    }
    return range.map { JSONValue(trusted: text[$0]) }
  }
}

extension JSONPointer {
  /// The array index that `token` is, by RFC 6901 §4; nil for anything else.
  fileprivate static func index(_ token: Bytes) -> Int? {
    // Eighteen digits hold more than any array, and cannot overflow.
    guard 1...18 ~= token.count, token.count == 1 || token[0] != ASCII.zero else { return nil }
    return token.withUnsafeBytes { bytes in
      var index = 0
      for byte in bytes {
        guard ASCII.isDigit(byte) else { return nil }
        index = index * 10 + Int(byte &- ASCII.zero)
      }
      return index
    }
  }
}
