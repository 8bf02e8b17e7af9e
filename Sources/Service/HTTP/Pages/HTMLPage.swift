import JSONText

/// A small HTML page that asks nothing of anyone: one style sheet inside, no script, no outside address.
struct HTMLPage {
  private var html: [UInt8] = []

  /// A page with this title, shown as its heading as well.
  init(title: String) {
    html.append(literal: "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    html.append(literal: "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
    text(title)
    html.append(literal: "</title>\n<style>")
    html.append(literal: Self.style)
    html.append(literal: "</style>\n</head>\n<body>\n<h1>")
    text(title)
    html.append(literal: "</h1>\n")
  }

  /// Adds markup written here, never anything from outside.
  mutating func markup(_ literal: StaticString) { html.append(literal: literal) }

  /// Adds text, escaped so that it is text wherever it stands: in an element or between quotes.
  mutating func text(_ string: String) {
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "&"): html.append(literal: "&amp;")
      case UInt8(ascii: "<"): html.append(literal: "&lt;")
      case UInt8(ascii: ">"): html.append(literal: "&gt;")
      case UInt8(ascii: "\""): html.append(literal: "&quot;")
      case UInt8(ascii: "'"): html.append(literal: "&#39;")
      default: html.append(byte)
      }
    }
  }

  /// Adds a paragraph of text.
  mutating func paragraph(_ string: String) {
    markup("<p>")
    text(string)
    markup("</p>\n")
  }

  /// Adds a link whose text is its address.
  mutating func link(_ address: String) {
    markup("<a href=\"")
    text(address)
    markup("\">")
    text(address)
    markup("</a>")
  }

  /// The finished page as a document; browsers are told to allow nothing but its own style.
  consuming func document() -> Document {
    html.append(literal: "</body>\n</html>\n")
    return Document(html, contentType: "text/html; charset=utf-8", fieldLines: Self.policy)
  }

  private static let style: StaticString = """
    :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
    body { max-width: 40rem; margin: 3rem auto; padding: 0 1rem; }
    h1 { font-size: 1.5rem; }
    code { font-family: ui-monospace, monospace; }
    """

  /// The style is allowed by its digest (CSP level 3, §2.3.1), so that nothing else put into the page could take effect.
  private static let policy: [UInt8] = {
    var lines: [UInt8] = []
    lines.append(literal: "Content-Security-Policy: default-src 'none'; style-src 'sha256-")
    lines.append(base64: SHA256.digest(Array(style.buffer)))
    lines.append(literal: "'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n")
    lines.append(literal: "Referrer-Policy: no-referrer\r\n")
    return lines
  }()
}

extension Array where Element == UInt8 {
  /// Appends bytes in base 64 with padding (RFC 4648 §4).
  ///
  /// O(n).
  fileprivate mutating func append(base64 bytes: [UInt8]) {
    let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<Swift.min(start + 3, bytes.count)]
      let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        append(place <= group.count ? alphabet.buffer[word >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
  }
}
