extension OpenAPI {
  /// Schemas of request bodies.
  ///
  /// Members that are not named here are refused.
  static let bodySchemas: StaticString = #"""
    "Opening": {"type": "object", "required": ["table"], "additionalProperties": false,
      "properties": {"table": {"type": "string"}, "params": {"$ref": "#/components/schemas/Parameters"}, "load": {"type": "boolean", "default": false, "description": "Also does the first load."}}},
    "Parameters": {"type": "object", "additionalProperties": {"type": "string"}},
    "GivenRow": {"type": "object", "required": ["data"], "additionalProperties": false,
      "properties": {"id": {"type": "string", "description": "Made by the server where left out."}, "cell": {"type": "string", "description": "The table's rule applies where left out."}, "data": {}}},
    "GivenRows": {"type": "array", "items": {"$ref": "#/components/schemas/GivenRow"}},
    "FetchRevision": {"type": "integer", "description": "The revision of the change that started the fetch which these rows complete."},
    "Fetch": {"type": "object", "description": "Rows only for source `client`.", "additionalProperties": false,
      "properties": {"rows": {"$ref": "#/components/schemas/GivenRows"}, "hasNext": {"type": "boolean", "default": false}, "fetch": {"$ref": "#/components/schemas/FetchRevision"}}},
    "Refresh": {"type": "object", "description": "Rows only for source `client`.", "additionalProperties": false,
      "properties": {
        "immediately": {"type": "boolean", "default": false, "description": "Drop the items at once."},
        "pages": {"oneOf": [{"enum": ["first", "loaded"]}, {"type": "object", "required": ["through"], "additionalProperties": false, "properties": {"through": {"type": "string"}}}], "default": "first"},
        "params": {"$ref": "#/components/schemas/Parameters"},
        "rows": {"$ref": "#/components/schemas/GivenRows"}, "hasNext": {"type": "boolean", "default": false}, "fetch": {"$ref": "#/components/schemas/FetchRevision"}}},
    "Failure": {"type": "object", "additionalProperties": false,
      "properties": {"title": {"type": "string"}, "detail": {"type": "string"}, "fetch": {"$ref": "#/components/schemas/FetchRevision"}}},
    "Insert": {"type": "object", "required": ["rows"], "additionalProperties": false, "description": "At most one of `at`, `before`, `after`.",
      "properties": {"rows": {"$ref": "#/components/schemas/GivenRows"}, "at": {"$ref": "#/components/schemas/Index"}, "before": {"type": "string"}, "after": {"type": "string"}}},
    "Delete": {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
      "properties": {"ids": {"type": "array", "items": {"type": "string"}}, "indexes": {"type": "array", "items": {"$ref": "#/components/schemas/Index"}}, "all": {"const": true}}},
    "Move": {"type": "object", "required": ["id"], "minProperties": 2, "maxProperties": 2, "additionalProperties": false,
      "properties": {"id": {"type": "string"}, "to": {"type": "integer", "minimum": 0, "description": "The index among the items afterwards."}, "before": {"type": "string"}, "after": {"type": "string"}}},
    "Update": {"type": "object", "required": ["rows"], "additionalProperties": false,
      "properties": {"rows": {"type": "array", "items": {"type": "object", "required": ["id"], "additionalProperties": false,
        "oneOf": [{"required": ["data"]}, {"required": ["merge"]}],
        "properties": {"id": {"type": "string"}, "cell": {"type": "string"}, "data": {}, "merge": {"description": "RFC 7396."}}}}}},
    "Replace": {"type": "object", "required": ["rows"], "additionalProperties": false,
      "properties": {"rows": {"$ref": "#/components/schemas/GivenRows"}, "hasNext": {"type": "boolean", "default": false}}},
    "Batch": {"type": "object", "required": ["commands"], "additionalProperties": false,
      "properties": {"commands": {"type": "array", "items": {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
        "properties": {"insert": {"$ref": "#/components/schemas/Insert"}, "delete": {"$ref": "#/components/schemas/Delete"}, "move": {"$ref": "#/components/schemas/Move"},
          "update": {"$ref": "#/components/schemas/Update"}, "replace": {"$ref": "#/components/schemas/Replace"}}}}}},
    "Selection": {"type": "object", "minProperties": 1, "maxProperties": 1, "additionalProperties": false,
      "properties": {"id": {"type": ["string", "null"], "description": "null clears the selection."}, "index": {"type": "integer", "minimum": 0, "description": "An index of the rows, status rows included."}}},
    "Transition": {"type": "object", "required": ["to"], "additionalProperties": false,
      "properties": {"to": {"type": "string"}, "data": {"description": "What the state's rows bind their members to."}}}
    """#
}
