import JSONText
import ListModel

extension TableDefinition {
  /// The table as clients may see it, the body of `GET /v1/tables/{table}`; without paths, addresses and secrets.
  ///
  /// The look's members are those of the configuration, byte for byte but for white space. O(their size).
  public var document: [UInt8] {
    var text: [UInt8] = []
    text.append(literal: "{\"name\":")
    text.append(jsonString: name)
    text.append(literal: ",\"title\":")
    text.append(jsonString: title)
    text.append(literal: ",\"source\":{\"kind\":")
    text.append(jsonString: source.kind)
    text.append(literal: "},\"params\":")
    append(params, to: &text)
    text.append(literal: ",\"pageSize\":")
    text.append(decimal: pageSize)
    text.append(literal: ",\"maxItems\":")
    if let maxItems { text.append(decimal: maxItems) } else { text.append(literal: "null") }
    text.append(literal: ",\"cell\":")
    text.append(look.texts.cell.text)
    text.append(literal: ",\"cells\":")
    text.append(look.texts.cells.text)
    text.append(literal: ",\"placeholder\":")
    text.append(look.texts.placeholder.text)
    text.append(literal: ",\"states\":")
    text.append(look.texts.states.text)
    text.append(literal: ",\"initialState\":")
    text.append(jsonString: look.initialState)
    text.append(literal: ",\"transitions\":")
    text.append(look.texts.transitions.text)
    text.append(literal: ",\"presentation\":")
    text.append(look.texts.presentation.text)
    text.append(UInt8(ascii: "}"))
    return text
  }

  private func append(_ params: [ParameterDefinition], to text: inout [UInt8]) {
    text.append(UInt8(ascii: "{"))
    for (index, param) in params.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text.append(jsonString: param.name)
      text.append(literal: ":{")
      if let standard = param.defaultValue {
        text.append(literal: "\"default\":")
        text.append(jsonString: standard)
      }
      if let maxLength = param.maxLength {
        text.append(literal: param.defaultValue == nil ? "\"maxLength\":" : ",\"maxLength\":")
        text.append(decimal: maxLength)
      }
      text.append(UInt8(ascii: "}"))
    }
    text.append(UInt8(ascii: "}"))
  }
}
