import Testing
import TestSupport

/// The reader of the documents' console blocks, which other tests trust.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct ConsoleTests {
  static let document = """
    Text, and `$ not a command`.

    ```sh
    $ not one either
    ```

    ```console
    $ S=1; printf '%s\\n' "first $S"
    first 1
    $ printf '%s ' a \\
      b
    a b …
    ```

    Between them anything.

    ```console
    $ printf 'x\\ny\\nz\\n'
    x
    …
    z
    $ printf "$S"
    ```
    """

  @Test("commands are those of console blocks, with their lines and answers")
  func readsCommands() {
    let examples = ConsoleExample.all(in: Self.document)
    #expect(examples.map(\.line) == [8, 10, 18, 22])
    #expect(examples.map(\.command.first) == ["S", "p", "p", "p"])
    #expect(examples.map(\.answer) == [["first 1"], ["a b …"], ["x", "…", "z"], []])
  }

  @Test("one shell runs them all, and its outputs are told apart")
  func runsCommands() async throws {
    let examples = ConsoleExample.all(in: Self.document)
    let outputs = try await onThread { try Console.run(examples, port: 1) }
    #expect(outputs == ["first 1\n", "a b ", "x\ny\nz\n", "1"])
    #expect(zip(examples, outputs).map { $0.isAnswered(by: $1) } == [true, true, true, false])
  }

  @Test(
    "an ellipsis stands for anything within its line",
    arguments: [
      ("{\"a\":…}", "{\"a\":1}", true), ("{\"a\":…}", "{\"b\":1}", false), ("…b…", "abc", true),
      ("…", "", true),
      ("a…a", "a", false), ("a…b…c", "a1b2c", true), ("a…b…c", "ac", false), ("abc", "abc", true),
      ("abc", "abcd", false), ("a…", "a\nb", false),
    ])
  func matchesEllipses(answer: String, output: String, matches: Bool) {
    let example = ConsoleExample(line: 1, command: "", answer: [answer])
    #expect(example.isAnswered(by: output) == matches)
  }
}
