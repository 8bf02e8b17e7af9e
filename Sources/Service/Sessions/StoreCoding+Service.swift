import JSONText
import ListModel
import Sessions

extension StoreCoding {
  /// Looks as the configuration writes them, and problems by type, status, detail and pointer.
  public static let service = StoreCoding(
    look: { $0.stored }, readLook: { TableLook(stored: $0) },
    failure: { error in
      let problem = error as? Problem ?? Problem(.internal, detail: "\(error)")
      var writer = JSONWriter()
      writer.beginObject()
      writer.key("type")
      writer.string(escaping: Bytes(problem.type.slug))
      writer.key("status")
      writer.integer(problem.status)
      writer.key("detail")
      writer.string(escaping: Bytes(problem.detail))
      if let pointer = problem.pointer {
        writer.key("pointer")
        writer.string(escaping: pointer.text)
      }
      writer.endObject()
      return writer.text
    },
    readFailure: { text in
      let problem = JSONValue(trusted: text)
      guard let type = problem.member(named: "type")?.string.flatMap({ ProblemType(rawValue: $0.string) }),
        let status = problem.member(named: "status")?.integer,
        let detail = problem.member(named: "detail")?.string
      else { return nil }
      return Problem(
        type, status: status, detail: detail.string,
        pointer: problem.member(named: "pointer")?.string.flatMap { JSONPointer($0) })
    })
}

extension TableLook {
  /// The look as a table's members in the configuration.
  fileprivate var stored: Bytes {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("cell")
    writer.value(texts.cell)
    writer.key("cells")
    writer.value(texts.cells)
    writer.key("placeholder")
    writer.value(texts.placeholder)
    writer.key("states")
    writer.value(texts.states)
    writer.key("initialState")
    writer.string(escaping: initialState)
    writer.key("transitions")
    writer.value(texts.transitions)
    writer.key("presentation")
    writer.value(texts.presentation)
    writer.endObject()
    return writer.text
  }

  /// Reads what `stored` has written; nil where it is something else.
  fileprivate init?(stored text: Bytes) {
    guard let text = try? JSONValue(kept: text, "a look").text else { return nil }
    let faults = FaultList()
    let value = ConfigurationValue(json: JSONValue(trusted: text), place: JSONPointer(), faults: faults)
    let look: TableLook? = value.object { TableLook(&$0, isClient: false) }
    guard let look, faults.faults.isEmpty else { return nil }
    self = look
  }
}
