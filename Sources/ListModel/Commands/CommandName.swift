/// The commands, by the last segment of their path (protocol §7).
public enum CommandName: String, Sendable, CaseIterable {
  case load, refresh
  case loadMore = "load-more"
  case retry, fail, insert, delete, move, update, replace, batch, select, transition
}
