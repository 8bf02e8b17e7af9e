import CCurl
import EventLoop
import Glibc
import JSONText
import ListModel
import Sessions

/// What all fetches of a source share.
///
/// It lives on the web loop's thread alone.
final class FetchTools {
  let loop: Loop
  let pool: TransferPool
  let settings: WebSource.Settings
  var held: HeldAnswers

  init(loop: Loop, pool: TransferPool, settings: WebSource.Settings) {
    self.loop = loop
    self.pool = pool
    self.settings = settings
    held = HeldAnswers(limit: settings.heldBytes)
  }
}

/// One page being fetched: attempts, each with its redirects, until there is an answer or none is to be hoped for.
///
/// It lives on the web loop's thread alone. The desk holds it until it has completed or is cancelled.
final class WebFetch {
  private let request: PageRequest
  private let tools: FetchTools
  private let completion: (Result<Page, UpstreamFailure>) -> Void
  private var attempts = 0
  private var hops = 0
  private var deadline = 0.0
  private var hopStarted = 0.0
  private var transfer: Transfer?
  private var pause: ScheduledJob?
  private var held: HeldAnswers.Held?
  private var hasEnded = false

  /// The most redirects of an attempt.
  private static let maximumRedirects = 10
  /// The longest pause between attempts, in seconds.
  private static let longestPause = 5.0

  init(
    _ request: PageRequest, _ tools: FetchTools,
    _ completion: @escaping (Result<Page, UpstreamFailure>) -> Void
  ) {
    self.request = request
    self.tools = tools
    self.completion = completion
  }

  /// What is asked, and what reads the answer.
  private struct Plan {
    let source: HTTPDefinition
    let web: WebRequest
    let reader: AnswerReader
    let secrets: Secrets
  }

  /// Begins; `completion` is called once, perhaps before this returns.
  func start() {
    do throws(UpstreamFailure) {
      guard case .http(let source) = request.table.source else {
        throw UpstreamFailure(.error, detail: "the table is not read from a web API any more")
      }
      let place = try WebPlace(request.place, style: source.paging.style)
      let builder = RequestBuilder(source: source, page: request, place: place)
      let web = try builder.request()
      let reader = AnswerReader(
        source: source, request: request, place: place, size: builder.size, asked: web.address)
      if reader.isAtEnd { return end(.success(reader.endPage)) }
      held = web.identity.flatMap { tools.held.answer(to: $0) }
      attempt(Plan(source: source, web: web, reader: reader, secrets: Secrets(source, web.fields)))
    } catch {
      end(.failure(error))
    }
  }

  /// Gives the fetch up; `completion` is not called any more.
  func cancel() {
    hasEnded = true
    pause?.cancel()
    if let transfer { tools.pool.cancel(transfer) }
    transfer = nil
  }

  private func end(_ result: Result<Page, UpstreamFailure>) {
    guard !hasEnded else { return }
    hasEnded = true
    completion(result)
  }

  // MARK: Attempts

  private func attempt(_ plan: Plan) {
    attempts += 1
    hops = 0
    deadline = monotonicSeconds() + plan.source.timeoutSeconds
    ask(plan, plan.web.address, body: plan.web.body)
  }

  private func ask(_ plan: Plan, _ address: WebAddress, body: [UInt8]?) {
    hopStarted = monotonicSeconds()
    var fields = address.origin == plan.web.origin ? plan.web.fields : []
    let isConditional = body == nil && held?.answer.address == address
    if isConditional, let held { fields += held.conditions }
    let basis = tools.settings.certificates
    var all: [UInt8]?
    if let caFile = plan.source.caFile, address.origin.isSecure {
      all = basis.adding(caFile)
      if all == nil {
        return fail(
          plan,
          FaultyAnswer(UpstreamFailure(.unreachable, detail: "the file that caFile names cannot be read")))
      }
    }
    let order = Transfer.Order(
      address: address, fields: fields, body: body, seconds: deadline - hopStarted,
      bodyBytes: plan.source.bodyBytes, caFile: plan.source.caFile)
    let transfer = Transfer(order, userAgent: tools.settings.userAgent, trusting: (basis, all)) {
      [weak self] transfer, code in
      guard let self else { return }
      self.transfer = nil
      self.ended(plan, address, body, transfer, code, isConditional: isConditional)
    }
    guard let transfer, tools.pool.start(transfer) else {
      return fail(
        plan,
        FaultyAnswer(UpstreamFailure(.unreachable, detail: "no request could be made; is memory short?")))
    }
    self.transfer = transfer
  }

