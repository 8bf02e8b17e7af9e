import HTTP1
import JSONText

/// A file of the browser client, in the program's read-only data.
struct Resource: Sendable {
  /// Its name in `Sources/Service/Resources`.
  var name: StaticString
  /// A hash of its text in hexadecimal digits.
  var hash: StaticString
  var text: StaticString

  /// What its name says that it is.
  var contentType: StaticString {
    let name = Bytes("\(name)")
    if name.hasSuffix(".js") { return "text/javascript; charset=utf-8" }
    if name.hasSuffix(".css") { return "text/css; charset=utf-8" }
    if name.hasSuffix(".svg") { return "image/svg+xml" }
    return "text/html; charset=utf-8"
  }
}

extension Bytes {
  fileprivate func hasSuffix(_ suffix: StaticString) -> Bool {
    count >= suffix.utf8CodeUnitCount
      && self[(count - suffix.utf8CodeUnitCount)..<count] == Bytes("\(suffix)")
  }
}
