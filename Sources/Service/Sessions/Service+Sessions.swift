import HTTP1
import JSONText
import ListModel
import Sessions

// Sessions as resources: made, opened, listed, read and ended.
extension Service {
  /// `POST /v1/sessions`.
  func create(_ call: Call, _ principal: Principal) throws(Problem) {
    let (creation, form) = try creation(call, principal)
    registry.create(creation) { result in call.respond(opened: result, form) }
  }

  /// `GET /v1/sessions`.
  func list(_ call: Call) throws(Problem) {
    _ = try call.request.representation()
    let query = try Query(call.request.query)
    let limit = try query.limit(in: 1...1000, fallback: 100)
    var cursor: Int?
    if let text = query.cursor {
      guard let number = text.withUnsafeBytes({ decimal($0) }) else {
        throw Problem(.malformedRequest, detail: "cursor is the next of an earlier answer")
      }
      cursor = number
    }
    registry.list(after: cursor, limit: limit) { result in
      switch result {
      case .success(let page): call.respond(page)
      case .failure(let failure): call.respond(Problem(failure, revision: nil))
      }
    }
  }

  /// `DELETE /v1/sessions/{id}`.
  func end(_ id: Bytes, _ call: Call) throws(Problem) {
    registry.end(id, try condition(call.request)) { failure in
      if let failure {
        call.respond(Problem(failure, revision: nil))
      } else {
        call.respond(Response(status: 204))
      }
    }
  }

  /// `PUT /v1/sessions/{id}`.
  func open(_ id: Bytes, _ call: Call, _ principal: Principal) throws(Problem) {
    guard id.isClientName else {
      throw Problem(.malformedRequest, detail: "the id of a session is 1 to 64 characters of A–Z a–z 0–9 _ -")
    }
    var (creation, form) = try creation(call, principal)
    creation.condition = try condition(call.request)
    creation.mustBeNew = call.request.fields.asksForNew
    registry.open(id, creation) { [form] result in call.respond(opened: result, form) }
  }

  /// `GET /v1/sessions/{id}`.
  func read(_ found: Result<Session, SessionFailure>, _ call: Call) throws(Problem) {
    _ = try call.request.representation()
    let query = try Query(call.request.query)
    let offset = try query.offset()
    let limit = try query.limit()
    let session = try self.found { () throws(SessionFailure) in try found.get() }
    if query.asksForWindow || call.request.fields.first("if-none-match") != nil {
      let snapshot = try self.found { () throws(SessionFailure) in try session.read() }
      let revision = snapshot.version.revision
      if call.hasTag(revision) { return call.respondNotModified(revision) }
      if query.asksForWindow {
        return call.respond(session: snapshot.document(offset: offset, limit: limit), revision)
      }
    }
    let (snapshot, text) = try self.found { () throws(SessionFailure) in try session.document() }
    call.respond(session: text, snapshot.version.revision)
  }

  /// `GET /v1/sessions/{id}/rows/{index}`.
  func row(_ index: Int, of found: Result<Session, SessionFailure>, _ call: Call) throws(Problem) {
    _ = try call.request.representation()
    let version = try self.found { () throws(SessionFailure) in try found.get().read() }.version
    guard let row = version.row(at: index) else {
      throw Problem(
        .unknownRow, detail: "there are \(version.rowCount) rows, counted from 0", revision: version.revision)
    }
    if call.hasTag(version.revision) { return call.respondNotModified(version.revision) }
    call.respond(session: row.array, version.revision)
  }

  /// `GET /v1/sessions/{id}/items/{item}`: the item with its `index` among the items, a member before the others.
  func item(_ item: Bytes, of found: Result<Session, SessionFailure>, _ call: Call) throws(Problem) {
    _ = try call.request.representation()
    let version = try self.found { () throws(SessionFailure) in try found.get().read() }.version
    guard let index = version.index(ofItem: item) else {
      throw Problem(.unknownRow, detail: "no item has this id", revision: version.revision)
    }
    if call.hasTag(version.revision) { return call.respondNotModified(version.revision) }
    var text: [UInt8] = []
    text.append(literal: "{\"index\":")
    text.append(decimal: index)
    text.append(UInt8(ascii: ","))
    text.append(version.items[index].row[1..<version.items[index].row.count])
    call.respond(session: text, version.revision)
  }

