import JSONText
import ListModel

extension OpenAPI {
  /// A command's path: all of them take the same parameters and answer alike.
  struct Command {
    var name: CommandName
    var summary: StaticString
    /// The schema of its body.
    var body: StaticString
    var isBodyRequired = false
    /// Whether it may start a fetch, whose end the answer does not always wait for.
    var fetches = false
    /// A body, as JSON.
    var example: StaticString
  }

  static let commands = [
    Command(
      name: .load, summary: "Reads the list for the first time, or takes the rows that a client gives.",
      body: "Fetch",
      fetches: true, example: "{}"),
    Command(
      name: .refresh, summary: "Reads from the top again.", body: "Refresh", fetches: true,
      example: #"{"immediately": false, "pages": "loaded"}"#),
    Command(
      name: .loadMore, summary: "Reads the next page and appends it.", body: "Fetch", fetches: true,
      example: "{}"),
    Command(
      name: .retry, summary: "Does the fetch again that failed.", body: "Fetch", fetches: true, example: "{}"),
    Command(
      name: .fail, summary: "Says that the awaited rows will not come (source `client`).", body: "Failure",
      example: #"{"title": "No connection", "detail": "Try again on a better line"}"#),
    Command(
      name: .insert, summary: "Adds items: at an index, beside an item, or at the end.", body: "Insert",
      isBodyRequired: true, example: #"{"rows": [{"id": "a1", "data": {"title": "First"}}], "at": 0}"#),
    Command(
      name: .delete, summary: "Removes items.", body: "Delete", isBodyRequired: true,
      example: #"{"ids": ["a1"]}"#),
    Command(
      name: .move, summary: "Puts an item elsewhere.", body: "Move", isBodyRequired: true,
      example: #"{"id": "a1", "to": 3}"#),
    Command(
      name: .update, summary: "Gives items new content, whole or by merge patch.", body: "Update",
      isBodyRequired: true, example: #"{"rows": [{"id": "a1", "merge": {"title": "New title"}}]}"#),
    Command(
      name: .replace, summary: "Gives the whole list as it shall be; the server works out the ops.",
      body: "Replace",
      isBodyRequired: true, example: #"{"rows": [{"id": "a1", "data": {"title": "Only"}}], "hasNext": false}"#
    ),
    Command(
      name: .batch, summary: "Does several edits as one change, all or nothing.", body: "Batch",
      isBodyRequired: true,
      example: #"{"commands": [{"delete": {"ids": ["a1"]}}, {"move": {"id": "b2", "to": 0}}]}"#),
    Command(
      name: .select, summary: "Selects a row; on a status row does what it offers.", body: "Selection",
      isBodyRequired: true, fetches: true, example: #"{"id": "a1"}"#),
    Command(
      name: .transition, summary: "Takes the list to a named state, or back.", body: "Transition",
      isBodyRequired: true, example: #"{"to": "maintenance", "data": {"message": "Back at noon"}}"#),
  ]

  static func append(_ command: Command, to json: inout [UInt8]) {
    json.append(literal: "\"/v1/sessions/{id}/")
    json.append(contentsOf: command.name.rawValue.utf8)
    json.append(
      literal: #"""
        ": {
          "parameters": [{"$ref": "#/components/parameters/Session"}],
          "post": {"tags": ["commands"], "operationId": "
        """#)
    json.append(contentsOf: "\(command.name)".utf8)
    json.append(literal: #"", "summary": ""#)
    json.append(literal: command.summary)
    json.append(
      literal: #"""
        ",
            "parameters": [{"$ref": "#/components/parameters/Since"}, {"$ref": "#/components/parameters/Tag"}, {"$ref": "#/components/parameters/Format"},
              {"$ref": "#/components/parameters/Offset"}, {"$ref": "#/components/parameters/Limit"}, {"$ref": "#/components/parameters/Prefer"},
              {"$ref": "#/components/parameters/IfMatch"}, {"$ref": "#/components/parameters/IdempotencyKey"}],
            "requestBody": {"required":
        """#)
    json.append(literal: command.isBodyRequired ? " true" : " false")
    json.append(literal: ##", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/"##)
    json.append(literal: command.body)
    json.append(literal: #""}, "example": "#)
    json.append(literal: command.example)
    json.append(
      literal: #"""
        }}},
            "responses": {"200": {"$ref": "#/components/responses/Done"},
        """#)
    if command.fetches { json.append(literal: ##" "202": {"$ref": "#/components/responses/Pending"},"##) }
    json.append(literal: ##" "default": {"$ref": "#/components/responses/Problem"}}}"##)
    json.append(literal: command.name == commands.last?.name ? "\n}\n" : "\n},\n")
  }
}
