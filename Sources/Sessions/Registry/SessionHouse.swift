import JSONText
import ListModel
import Synchronization

/// What all sessions share: the tables as the configuration has them now, sources, limits, the world.
final class SessionHouse: Sendable {
  let world: World
  let limits: SessionLimits
  let observer: any SessionObserver
  let encoding: FeedEncoding
  /// Where sessions are kept; nil: in memory alone.
  let keeping: Keeping?
  /// How sessions that nobody uses are made small; nil: they are not.
  let packing: Packing?
  let resident = ResidentBytes()
  private let sources: SourceProvider
  /// Looks that sessions have and the configuration has not any more, by their texts.
  private let oldLooks = Mutex<[Bytes: ListRules]>([:])
  private let finding = Mutex<Finding?>(nil)
  private let tables: Mutex<Tables>

  private struct Tables {
    var catalog: TableCatalog
    /// The places that sessions look at; one for each table that there is, was, or may come.
    var slots: [Bytes: TableSlot] = [:]

    init(_ catalog: TableCatalog) {
      self.catalog = catalog
      fill()
    }

    mutating func fill() {
      for (name, slot) in slots { slot.entry = catalog.entry(name) }
      for name in catalog.names where slots[name] == nil { slots[name] = TableSlot(catalog.entry(name)) }
    }
  }

  init(
    tables: TableCatalog, sources: @escaping SourceProvider, limits: SessionLimits, encoding: FeedEncoding,
    observer: any SessionObserver, world: World, keeping: Keeping? = nil,
    packing: Packing? = nil
  ) {
    self.keeping = keeping
    self.packing = packing
    self.encoding = encoding
    self.tables = Mutex(Tables(tables))
    self.sources = sources
    self.limits = limits
    self.observer = observer
    self.world = world
  }

  var catalog: TableCatalog {
    get { tables.withLock { $0.catalog } }
    set {
      tables.withLock { tables in
        tables.catalog = newValue
        tables.fill()
      }
    }
  }

  /// Where a session of this table finds it as the configuration has it at the time.
  func slot(ofTable name: Bytes) -> TableSlot {
    tables.withLock { tables in
      if let slot = tables.slots[name] { return slot }
      let slot = TableSlot(tables.catalog.entry(name))
      tables.slots[name] = slot
      return slot
    }
  }

  /// How many seconds sessions of each table may go unused, of those that are gone from the configuration too; without
  /// those of which sessions never end.
  var idleSeconds: [Bytes: Int] {
    tables.withLock { $0.slots.mapValues(\.idleSeconds).filter { $0.value > 0 } }
  }

  /// Takes in what was known of tables, some of which may be gone from the configuration.
  func learn(idleSeconds: [Bytes: Int]) {
    tables.withLock { tables in
      for (name, seconds) in idleSeconds where tables.slots[name] == nil {
        tables.slots[name] = TableSlot(nil, idleSeconds: seconds)
      }
    }
  }

  /// The context of a table's commands.
  ///
  /// A table that is gone from the configuration (nil) reads like one whose rows come from elsewhere: its sessions
  /// can be edited, and a fetch fails.
  func context(of table: TableCatalog.Entry?) -> ListContext {
    ListContext(
      isClient: table?.isClient ?? false, itemsPerSession: limits.itemsPerSession, rowBytes: limits.rowBytes,
      params: table?.params ?? [])
  }

  // MARK: Sessions

  /// Finds sessions by their ids, wherever they are.
  typealias Finder = @Sendable (Bytes, @escaping FoundSession) -> Void

  /// In a struct, for a closure that is a generic's own value is wrapped once more at every access: the wrappers of many
  /// accesses would fill memory, and calling through them the stack.
  private struct Finding {
    let find: Finder
  }

  /// Says who finds sessions; to be called once, before there are any.
  func find(with finder: @escaping Finder) {
    finding.withLock { $0 = Finding(find: finder) }
  }

  /// The object that stands for a session now, for those who hold one that does not any more.
  func resume(_ id: Bytes, _ found: @escaping FoundSession) {
    guard let finding = finding.withLock({ $0 }) else { return found(.failure(.unknown)) }
    finding.find(id, found)
  }

