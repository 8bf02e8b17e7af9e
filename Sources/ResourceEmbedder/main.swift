// Writes a Swift file that holds the text of other files: ResourceEmbedder OUTPUT FILE…
//
// Run by the build (Sources/EmbedResources). Each file becomes a raw string literal with a hash of its content. `{version}`
// in an HTML file becomes the hash of all of them, so that addresses which name it can be kept for ever.

import Glibc

struct Failure: Error { var message: String }

func read(_ path: String) throws -> [UInt8] {
  guard let file = fopen(path, "rb") else { throw Failure(message: "\(path): cannot be read") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
  guard ferror(file) == 0 else { throw Failure(message: "\(path): cannot be read to its end") }
  return bytes
}

/// The text of a file as a literal can hold it, exactly.
func text(of path: String) throws -> String {
  guard let text = String(validating: try read(path), as: UTF8.self) else {
    throw Failure(message: "\(path): is not UTF-8")
  }
  let hasOtherControls = text.utf8.contains { $0 < 0x20 && $0 != 0x0A && $0 != 0x09 }
  guard !hasOtherControls, !text.contains("\"\"\"###"), !text.contains("\\###") else {
    throw Failure(message: "\(path): holds what a raw string literal cannot, as a carriage return")
  }
  return text
}

/// FNV-1a of 64 bits in hexadecimal digits: it only has to tell one build's content from another's.
func hash(_ text: some Sequence<UInt8>) -> String {
  let value = text.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

func run(_ arguments: [String]) throws {
  guard let output = arguments.first else { throw Failure(message: "usage: ResourceEmbedder OUTPUT FILE…") }
  let files = try arguments.dropFirst().map { path in
    (name: String(path.split(separator: "/").last ?? ""), text: try text(of: path))
  }
  let version = hash(files.map { "\($0.name)\n\($0.text)\n" }.joined().utf8)
  var swift = "enum EmbeddedResources {\n  static let version: StaticString = \"\(version)\"\n"
  swift += "  static let files: [Resource] = [\n"
  for (name, text) in files {
    var text = text
    if name.hasSuffix(".html") {
      text = text.split(separator: "{version}", omittingEmptySubsequences: false).joined(separator: version)
    }
    swift +=
      "Resource(name: \"\(name)\", hash: \"\(hash(text.utf8))\", text: ###\"\"\"\n\(text)\n\"\"\"###),\n"
  }
  swift += "]\n}\n"
  guard let file = fopen(output, "wb") else { throw Failure(message: "\(output): cannot be written") }
  let written = fputs(swift, file)
  guard fclose(file) == 0, written >= 0 else {
    throw Failure(message: "\(output): cannot be written to its end")
  }
}

do {
  try run(Array(CommandLine.arguments.dropFirst()))
} catch let failure as Failure {
  let line = Array("ResourceEmbedder: \(failure.message)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)  // nobody is left to tell where this fails
  exit(1)
}
