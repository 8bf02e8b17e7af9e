/// A growing stack of plain values in memory of its own.
///
/// An array would do, but its reference counts and uniqueness checks took half of the time of validating objects
/// with many members. The memory has this one owner, which frees it at the end of its life.
struct RawStack<Element: BitwiseCopyable>: ~Copyable {
  private var base: UnsafeMutablePointer<Element>
  private var capacity: Int
  private(set) var count = 0

  init(capacity: Int) {
    self.capacity = max(1, capacity)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// The element at `index`, from 0 at the bottom, which is below `count`.
  @inline(__always)
  subscript(index: Int) -> Element {
    get { base[index] }
    set { base[index] = newValue }
  }

  @inline(__always)
  mutating func push(_ element: Element) {
    if count == capacity { grow() }
    base[count] = element
    count &+= 1
  }

  /// Takes the topmost element, of which there is one.
  @inline(__always)
  mutating func pop() -> Element {
    count &-= 1
    return base[count]
  }

  /// Leaves the lowest `newCount` elements, which are not more than there are.
  @inline(__always)
  mutating func shrink(to newCount: Int) { count = newCount }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    base = larger
    capacity *= 2
  }
}
