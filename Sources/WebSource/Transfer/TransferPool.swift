import CCurl
import EventLoop
import Glibc

/// All transfers at a time, their connections and the pool of idle ones: a curl multi handle driven by a loop.
///
/// It lives on the loop's thread alone. Curl says which descriptors to watch and when to be called (the multi_socket
/// interface); what becomes ready is handed back to it, and it runs the transfers within that call. The multi handle
/// is freed by `deinit`, after every transfer has been taken out.
final class TransferPool {
  private let loop: Loop
  private let multi: UnsafeMutableRawPointer
  private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
  private var watches: [curl_socket_t: SocketWatch] = [:]
  private var timer: ScheduledJob?
  /// Counts the calls of curl's timer callback, so that a job of an earlier one does nothing.
  private var timerTurn = 0

  /// The most idle connections that are kept.
  private static let idleConnections = 64

  /// A pool without transfers; nil where curl cannot make one.
  init?(on loop: Loop) {
    guard Self.curlIsReady, let multi = curl_multi_init() else { return nil }
    self.loop = loop
    self.multi = multi
    let me = Unmanaged.passUnretained(self).toOpaque()
    rowcast_curl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, me)
    rowcast_curl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, me)
    rowcast_curl_multi_set_socket_callback(multi, socketChanged)
    rowcast_curl_multi_set_timer_callback(multi, timerChanged)
    rowcast_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.idleConnections)
  }

  deinit {
    // Nothing is to call back into an object that is going.
    rowcast_curl_multi_set_socket_callback(multi, nil)
    rowcast_curl_multi_set_timer_callback(multi, nil)
    for (_, watch) in watches { watch.end() }
    for (handle, _) in transfers { curl_multi_remove_handle(multi, handle) }
    transfers = [:]
    curl_multi_cleanup(multi)
    timer?.cancel()
  }

  /// Curl's own globals, once for the process; nothing else here uses curl.
  private static let curlIsReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Begins a transfer; its completion is called on a later turn.
  ///
  /// False where curl refuses it.
  func start(_ transfer: Transfer) -> Bool {
    transfers[transfer.handle] = transfer
    guard curl_multi_add_handle(multi, transfer.handle) == CURLM_OK else {
      transfers[transfer.handle] = nil
      return false
    }
    return true
  }

  /// Gives a transfer up; its completion is never called.
  ///
  /// Does nothing where it has ended.
  func cancel(_ transfer: Transfer) {
    guard transfers.removeValue(forKey: transfer.handle) != nil else { return }
    curl_multi_remove_handle(multi, transfer.handle)
  }

  // MARK: Driving

  private func drive(_ socket: curl_socket_t, _ readiness: SocketReadiness) {
    var flags: Int32 = 0
    if readiness.contains(.read) { flags |= Int32(CURL_CSELECT_IN) }
    if readiness.contains(.write) { flags |= Int32(CURL_CSELECT_OUT) }
    var running: Int32 = 0
    curl_multi_socket_action(multi, socket, flags, &running)
    endFinished()
  }

  private func endFinished() {
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
      let result = rowcast_curl_result(message)
      guard let transfer = transfers.removeValue(forKey: handle) else { continue }
      curl_multi_remove_handle(multi, handle)
      transfer.completion(transfer, result)
    }
  }

  fileprivate func watch(_ socket: curl_socket_t, _ what: Int32) {
    var interest: SocketReadiness = []
    if what & Int32(CURL_POLL_IN) != 0 { interest.insert(.read) }
    if what & Int32(CURL_POLL_OUT) != 0 { interest.insert(.write) }
    if what == Int32(CURL_POLL_REMOVE) || interest.isEmpty {
      watches.removeValue(forKey: socket)?.end()
    } else if let watch = watches[socket] {
      watch.change(to: interest)
    } else {
      watches[socket] = loop.watch(socket, for: interest) { [weak self] in self?.drive(socket, $0) }
    }
  }

  fileprivate func setTimer(milliseconds: Int) {
    timer?.cancel()
    timer = nil
    timerTurn += 1
    guard milliseconds >= 0 else { return }
    let turn = timerTurn
    let pool = Confined(self)
    timer = loop.schedule(after: Double(milliseconds) / 1000) {
      guard let pool = pool.value, pool.timerTurn == turn else { return }
      pool.drive(rowcast_curl_timeout_socket, [])
    }
  }
}

/// A weak reference that travels within jobs of one loop.
///
/// Unchecked: it is made and followed on that loop's thread only.
struct Confined<Value: AnyObject>: @unchecked Sendable {
  private(set) weak var value: Value?

  init(_ value: Value) { self.value = value }
}

/// `TransferPool.deinit` cleans the multi handle up, so these pointers are good while they can be called.
private func socketChanged(
  _: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32, _ pool: UnsafeMutableRawPointer?,
  _: UnsafeMutableRawPointer?
) -> Int32 {
  guard let pool else { return 0 }
  Unmanaged<TransferPool>.fromOpaque(pool).takeUnretainedValue().watch(socket, what)
  return 0
}

private func timerChanged(
  _: UnsafeMutableRawPointer?, _ milliseconds: Int, _ pool: UnsafeMutableRawPointer?
) -> Int32 {
  guard let pool else { return 0 }
  Unmanaged<TransferPool>.fromOpaque(pool).takeUnretainedValue().setTimer(milliseconds: milliseconds)
  return 0
}
