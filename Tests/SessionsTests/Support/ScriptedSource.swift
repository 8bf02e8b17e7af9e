import JSONText
import ListModel
import Sessions
import Synchronization

/// A source whose pages come when the test releases them, or at once from a script.
final class ScriptedSource: PageSource {
  typealias Completion = @Sendable (Result<Page, UpstreamFailure>) -> Void

  private struct State {
    var requests: [PageRequest] = []
    var held: [Completion] = []
    var script: (@Sendable (PageRequest) -> Result<Page, UpstreamFailure>)?
  }

  private let state = Mutex(State())

  /// What it was asked for, in order.
  var requests: [PageRequest] { state.withLock { $0.requests } }

  /// How many requests wait.
  var heldCount: Int { state.withLock { $0.held.count } }

  /// From now on answers within the call.
  func answer(_ script: @escaping @Sendable (PageRequest) -> Result<Page, UpstreamFailure>) {
    state.withLock { $0.script = script }
  }

  func read(_ request: PageRequest, completion: @escaping Completion) {
    let script = state.withLock { state in
      state.requests.append(request)
      if state.script == nil { state.held.append(completion) }
      return state.script
    }
    if let script { completion(script(request)) }
  }

  /// Answers the request that waits longest, or the one behind so many others.
  func release(_ result: Result<Page, UpstreamFailure>, behind others: Int = 0) {
    state.withLock { $0.held.remove(at: others) }(result)
  }

  /// Answers the request that waits longest with a page of these ids.
  func release(ids: [String], hasNext: Bool = false, behind others: Int = 0) {
    let place = requests.last?.place ?? .top
    release(.success(.of(ids, after: place, hasNext: hasNext)), behind: others)
  }
}

extension Page {
  /// A page of items with these ids.
  static func of(_ ids: [String], after place: Place = .top, hasNext: Bool = false) -> Page {
    var storage = ItemStorage()
    for id in ids { storage.add(id: Bytes(id), cell: "Cell", data: JSONValue(trusted: "{}")) }
    return Page(
      items: storage.items(), hasNext: hasNext,
      next: Place(read: place.read + ids.count, pages: place.pages + 1))
  }
}
