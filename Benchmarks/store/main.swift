// What the SQLite store does with a disk: a line for each measure, with its goal where it has one. Ends with 1 where
// a goal is missed.
//
//   StoreBenchmark FOLDER      (on the disk that is to be measured)

import Glibc

guard CommandLine.arguments.count == 2 else {
  print("usage: StoreBenchmark FOLDER")
  exit(64)
}
let bench = Bench(folder: CommandLine.arguments[1])
do {
  try bench.commits()
  try bench.restoring()
  try bench.manySessions()
} catch {
  print("it could not be measured: \(error)")
  exit(1)
}
exit(bench.hasMissed ? 1 : 0)
