import ListModel
import Testing

/// Protocol §7 for a table with source `client`: rows come in commands.
@Suite("Fetches that clients answer")
struct DeliveryTests {
  static let outcomes: [(given: [String], step: String, sight: String)] = [
    // Nothing started: one change.
    ([], "give a +", "populated: a [more]"), ([], "give", "empty: [empty]"),
    (["give a"], "give b a=2", "populated: a=2 b [hidden]"),
    (["give a"], "give-more b", "populated: a b [hidden]"),
    (["give a"], "give-refresh b", "populated: b [hidden]"),
    (["load", "fail"], "give-retry a", "populated: a [hidden]"),
    // Awaited: completed.
    (["load"], "give a +", "populated: a [more]"), (["refresh"], "give a", "populated: a [hidden]"),
    (["give a b", "refresh"], "give c", "populated: c [hidden]"),
    (["give a b", "refresh"], "give-refresh c", "populated: c [hidden]"),
    (["give a +", "load-more"], "give-more b +", "populated: a b [more]"),
    (["load", "fail", "retry"], "give-retry a", "populated: a [hidden]"),
    (["load", "fail", "retry"], "give a", "populated: a [hidden]"),
    // Overtaken, or left awaited.
    (["load"], "give-refresh a", "populated: a [hidden]"),
    (["give a +", "load-more"], "give-refresh b", "populated: b [hidden]"),
    (["give a +", "load-more"], "give b +", "populated: a b [loading-more] (load-more)"),
    (["give a b", "refresh"], "replace c", "populated: c [hidden]"),
    // Refused.
    (["load"], "give-more a", "busy"), (["load"], "give-retry a", "nothing-to-retry"),
    ([], "give-retry a", "nothing-to-retry"),
    ([], "fail", "nothing-awaited"), (["load", "fail"], "fail", "nothing-awaited"),
    // Failed.
    (["load"], "fail", "error: [error]"), (["give a", "refresh"], "fail", "populated: a [retry]"),
    (["give a +", "load-more"], "fail", "populated: a [retry]"), (["load"], "fails", "error: [error]"),
  ]

  @Test("are started, joined, completed, failed", arguments: outcomes)
  func outcome(given: [String], step: String, sight: String) throws {
    var list = try TestList(PlainTable(initialState: "empty", isClient: true), after: given)
    #expect((list.refusal(of: step) ?? list.sight) == sight)
  }

  @Test("An end has the cause of the command that made it")
  func causes() throws {
    var list = TestList(PlainTable(isClient: true))
    try list.take("refresh")
    #expect(try list.take("give a")?["cause"] == .string("load"))
    try list.take("load-more")
    try list.take("refresh")
    #expect(try list.take("fail")?["cause"] == .string("fail"))
    try list.take("retry")
    #expect(try list.take("fails")?["cause"] == .string("retry"), "its time limit has the cause of the start")
  }

  @Test("fail says why in its own words")
  func fail() throws {
    var list = try TestList(
      PlainTable(isClient: true), after: ["load", #"fail {"title":"No \"net\"","detail":"D"}"#])
    #expect(
      list["error"]
        == .object([
          "type": .string("/problems/upstream-error"), "title": .string("No \"net\""),
          "status": .number("502"),
          "detail": .string("D"), "during": .string("load"),
        ]))
    try list.take("load")
    #expect(list["error"] == .null)
  }

  @Test("fetch names the change that started what is awaited", arguments: ["load", "refresh", "fail"])
  func name(command: String) throws {
    func body(_ name: Int) -> String {
      command == "fail" ? "{\"fetch\":\(name)}" : "{\"rows\":[],\"fetch\":\(name)}"
    }
    var list = TestList(PlainTable(isClient: true), revision: 40)
    try list.take("refresh")
    for other in [40, 42, -1, 0] {
      #expect(list.refusal(of: command + body(other)) == "nothing-awaited /fetch")
    }
    // A second refresh that shows nothing goes by the name of the one it makes void; one that shows has its own.
    #expect(try list.take("refresh") == nil)
    #expect(try list.take("insert a") != nil)
    #expect(try list.take(#"refresh {"immediately":true}"#)?["revision"] == .number("43"))
    #expect(list.refusal(of: command + body(41)) == "nothing-awaited /fetch")
    #expect(list.refusal(of: command + body(43)) == nil)
    #expect(list.refusal(of: command + body(43)) == "nothing-awaited /fetch")
  }

  @Test("A load's rows are edits to a load-more that is still awaited")
  func loadBesideLoadMore() throws {
    var list = try TestList(PlainTable(isClient: true), after: ["give a b +", "load-more", "give b=2 c +"])
    try list.take("give-more b=3 c=3 d")
    #expect(list.sight == "populated: a b=2 c d [hidden]")
  }

  @Test("What a client gives stays as it was given, and an id twice in it is one row")
  func duplicates() throws {
    let list = try TestList(PlainTable(isClient: true), after: ["give a=1.0 b a=2"])
    #expect(list.sight == "populated: a=1.0 b [hidden]")
  }
}
