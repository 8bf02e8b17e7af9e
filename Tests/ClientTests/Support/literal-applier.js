// The oracle: UIKit's batch rules, literally, with arrays and nothing clever. Shares no code with rowcast.js.

/** @param {any[]} rows @param {any[]} ops */
export function applyLiterally(rows, ops) {
  const moved = ops.filter((op) => op.op === 'move').map((op) => ({ to: op.to, row: rows[op.from] }))
  const inserted = ops.filter((op) => op.op === 'insert').map((op) => ({ to: op.to, row: op.row }))
  const taken = ops.filter((op) => op.op === 'delete' || op.op === 'move').map((op) => op.from)
  const result = [...rows]
  taken.sort((a, b) => b - a).forEach((from) => result.splice(from, 1))
  ;[...moved, ...inserted].sort((a, b) => a.to - b.to).forEach(({ to, row }) => result.splice(to, 0, row))
  ops.filter((op) => op.op === 'update').forEach((op) => { result[op.to] = op.row })
  return result
}
