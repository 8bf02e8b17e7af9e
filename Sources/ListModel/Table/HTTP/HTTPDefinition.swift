import JSONText

/// A source of kind `http` (configuration.md): a web API that gives a list page by page.
public struct HTTPDefinition: Sendable {
  /// The address, `http` or `https`; parameters stand behind its host only.
  public var url: Template
  /// Further query parameters: plain text, encoded when they are sent.
  public var query: [(name: Bytes, value: Template)] = []
  /// Header fields, sent to the configured origin only.
  public var headers: [(name: Bytes, value: Template)] = []
  /// The body of a POST; nil: GET.
  public var body: BodyTemplate?
  /// How pages are asked for.
  public var paging = PagingDefinition()
  /// The pointer to the array of items in the answer.
  public var items = JSONPointer()
  /// The pointer to an item's id within the item.
  public var id = JSONPointer(tokens: ["id"])
  /// What says that there is more; nil: the style itself, else that the page was full.
  public var hasNext: HasNextRule?
  /// What in an answer says that it failed.
  public var error: ErrorRule?
  /// Seconds for one attempt, the whole answer included.
  public var timeoutSeconds = 10.0
  /// Further attempts after network errors, time-outs and statuses from 500.
  public var retries = 2
  /// The most bytes of an answer's body, also after decompression.
  public var bodyBytes = 16 << 20
  /// The path of a file of further trusted certificates.
  public var caFile: String?
  /// What the configuration took from the environment: never told, whoever repeats it.
  public var secrets: [Bytes] = []

  /// A source at an address, one page of it, by GET.
  public init(url: Template) { self.url = url }
}

/// How pages are asked for.
public struct PagingDefinition: Sendable, Equatable {
  /// What tells one page from the next.
  public enum Style: Sendable, Equatable {
    /// Pages have numbers, from `first` on.
    case page(parameter: Bytes?, first: Int)
    /// Pages are found by the number of items before them.
    case offset(parameter: Bytes?)
    /// Each answer names what the next request has to send.
    case cursor(parameter: Bytes?, next: NextCursor)
    /// Each answer's `Link: rel="next"` is the next address (RFC 8288).
    case link
    /// Each answer's body has the next address here.
    case next(JSONPointer)
    /// Every read asks from the top, for more each time.
    case grow
    /// There is one page.
    case none
  }

  /// The style.
  public var style: Style
  /// The name of the parameter that takes the page's size.
  public var size: Bytes?

  /// Paging of this style.
  public init(style: Style = .none, size: Bytes? = nil) {
    self.style = style
    self.size = size
  }
}

/// Where the next cursor is.
public enum NextCursor: Sendable, Equatable {
  /// At this place of the answer.
  case answer(JSONPointer)
  /// At this place of the answer's last item.
  case lastItem(JSONPointer)
}

/// What says that there is more behind a page.
public enum HasNextRule: Sendable, Equatable {
  /// A header field has the number of all items.
  case totalHeader(Bytes)
  /// The answer has the number of all items here.
  case totalPointer(JSONPointer)
  /// The answer has the number of all pages here.
  case pagesPointer(JSONPointer)
  /// The answer has a boolean here.
  case pointer(JSONPointer)
}

/// What in an answer says that it failed.
public struct ErrorRule: Sendable {
  /// The member that says it.
  public var pointer: JSONPointer
  /// The value that says it; nil: any that is there and not null.
  public var equals: JSONValue?
  /// A text for people.
  public var message: JSONPointer?

  /// A rule.
  public init(pointer: JSONPointer, equals: JSONValue? = nil, message: JSONPointer? = nil) {
    self.pointer = pointer
    self.equals = equals
    self.message = message
  }
}
