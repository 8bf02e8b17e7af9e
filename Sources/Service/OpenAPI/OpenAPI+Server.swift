extension OpenAPI {
  /// The paths of the server itself.
  ///
  /// Each part of `paths` ends with a comma but for the last, which follows here.
  static let serverPaths: StaticString = #"""
    "/": {
      "get": {"tags": ["server"], "operationId": "getIndex", "summary": "The browser client.", "security": [],
        "responses": {"200": {"$ref": "#/components/responses/Page"}, "304": {"$ref": "#/components/responses/NotModified"}}},
      "head": {"tags": ["server"], "operationId": "headIndex", "summary": "As GET, without the body.", "security": [],
        "responses": {"200": {"description": "As for GET."}, "304": {"$ref": "#/components/responses/NotModified"}}}
    },
    "/rowcast.js": {
      "get": {"tags": ["server"], "operationId": "getLibrary", "summary": "The client library, an ES module.", "security": [],
        "responses": {"200": {"$ref": "#/components/responses/ClientFile"}, "304": {"$ref": "#/components/responses/NotModified"}}},
      "head": {"tags": ["server"], "operationId": "headLibrary", "summary": "As GET, without the body.", "security": [],
        "responses": {"200": {"description": "As for GET."}, "304": {"$ref": "#/components/responses/NotModified"}}}
    },
    "/client/{version}/{file}": {
      "parameters": [
        {"name": "version", "in": "path", "required": true, "description": "What the page at / names: another with each change of the client.", "schema": {"type": "string"}, "example": "0123456789abcdef"},
        {"name": "file", "in": "path", "required": true, "description": "A module, the style sheet or the icon.", "schema": {"type": "string"}, "example": "app.js"}],
      "get": {"tags": ["server"], "operationId": "getClientFile", "summary": "A file of the browser client, which never changes under its address.", "security": [],
        "responses": {"200": {"$ref": "#/components/responses/ClientFile"}, "304": {"$ref": "#/components/responses/NotModified"}, "404": {"$ref": "#/components/responses/Problem"}}},
      "head": {"tags": ["server"], "operationId": "headClientFile", "summary": "As GET, without the body.", "security": [],
        "responses": {"200": {"description": "As for GET."}, "304": {"$ref": "#/components/responses/NotModified"}, "404": {"$ref": "#/components/responses/Problem"}}}
    },
    "/openapi.json": {
      "get": {"tags": ["server"], "operationId": "getOpenAPI", "summary": "This document.", "security": [],
        "responses": {"200": {"description": "OpenAPI 3.1.", "headers": {"ETag": {"$ref": "#/components/headers/ETag"}}, "content": {"application/json": {"schema": {"type": "object"}}}},
          "304": {"$ref": "#/components/responses/NotModified"}}},
      "head": {"tags": ["server"], "operationId": "headOpenAPI", "summary": "As GET, without the body.", "security": [],
        "responses": {"200": {"description": "As for GET."}, "304": {"$ref": "#/components/responses/NotModified"}}}
    },
    "/healthz": {
      "get": {"tags": ["server"], "operationId": "getHealth", "summary": "Whether the process takes requests.", "security": [],
        "responses": {"200": {"description": "It does.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Status"}, "example": {"status": "ok"}}}}}},
      "head": {"tags": ["server"], "operationId": "headHealth", "summary": "As GET, without the body.", "security": [],
        "responses": {"200": {"description": "As for GET."}}}
    },
    "/readyz": {
      "get": {"tags": ["server"], "operationId": "getReadiness", "summary": "Whether the store can be reached and the server is not draining.", "security": [],
        "responses": {"200": {"description": "Ready.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Status"}, "example": {"status": "ready"}}}},
          "503": {"$ref": "#/components/responses/Problem"}}},
      "head": {"tags": ["server"], "operationId": "headReadiness", "summary": "As GET, without the body.", "security": [],
        "responses": {"200": {"description": "As for GET."}, "503": {"$ref": "#/components/responses/Problem"}}}
    },
    "/metrics": {
      "get": {"tags": ["server"], "operationId": "getMetrics", "summary": "Counters in Prometheus's text format 0.0.4; for admin tokens alone, if there are any.",
        "responses": {"200": {"description": "One sample a line.", "content": {"text/plain": {"schema": {"type": "string"}, "example": "rowcast_sessions 3\n"}}},
          "401": {"$ref": "#/components/responses/Problem"}, "403": {"$ref": "#/components/responses/Problem"}}},
      "head": {"tags": ["server"], "operationId": "headMetrics", "summary": "As GET, without the body.",
        "responses": {"200": {"description": "As for GET."}, "401": {"$ref": "#/components/responses/Problem"}, "403": {"$ref": "#/components/responses/Problem"}}}
    },
    "/problems/{slug}": {
      "parameters": [{"name": "slug", "in": "path", "required": true, "description": "The last segment of a problem's type.", "schema": {"type": "string"}, "example": "duplicate-id"}],
      "get": {"tags": ["server"], "operationId": "getProblem", "summary": "What a problem means and what to do about it.", "security": [],
        "responses": {"200": {"$ref": "#/components/responses/Page"}, "304": {"$ref": "#/components/responses/NotModified"}, "404": {"$ref": "#/components/responses/Problem"}}},
      "head": {"tags": ["server"], "operationId": "headProblem", "summary": "As GET, without the body.", "security": [],
        "responses": {"200": {"description": "As for GET."}, "304": {"$ref": "#/components/responses/NotModified"}, "404": {"$ref": "#/components/responses/Problem"}}}
    },

    """#

  /// The paths of tables.
  static let tablePaths: StaticString = #"""
    "/v1/tables": {
      "get": {"tags": ["tables"], "operationId": "getTables", "summary": "Every table of the configuration.",
        "responses": {"200": {"description": "The tables.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Tables"}}}},
          "401": {"$ref": "#/components/responses/Problem"}}},
      "head": {"tags": ["tables"], "operationId": "headTables", "summary": "As GET, without the body.",
        "responses": {"200": {"description": "As for GET."}, "401": {"$ref": "#/components/responses/Problem"}}}
    },
    "/v1/tables/{table}": {
      "parameters": [{"name": "table", "in": "path", "required": true, "description": "The table's name.", "schema": {"type": "string"}, "example": "articles"}],
      "get": {"tags": ["tables"], "operationId": "getTable", "summary": "A table, without addresses, header fields or other secrets.",
        "responses": {"200": {"description": "The table.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Table"}}}},
          "401": {"$ref": "#/components/responses/Problem"}, "404": {"$ref": "#/components/responses/Problem"}}},
      "head": {"tags": ["tables"], "operationId": "headTable", "summary": "As GET, without the body.",
        "responses": {"200": {"description": "As for GET."}, "401": {"$ref": "#/components/responses/Problem"}, "404": {"$ref": "#/components/responses/Problem"}}}
    },

    """#
}
