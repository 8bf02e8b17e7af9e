import ListModel
import Sessions
import Synchronization

/// A source whose pages come when the race says so.
final class HeldSource: PageSource {
  struct Held: Sendable {
    let request: PageRequest
    let completion: @Sendable (Result<Page, UpstreamFailure>) -> Void
  }

  private let all = Mutex<[Held]>([])

  var held: [Held] { all.withLock { $0 } }

  func read(_ request: PageRequest, completion: @escaping @Sendable (Result<Page, UpstreamFailure>) -> Void) {
    all.withLock { $0.append(Held(request: request, completion: completion)) }
  }

  func take(_ index: Int) -> Held { all.withLock { $0.remove(at: index) } }
}
