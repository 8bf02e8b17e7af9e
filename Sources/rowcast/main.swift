import Service

exit(
  status: Program.run(arguments: Array(CommandLine.arguments.dropFirst()), environment: Process.environment))
