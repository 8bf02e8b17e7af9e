import Foundation
import PackagePlugin

/// Puts the files of a target's `Resources` folder into its code, as `EmbeddedResources`.
///
/// SwiftPM's own `.embedInCode` makes an array literal of each file, whose compilation takes half a minute for the
/// browser client; this makes string literals, which cost nothing.
@main struct EmbedResources: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let folder = target.directoryURL.appending(path: "Resources")
    let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
      .filter { ["html", "js", "css", "svg"].contains($0.pathExtension) }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
    let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedResources.swift")
    return [
      .buildCommand(
        displayName: "Embedding the resources of \(target.name)",
        executable: try context.tool(named: "ResourceEmbedder").url,
        arguments: [output.path(percentEncoded: false)] + files.map { $0.path(percentEncoded: false) },
        inputFiles: files,
        outputFiles: [output])
    ]
  }
}
