import Foundation
import ScriptedUpstream

/// An upstream run by Node, for what tests do not write themselves: HTTP/2, and other compressions than gzip.
///
/// Its items say over which version of HTTP they were asked for and which codings were accepted. It ends with this.
final class NodeUpstream {
  /// Whether there is a Node to run it.
  static let isPossible = system("command -v node >/dev/null 2>&1") == 0

  let port: Int
  private let server: ServerProcess

  init(_ authority: TestAuthority) throws {
    server = try ServerProcess(["node", "-e", Self.script, authority.hostKey, authority.hostCertificate])
    guard let port = server.line().flatMap({ Int($0) }) else { throw POSIXError(.ECONNREFUSED) }
    self.port = port
  }

  private static let script = #"""
    const http2 = require("http2"), zlib = require("zlib"), fs = require("fs");
    const [key, cert] = process.argv.slice(1).map((path) => fs.readFileSync(path));
    const server = http2.createSecureServer({ key, cert, allowHTTP1: true });
    const broken = http2.constants.NGHTTP2_INTERNAL_ERROR;
    server.on("request", (request, response) => {
      const item = { id: 1, version: request.httpVersion, codings: request.headers["accept-encoding"] };
      const body = Buffer.from(JSON.stringify([item]));
      switch (request.url) {
        case "/br": response.setHeader("content-encoding", "br"); response.end(zlib.brotliCompressSync(body)); break;
        case "/deflate": response.setHeader("content-encoding", "deflate"); response.end(zlib.deflateSync(body)); break;
        case "/bomb":
          response.setHeader("content-encoding", "br");
          response.end(zlib.brotliCompressSync(Buffer.alloc(4 << 20, 32)));
          break;
        case "/refused": request.stream.close(broken); break;
        case "/cut": response.write("[", () => request.stream.close(broken)); break;
        case "/never": break;
        case "/dropped": request.stream.session.destroy(); break;
        case "/moved": response.writeHead(302, { location: "/" }); response.end(); break;
        default: response.end(body);
      }
    });
    server.listen(0, "127.0.0.1", () => console.log(server.address().port));
    """#
}
