import ListModel
import Sessions
import Synchronization
import Threads

/// The source of tables of kind `file`: a JSON text, JSON Lines or CSV on this machine.
///
/// Every page is read from the file as it is then. Files are read and parsed by one thread, so that no event loop
/// waits for a disk, and so that no more than one file is being parsed at a time; sessions share what was parsed. The
/// thread starts with the first page asked for, and ends, when the source is let go, behind the last one.
///
/// The queue to the thread is bounded: where too many pages wait, a further one fails at once as
/// `upstream-unreachable`, and the retry row is shown. A file system that hangs (a lost network share) keeps the
/// pages of other files waiting.
public final class FileSource: PageSource {
  private typealias Job = (
    request: PageRequest, completion: @Sendable (Result<Page, UpstreamFailure>) -> Void
  )

  private let queue: ReadQueue<Job>
  private let cacheBytes: Int
  private let isStarted = Mutex(false)

  /// A source without a thread yet.
  ///
  /// - Parameters:
  ///   - queueLimit: the most pages that may wait, beside those that the thread has taken up.
  ///   - cacheBytes: the memory that readings of files may hold, beside the newest reading.
  public init(queueLimit: Int = 16_384, cacheBytes: Int = 256 << 20) {
    queue = ReadQueue(limit: queueLimit)
    self.cacheBytes = cacheBytes
  }

  deinit { queue.close() }

  /// Reads a page.
  ///
  /// `completion` is called on the reading thread, or on this one where the page is refused at once.
  public func read(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page, UpstreamFailure>) -> Void
  ) {
    guard startIfNeeded() else {
      return completion(.failure(Self.refused("no thread could be started to read files")))
    }
    guard queue.add((request, completion)) else {
      return completion(.failure(Self.refused("too many reads of files are waiting; try again")))
    }
  }

  private static func refused(_ detail: String) -> UpstreamFailure {
    UpstreamFailure(.unreachable, detail: detail)
  }

  /// Starts the reading thread once; false where the system has none to give, and then the next page tries again.
  private func startIfNeeded() -> Bool {
    isStarted.withLock { isStarted in
      if !isStarted {
        let thread = try? Thread.start("files") { [queue, cacheBytes] in
          var reader = FileReader(cacheBytes: cacheBytes)
          while let jobs = queue.takeAll() {
            for job in jobs {
              job.completion(Result { () throws(UpstreamFailure) in try reader.page(job.request) })
            }
          }
        }
        thread?.detach()
        isStarted = thread != nil
      }
      return isStarted
    }
  }
}
