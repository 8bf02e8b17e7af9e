import CZstd
import Synchronization

/// Texts packed by Zstandard (RFC 8878), on its fast level 1: the rows of a table have much in common.
public final class ZstdPacking: Sendable {
  private let packer = Mutex(Packer())
  private let unpacker = Mutex(Unpacker())

  /// A packing with working memory of its own, some 250 KB once it is used.
  public init() {}

  /// A frame that holds the text; nil where there is no memory for the work; O(n).
  public func pack(_ text: [UInt8]) -> [UInt8]? { packer.withLock { $0.pack(text) } }

  /// The text of a frame; nil where the bytes are none; O(n).
  public func unpack(_ frame: [UInt8]) -> [UInt8]? { unpacker.withLock { $0.unpack(frame) } }
}

/// A compression context: one owner, which frees it.
private struct Packer: ~Copyable {
  private let context = ZSTD_createCCtx()

  deinit { ZSTD_freeCCtx(context) }

  func pack(_ text: [UInt8]) -> [UInt8]? {
    guard let context else { return nil }
    let bound = ZSTD_compressBound(text.count)
    // In two steps, for what is kept is to be no larger than it is.
    return withUnsafeTemporaryAllocation(byteCount: bound, alignment: 1) { scratch -> [UInt8]? in
      let size = ZSTD_compressCCtx(context, scratch.baseAddress, bound, text, text.count, 1)
      return ZSTD_isError(size) == 0 ? [UInt8](scratch[..<size]) : nil
    }
  }
}

/// A decompression context: one owner, which frees it.
private struct Unpacker: ~Copyable {
  private let context = ZSTD_createDCtx()

  deinit { ZSTD_freeDCtx(context) }

  func unpack(_ frame: [UInt8]) -> [UInt8]? {
    guard let context else { return nil }
    // «Unknown» and «error» are the highest of all numbers.
    let size = ZSTD_getFrameContentSize(frame, frame.count)
    guard size <= Self.sizeAtMost else { return nil }
    var isWhole = false
    let text = [UInt8](unsafeUninitializedCapacity: Int(size)) { target, count in
      let got = ZSTD_decompressDCtx(context, target.baseAddress, Int(size), frame, frame.count)
      isWhole = ZSTD_isError(got) == 0 && got == Int(size)
      count = isWhole ? got : 0
    }
    return isWhole ? text : nil
  }

  /// Bytes; a damaged frame must not ask for all memory.
  private static let sizeAtMost: UInt64 = 1 << 30
}
