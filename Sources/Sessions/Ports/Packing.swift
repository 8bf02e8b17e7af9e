/// How sessions that are not in use are made small in memory.
///
/// Given at composition; without one they stay as they are.
public struct Packing: Sendable {
  /// A text in a form that takes less memory; nil where that cannot be had now.
  public var pack: @Sendable ([UInt8]) -> [UInt8]?
  /// The text that was packed; nil where the bytes are not what `pack` has given.
  public var unpack: @Sendable ([UInt8]) -> [UInt8]?
  /// Runs a job soon, on a thread where it holds nobody up.
  public var run: @Sendable (_ job: @escaping @Sendable () -> Void) -> Void

  /// A packing of these three.
  public init(
    pack: @escaping @Sendable ([UInt8]) -> [UInt8]?, unpack: @escaping @Sendable ([UInt8]) -> [UInt8]?,
    run: @escaping @Sendable (_ job: @escaping @Sendable () -> Void) -> Void
  ) {
    self.pack = pack
    self.unpack = unpack
    self.run = run
  }
}
