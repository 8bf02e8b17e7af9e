import JSONText

extension ItemReader {
  /// The most bytes of rows in one storage, far below what offsets of 32 bits reach.
  private static let storageBytes = 1 << 30

  /// Reads the raw items of a page, in order, into items that share their storage: O(size of the raw items).
  ///
  /// - Throws: `upstream-malformed` where no item of a page that is not empty has an id: then it is the pointer, or
  ///   the whole answer, that is wrong, not an item.
  public func readPage(_ raws: some Sequence<JSONValue>) throws(UpstreamFailure) -> ReadItems {
    var page = ReadItems()
    var storage = ItemStorage()
    var stored = 0
    var seen = 0
    for raw in raws {
      seen += 1
      do throws(LeftOutReason) {
        let (id, cell, data) = try read(raw)
        let size = data.text.count + 6 * (id.count + cell.count)
        if stored > 0, size > Self.storageBytes - stored {
          page.items += storage.items()
          storage = ItemStorage()
          stored = 0
        }
        storage.add(id: id, cell: cell, data: data)
        stored += size
      } catch {
        page.leftOut.count(error)
      }
    }
    if seen > 0, page.leftOut.noUsableID == seen {
      throw UpstreamFailure(
        .malformed,
        detail: "none of the \(seen) items of the page has a usable id "
          + "(a string of 1–\(Item.maximumIDLength) bytes, or an integer) at \"\(id.text)\"")
    }
    page.items += storage.items()
    return page
  }
}

/// The raw items of one page, read.
public struct ReadItems: Sendable {
  /// The items that fit, in the upstream's order; an id may come twice.
  public var items: [Item] = []
  /// How many were left out, and why.
  public var leftOut = LeftOutCounts()
}

/// How many items were left out, by reason.
public struct LeftOutCounts: Sendable, Equatable {
  /// Items without a usable id.
  public private(set) var noUsableID = 0
  /// Items whose data is over the limit.
  public private(set) var tooLarge = 0
  /// Items off their cell's requirements.
  public private(set) var offRequired = 0

  /// All of them.
  public var total: Int { noUsableID + tooLarge + offRequired }

  mutating func count(_ reason: LeftOutReason) {
    switch reason {
    case .noUsableID: noUsableID += 1
    case .tooLarge: tooLarge += 1
    case .offRequired: offRequired += 1
    }
  }
}
