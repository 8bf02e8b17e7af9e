import JSONText
import ListModel

/// What is asked of an upstream for one page; redirects change the address, never the rest.
struct WebRequest: Sendable {
  /// A header field, written by the configuration and never by an upstream.
  struct Field: Sendable, Equatable {
    var name: Bytes
    var value: Bytes
  }

  /// Where to ask.
  var address: WebAddress
  /// The configured fields, which go to `origin` only.
  var fields: [Field]
  /// The configured origin.
  var origin: WebAddress.Origin
  /// The body of a POST; nil: GET.
  var body: [UInt8]?

  /// What tells this request from others that may be answered otherwise; nil where that is not known (POST).
  var identity: Bytes? {
    guard body == nil else { return nil }
    var text = address.text.array
    for field in address.origin == origin ? fields : [] {
      text.append(UInt8(ascii: "\n"))
      text.append(field.name)
      text.append(UInt8(ascii: ":"))
      text.append(field.value)
    }
    return Bytes(text)
  }
}