  /// The rules of a look that a session has kept, shared by all that have the same; nil where the text is none.
  func rules(look text: Bytes, ofTable name: Bytes) -> ListRules? {
    guard let coding = keeping?.coding else { return nil }
    if let entry = slot(ofTable: name).entry, coding.look(entry.rules.look) == text { return entry.rules }
    if let rules = oldLooks.withLock({ $0[text] }) { return rules }
    guard let look = coding.readLook(text) else { return nil }
    let rules = ListRules(look: look)
    oldLooks.withLock { $0[text.compacted()] = rules }
    return rules
  }

  func source(of table: TableCatalog.Entry?) -> (TableDefinition, any PageSource)? {
    guard let table, let source = sources(table.definition) else { return nil }
    return (table.definition, source)
  }
}

/// A store, and how what it keeps is told as text.
struct Keeping: Sendable {
  let store: any ChangeStore
  let coding: StoreCoding
}

/// How a session comes that was asked for: once, from any thread.
public typealias FoundSession = @Sendable (Result<Session, SessionFailure>) -> Void

/// A table as the configuration has it now, to be looked at without looking it up.
final class TableSlot: Sendable {
  private let current: Mutex<(entry: TableCatalog.Entry?, idleSeconds: Int)>

  /// - Parameter idleSeconds: of a table that the configuration had once.
  init(_ entry: TableCatalog.Entry?, idleSeconds: Int = 0) {
    current = Mutex((entry, entry?.idleSeconds ?? idleSeconds))
  }

  /// The table; nil while the configuration has none of its name.
  var entry: TableCatalog.Entry? {
    get { current.withLock { $0.entry } }
    set { current.withLock { $0 = (newValue, newValue?.idleSeconds ?? $0.idleSeconds) } }
  }

  /// How many seconds a session may go unused, 0 for ever; of a table that is gone the last one stands.
  var idleSeconds: Int { current.withLock { $0.idleSeconds } }

  /// The same in milliseconds; nil for ever.
  var idleTime: Int? {
    let seconds = idleSeconds
    return seconds > 0 ? 0.adding(seconds: seconds) : nil
  }
}

/// Gives the source that reads a table's pages; nil for tables whose rows come from clients.
public typealias SourceProvider = @Sendable (TableDefinition) -> (any PageSource)?

/// The limits of configuration.md that sessions keep.
public struct SessionLimits: Sendable {
  /// The most sessions at a time.
  public var sessions = 100_000
  /// The most items that a session holds.
  public var itemsPerSession = 100_000
  /// The most bytes of a row's minified data.
  public var rowBytes = 65_536
  /// The most open streams of a session.
  public var subscribersPerSession = 10_000
  /// How many changes a session keeps.
  public var keptChanges = 1000
  /// How many bytes of changes a session keeps.
  public var keptBytes = 8_388_608
  /// About how many bytes of memory sessions may take that a store keeps.
  public var residentBytes = 268_435_456

  /// The defaults.
  public init() {}
}

/// The tables of one configuration.
public struct TableCatalog: Sendable {
  /// A table, the rules made from its look, and what every command asks for.
  final class Entry: Sendable {
    let definition: TableDefinition
    let rules: ListRules
    let isClient: Bool
    let params: [ParameterDefinition]
    let idleSeconds: Int

    init(_ definition: TableDefinition) {
      self.definition = definition
      rules = ListRules(look: definition.look)
      params = definition.params
      idleSeconds = definition.idleSeconds
      if case .client = definition.source { isClient = true } else { isClient = false }
    }
  }

  private let entries: [Bytes: Entry]
  /// The tables' names, in the order of the configuration.
  public let names: [Bytes]

  /// A catalog of these tables.
  public init(_ tables: [TableDefinition]) {
    names = tables.map(\.name)
    var entries: [Bytes: Entry] = [:]
    for table in tables { entries[table.name] = Entry(table) }
    self.entries = entries
  }

  func entry(_ name: Bytes) -> Entry? { entries[name] }

  /// A table by its name.
  public func definition(_ name: Bytes) -> TableDefinition? { entries[name]?.definition }
}
