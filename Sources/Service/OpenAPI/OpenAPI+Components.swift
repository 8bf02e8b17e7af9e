extension OpenAPI {
  /// What paths share: security, parameters, header fields, answers.
  ///
  /// `schemas` is opened here and filled behind.
  static let components: StaticString = #"""
    },
    "components": {
    "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "One of the server's tokens, where it has any."}},
    "parameters": {
      "Session": {"name": "id", "in": "path", "required": true, "description": "The session's id. With PUT: 1 to 64 of A–Z a–z 0–9 _ -.", "schema": {"type": "string"}, "example": "my-list"},
      "Offset": {"name": "offset", "in": "query", "description": "The first row of the snapshot's window.", "schema": {"type": "integer", "minimum": 0, "default": 0}},
      "Limit": {"name": "limit", "in": "query", "description": "The most rows of the snapshot's window; all without it.", "schema": {"type": "integer", "minimum": 0}},
      "Since": {"name": "since", "in": "query", "description": "The revision that the client has: `changes` holds everything after it.", "schema": {"type": "integer", "minimum": 0}},
      "Tag": {"name": "tag", "in": "query", "description": "Marks the change, so that a client knows its own.", "schema": {"type": "string", "pattern": "^[A-Za-z0-9_-]{1,64}$"}},
      "Format": {"name": "format", "in": "query", "description": "`json-patch`: each change carries `patch` (RFC 6902, on the full snapshot) in place of `ops`.", "schema": {"const": "json-patch"}},
      "Prefer": {"name": "Prefer", "in": "header", "description": "RFC 7240: `return=minimal` leaves the snapshot out, `respond-async` and `wait=SECONDS` say how long to wait for a fetch.", "schema": {"type": "string"}, "example": "return=minimal"},
      "IfMatch": {"name": "If-Match", "in": "header", "description": "The entity tag of the revision that the command is meant for; another one now: 412, nothing done.", "schema": {"type": "string"}, "example": "\"12\""},
      "IfNoneMatch": {"name": "If-None-Match", "in": "header", "description": "The entity tag that the client has; the same now: 304.", "schema": {"type": "string"}, "example": "\"12\""},
      "IdempotencyKey": {"name": "Idempotency-Key", "in": "header", "description": "The same key with the same path, query and body is done once and answered again.", "schema": {"type": "string", "minLength": 1, "maxLength": 255}}
    },
    "headers": {
      "ETag": {"description": "The session's revision as a strong entity tag.", "schema": {"type": "string"}, "example": "\"12\""},
      "Location": {"description": "The session's path.", "schema": {"type": "string"}, "example": "/v1/sessions/my-list"},
      "RetryAfter": {"description": "Seconds after which trying again makes sense.", "schema": {"type": "integer"}},
      "IdempotentReplayed": {"description": "`true` where an earlier answer is given again.", "schema": {"const": "true"}},
      "IdempotencyExpires": {"description": "Until when the key is kept, an HTTP date.", "schema": {"type": "string"}},
      "Allow": {"description": "The methods of this path (on 405).", "schema": {"type": "string"}},
      "WWWAuthenticate": {"description": "`Bearer` (on 401).", "schema": {"type": "string"}}
    },
    "responses": {
      "Done": {"description": "Done, or nothing had to be.",
        "headers": {"ETag": {"$ref": "#/components/headers/ETag"}, "Idempotent-Replayed": {"$ref": "#/components/headers/IdempotentReplayed"}, "Idempotency-Expires": {"$ref": "#/components/headers/IdempotencyExpires"}},
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/CommandAnswer"}}}},
      "Pending": {"description": "The fetch is still in flight; the rest arrives as changes.",
        "headers": {"ETag": {"$ref": "#/components/headers/ETag"}, "Idempotent-Replayed": {"$ref": "#/components/headers/IdempotentReplayed"}, "Idempotency-Expires": {"$ref": "#/components/headers/IdempotencyExpires"}},
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/CommandAnswer"}}}},
      "Created": {"description": "The session was made.",
        "headers": {"ETag": {"$ref": "#/components/headers/ETag"}, "Location": {"$ref": "#/components/headers/Location"}, "Idempotent-Replayed": {"$ref": "#/components/headers/IdempotentReplayed"}, "Idempotency-Expires": {"$ref": "#/components/headers/IdempotencyExpires"}},
        "content": {"application/json": {"schema": {"$ref": "#/components/schemas/CommandAnswer"}}}},
      "NotModified": {"description": "The client has it already.", "headers": {"ETag": {"$ref": "#/components/headers/ETag"}}},
      "Page": {"description": "A page.", "headers": {"ETag": {"$ref": "#/components/headers/ETag"}}, "content": {"text/html": {"schema": {"type": "string"}}}},
      "ClientFile": {"description": "A file of the browser client.", "headers": {"ETag": {"$ref": "#/components/headers/ETag"}}, "content": {"text/javascript": {"schema": {"type": "string"}}, "text/css": {"schema": {"type": "string"}}, "image/svg+xml": {"schema": {"type": "string"}}}},
      "Problem": {"description": "Refused; nothing was changed.",
        "headers": {"Retry-After": {"$ref": "#/components/headers/RetryAfter"}, "Allow": {"$ref": "#/components/headers/Allow"}, "WWW-Authenticate": {"$ref": "#/components/headers/WWWAuthenticate"}},
        "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"},
          "example": {"type": "/problems/duplicate-id", "title": "The id is taken", "status": 409, "detail": "“a1” is in the list already", "instance": "/v1/sessions/my-list/insert", "pointer": "/rows/0/id", "revision": 12}}}}
    },
    "schemas": {

    """#
}
