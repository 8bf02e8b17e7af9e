import Foundation
import Testing
import TestSupport

/// What the documents say is what the server does.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct DocumentationTests {
  @Test(
    "every command of a document gives the answer printed below it",
    arguments: ["README.md", "Documentation/Protocol.md"])
  func commandsAnswerAsPrinted(document: String) async throws {
    let examples = ConsoleExample.all(in: try Repository.text(document))
    #expect(!examples.isEmpty)
    let outputs = try await onThread {
      let server = try RunningServer()
      defer { server.stop() }
      return try Console.run(examples, port: server.port)
    }
    #expect(outputs.count == examples.count, "the shell ended early")
    for (example, output) in zip(examples, outputs) where !example.isAnswered(by: output) {
      Issue.record(
        """
        \(document):\(example.line)
        command:  \(example.command)
        document: \(example.answer.joined(separator: "\n          "))
        server:   \(output)
        """)
    }
  }

  @Test("the README's first two shell blocks start the server and run the tests")
  func firstShellBlocks() throws {
    let blocks = fencedBlocks(of: try Repository.text("README.md"), named: "sh")
    #expect(blocks.prefix(2) == ["Scripts/serve", "Scripts/test"])
  }

  @Test(
    "every link to a file of the repository leads to one",
    arguments: [
      "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "Benchmarks/README.md",
      "Examples/README.md",
      "Documentation/Architecture.md", "Documentation/Protocol.md", "Documentation/Configuration.md",
      "Documentation/Choices.md", "Documentation/Client.md", "Documentation/Following.md",
      "Documentation/Sources.md",
      "Documentation/Decisions/README.md",
    ])
  func linksResolve(document: String) throws {
    let folder = Repository.root.appendingPathComponent(document).deletingLastPathComponent()
    for match in try Repository.text(document).matches(of: /\]\(([^)#:]+)(#[^)]*)?\)/) {
      let target = folder.appendingPathComponent(String(match.1))
      #expect(FileManager.default.fileExists(atPath: target.path), "\(document): \(match.1)")
    }
  }

  @Test("the example renderer keeps up with the server by the ops alone")
  func exampleRenderer() async throws {
    let run = try await onThread {
      let server = try RunningServer()
      defer { server.stop() }
      return try Finished(shell: "Examples/render.sh \(server.url)")
    }
    #expect(run.status == 0, "\(run)")
  }

  private func fencedBlocks(of document: String, named name: String) -> [String] {
    document.components(separatedBy: "\n```\(name)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
  }
}
