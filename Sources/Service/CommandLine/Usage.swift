/// The texts that explain the command line.
public enum Usage {
  /// The usage line of a command, or of the program.
  public static func line(for command: Subcommand?) -> String {
    guard let command else {
      return "usage: rowcast serve|check|try|health|watch|backup|export|import [options] | --version | --help"
    }
    let operand = command.operand.map { " \($0)" } ?? ""
    let options = command.options.map { option in
      " [\(option.flag)\(option.placeholder.map { " \($0)" } ?? "")]"
    }
    return "usage: rowcast \(command.rawValue)\(operand)\(options.joined())"
  }

  /// The help of a command, or of the program; lines with a line break at the end.
  public static func help(for command: Subcommand?) -> String {
    let text =
      switch command {
      case nil: program
      case .serve: serve
      case .check: check
      case .attempt: attempt
      case .health: health
      case .backup: backup
      case .export: export
      case .import: importing
      case .watch: watch
      }
    return "\(line(for: command))\n\n\(text)\n"
  }

  private static let program = """
    Hosts list state over HTTP: rows, a placeholder row and named states, with minimal changes.

      serve     run the server
      check     read the configuration and say what is wrong with it
      try       read a table's source once and print the rows
      health    ask a running server whether it is well: exit 0 or 1
      watch     show a session in the terminal as it changes
      backup    copy a SQLite store, also while a server has it
      export    write the sessions of a store as JSON Lines
      import    take sessions from JSON Lines into a store

    rowcast COMMAND --help tells more about a command.
    """

  private static let serve = """
    Runs the server in the foreground. When it accepts requests it prints one line to standard output,
    "rowcast listening on http://127.0.0.1:8080"; the log goes to standard error.

      --config FILE      the configuration (\(Configuration.standardFile))          ROWCAST_CONFIG
      --host H           the address to listen on (127.0.0.1)             ROWCAST_HOST
      --port P           the port (8080); 0 takes a free one              ROWCAST_PORT
      --store URL        where sessions are kept (sqlite:var/rowcast.db)  ROWCAST_STORE
      --threads N        event loops; 0 for one a core (0)                ROWCAST_THREADS
      --log text|json    the form of the log (text)                       ROWCAST_LOG

    Flags go before variables, variables before the file. ROWCAST_TOKEN adds a token that requests
    must bear, ROWCAST_ADMIN_TOKEN one for administrators. Without a token only loopback is listened
    on, unless ROWCAST_ALLOW_ANONYMOUS=1.

    SIGTERM and SIGINT drain and end, a second one ends at once; SIGHUP reads the tables again.
    Exit status: 0 drained, 64 wrong usage, 78 wrong configuration.
    """

  private static let check = """
    Reads the configuration as serve would, the environment included, and prints a line for
    everything that is wrong with it.

      --config FILE      the configuration (\(Configuration.standardFile))          ROWCAST_CONFIG

    Exit status: 0 nothing is wrong, 64 wrong usage, 78 wrong configuration.
    """

  private static let attempt = """
    Reads a table's source once, without a server, and prints the rows as clients would get them, one
    JSON object a line. What was asked and answered goes to standard error; where the source failed,
    the part of its answer that was to blame too.

      --config FILE      the configuration (\(Configuration.standardFile))          ROWCAST_CONFIG
      --param NAME=VALUE a parameter of the session; as often as there are parameters
      --pages N          the most pages (1)

    Exit status: 0 read, 1 the source failed, 64 wrong usage, 78 wrong configuration.
    """

  private static let health = """
    Asks a running server whether it is well, for the health check of a container.

      --url URL          its address (that of the configuration, /healthz)

    Exit status: 0 it is well, 1 it is not or does not answer, 64 wrong usage.
    """

  private static let watch = """
    Shows a session as it changes: a line about the list, then a line for each row. URL is that of the
    session, http://127.0.0.1:8080/v1/sessions/ID, or of the page that shows it. q or Ctrl-C ends it.

      --once             draw the present list, all of it, and end
      --json             print JSON Lines: the snapshot, then each change; after a gap a snapshot again
      --table NAME       open a session on this table of the server at URL, and show that
      --token T          what requests must bear; better in the variable   ROWCAST_TOKEN

    Where standard output is no terminal, it prints the list once and then each change as lines of text.
    A lost connection is made again, and nothing is missed or told twice. NO_COLOR=1 does without colors.

    Exit status: 0 drawn, or ended by you; 1 the server cannot be reached or understood; 3 the session
    was deleted or has expired; 4 there is no such session or table; 5 a token is missing or wrong;
    64 wrong usage.
    """

  private static let backup = """
    Copies a SQLite store into a new file, of one moment and checked, also while a server has it.

    \(store)

    Exit status: 0 it is done, 1 it could not be written, 64 wrong usage, 78 the store cannot be used.
    """

  private static let export = """
    Writes the sessions of a store as JSON Lines, also while a server has it: to a new file, or to
    standard output. A file is written under the name FILE.unfinished, and gets its own at the end;
    after an interruption the same command goes on where it was.

    \(store)

    Exit status: 0 it is done, 1 it could not be written, 64 wrong usage, 78 the store cannot be used.
    """

  private static let importing = """
    Takes the sessions of a file that export has written into a store that no server has. The whole
    file is checked first, and nothing taken where anything is wrong. Sessions that are there already,
    at the same revision, are passed over: after an interruption the same command does the rest.

    \(store)

    Exit status: 0 it is done, 1 it could not be written, 64 wrong usage, 65 a line is wrong, with its
    number, 78 the store cannot be used.
    """

  private static let store = """
      --store URL        the store                                        ROWCAST_STORE
      --config FILE      the configuration that names it (\(Configuration.standardFile))  ROWCAST_CONFIG
    """
}
