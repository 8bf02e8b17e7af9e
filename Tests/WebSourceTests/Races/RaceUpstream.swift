import JSONText
import ListModel
import TestSupport

/// An item of a race: all that tells its versions apart is a name.
struct Entry: Equatable {
  var id: String
  var name: String
}

/// A page as the model takes it.
struct RacePage {
  var entries: [Entry]
  /// Those that were read before.
  var again: [Entry] = []
  var hasNext: Bool
  var next: Place
  /// Whether it names a place that was used before.
  var repeats = false

  /// The page as a source gives it.
  var page: Page {
    Page(
      items: Self.items(entries), hasNext: hasNext, next: next, again: Self.items(again),
      failure: repeats ? UpstreamFailure(.repeats, detail: "round and round") : nil)
  }

  private static func items(_ entries: [Entry]) -> [Item] {
    var storage = ItemStorage()
    for entry in entries {
      storage.add(
        id: Bytes(entry.id), cell: "Cell", data: JSONValue(trusted: Bytes(#"{"name":"\#(entry.name)"}"#)))
    }
    return storage.items()
  }
}

/// The upstream: a list that changes when nobody looks, three at a time.
struct RaceUpstream {
  /// How a page is given.
  enum Manner { case plain, empty, repeating, fromTop }

  private var entries = (0..<10).map { Entry(id: "u\($0)", name: "first \($0)") }
  private var changes = 0

  mutating func change(_ random: inout Seeded) {
    changes += 1
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      if let index = entries.indices.randomElement(using: &random) {
        entries[index].name = "changed \(changes)"
      }
    case 1:
      if entries.count > 3, let index = entries.indices.randomElement(using: &random) {
        entries.remove(at: index)
      }
    default: entries.shuffle(using: &random)
    }
  }

  /// The page at a place.
  func page(at place: Place, _ manner: Manner = .plain) -> RacePage {
    var taken = Array(entries.dropFirst(place.read).prefix(3))
    if manner == .empty { taken = [] }
    let next = Place(read: place.read + taken.count, pages: place.pages + 1)
    let goesOn = manner == .empty || (next.read < entries.count && !taken.isEmpty)
    return RacePage(
      entries: taken, again: manner == .fromTop ? Array(entries.prefix(place.read)) : [],
      hasNext: manner != .repeating && goesOn, next: next, repeats: manner == .repeating)
  }
}
