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

  /// Gives the changes after `since`; where there are none yet, after at most `waitSeconds`.
  mutating func changes(
    after since: Int, waitSeconds: Int, now: Int, _ reply: @escaping ChangeReply
  ) -> [SessionAction] {
    if hasEnded { return [.changes(reply, .failure(FailedAnswer(.ended)))] }
    touched = now
    guard since == list.revision, waitSeconds > 0, !isDraining else {
      return [.changes(reply, .success(page(after: since)))]
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

  mutating func page(after since: Int) -> ChangePage {
    guard let changes = log.changes(after: since, present: list.revision) else {
      return ChangePage(revision: list.revision, changes: [], hasMore: false, reset: snapshot())
    }
    var page = ChangePage(revision: list.revision, changes: [], hasMore: false)
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
