/// How a store and the event loops that use it spare each other wake-ups, each of which costs as much as a small write.
///
/// A loop's turn may bring many commits, and a transaction ends many: either side is told of them together.
public struct Turns: Sendable {
  /// Work for another thread, or for a later moment.
  public typealias Job = @Sendable () -> Void

  /// Runs a job once the caller's turn is over; at once where the caller is no loop.
  let afterThis: @Sendable (@escaping Job) -> Void
  /// Runs a job on a loop, in the order of the calls, or at once where there is none.
  let onLoop: @Sendable (@escaping Job) -> Void

  /// The turns of these loops.
  public init(
    afterThis: @escaping @Sendable (@escaping Job) -> Void,
    onLoop: @escaping @Sendable (@escaping Job) -> Void
  ) {
    self.afterThis = afterThis
    self.onLoop = onLoop
  }

  /// Those of who has no loops: everything is done at once.
  public static let none = Turns(afterThis: { $0() }, onLoop: { $0() })
}
