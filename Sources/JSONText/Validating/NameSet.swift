/// The member names of all objects that are open, to notice a name that comes twice in one of them.
///
/// Names are kept on one stack as places in the text, an object's names above those of the object around it. Most
/// objects have few members: their names are compared one by one. The names of an object with many members, or
/// with an escape in one of its names, go into a hash table that all such objects share. Inserting a name is
/// O(its length), amortised, whatever the number of members.
struct NameSet: ~Copyable {
  /// How many names are compared one by one.
  private static let fewNames = 16

  struct Name {
    let start: UInt32
    let end: UInt32
    let isEscaped: Bool
    /// The hash where the object is hashed; else the first bytes and the length, which tell most names apart.
    var mark: UInt64

    @inline(__always)
    var range: Range<Int> { Int(start)..<Int(end) }
  }

  struct Object {
    let firstName: Int
    var isHashed = false
  }

  /// Below the first name of an object lies what was `current` around it, as if it were a name.
  private var names = RawStack<Name>(capacity: 32)
  private var current = Object(firstName: 0)
  private var table = SlotTable()

  /// The names that follow belong to a new object inside the current one.
  @inline(__always)
  mutating func openObject() {
    names.push(
      Name(
        start: UInt32(truncatingIfNeeded: current.firstName), end: 0, isEscaped: current.isHashed, mark: 0))
    current = Object(firstName: names.count)
  }

  /// The current object has ended.
  @inline(__always)
  mutating func closeObject() {
    if current.isHashed { removeHashed() }
    names.shrink(to: current.firstName)
    let around = names.pop()
    current = Object(firstName: Int(around.start), isHashed: around.isEscaped)
  }

  /// Adds a name of the current object, by the place of its contents; false where it has that name already.
  @inline(__always)
  mutating func insert(_ range: Range<Int>, isEscaped: Bool, of base: UnsafePointer<UInt8>) -> Bool {
    var name = Name(
      start: UInt32(truncatingIfNeeded: range.lowerBound), end: UInt32(truncatingIfNeeded: range.upperBound),
      isEscaped: isEscaped, mark: 0)
    if current.isHashed || isEscaped || names.count &- current.firstName >= Self.fewNames {
      return insertHashed(name, of: base)
    }
    name.mark = Self.beginning(of: range, base)
    for index in current.firstName..<names.count where names[index].mark == name.mark {
      if Self.rawBytes(names[index], of: base).hasSameBytes(as: Self.rawBytes(name, of: base)) {
        return false
      }
    }
    names.push(name)
    return true
  }

  /// Bytes of the first seven and the length's lowest byte; of a short name bytes that come twice.
  @inline(__always)
  private static func beginning(of range: Range<Int>, _ base: UnsafePointer<UInt8>) -> UInt64 {
    let name = UnsafeRawPointer(base + range.lowerBound)
    let count = range.count
    var mark: UInt64 = 0
    if count >= 8 {
      mark = name.loadUnaligned(as: UInt64.self).littleEndian & 0x00FF_FFFF_FFFF_FFFF
    } else if count >= 4 {
      let last = name.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self).littleEndian
      mark = UInt64(name.loadUnaligned(as: UInt32.self).littleEndian) | UInt64(last) << 24
    } else if count > 0 {
      mark =
        UInt64(base[range.lowerBound]) | UInt64(base[range.lowerBound &+ count / 2]) << 8
        | UInt64(base[range.upperBound &- 1]) << 16
    }
    return mark | UInt64(truncatingIfNeeded: count) << 56
  }

  @inline(__always)
  private static func rawBytes(_ name: Name, of base: UnsafePointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + name.range.lowerBound, count: name.range.count)
  }
}

// MARK: - Objects with many members

extension NameSet {
  private mutating func insertHashed(_ name: Name, of base: UnsafePointer<UInt8>) -> Bool {
    if !current.isHashed {
      current.isHashed = true
      for index in current.firstName..<names.count {
        names[index].mark = hash(names[index], of: base)
        table.insert(index, hash: names[index].mark)
      }
    }
    var name = name
    name.mark = hash(name, of: base)
    let firstName = current.firstName
    let known = table.index(hash: name.mark) { index in
      index >= firstName
        && Self.withContents(names[index], of: base) { known in
          Self.withContents(name, of: base) { $0.hasSameBytes(as: known) }
        }
    }
    guard known == nil else { return false }
    table.insert(names.count, hash: name.mark)
    names.push(name)
    return true
  }

  @inline(never)
  private mutating func removeHashed() {
    for index in current.firstName..<names.count { table.remove(index, hash: names[index].mark) }
  }

  /// The hash differs from object to object, so that equal names of nested objects do not crowd together.
  private func hash(_ name: Name, of base: UnsafePointer<UInt8>) -> UInt64 {
    let hash = Self.withContents(name, of: base) { KeyedHash.ofProcess.hash($0, salt: 0) }
    return KeyedHash.ofProcess.mix(hash, UInt64(truncatingIfNeeded: current.firstName))
  }

  @inline(__always)
  private static func withContents<R>(
    _ name: Name, of base: UnsafePointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> R
  ) -> R {
    let raw = rawBytes(name, of: base)
    guard name.isEscaped else { return body(raw) }
    return JSONEscapes.unescaped(raw).withUnsafeBufferPointer(body)
  }
}
