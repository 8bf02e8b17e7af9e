import SQLiteStore
import Service

/// `rowcast backup`: copies a SQLite store, also while a server has it.
enum BackupCommand {
  static func run(_ selection: StoreSelection, file: String, environment: [String: String]) -> Int32 {
    StoreTool.run(selection, environment: environment) { path, _ throws(StoreTool.Failure) in
      var progress = Progress()
      defer { progress.end() }
      try StoreTool.using { () throws(StoreFileFailure) in
        try SQLiteStore.backup(from: path, to: file) { done, total in
          progress.show("backup: \(total == 0 ? 100 : done * 100 / total) %")
        }
      }
    }
  }
}