  private func ended(
    _ plan: Plan, _ address: WebAddress, _ body: [UInt8]?, _ transfer: Transfer, _ code: CURLcode,
    isConditional: Bool
  ) {
    guard transfer.isAnswered(code) else {
      let failure = plan.secrets.hidden(in: transfer.failure(code))
      trace(plan, address, status: failure.failure.upstreamStatus, bytes: 0, failure)
      return fail(plan, failure)
    }
    let collected = transfer.takeCollected()
    var answer = WebAnswer(
      status: collected.status, fields: collected.fields, body: collected.body, address: address)
    switch answer.status {
    case 301, 302, 303, 307, 308:
      trace(plan, address, status: answer.status, bytes: answer.body.count, nil)
      return redirect(plan, answer, body)
    case 304 where isConditional:
      if let held {
        trace(plan, address, status: 304, bytes: 0, nil)
        let fields = held.answer.fields.updated(by: answer.fields)
        answer = held.answer
        answer.fields = fields
      }
      read(plan, answer)
    case 200..<300:
      read(plan, answer)
    default:
      let failure = plan.secrets.hidden(in: plan.reader.failure(ofStatus: answer, now: Int(time(nil))))
      trace(plan, address, status: answer.status, bytes: answer.body.count, failure)
      fail(plan, failure)
    }
  }

  private func read(_ plan: Plan, _ answer: WebAnswer) {
    do throws(FaultyAnswer) {
      let page = try plan.reader.page(answer)
      if let identity = plan.web.identity { tools.held.hold(answer, to: identity) }
      trace(plan, answer.address, status: answer.status, bytes: answer.body.count, nil)
      end(.success(page))
    } catch {
      let failure = plan.secrets.hidden(in: error)
      trace(plan, answer.address, status: answer.status, bytes: answer.body.count, failure)
      fail(plan, failure)
    }
  }

  private func redirect(_ plan: Plan, _ answer: WebAnswer, _ body: [UInt8]?) {
    func failed(_ detail: String) {
      fail(plan, FaultyAnswer(UpstreamFailure(.malformed, detail: detail, upstreamStatus: answer.status)))
    }
    guard let location = answer.fields["location"] else {
      return failed("the upstream redirects without saying where to")
    }
    guard let address = answer.address.resolving(location) else {
      return failed("the upstream redirects to what is no http or https address")
    }
    hops += 1
    guard hops <= Self.maximumRedirects else {
      return failed("the upstream redirects more than \(Self.maximumRedirects) times")
    }
    // A POST stays one only where the status says so (RFC 9110 §15.4).
    ask(plan, address, body: [307, 308].contains(answer.status) ? body : nil)
  }

  private func fail(_ plan: Plan, _ faulty: FaultyAnswer) {
    guard faulty.isTransient, attempts <= plan.source.retries else { return end(.failure(faulty.failure)) }
    tools.settings.retried(request.table.name)
    // Twice as long each time, and never quite the same, so that those who failed together do not come back together.
    let most = min(tools.settings.pauseSeconds * Double(1 << min(attempts - 1, 20)), Self.longestPause)
    let fetch = Confined(self)
    pause = tools.loop.schedule(after: most * Double.random(in: 0.5...1)) {
      guard let fetch = fetch.value, !fetch.hasEnded else { return }
      fetch.pause = nil
      fetch.attempt(plan)
    }
  }

  private func trace(
    _ plan: Plan, _ address: WebAddress, status: Int?, bytes: Int, _ faulty: FaultyAnswer?
  ) {
    guard let trace = tools.settings.trace else { return }
    trace(
      WebExchange(
        attempt: attempts, method: plan.web.body == nil ? "GET" : "POST", address: address, status: status,
        milliseconds: Int((monotonicSeconds() - hopStarted) * 1000), bytes: bytes, evidence: faulty?.evidence)
    )
  }
}

/// Seconds of a clock that nobody sets.
private func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
