extension JSONValue {
  /// This value with a merge patch applied (RFC 7396), on raw text.
  ///
  /// Members that the patch does not name keep their bytes and their order; replaced ones keep their place and
  /// their name's text; new ones come last, in the patch's order. White space goes where the patch reaches, so
  /// that the result is minified if both are. O(n log n) in both texts' length; recursion is as deep as the
  /// patch's nesting.
  public func merging(_ patch: JSONValue) -> JSONValue {
    guard patch.kind == .object else { return patch }
    let merged = text.withUnsafeBytes { target in
      patch.text.withUnsafeBytes { change in
        var merge = Merge(target: JSONCursor(target), patch: JSONCursor(change))
        merge.mergeObjects()
        return merge.output
      }
    }
    return JSONValue(trusted: Bytes(merged))
  }
}

private struct Merge {
  private var target: JSONCursor
  private var patch: JSONCursor
  private let patchEnds: ContainerEnds
  private(set) var output: [UInt8] = []

  init(target: JSONCursor, patch: JSONCursor) {
    self.target = target
    self.patch = patch
    patchEnds = ContainerEnds(patch)
    output.reserveCapacity(target.end + patch.end)
  }

  /// Writes the value at `target` with the object at `patch` merged into it; leaves both cursors after them.
  mutating func mergeObjects() {
    guard target.byte == ASCII.openBrace else {
      _ = target.value()
      return writeWithoutNulls()
    }
    guard patch.enter() else {
      output.append(contentsOf: target.bytes(target.value()))
      return
    }
    let changes = MemberIndex(rest: &patch, ends: patchEnds)
    let afterPatch = patch.position
    var used = [Bool](repeating: false, count: changes.members.count)
    var needsComma = false

    output.append(ASCII.openBrace)
    if target.enter() {
      repeat {
        let name = target.name()
        if let index = changes.index(of: name, in: target) {
          used[index] = true
          let change = changes.members[index].value
          if patch.byte(at: change.lowerBound) == UInt8(ascii: "n") {
            _ = target.value()
          } else {
            write(name: target.bytes(name.range), comma: &needsComma)
            patch.position = change.lowerBound
            mergeValue()
          }
        } else {
          write(name: target.bytes(name.range), comma: &needsComma)
          output.append(contentsOf: target.bytes(target.value()))
        }
      } while target.advance()
    }
    for (index, member) in changes.members.enumerated() where !used[index] {
      guard patch.byte(at: member.value.lowerBound) != UInt8(ascii: "n") else { continue }
      write(name: patch.bytes(member.name.range), comma: &needsComma)
      patch.position = member.value.lowerBound
      writeValueWithoutNulls()
    }
    output.append(ASCII.closeBrace)
    patch.position = afterPatch
  }

  /// Writes what the patch's value makes of the target's, and leaves the target's cursor after it.
  private mutating func mergeValue() {
    if patch.byte == ASCII.openBrace {
      mergeObjects()
    } else {
      _ = target.value()
      output.append(contentsOf: patch.bytes(patch.value()))
    }
  }

  /// Writes the patch's value where the target has none.
  private mutating func writeValueWithoutNulls() {
    if patch.byte == ASCII.openBrace {
      writeWithoutNulls()
    } else {
      output.append(contentsOf: patch.bytes(patch.value()))
    }
  }

  /// Writes the patch's object as one merged into `{}`: without members that are null, at every level of objects.
  private mutating func writeWithoutNulls() {
    output.append(ASCII.openBrace)
    var needsComma = false
    if patch.enter() {
      repeat {
        let name = patch.name()
        if patch.byte == UInt8(ascii: "n") {
          _ = patch.value()
        } else {
          write(name: patch.bytes(name.range), comma: &needsComma)
          writeValueWithoutNulls()
        }
      } while patch.advance()
    }
    output.append(ASCII.closeBrace)
  }

  private mutating func write(name: UnsafeBufferPointer<UInt8>, comma needsComma: inout Bool) {
    if needsComma { output.append(ASCII.comma) }
    needsComma = true
    output.append(ASCII.quote)
    output.append(contentsOf: name)
    output.append(ASCII.quote)
    output.append(ASCII.colon)
  }
}
