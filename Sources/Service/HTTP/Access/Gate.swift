import HTTP1
import JSONText

/// A request that may be answered, and what the gate has learnt of it.
public struct Admission: Sendable {
  /// What it is about.
  public var route: Route
  /// Whose it is.
  public var principal: Principal
  /// What its answer must carry, whatever the answer is.
  public var crossOrigin: CrossOriginFields
}

/// Lets requests in, or answers them itself: the rules that are the same for every route.
///
/// In this order: host, origin, preflights, token, path, method, the ids in the path. A request that fails is told of
/// the first that failed, so that nobody without a token learns what is there.
public struct Gate: Sendable {
  /// What became of a request.
  public enum Outcome: Sendable {
    /// It may be answered.
    case admitted(Admission)
    /// This is its answer; `kind` is its path, where that is known.
    case answered(Response, kind: RouteKind?)
  }

  /// Who may ask.
  public let rules: AccessRules

  /// A gate that keeps `rules`.
  public init(rules: AccessRules) { self.rules = rules }

  /// Applies the rules to a request.
  ///
  /// O(length of path and fields).
  public func admit(_ request: Request) -> Outcome {
    let shape = Router.shape(of: request.path)
    var crossOrigin = CrossOriginFields.none
    do throws(Problem) {
      try rules.checkHost(request)
      let origin = try rules.checkOrigin(request)
      crossOrigin = origin.fields
      let isPreflight =
        request.method == .options && origin.isListed
        && request.fields.first("access-control-request-method") != nil
      if isPreflight { return answer(AccessRules.preflightResponse(), crossOrigin, shape) }

      let principal = try token(of: request, shape)
      if request.method == .options { return answer(try options(request, shape), crossOrigin, shape) }
      guard let shape else {
        throw Problem(.unknownPath, detail: "see /openapi.json for the paths that are here")
      }
      guard shape.kind.allows(request.method) else {
        throw Problem(.methodNotAllowed, detail: "\(shape.kind.template) allows \(shape.kind.allow)")
          .adding("Allow", shape.kind.allow)
      }
      let route = try Router.route(shape, in: request.path)
      return .admitted(Admission(route: route, principal: principal, crossOrigin: crossOrigin))
    } catch {
      return answer(error.response(to: request), crossOrigin, shape)
    }
  }

  private func token(of request: Request, _ shape: Router.Shape?) throws(Problem) -> Principal {
    guard !rules.tokens.isEmpty else { return .anyone }
    let path = request.path
    guard shape?.kind == .metrics || path.starts(with: "/v1/".utf8) || path.elementsEqual("/v1".utf8) else {
      return .anyone
    }
    let isList = shape?.kind == .sessions && (request.method == .get || request.method == .head)
    return try rules.checkToken(request, isForAdmins: isList || shape?.kind == .metrics)
  }

  /// The answer to an OPTIONS that is no preflight: what may be asked of the path, of the server for `*`.
  private func options(_ request: Request, _ shape: Router.Shape?) throws(Problem) -> Response {
    var response = Response(status: 204)
    if let shape {
      response.add("Allow", shape.kind.allow)
    } else if request.path.elementsEqual("*".utf8) {
      response.add("Allow", "GET, HEAD, POST, PUT, DELETE, OPTIONS")
    } else {
      throw Problem(.unknownPath, detail: "see /openapi.json for the paths that are here")
    }
    return response
  }

  private func answer(
    _ response: Response, _ crossOrigin: CrossOriginFields, _ shape: Router.Shape?
  ) -> Outcome {
    var response = response
    crossOrigin.add(to: &response)
    return .answered(response, kind: shape?.kind)
  }
}
