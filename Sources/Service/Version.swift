/// What this build calls itself: in `--version`, in `/metrics`, in `/openapi.json`.
public enum Product {
  /// The program's name.
  public static let name: StaticString = "rowcast"
  /// Its version (Semantic Versioning 2.0).
  public static let version: StaticString = "0.1.0"
}
