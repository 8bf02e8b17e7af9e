import Glibc
import Service

/// The command line: finds out what is wanted, does it, gives the exit status.
enum Program {
  static func run(arguments: [String], environment: [String: String]) -> Int32 {
    // A write beyond a limit on the size of files shall fail, and not end the process.
    signal(SIGXFSZ, SIG_IGN)
    do throws(UsageError) {
      switch try Invocation(parsing: arguments) {
      case .serve(let file, let flags):
        return ServeCommand.run(file: file, flags: flags, environment: environment)
      case .check(let file):
        return CheckCommand.run(file: file, environment: environment)
      case .attempt(let attempt):
        return TryCommand.run(attempt, environment: environment)
      case .health(let address):
        return HealthCommand.run(address, environment: environment)
      case .backup(let store, let file):
        return BackupCommand.run(store, file: file, environment: environment)
      case .export(let store, let file):
        return ExportCommand.run(store, file: file, environment: environment)
      case .import(let store, let file):
        return ImportCommand.run(store, file: file, environment: environment)
      case .watch(let options):
        return try WatchCommand.run(options, environment: environment)
      case .version:
        Terminal.print("\(Product.name) \(Product.version)\n")
      case .help(let command):
        Terminal.print(Usage.help(for: command))
      }
      return 0
    } catch {
      for line in error.lines { Terminal.complain(line) }
      return UsageError.exitStatus
    }
  }
}
