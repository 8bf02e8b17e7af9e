/// A command of protocol §7, as the last segment of its path names it.
public enum CommandName: String, Sendable, CaseIterable {
  case load, refresh
  case loadMore = "load-more"
  case retry, fail, insert, delete, move, update, replace, batch, select, transition
}
