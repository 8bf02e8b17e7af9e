import JSONText

/// Writes metrics in Prometheus's text format, version 0.0.4.
struct Exposition {
  enum Kind: String {
    case counter, gauge, histogram
  }

  typealias Labels = [(name: StaticString, value: Bytes)]

  private(set) var text: [UInt8] = []

  /// Begins a metric: what it counts, and how.
  mutating func begin(_ name: StaticString, _ kind: Kind, _ help: StaticString) {
    text.append(literal: "# HELP ")
    text.append(literal: name)
    text.append(UInt8(ascii: " "))
    text.append(literal: help)
    text.append(literal: "\n# TYPE ")
    text.append(literal: name)
    text.append(UInt8(ascii: " "))
    text.append(contentsOf: kind.rawValue.utf8)
    text.append(UInt8(ascii: "\n"))
  }

  /// Adds a whole number.
  mutating func sample(_ name: StaticString, _ value: Int, labels: Labels = []) {
    series(name, "", labels)
    text.append(decimal: value)
    text.append(UInt8(ascii: "\n"))
  }

  /// Adds a number of thousandths, written as a decimal.
  mutating func sample(_ name: StaticString, thousandths: Int) {
    series(name, "", [])
    text.append(decimal: thousandths, places: 3)
    text.append(UInt8(ascii: "\n"))
  }

  /// Adds the series of a histogram: cumulative buckets, sum in seconds, count.
  mutating func histogram(_ name: StaticString, _ labels: Labels, _ histogram: Histogram) {
    let buckets = histogram.buckets
    let bounds = Histogram.bounds.map { Bytes("\($0.label)") } + ["+Inf"]
    var below = 0
    for (bound, count) in zip(bounds, buckets) {
      below += count
      series(name, "_bucket", labels + [("le", bound)])
      text.append(decimal: below)
      text.append(UInt8(ascii: "\n"))
    }
    series(name, "_sum", labels)
    text.append(decimal: histogram.sum, places: 9)
    text.append(UInt8(ascii: "\n"))
    series(name, "_count", labels)
    text.append(decimal: below)
    text.append(UInt8(ascii: "\n"))
  }

  private mutating func series(_ name: StaticString, _ suffix: StaticString, _ labels: Labels) {
    text.append(literal: name)
    text.append(literal: suffix)
    for (index, label) in labels.enumerated() {
      text.append(index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
      text.append(literal: label.name)
      text.append(literal: "=\"")
      append(escaped: label.value)
      text.append(UInt8(ascii: "\""))
    }
    if !labels.isEmpty { text.append(UInt8(ascii: "}")) }
    text.append(UInt8(ascii: " "))
  }

  /// A label's value: backslash, quote and line feed escaped, ill-formed UTF-8 replaced.
  private mutating func append(escaped value: Bytes) {
    for byte in value.string.utf8 {
      switch byte {
      case UInt8(ascii: "\\"): text.append(literal: "\\\\")
      case UInt8(ascii: "\""): text.append(literal: "\\\"")
      case UInt8(ascii: "\n"): text.append(literal: "\\n")
      default: text.append(byte)
      }
    }
  }
}

extension Array where Element == UInt8 {
  /// Appends `value` / 10^`places` as a decimal with all its places.
  mutating func append(decimal value: Int, places: Int) {
    var unit = 1
    for _ in 0..<places { unit *= 10 }
    append(decimal: value / unit)
    append(UInt8(ascii: "."))
    append(digits: places, of: abs(value % unit))
  }
}
