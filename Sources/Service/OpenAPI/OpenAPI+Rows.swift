extension OpenAPI {
  /// Schemas of rows, ops and changes.
  static let rowSchemas: StaticString = #"""
    "Status": {"type": "object", "required": ["status"], "properties": {"status": {"type": "string"}}},
    "Problem": {"type": "object", "description": "RFC 9457.", "required": ["type", "title", "status", "detail"],
      "properties": {
        "type": {"type": "string", "format": "uri-reference", "description": "Answers a GET with a page that explains it."},
        "title": {"type": "string"}, "status": {"type": "integer"}, "detail": {"type": "string"},
        "instance": {"type": "string", "format": "uri-reference"},
        "pointer": {"type": "string", "format": "json-pointer", "description": "The member of the body that is wrong."},
        "revision": {"type": "integer", "description": "The session's revision, where a session is concerned."}}},
    "FetchError": {"description": "Why the last fetch failed.", "allOf": [{"$ref": "#/components/schemas/Problem"}],
      "required": ["during"],
      "properties": {"during": {"enum": ["load", "refresh", "load-more"]}, "upstreamStatus": {"type": "integer"}, "retryAfter": {"type": "integer", "description": "Seconds."}},
      "example": {"type": "/problems/upstream-timeout", "title": "The source took too long", "status": 504, "detail": "no answer within 10 s", "during": "load"}},
    "Item": {"type": "object", "required": ["id", "cell", "data"],
      "properties": {"id": {"type": "string", "description": "1 to 256 bytes of UTF-8."}, "cell": {"type": "string", "description": "Which view draws it."}, "data": {"description": "Any JSON, as it was given."}},
      "example": {"id": "a1", "cell": "ArticleCell", "data": {"title": "First"}}},
    "IndexedItem": {"allOf": [{"$ref": "#/components/schemas/Item"}], "required": ["index"],
      "properties": {"index": {"type": "integer", "minimum": 0, "description": "Among the items, from 0."}},
      "example": {"id": "a1", "cell": "ArticleCell", "data": {"title": "First"}, "index": 0}},
    "StatusRow": {"type": "object", "description": "A row that is not data: the placeholder, or one that a custom state brings.",
      "required": ["placeholder", "cell", "visible", "selectable", "data"],
      "properties": {
        "placeholder": {"type": "string", "description": "`loading empty error more loading-more retry end hidden`, or the name of a custom state."},
        "cell": {"type": "string"}, "visible": {"type": "boolean"}, "selectable": {"type": "boolean"}, "data": {"type": "object"}, "presentation": {}},
      "example": {"placeholder": "more", "cell": "MoreCell", "visible": true, "selectable": true, "data": {}}},
    "Row": {"oneOf": [{"$ref": "#/components/schemas/Item"}, {"$ref": "#/components/schemas/StatusRow"}]},
    "Op": {"description": "`from` is an index of the rows before the change, `to` one of the rows after it. A batch, not a script.",
      "oneOf": [
        {"type": "object", "required": ["op", "from"], "properties": {"op": {"const": "delete"}, "from": {"$ref": "#/components/schemas/Index"}}},
        {"type": "object", "required": ["op", "from", "to"], "properties": {"op": {"const": "move"}, "from": {"$ref": "#/components/schemas/Index"}, "to": {"$ref": "#/components/schemas/Index"}}},
        {"type": "object", "required": ["op", "to", "row"], "properties": {"op": {"const": "insert"}, "to": {"$ref": "#/components/schemas/Index"}, "row": {"$ref": "#/components/schemas/Row"}}},
        {"type": "object", "required": ["op", "from", "to", "row"], "properties": {"op": {"const": "update"}, "from": {"$ref": "#/components/schemas/Index"}, "to": {"$ref": "#/components/schemas/Index"}, "row": {"$ref": "#/components/schemas/Row"}}}],
      "example": {"op": "insert", "to": 0, "row": {"id": "a1", "cell": "ArticleCell", "data": {"title": "First"}}}},
    "Index": {"type": "integer", "minimum": 0},
    "Change": {"type": "object", "description": "One step from a revision to the next. It has `ops`, or with `format=json-patch` `patch`.",
      "required": ["revision", "cause", "state", "loading", "hasNext", "error", "selected", "itemCount", "rowCount"],
      "properties": {
        "revision": {"type": "integer"},
        "cause": {"enum": ["load", "refresh", "load-more", "retry", "fail", "insert", "delete", "move", "update", "replace", "batch", "select", "transition", "recover"]},
        "state": {"type": "string"}, "loading": {"enum": [null, "load", "refresh", "load-more"]}, "hasNext": {"type": "boolean"},
        "error": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/FetchError"}]},
        "selected": {"type": ["string", "null"]}, "itemCount": {"type": "integer"}, "rowCount": {"type": "integer"},
        "params": {"type": "object", "description": "Where they changed."}, "tag": {"type": "string", "description": "Where the command had one."},
        "ops": {"type": "array", "items": {"$ref": "#/components/schemas/Op"}},
        "patch": {"type": "array", "items": {"type": "object"}, "description": "RFC 6902."}},
      "example": {"revision": 1, "cause": "insert", "state": "populated", "loading": null, "hasNext": false, "error": null, "selected": null, "itemCount": 1, "rowCount": 2,
        "ops": [{"op": "insert", "to": 0, "row": {"id": "a1", "cell": "Cell", "data": {"title": "First"}}}]}},

    """#
}
