extension OpenAPI {
  /// Schemas of whole answers: snapshots, changes, sessions, tables.
  static let listSchemas: StaticString = #"""
    "Snapshot": {"type": "object", "description": "The list at one revision.",
      "required": ["session", "table", "params", "revision", "state", "loading", "hasNext", "error", "itemCount", "rowCount", "selected", "offset", "rows"],
      "properties": {
        "session": {"type": "string"}, "table": {"type": "string"}, "params": {"type": "object", "additionalProperties": {"type": "string"}},
        "revision": {"type": "integer"}, "state": {"type": "string", "description": "`loading empty error populated`, or a state of the table's."},
        "loading": {"enum": [null, "load", "refresh", "load-more"], "description": "The fetch in flight."}, "hasNext": {"type": "boolean"},
        "error": {"oneOf": [{"type": "null"}, {"$ref": "#/components/schemas/FetchError"}]},
        "itemCount": {"type": "integer"}, "rowCount": {"type": "integer"}, "selected": {"type": ["string", "null"]},
        "offset": {"type": "integer", "description": "The index of the first row given."}, "rows": {"type": "array", "items": {"$ref": "#/components/schemas/Row"}}},
      "example": {"session": "my-list", "table": "articles", "params": {}, "revision": 1, "state": "populated", "loading": null, "hasNext": false, "error": null, "itemCount": 1, "rowCount": 2, "selected": null, "offset": 0,
        "rows": [{"id": "a1", "cell": "Cell", "data": {"title": "First"}}, {"placeholder": "hidden", "cell": "HiddenCell", "visible": false, "selectable": false, "data": {}}]}},
    "CommandAnswer": {"type": "object", "required": ["revision", "changes"],
      "properties": {
        "revision": {"type": "integer"}, "changes": {"type": "array", "items": {"$ref": "#/components/schemas/Change"}},
        "snapshot": {"$ref": "#/components/schemas/Snapshot"}, "reset": {"const": true, "description": "The changes asked for are not kept any more: take the snapshot."},
        "ids": {"type": "array", "items": {"type": "string"}, "description": "The ids of inserted items, in order (of `insert`)."}}},
    "Changes": {"type": "object", "required": ["revision", "changes"],
      "properties": {
        "revision": {"type": "integer"}, "changes": {"type": "array", "items": {"$ref": "#/components/schemas/Change"}},
        "more": {"const": true, "description": "There are more changes than one answer holds; ask again."},
        "reset": {"const": true, "description": "The changes asked for are not kept any more: take the snapshot."}, "snapshot": {"$ref": "#/components/schemas/Snapshot"}}},
    "Sessions": {"type": "object", "required": ["sessions", "next"],
      "properties": {
        "sessions": {"type": "array", "items": {"type": "object", "required": ["session", "table", "revision", "state", "itemCount", "created", "touched"],
          "properties": {"session": {"type": "string"}, "table": {"type": "string"}, "revision": {"type": "integer"}, "state": {"type": "string"}, "itemCount": {"type": "integer"},
            "created": {"type": "string", "format": "date-time"}, "touched": {"type": "string", "format": "date-time"}}}},
        "next": {"type": ["string", "null"], "description": "The cursor of the next page."}}},
    "Tables": {"type": "object", "required": ["tables"], "properties": {"tables": {"type": "array", "items": {"$ref": "#/components/schemas/Table"}}}},
    "Table": {"type": "object", "required": ["name", "title", "source", "params", "pageSize", "cell", "cells", "placeholder", "states", "initialState", "transitions"],
      "properties": {
        "name": {"type": "string"}, "title": {"type": "string"}, "source": {"type": "object", "properties": {"kind": {"type": "string"}}}, "params": {"type": "object"},
        "pageSize": {"type": "integer"}, "maxItems": {"type": ["integer", "null"]}, "cell": {"description": "A name, or a rule that chooses one from the raw item."}, "cells": {"type": "object"},
        "placeholder": {"type": "object"}, "states": {"type": "object"}, "initialState": {"type": "string"}, "transitions": {"type": "object"}, "presentation": {}}},

    """#
}
