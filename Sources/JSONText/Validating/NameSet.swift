/// The member names of all objects that are open, to notice a name that comes twice in one of them.
///
/// Names are kept on one stack as places in the text, an object's names above those of the object around it. Most
/// objects have few members: their names are compared one by one. An object with many members, or with an escaped
/// name, is hashed into a table that all such objects share. Objects close in the reverse order of opening, so
/// the names taken out of the table are always those put in last, and taking them out leaves it as it was before.
///
/// The hash is the standard library's, seeded per process; a text cannot be made to collide. Inserting is O(the
/// name's length), amortised, whatever the number of members.
struct NameSet {
  /// From how many members on an object is hashed.
  private static let fewNames = 12

  private struct Name {
    let start: UInt32
    let end: UInt32
    let isEscaped: Bool
    var isHashed = false
    /// Once hashed, the hash; before, the first bytes and the length, which tell most names apart.
    var mark: UInt64

    var range: Range<Int> { Int(start)..<Int(end) }
  }

  private struct Object {
    let firstName: Int
    var isHashed = false
  }

  private var names: [Name] = []
  private var objects: [Object] = []
  private var current = Object(firstName: 0)

  /// Open addressing with linear probing: an index into `names` plus 1, or 0 for a free slot.
  private var table: [UInt32] = []
  private var hashedCount = 0

  init() {
    names.reserveCapacity(32)
    objects.reserveCapacity(16)
  }

  /// The names that follow belong to a new object inside the current one.
  @inline(__always)
  mutating func openObject() {
    objects.append(current)
    current = Object(firstName: names.count)
  }

  /// The current object has ended.
  @inline(__always)
  mutating func closeObject() {
    if current.isHashed { removeCurrentFromTable() }
    names.removeLast(names.count &- current.firstName)
    current = objects.removeLast()
  }

  /// Adds a name of the current object, given by the place of its contents; false where it has that name already.
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
      if range.count <= 7 || NameSet.haveSameBytes(names[index].range, range, base) { return false }
    }
    names.append(name)
    return true
  }

  /// The first seven bytes and the length's lowest byte; for names up to seven bytes, all that there is.
  @inline(__always)
  private static func beginning(of range: Range<Int>, _ base: UnsafePointer<UInt8>) -> UInt64 {
    var mark = UInt64(truncatingIfNeeded: range.count) & 0xFF
    for index in 0..<min(range.count, 7) {
      mark = mark << 8 | UInt64(base[range.lowerBound &+ index])
    }
    return mark
  }

  @inline(__always)
  private static func haveSameBytes(_ a: Range<Int>, _ b: Range<Int>, _ base: UnsafePointer<UInt8>) -> Bool {
    UnsafeBufferPointer(start: base + a.lowerBound, count: a.count)
      .hasSameBytes(as: UnsafeBufferPointer(start: base + b.lowerBound, count: b.count))
  }
}

// MARK: - Objects with many members

extension NameSet {
  private mutating func insertHashed(_ name: Name, of base: UnsafePointer<UInt8>) -> Bool {
    if !current.isHashed {
      current.isHashed = true
      for index in current.firstName..<names.count {
        names[index].mark = hash(names[index], of: base)
        names[index].isHashed = true
        addToTable(index)
      }
    }
    var name = name
    name.mark = hash(name, of: base)
    name.isHashed = true
    if !table.isEmpty {
      var slot = firstSlot(name.mark)
      while table[slot] != 0 {
        let other = Int(table[slot]) &- 1
        if other >= current.firstName, names[other].mark == name.mark, areEqual(names[other], name, of: base)
        {
          return false
        }
        slot = nextSlot(slot)
      }
    }
    names.append(name)
    addToTable(names.count &- 1)
    return true
  }

  /// The hash differs from object to object, so that equal names of nested objects do not crowd together.
  private func hash(_ name: Name, of base: UnsafePointer<UInt8>) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(current.firstName)
    withUnescaped(name, of: base) { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return UInt64(bitPattern: Int64(hasher.finalize()))
  }

  private func areEqual(_ a: Name, _ b: Name, of base: UnsafePointer<UInt8>) -> Bool {
    withUnescaped(a, of: base) { left in withUnescaped(b, of: base) { left.elementsEqual($0) } }
  }

  private func withUnescaped<R>(
    _ name: Name, of base: UnsafePointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) -> R
  ) -> R {
    let raw = UnsafeBufferPointer(start: base + name.range.lowerBound, count: name.range.count)
    guard name.isEscaped else { return body(raw) }
    return JSONEscapes.unescaped(raw).withUnsafeBufferPointer(body)
  }

  private mutating func addToTable(_ index: Int) {
    hashedCount += 1
    if hashedCount * 2 > table.count {
      growTable(upTo: index)
    } else {
      place(index)
    }
  }

  /// Doubles the table and puts the hashed names up to `last` in again, in their order.
  private mutating func growTable(upTo last: Int) {
    table = [UInt32](repeating: 0, count: max(64, table.count * 2))
    for index in 0...last where names[index].isHashed { place(index) }
  }

  private mutating func place(_ index: Int) {
    var slot = firstSlot(names[index].mark)
    while table[slot] != 0 { slot = nextSlot(slot) }
    table[slot] = UInt32(truncatingIfNeeded: index &+ 1)
  }

  private mutating func removeCurrentFromTable() {
    for index in (current.firstName..<names.count).reversed() {
      var slot = firstSlot(names[index].mark)
      while table[slot] != UInt32(truncatingIfNeeded: index &+ 1) { slot = nextSlot(slot) }
      table[slot] = 0
      hashedCount -= 1
    }
  }

  private func firstSlot(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (table.count &- 1) }
  private func nextSlot(_ slot: Int) -> Int { (slot &+ 1) & (table.count &- 1) }
}
