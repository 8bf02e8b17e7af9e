import Foundation
import JSONText
import ListModel
import Service
import Testing

/// The root of the project, from where this file lies.
let projectRoot = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  .deletingLastPathComponent()

/// A configuration file that lives as long as this value.
final class ConfigurationFixture: Sendable {
  let folder: URL
  let path: String

  init(_ text: Data) throws {
    folder = FileManager.default.temporaryDirectory.appending(
      path: "rowcast-configuration-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appending(path: "rowcast.json")
    try text.write(to: file)
    path = file.path
  }

  convenience init(_ text: String) throws { try self.init(Data(text.utf8)) }

  deinit {
    do { try FileManager.default.removeItem(at: folder) } catch { Issue.record(error) }
  }

  func load(
    environment: [String: String] = [:], flags: Overrides = Overrides()
  ) throws(ConfigurationFaults) -> Configuration {
    try Configuration.load(file: path, environment: environment, flags: flags)
  }
}

/// Loads a configuration text that has no fault.
func configuration(
  _ text: String, environment: [String: String] = [:], flags: Overrides = Overrides()
) throws -> Configuration {
  try ConfigurationFixture(text).load(environment: environment, flags: flags)
}

/// The faults of a configuration text, as `place` and `problem; remedy`.
func faults(
  of text: Data, environment: [String: String] = [:], flags: Overrides = Overrides()
) throws -> [(place: String, message: String)] {
  let fixture = try ConfigurationFixture(text)
  do {
    _ = try fixture.load(environment: environment, flags: flags)
    return []
  } catch {
    return error.faults.map { fault in
      let place =
        switch fault.place {
        case .file: "file"
        case .byte(let offset, let line, let column): "byte \(offset) \(line):\(column)"
        case .pointer(let pointer): pointer.text.string
        case .variable(let name), .flag(let name): name
        }
      return (place, "\(fault.problem); \(fault.remedy)")
    }
  }
}

func faults(of text: String, environment: [String: String] = [:]) throws -> [(place: String, message: String)]
{
  try faults(of: Data(text.utf8), environment: environment)
}

/// A file with one table, `t`.
func withTable(_ table: String) -> String { "{\"tables\": {\"t\": \(table)}}" }
