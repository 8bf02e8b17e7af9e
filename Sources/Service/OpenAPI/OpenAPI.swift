import JSONText

/// The description of this service in OpenAPI 3.1, kept by hand in the files of this folder, each a part of the text.
///
/// The parts are literals and no embedded resource because such a resource is compiled as an array of numbers, which
/// takes the compiler most of a minute.
enum OpenAPI {
  /// The whole document.
  ///
  /// O(n); made once, at the start.
  static func document() -> [UInt8] {
    var json: [UInt8] = []
    json.reserveCapacity(1 << 16)
    json.append(literal: opening)
    json.append(literal: Product.version)
    json.append(literal: description)
    json.append(literal: serverPaths)
    json.append(literal: tablePaths)
    json.append(literal: sessionPaths)
    for command in commands { append(command, to: &json) }
    json.append(literal: components)
    json.append(literal: rowSchemas)
    json.append(literal: listSchemas)
    json.append(literal: bodySchemas)
    json.append(literal: closing)
    return json
  }

  private static let opening: StaticString = #"""
    {"openapi": "3.1.0",
    "info": {
      "title": "Rowcast",
      "summary": "A service that holds lists and tells every client what changed in them.",
      "license": {"name": "MIT", "identifier": "MIT"},
      "version": "
    """#

  private static let description: StaticString = #"""
    ",
      "description": "A *session* holds the rows of one list: items, and status rows such as a placeholder. Every answer carries the list's revision, the minimal ops that led to it, and a snapshot unless `Prefer: return=minimal`.\n\nHEAD works wherever GET does. OPTIONS answers 204 with `Allow`. A wrong method gets 405, an unknown path 404. Refusals are problem documents (RFC 9457) whose `type` answers a GET with a page that explains it. Query parameters of other names are passed over; one of these names given twice is refused with 400."
    },
    "servers": [{"url": "/"}],
    "security": [{}, {"token": []}],
    "tags": [
      {"name": "sessions", "description": "Lists, their rows and their changes."},
      {"name": "commands", "description": "What can be done to a list."},
      {"name": "tables", "description": "What lists can be made of."},
      {"name": "server", "description": "The server itself."}
    ],
    "paths": {

    """#

  private static let closing: StaticString = "\n}}}\n"
}
