// Longer than most files here: one table, of which nobody wants half.

extension ProblemType {
  /// What the catalogue says about one type.
  struct Entry {
    var status: Int
    var title: String
    var meaning: String
    var remedy: String
    var retryAfter: Int?

    init(_ status: Int, _ title: String, _ meaning: String, _ remedy: String, retryAfter: Int? = nil) {
      self.status = status
      self.title = title
      self.meaning = meaning
      self.remedy = remedy
      self.retryAfter = retryAfter
    }
  }

  var entry: Entry {
    switch self {
    case .malformedJSON:
      Entry(
        400, "The body is not JSON",
        "The body breaks RFC 8259: it is not UTF-8, has a comma too many, a comment, a member twice, a lone "
          + "surrogate, or is nested deeper than 128 levels.",
        "Look at the byte offset in the detail; it counts from 0 and names the first byte at fault.")
    case .malformedRequest:
      Entry(
        400, "The request cannot be read",
        "Its framing, a header field, its path or a query parameter has a form that HTTP or this service does not "
          + "know. Requests that did not arrive in time (status 408) and expectations that cannot be met (status 417) "
          + "have this type as well.",
        "The detail names the part at fault. Where the framing was broken the connection has been closed: open "
          + "another one.")
    case .unauthorized:
      Entry(
        401, "A token is needed",
        "This server was given tokens, and the request carried none of them.",
        "Send the header field “Authorization: Bearer TOKEN” with one of the server's tokens, for example "
          + "curl -H 'Authorization: Bearer TOKEN'.")
    case .forbiddenOrigin:
      Entry(
        403, "This origin is not allowed",
        "A page of another origin made the request. A server on your own machine must not obey every page that "
          + "you visit, so only listed origins may.",
        "Add the origin to server.origins in the configuration, exactly as the browser sends it: scheme, host and "
          + "port, without a path.")
    case .forbiddenHost:
      Entry(
        403, "This host name is not allowed",
        "The request named the server by a host that is neither an IP address, nor localhost, nor one of the "
          + "configured names. This is what keeps other people's names from being pointed at your server.",
        "Add the name to server.hosts in the configuration, or ask by IP address or as localhost.")
    case .forbidden:
      Entry(
        403, "An admin token is needed",
        "The token is a good one, but this resource is for admin tokens alone.",
        "Send one of server.adminTokens, or ROWCAST_ADMIN_TOKEN.")
    case .unknownPath:
      Entry(
        404, "Nothing is there",
        "The path is none of this service's. A slash at the end makes another path.",
        "See /openapi.json for every path.")
    case .unknownTable:
      Entry(
        404, "There is no such table",
        "The configuration defines no table of that name.",
        "See GET /v1/tables for the names; after a change of the configuration send the server a SIGHUP.")
    case .unknownSession:
      Entry(
        404, "There is no such session",
        "No session has this id: it was never opened, or it ended more than an hour ago.",
        "Open one with POST /v1/sessions, or with PUT under an id of your own.")
    case .unknownRow:
      Entry(
        404, "There is no such row",
        "The session has no item of this id, or no row at this index.",
        "Read the session's snapshot again and use the ids and indexes that it has now.")
    case .methodNotAllowed:
      Entry(
        405, "The method does not fit the path",
        "The path is there, but not for this method.",
        "Use one of the methods in the answer's Allow field.")
    case .notAcceptable:
      Entry(
        406, "No acceptable form",
        "The Accept field rules out everything that this path can send.",
        "Accept application/json, or leave the field out.")
    case .duplicateID:
      Entry(
        409, "The id is taken",
        "An item of this id is in the list already, or the body gives the same id twice.",
        "Use update for an item that is there, another id for a new one, or leave the id out and let the server "
          + "make one.")
    case .busy:
      Entry(
        409, "Another fetch is under way",
        "A load or refresh is in flight, and a page behind the present ones cannot be read meanwhile.",
        "Wait until “loading” is null, then try again.", retryAfter: 1)
    case .nothingToRetry:
      Entry(
        409, "Nothing has failed",
        "There is no failed fetch that could be done again.",
        "Use load, load-more or refresh.")
    case .nothingAwaited:
      Entry(
        409, "Nothing is awaited",
        "The session is not waiting for rows from a client, or not for the fetch that the body names.",
        "Read the snapshot: “loading” says whether something is awaited. Start a fetch first, or leave “fetch” out."
      )
    case .notSelectable:
      Entry(
        409, "This row cannot be selected",
        "The present state does not allow selections, the row is not visible, or it is a status row that does "
          + "nothing.",
        "Select an item, or a status row whose “selectable” is true.")
    case .placeholderRow:
      Entry(
        409, "The placeholder stays",
        "The index is that of the placeholder row, which is no item.",
        "Give indexes below itemCount.")
    case .sessionExists:
      Entry(
        409, "The session is there with another table or other parameters",
        "A session of this id is open, and was opened differently.",
        "Use another id, or end the present session with DELETE first.")
    case .transitionNotAllowed:
      Entry(
        409, "The transition is not allowed",
        "The table lists the states that may follow the present one, and this one is not among them.",
        "See “transitions” in GET /v1/tables/{table}.")
    case .idempotencyInProgress:
      Entry(
        409, "The first request is still running",
        "A request with the same Idempotency-Key has not been answered yet.",
        "Wait a little and send the same request again.", retryAfter: 1)
    case .sessionEnded:
      Entry(
        410, "The session has ended",
        "It was deleted, or nobody used it for longer than its idle time.",
        "Open a new one with POST /v1/sessions, or the same id with PUT.")
    case .revisionMismatch:
      Entry(
        412, "The list has changed",
        "If-Match named another revision than the present one. Nothing was done.",
        "Catch up with GET …/changes?since=…, decide again, and send the new revision.")
    case .bodyTooLarge:
      Entry(
        413, "The body is too large",
        "The body has more bytes than limits.bodyBytes allows.",
        "Send the rows in several commands, or raise the limit in the configuration.")
    case .unsupportedMediaType:
      Entry(
        415, "The body's type is not supported",
        "Bodies are JSON in UTF-8, without a content coding, and must say so.",
        "Send “Content-Type: application/json”; curl does with --json.")
    case .invalidBody:
      Entry(
        422, "The body does not fit",
        "It is JSON, but not what this command takes: a member is missing, unknown, of another type or at odds with "
          + "another.",
        "The pointer names the member. See /openapi.json for what each body may hold.")
    case .invalidRow:
      Entry(
        422, "A row does not fit",
        "A row has a bad id, has no data, lacks what its cell requires, or is larger than limits.rowBytes.",
        "The pointer names the row or member. See “cells” in GET /v1/tables/{table} for what is required.")
    case .indexOutOfRange:
      Entry(
        422, "The index is out of range",
        "The index lies behind the end of the list.",
        "Read the snapshot: itemCount says how many items there are. Send If-Match to be sure that the list is "
          + "still the one that you saw.")
    case .idempotencyKeyReused:
      Entry(
        422, "The Idempotency-Key belongs to another request",
        "The key was used before with another path, query or body.",
        "Make a new key for each new request; send the same key only with the very same request.")
    case .limitExceeded:
      Entry(
        422, "A limit of the session is reached",
        "The command would make the list longer than limits.itemsPerSession.",
        "Delete items first, or raise the limit in the configuration.")
    case .tooManySessions:
      Entry(
        429, "Too many sessions",
        "The server holds as many sessions as limits.sessions allows.",
        "End sessions that are no longer needed with DELETE, or try again later.", retryAfter: 30)
    case .tooManySubscribers:
      Entry(
        429, "Too many subscribers",
        "The session has as many streams and waiting requests as limits.subscribersPerSession allows.",
        "Close streams that are no longer needed, or try again later.", retryAfter: 5)
    case .headersTooLarge:
      Entry(
        431, "The header is too large",
        "The request line and header fields have more bytes than limits.headerBytes allows.",
        "Send fewer or shorter fields, or raise the limit in the configuration.")
    case .internal:
      Entry(
        500, "Something went wrong here",
        "A fault of the server, not of the request.",
        "Please report it with the log line of this request.")
    case .notImplemented:
      Entry(
        501, "Not implemented",
        "The method or transfer coding is none that this server knows.",
        "Use the methods in /openapi.json, and “chunked” as the only transfer coding.")
    case .storeUnavailable:
      Entry(
        503, "The store cannot be reached",
        "The change could not be stored and has not been made, unless the detail says that the outcome is unknown.",
        "Try again. With the same Idempotency-Key nothing happens twice.", retryAfter: 1)
    case .draining:
      Entry(
        503, "The server is going down",
        "It finishes what it began and takes on nothing new.",
        "Try again in a moment, on a new connection.", retryAfter: 2)
    case .tooManyConnections:
      Entry(
        503, "Too many connections",
        "The server holds as many connections as limits.connections allows.",
        "Keep connections open and use them again; try again in a moment.", retryAfter: 1)
    case .unsupportedVersion:
      Entry(
        505, "Unsupported HTTP version",
        "This server speaks HTTP/1.1 and HTTP/1.0.",
        "Use HTTP/1.1, or put a proxy in front that translates.")
    case .upstreamUnreachable:
      Entry(
        502, "The source cannot be reached",
        "The file could not be opened, or no connection came about, or it was closed before any byte.",
        "See whether the source is there, then use retry.")
    case .upstreamStatus:
      Entry(
        502, "The source refused",
        "The source answered with a status that is no success; “upstreamStatus” has it.",
        "See the source's own documentation for that status, then use retry.")
    case .upstreamTimeout:
      Entry(
        504, "The source took too long",
        "No complete answer came within source.timeoutSeconds.",
        "Use retry, or raise the time-out in the configuration.")
    case .upstreamMalformed:
      Entry(
        502, "The source's answer cannot be read",
        "The answer was cut off, was no strict JSON (or CSV), or had another shape than the table expects.",
        "Compare the answer with “items”, “id” and “paging” of the table's source, then use retry.")
    case .upstreamTooLarge:
      Entry(
        502, "The source's answer is too large",
        "The answer has more bytes than source.bodyBytes allows.",
        "Ask for smaller pages, or raise the limit in the configuration.")
    case .upstreamRepeats:
      Entry(
        502, "The source repeats itself",
        "The source named a next page that has been read before; going on would never end.",
        "The page was merged and reading has ended. Use refresh to read from the top.")
    case .upstreamError:
      Entry(
        502, "The source reported an error",
        "The source's answer says that it failed, a client gave up with fail, or the table is gone from the "
          + "configuration.",
        "The detail has what the source said. Use retry.")
    case .interrupted:
      Entry(
        503, "The fetch was interrupted",
        "The server went down while the fetch was in flight; whether the source answered is not known.",
        "Use retry: the fetch is done again.")
    }
  }
}
