import Foundation

extension FileHandle {
  /// What comes up to the end; blocks.
  ///
  /// `readDataToEndOfFile` ends the whole process where a signal interrupts the reading (EINTR).
  package func readThrough() throws -> [UInt8] {
    var content: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Foundation.read(fileDescriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      guard count > 0 else { return content }
      content += block[..<count]
    }
  }
}
