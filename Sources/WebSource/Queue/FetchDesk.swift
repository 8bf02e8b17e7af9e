import EventLoop
import JSONText
import ListModel
import Sessions

/// Runs fetches, no more than the limit at a time, and gives those up that nobody wants any more.
///
/// It lives on the web loop's thread alone.
final class FetchDesk {
  /// A page that is wanted, and who wants it.
  struct Job {
    let request: PageRequest
    let completion: @Sendable (Result<Page, UpstreamFailure>) -> Void
    /// The list, or a number below 0 for a page that is for none.
    let list: Int
  }

  private let tools: FetchTools
  private var queue: FetchQueue<Job>
  private var running: [Int: (fetch: WebFetch, job: Job)] = [:]
  private var anonymous = 0

  init(_ tools: FetchTools, limit: Int) {
    self.tools = tools
    queue = FetchQueue(limit: limit)
  }

  /// Takes a request up, at once or in its turn.
  ///
  /// A list reads for its newest fetch only: an earlier one that waits or runs is given up, and told so.
  func take(_ request: PageRequest, _ completion: @escaping @Sendable (Result<Page, UpstreamFailure>) -> Void)
  {
    if request.line == nil { anonymous -= 1 }
    let job = Job(request: request, completion: completion, list: request.line?.list ?? anonymous)
    if let line = request.line {
      let others = [running[line.list]?.job, queue.job(of: line.list)].compactMap {
        $0?.request.line?.generation
      }
      if others.contains(where: { $0 > line.generation }) { return completion(.failure(Self.overtaken)) }
    }
    if let replaced = queue.add(job, table: request.table.name, list: job.list) {
      replaced.completion(.failure(Self.overtaken))
    }
    if let (fetch, earlier) = running.removeValue(forKey: job.list) {
      fetch.cancel()
      queue.end(table: earlier.request.table.name)
      earlier.completion(.failure(Self.overtaken))
    }
    startWaiting()
  }

  /// Gives everything up: the source is going.
  func close() {
    let jobs = queue.takeAll() + running.values.map(\.job)
    for (fetch, _) in running.values { fetch.cancel() }
    running = [:]
    for job in jobs {
      job.completion(.failure(UpstreamFailure(.interrupted, detail: "the server is going down")))
    }
  }

  private func startWaiting() {
    while let job = queue.next() {
      let fetch = WebFetch(job.request, tools) { [weak self] result in
        self?.end(job)
        job.completion(result)
      }
      running[job.list] = (fetch, job)
      fetch.start()
    }
  }

  private func end(_ job: Job) {
    guard running.removeValue(forKey: job.list) != nil else { return }
    queue.end(table: job.request.table.name)
    startWaiting()
  }

  private static let overtaken = UpstreamFailure(
    .interrupted, detail: "a later fetch of the list has overtaken this one")
}
