import HTTP1
import JSONText
import ListModel
import Sessions

// The change feed: a page of changes, a wait for the next one, or a stream (protocol §8).
extension Service {
  /// `GET /v1/sessions/{id}/changes`.
  func changes(of found: Result<Session, SessionFailure>, _ call: Call) throws(Problem) {
    let representation = try call.request.representation(offersStream: true)
    let query = try Query(call.request.query)
    let format = try query.format()
    let since = try query.since()
    let wait = try query.wait() ?? 0
    let session = try self.found { () throws(SessionFailure) in try found.get() }
    if representation == .eventStream {
      return try stream(session, since: call.request.resumption(orElse: since), format, call)
    }
    guard let since else {
      throw Problem(.malformedRequest, detail: "since is the revision that you have; GET the session first")
    }
    session.changes(
      after: since, waitSeconds: call.request.method == .head ? 0 : wait,
      whileWaiting: { call.whenClientEnds($0) }
    ) { result in
      switch result {
      case .success(let page): call.respond(page, format)
      case .failure(let failed): call.respond(failed)
      }
    }
  }

  private func stream(
    _ session: Session, since: Int?, _ format: Query.Format, _ call: Call
  ) throws(Problem) {
    var head = Response(status: 200)
    head.fieldLines.append(
      literal: "Content-Type: text/event-stream\r\nCache-Control: no-store\r\nX-Accel-Buffering: no\r\n")
    do throws(SessionFailure) {
      if call.request.method == .head {
        // It needs no place among the subscribers, and nothing of what a stream begins with.
        _ = try session.read()
        _ = call.openStream(head, limits: streamLimits) { _ in }
        return
      }
      try session.subscribe(after: since, format == .jsonPatch ? .jsonPatch : .ops) { ended in
        let stream = call.openStream(head, limits: streamLimits) { _ in ended() }
        stream.send(ServerSentEvents.retry(milliseconds: 2000), countsAsLag: false)
        return StreamSink(stream)
      }
    } catch .resting {
      // Another object stands for the session since it was found.
      registry.session(session.id) { found in
        call.attempt { () throws(Problem) in
          let session = try self.found { () throws(SessionFailure) in try found.get() }
          try self.stream(session, since: since, format, call)
        }
      }
    } catch {
      throw Problem(error, revision: nil)
    }
  }
}

/// A session's feed on an open response.
private final class StreamSink: FeedSink {
  private let stream: any ResponseStream

  init(_ stream: any ResponseStream) { self.stream = stream }

  func begin(with frames: [UInt8]) { stream.send(frames, countsAsLag: false) }
  func send(change frame: [UInt8]) { stream.send(frame, countsAsLag: true) }
  func finish(_ frame: [UInt8]) { stream.finish(frame) }
}

extension Request {
  /// The revision after which a stream starts: that of `Last-Event-ID`, else `since`; nil: with a snapshot.
  ///
  /// A field that cannot be read is no fault: an EventSource hands on what it was given, and can be told nothing.
  fileprivate func resumption(orElse since: Int?) -> Int? {
    fields.first("last-event-id") == nil ? since : fields.lastEventID()
  }
}

extension FeedEncoding {
  /// Frames of `text/event-stream`: `id`, `event`, one `data` line, in this order.
  public static let serverSentEvents = FeedEncoding(
    change: { change, format in
      let text = format == .jsonPatch ? Change.patched(change.text) : change.text
      var frame: [UInt8] = []
      frame.reserveCapacity(text.count + 48)
      ServerSentEvents.appendStart(id: change.revision, event: "change", to: &frame)
      frame.append(text)
      ServerSentEvents.appendEnd(to: &frame)
      return frame
    },
    snapshot: { snapshot in
      let document = snapshot.document()
      var frame: [UInt8] = []
      frame.reserveCapacity(document.count + 48)
      ServerSentEvents.appendStart(id: snapshot.version.revision, event: "snapshot", to: &frame)
      frame += document
      ServerSentEvents.appendEnd(to: &frame)
      return frame
    },
    end: { reason in
      ServerSentEvents.frame(id: nil, event: "end", data: Array("{\"reason\":\"\(reason.rawValue)\"}".utf8))
    })
}

extension StreamLimits {
  /// The limits of a change feed whose readers may fall `bufferBytes` behind.
  init(changeFeed bufferBytes: Int) {
    self.init(
      bufferBytes: bufferBytes, lagging: FeedEncoding.serverSentEvents.end(.lagging),
      heartbeat: ServerSentEvents.comment())
  }
}
