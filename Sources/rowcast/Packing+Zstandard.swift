import Sessions
import Threads
import ZstdPacking

extension Packing {
  /// Zstandard, on a thread of its own for each job.
  static var zstandard: Packing {
    let packing = ZstdPacking()
    return Packing(
      pack: { packing.pack($0) }, unpack: { packing.unpack($0) },
      run: { job in
        do throws(ThreadFailure) {
          try Thread.start("pack", job).detach()
        } catch {
          // Where there can be no thread, it holds up the one that asks.
          job()
        }
      })
  }
}
