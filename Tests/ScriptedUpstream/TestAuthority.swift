import Foundation

/// A certificate authority made for one test, and an `openssl s_server` for 127.0.0.1 that it vouches for.
package final class TestAuthority {
  private let folder: String
  private var server: (process: pid_t, output: UnsafeMutablePointer<FILE>)?

  /// The authority's own certificate.
  package var certificate: String { "\(folder)/ca.pem" }

  /// The certificate that it gave the host.
  package var hostCertificate: String { "\(folder)/host.pem" }
  /// The host's key.
  package var hostKey: String { "\(folder)/host.key" }

  package init() throws {
    folder = NSTemporaryDirectory() + "rowcast-tls-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("subjectAltName=IP:127.0.0.1\n".utf8).write(to: URL(filePath: "\(folder)/names"))
    let key = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
    try openssl("req -x509 \(key) -keyout ca.key -out ca.pem -days 2 -subj /CN=Test")
    try openssl("req \(key) -keyout host.key -out host.csr -subj /CN=host")
    try openssl(
      "x509 -req -in host.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out host.pem")
  }

  deinit {
    if let server {
      kill(server.process, SIGKILL)  // the threads of tests start their children with SIGTERM blocked
      pclose(server.output)
    }
    do { try FileManager.default.removeItem(atPath: folder) } catch { print("\(folder) stays: \(error)") }
  }

  /// Serves `body` as the JSON at `/list`; gives the port.
  package func serve(_ body: String) throws -> Int {
    let reply =
      "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    try Data(reply.utf8).write(to: URL(filePath: "\(folder)/list"))
    let command =
      "cd '\(folder)' && echo $$ && exec openssl s_server -accept 127.0.0.1:0 -cert host.pem -key host.key -HTTP 2>&1"
    guard let output = popen(command, "r") else { throw POSIXError(.EAGAIN) }
    var process: pid_t?
    var line = [CChar](repeating: 0, count: 1024)
    while fgets(&line, Int32(line.count), output) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if process == nil { process = pid_t(text) }
      if text.hasPrefix("ACCEPT"), let process,
        let port = text.split(separator: ":").last.flatMap({ Int($0) })
      {
        server = (process, output)
        return port
      }
    }
    pclose(output)
    throw POSIXError(.ECONNREFUSED)
  }

  private func openssl(_ arguments: String) throws {
    guard system("cd '\(folder)' && openssl \(arguments) >/dev/null 2>&1") == 0 else {
      throw POSIXError(.ENOEXEC)
    }
  }
}
