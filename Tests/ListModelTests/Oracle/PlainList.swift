/// The second model: the list of protocol §2, §3 and §7 written down a second time, as plainly as it can be.
///
/// Everything is an array that is searched from its beginning, every command works on a copy, and what a change is
/// comes from comparing the list before with the list after. It shares no code with `ListModel` or `ListDiff`; the
/// sentences in quotation marks are the protocol's.
struct PlainList {
  struct Item {
    var id: Text
    var cell: Text
    var data: PlainJSON
  }

  /// The state as it was entered.
  enum Entered: Equatable {
    /// The server moves between the four built-in states.
    case byItself
    /// `loading` or `error`, by `transition`.
    case forced(Text)
    case custom(Text, PlainJSON)
  }

  struct Place: Equatable {
    var read = 0
    var pages = 0
    var token: Text?
  }

  enum Extent: Equatable { case first, loaded, through(Text) }

  /// What a fetch reads, and how far it has come.
  struct Reading {
    var kind: Text
    var place: Place
    var extent = Extent.first
    /// The most pages that it reads from the top.
    var pages = 1
    var collected: [Item] = []
    var emptyPages = 0
  }

  struct Fetch {
    var reading: Reading
    var cause: Text
    /// "The revision of the change that started it (…, that of the one it voids)".
    var name = 0
    /// The revision of the change that started it, where there was one.
    var start: Int?
    var inserted: Set<Text> = []
    var deleted: Set<Text> = []
    var updated: Set<Text> = []

    mutating func noteInserted(_ id: Text) {
      deleted.remove(id)
      updated.remove(id)
      inserted.insert(id)
    }

    mutating func noteDeleted(_ id: Text) {
      inserted.remove(id)
      updated.remove(id)
      deleted.insert(id)
    }

    mutating func noteUpdated(_ id: Text) {
      if !inserted.contains(id) { updated.insert(id) }
    }
  }

  let table: PlainTable
  var revision: Int
  var params: PlainJSON
  var items: [Item] = []
  var entered = Entered.byItself
  /// "A load has completed, items have been given or `populated`/`empty` was entered".
  var hasBegun = false
  /// "A load, refresh or `replace` completed, no immediate refresh since".
  var isLoaded = false
  var hasNext = false
  var error: PlainJSON?
  /// What `retry` does again.
  var failed: Reading?
  var fetch: Fetch?
  var selected: Text?
  var place = Place()
  /// "As many pages as were loaded before any blanking".
  var loadedPages = 0

  init(table: PlainTable, revision: Int, params: PlainJSON) {
    self.table = table
    self.revision = revision
    self.params = params
    if table.states[table.initialState] != nil { entered = .custom(table.initialState, .null) }
  }

  func index(of id: Text) -> Int? { items.firstIndex { $0.id == id } }
}

/// A command that is refused: the problem, and the pointer into the body where a member is wrong.
struct PlainRefusal: Error, Equatable, CustomStringConvertible {
  var code: String
  var pointer: String?

  init(_ code: String, _ pointer: String? = nil) {
    self.code = code
    self.pointer = pointer
  }

  var description: String { "\(code) at \(pointer ?? "no place")" }
}
