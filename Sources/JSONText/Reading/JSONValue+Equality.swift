extension JSONValue {
  /// Whether two values differ at most in white space, member order and the way strings are escaped.
  ///
  /// Numbers compare by their text: `1.0` is not `1`. Members in the same order are compared in one walk through
  /// both texts; from the first that differ in order on, the rest of that object is looked up by hash.
  /// O(n), with members in another order O(n log n); recursion is as deep as the values' nesting.
  public func isEqual(to other: JSONValue) -> Bool {
    text.withUnsafeBytes { mine in
      other.text.withUnsafeBytes { others in
        if mine.hasSameBytes(as: others) { return true }
        var comparison = Comparison(JSONCursor(mine), JSONCursor(others))
        return comparison.valuesAreEqual()
      }
    }
  }
}

/// Two texts walked side by side.
private struct Comparison {
  private var a: JSONCursor
  private var b: JSONCursor
  /// Made when the first objects differ in their members' order.
  private var endsInB: ContainerEnds?

  init(_ a: JSONCursor, _ b: JSONCursor) {
    self.a = a
    self.b = b
  }

  /// Compares the values at both positions; where they are equal, both cursors stand after them.
  mutating func valuesAreEqual() -> Bool {
    let first = a.byte
    // Equal values of each kind begin with the same byte, numbers too, as they compare by text.
    guard first == b.byte else { return false }
    switch first {
    case ASCII.quote: return stringsAreEqual()
    case ASCII.openBrace: return objectsAreEqual()
    case ASCII.openBracket: return arraysAreEqual()
    default: return a.bytes(a.value()).hasSameBytes(as: b.bytes(b.value()))
    }
  }

  private mutating func stringsAreEqual() -> Bool {
    let left = a.string()
    let right = b.string()
    return a.isSame(left, right, of: b)
  }

  private mutating func arraysAreEqual() -> Bool {
    var more = a.enter()
    guard more == b.enter() else { return false }
    while more {
      guard valuesAreEqual() else { return false }
      more = a.advance()
      guard more == b.advance() else { return false }
    }
    return true
  }

  private mutating func objectsAreEqual() -> Bool {
    var more = a.enter()
    guard more == b.enter() else { return false }
    while more {
      let startOfA = a.position
      let startOfB = b.position
      let nameInA = a.name()
      let nameInB = b.name()
      guard a.isSame(nameInA, nameInB, of: b) else {
        a.position = startOfA
        b.position = startOfB
        return remainingMembersAreEqual()
      }
      guard valuesAreEqual() else { return false }
      more = a.advance()
      guard more == b.advance() else { return false }
    }
    return true
  }

  /// Compares the members from both positions on, in any order: the rest of `a` is walked, that of `b` looked up.
  private mutating func remainingMembersAreEqual() -> Bool {
    let endsInB = self.endsInB ?? ContainerEnds(b)
    self.endsInB = endsInB
    let others = MemberIndex(rest: &b, ends: endsInB)
    let endOfB = b.position
    var count = 0
    repeat {
      guard let index = others.index(of: a.name(), in: a) else { return false }
      b.position = others.members[index].value.lowerBound
      guard valuesAreEqual() else { return false }
      count &+= 1
    } while a.advance()
    b.position = endOfB
    return count == others.members.count
  }
}
