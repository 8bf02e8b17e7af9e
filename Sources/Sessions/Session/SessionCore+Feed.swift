import JSONText
import ListModel

// The change feed (protocol §8): who asks for changes and may wait for them.
extension SessionCore {
  /// Someone who waits for the next change.
  struct Poller {
    let number: Int
    let since: Int
    let reply: ChangeReply
  }

  /// Who follows the session: open streams, and those who wait for the next change.
  private var followerCount: Int { subscribers.count + pollers.count }

  /// Gives the changes after `since`; where there are none yet, after at most `waitSeconds`.
  ///
  /// Who waits counts as a subscriber, of whom there are at most `limit`.
  mutating func changes(
    after since: Int, waitSeconds: Int, limit: Int, now: Int, _ reply: @escaping ChangeReply
  ) -> [SessionAction] {
    if hasEnded { return [.changes(reply, .failure(FailedAnswer(.ended)))] }
    touched = now
    guard since == revision, waitSeconds > 0, !isDraining else {
      return [.changes(reply, .success(page(after: since)))]
    }
    guard followerCount < limit else {
      return [.changes(reply, .failure(FailedAnswer(.tooManySubscribers, revision: revision)))]
    }
    let poller = Poller(number: takeNumber(), since: since, reply: reply)
    pollers.append(poller)
    return [.wait(poller.number, seconds: Double(waitSeconds))]
  }

  /// Answers everyone who waits for changes, for there is one.
  mutating func answerPollers() -> [SessionAction] {
    guard !pollers.isEmpty else { return [] }
    let all = pollers
    pollers = []
    return all.flatMap { poller in
      [.stopTimer(poller.number), .changes(poller.reply, .success(page(after: poller.since)))]
    }
  }

  /// Opens a stream that begins after `since`; where that past is not kept, or none is named, with a snapshot.
  ///
  /// What the stream begins with and what it is sent later join without a gap, for both happen under the session's
  /// lock.
  ///
  /// - Parameter open: opens the client's stream, given the number by which `unsubscribe` finds it; called once, unless
  ///   the stream is refused.
  mutating func subscribe(
    after since: Int?, _ format: FeedEncoding.Format, limit: Int, now: Int,
    _ open: (Int) -> any FeedSink
  ) throws(SessionFailure) {
    if hasEnded { throw .ended }
    if isEvicted { throw .resting }
    if isDraining { throw .draining }
    guard followerCount < limit else { throw .tooManySubscribers }
    touched = now
    let number = takeNumber()
    let sink = open(number)
    if let since, let changes = log.changes(after: since, present: revision) {
      if !changes.isEmpty { sink.begin(with: resumptionFrames(changes, after: since, format)) }
    } else {
      sink.begin(with: snapshotFrame())
    }
    subscribers.add(number, format, sink)
  }

  /// A stream has ended.
  mutating func unsubscribe(_ number: Int, now: Int) {
    subscribers.remove(number)
    touched = now
  }

  mutating func page(after since: Int) -> ChangePage {
    guard let changes = log.changes(after: since, present: revision) else {
      return ChangePage(revision: revision, changes: [], hasMore: false, reset: snapshot())
    }
    var page = ChangePage(revision: revision, changes: [], hasMore: false)
    var bytes = 0
    for change in changes {
      if bytes + change.text.count > ChangePage.byteLimit, !page.changes.isEmpty {
        page.hasMore = true
        break
      }
      bytes += change.text.count
      page.changes.append(change.text)
      page.revision = change.revision
    }
    return page
  }
}