  // MARK: Helpers

  /// Runs a look-up, and words its failure as a problem.
  func found<T>(_ body: () throws(SessionFailure) -> T) throws(Problem) -> T {
    do throws(SessionFailure) {
      return try body()
    } catch {
      throw Problem(error, revision: nil)
    }
  }

  /// What `POST` and `PUT` ask for, and how they want it answered.
  private func creation(_ call: Call, _ principal: Principal) throws(Problem) -> (CreationRequest, AnswerForm)
  {
    let (form, fault) = AnswerForm.read(call.request)
    let key = try call.request.idempotency()
    let creation = CreationRequest(
      body: fault.map { .failure(.body($0)) } ?? creationBody(call.request),
      idempotency: key.map { ($0, principal.fingerprint) }, tag: form.tag, waitSeconds: form.waitSeconds)
    return (creation, form)
  }

  private func creationBody(_ request: Request) -> Result<CreationRequest.Body, SessionFailure> {
    do throws(Problem) {
      guard let body = try request.json() else {
        throw Problem(
          .invalidBody, detail: "the body names a table: {\"table\":\"…\"}",
          pointer: JSONPointer(tokens: ["table"]))
      }
      return .success(try CreationRequest.Body(body))
    } catch {
      return .failure(.body(error))
    }
  }
}

extension CreationRequest.Body {
  /// Reads `{"table":…,"params":…,"load":…}`.
  init(_ body: JSONValue) throws(Problem) {
    guard body.kind == .object else {
      throw Problem(.invalidBody, detail: "the body is an object", pointer: JSONPointer())
    }
    var table: Bytes?
    var params: JSONValue?
    var loads = false
    try body.forEachMember { (name, value) throws(Problem) in
      func fault(_ detail: String) -> Problem {
        Problem(.invalidBody, detail: detail, pointer: JSONPointer(tokens: [name]))
      }
      switch name {
      case "table":
        guard let string = value.string else { throw fault("the name of a table was expected") }
        table = string
      case "params":
        params = value
      case "load":
        guard let bool = value.bool else { throw fault("true or false was expected") }
        loads = bool
      default: throw fault("there is no such member here")
      }
    }
    guard let table else {
      throw Problem(
        .invalidBody, detail: "the name of a table was expected", pointer: JSONPointer(tokens: ["table"]))
    }
    self.init(table: table, params: params, loads: loads)
  }
}

extension Call {
  /// Answers with a page of the list of sessions.
  fileprivate func respond(_ page: SessionPage) {
    var text: [UInt8] = []
    text.append(literal: "{\"sessions\":[")
    for (index, session) in page.sessions.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      session.append(to: &text)
    }
    text.append(literal: "],\"next\":")
    if let next = page.next {
      text.append(UInt8(ascii: "\""))
      text.append(decimal: next)
      text.append(UInt8(ascii: "\""))
    } else {
      text.append(literal: "null")
    }
    text.append(UInt8(ascii: "}"))
    var response = Response.json(text)
    response.add("Cache-Control", "no-store")
    respond(response)
  }
}

extension SessionSummary {
  fileprivate func append(to text: inout [UInt8]) {
    text.append(literal: "{\"session\":")
    text.append(jsonString: id)
    text.append(literal: ",\"table\":")
    text.append(jsonString: table)
    text.append(literal: ",\"revision\":")
    text.append(decimal: revision)
    text.append(literal: ",\"state\":")
    text.append(jsonString: state)
    text.append(literal: ",\"itemCount\":")
    text.append(decimal: itemCount)
    text.append(literal: ",\"created\":\"")
    text.append(rfc3339: created)
    text.append(literal: "\",\"touched\":\"")
    text.append(rfc3339: touched)
    text.append(literal: "\"}")
  }
}
