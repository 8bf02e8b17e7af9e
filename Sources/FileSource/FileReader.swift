import JSONText
import ListModel
import Sessions

/// Reads pages of files, one after the other, on the thread that owns it.
struct FileReader {
  private var cache: ReadingCache

  /// A reader that remembers readings of at most `cacheBytes` beside the newest.
  init(cacheBytes: Int) {
    cache = ReadingCache(limit: cacheBytes) { (content, key) in
      Result { () throws(UpstreamFailure) in
        try FileItems(of: content, name: Self.name(ofPath: key.path), items: key.items)
      }
    }
  }

  /// Reads the page at `request.place` of the file as it is now.
  ///
  /// Items are counted as they stand in the file, those that are left out included, and a page ends at the table's
  /// `maxItems`. Behind the end of a file that has become shorter lies an empty page, and nothing next.
  mutating func page(_ request: PageRequest) throws(UpstreamFailure) -> Page {
    guard case .file(let file) = request.table.source else {
      throw UpstreamFailure(.error, detail: "the table is not read from a file any more")
    }
    do {
      let items = try cache.items(ReadingCache.Key(path: file.path, items: file.items))
      return try Self.page(request, of: items, id: file.id)
    } catch {
      throw error.inFile(Self.name(ofPath: file.path))
    }
  }

  private static func page(
    _ request: PageRequest, of items: FileItems, id: JSONPointer
  ) throws(UpstreamFailure) -> Page {
    let end = min(items.count, max(request.table.maxItems ?? .max, 0))
    let start = min(max(request.place.read, 0), end)
    let range = start..<(start + min(max(request.table.pageSize, 1), end - start))
    let reader = ItemReader(id: id, look: request.look, rowBytes: request.rowBytes)
    let read = try reader.readPage(range.lazy.map { items[$0] })
    var next = request.place
    next.read = max(next.read, range.upperBound)
    next.pages += 1
    return Page(items: read.items, hasNext: range.upperBound < end, next: next, leftOut: read.leftOut.total)
  }

  /// The last component of a path.
  private static func name(ofPath path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }
}
