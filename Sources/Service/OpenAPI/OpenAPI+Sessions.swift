extension OpenAPI {
  /// The paths of sessions, their rows and their changes.
  static let sessionPaths: StaticString = #"""
    "/v1/sessions": {
      "get": {"tags": ["sessions"], "operationId": "listSessions", "summary": "The sessions, by pages; for admin tokens alone, if there are any.",
        "parameters": [
          {"name": "limit", "in": "query", "description": "The most sessions of a page.", "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}},
          {"name": "cursor", "in": "query", "description": "`next` of the page before.", "schema": {"type": "string"}}],
        "responses": {"200": {"description": "A page.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Sessions"}}}},
          "400": {"$ref": "#/components/responses/Problem"}, "401": {"$ref": "#/components/responses/Problem"}, "403": {"$ref": "#/components/responses/Problem"}}},
      "head": {"tags": ["sessions"], "operationId": "headSessions", "summary": "As GET, without the body.",
        "parameters": [
          {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 100}},
          {"name": "cursor", "in": "query", "schema": {"type": "string"}}],
        "responses": {"200": {"description": "As for GET."}, "default": {"$ref": "#/components/responses/Problem"}}},
      "post": {"tags": ["sessions"], "operationId": "createSession", "summary": "Opens a session under an id of the server's making.",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}, {"$ref": "#/components/parameters/Prefer"}, {"$ref": "#/components/parameters/Offset"},
          {"$ref": "#/components/parameters/Limit"}, {"$ref": "#/components/parameters/Format"}, {"$ref": "#/components/parameters/Tag"}],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Opening"}, "example": {"table": "articles", "params": {"topic": "swift"}, "load": true}}}},
        "responses": {"201": {"$ref": "#/components/responses/Created"}, "default": {"$ref": "#/components/responses/Problem"}}}
    },
    "/v1/sessions/{id}": {
      "parameters": [{"$ref": "#/components/parameters/Session"}],
      "get": {"tags": ["sessions"], "operationId": "getSession", "summary": "The list as it is: all rows, or a window of them.",
        "parameters": [{"$ref": "#/components/parameters/Offset"}, {"$ref": "#/components/parameters/Limit"}, {"$ref": "#/components/parameters/IfNoneMatch"}],
        "responses": {"200": {"description": "The snapshot.", "headers": {"ETag": {"$ref": "#/components/headers/ETag"}}, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Snapshot"}}}},
          "304": {"$ref": "#/components/responses/NotModified"}, "default": {"$ref": "#/components/responses/Problem"}}},
      "head": {"tags": ["sessions"], "operationId": "headSession", "summary": "As GET, without the body.",
        "parameters": [{"$ref": "#/components/parameters/Offset"}, {"$ref": "#/components/parameters/Limit"}, {"$ref": "#/components/parameters/IfNoneMatch"}],
        "responses": {"200": {"description": "As for GET."}, "304": {"$ref": "#/components/responses/NotModified"}, "default": {"$ref": "#/components/responses/Problem"}}},
      "put": {"tags": ["sessions"], "operationId": "openSession", "summary": "Opens the session of this id, or makes it.",
        "description": "With the table and parameters that it has, the session is answered as it is. With others: 409 `session-exists`. Whoever can guess the id can use the session.",
        "parameters": [{"$ref": "#/components/parameters/IdempotencyKey"}, {"$ref": "#/components/parameters/Prefer"}, {"$ref": "#/components/parameters/Offset"},
          {"$ref": "#/components/parameters/Limit"}, {"$ref": "#/components/parameters/Format"}, {"$ref": "#/components/parameters/Tag"}],
        "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Opening"}, "example": {"table": "articles"}}}},
        "responses": {"200": {"$ref": "#/components/responses/Done"}, "201": {"$ref": "#/components/responses/Created"}, "default": {"$ref": "#/components/responses/Problem"}}},
      "delete": {"tags": ["sessions"], "operationId": "endSession", "summary": "Ends the session.",
        "description": "Later requests get 410 `session-ended` for an hour, then 404. PUT may make the session anew.",
        "responses": {"204": {"description": "It has ended."}, "default": {"$ref": "#/components/responses/Problem"}}}
    },
    "/v1/sessions/{id}/rows/{index}": {
      "parameters": [{"$ref": "#/components/parameters/Session"},
        {"name": "index", "in": "path", "required": true, "description": "An index of the rows, from 0, status rows included.", "schema": {"type": "integer", "minimum": 0}}],
      "get": {"tags": ["sessions"], "operationId": "getRow", "summary": "One row.",
        "responses": {"200": {"description": "The row.", "headers": {"ETag": {"$ref": "#/components/headers/ETag"}}, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Row"}}}},
          "default": {"$ref": "#/components/responses/Problem"}}},
      "head": {"tags": ["sessions"], "operationId": "headRow", "summary": "As GET, without the body.",
        "responses": {"200": {"description": "As for GET."}, "default": {"$ref": "#/components/responses/Problem"}}}
    },
    "/v1/sessions/{id}/items/{item}": {
      "parameters": [{"$ref": "#/components/parameters/Session"},
        {"name": "item", "in": "path", "required": true, "description": "The item's id, percent-encoded once.", "schema": {"type": "string"}, "example": "a1"}],
      "get": {"tags": ["sessions"], "operationId": "getItem", "summary": "One item with its `index`.",
        "responses": {"200": {"description": "The item.", "headers": {"ETag": {"$ref": "#/components/headers/ETag"}}, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/IndexedItem"}}}},
          "default": {"$ref": "#/components/responses/Problem"}}},
      "head": {"tags": ["sessions"], "operationId": "headItem", "summary": "As GET, without the body.",
        "responses": {"200": {"description": "As for GET."}, "default": {"$ref": "#/components/responses/Problem"}}}
    },
    "/v1/sessions/{id}/changes": {
      "parameters": [{"$ref": "#/components/parameters/Session"},
        {"name": "since", "in": "query", "description": "The revision that the client has. A stream may do without and begins with a snapshot; anything else needs it.", "schema": {"type": "integer", "minimum": 0}},
        {"name": "wait", "in": "query", "description": "Seconds to wait for news where there are none.", "schema": {"type": "integer", "minimum": 0, "maximum": 60}},
        {"name": "Last-Event-ID", "in": "header", "description": "The last revision that a stream brought: it is gone on after that, before `since`; where it is no number, from a snapshot.", "schema": {"type": "string"}},
        {"$ref": "#/components/parameters/Format"}],
      "get": {"tags": ["sessions"], "operationId": "getChanges", "summary": "What has changed since a revision, oldest first; with `Accept: text/event-stream` all that will change, too.",
        "responses": {"200": {"description": "The changes, or `reset` with a snapshot where they are not kept any more.", "headers": {"ETag": {"$ref": "#/components/headers/ETag"}}, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Changes"}}, "text/event-stream": {"schema": {"type": "string", "description": "Events `snapshot`, `change` and `end`; `id` is the revision."}}}},
          "default": {"$ref": "#/components/responses/Problem"}}},
      "head": {"tags": ["sessions"], "operationId": "headChanges", "summary": "As GET, without the body.",
        "responses": {"200": {"description": "As for GET."}, "default": {"$ref": "#/components/responses/Problem"}}}
    },

    """#
}
