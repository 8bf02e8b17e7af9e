import assert from 'node:assert/strict'
import { createServer, connect } from 'node:net'
import { once } from 'node:events'
import { test } from 'node:test'
import { RowcastError, Session, applyOps, randomId } from '../../Sources/Service/Resources/rowcast.js'
import { missing, startServer } from './Support/built-server.js'
import { generator, seed } from './Support/random.js'
import { until } from './Support/waiting.js'

/** A way to the server on which every connection breaks after a random number of bytes of its answers. */
async function startCutter(target, random) {
  const { hostname, port } = new URL(target)
  const sockets = new Set()
  let cuts = 0
  const cutter = createServer((near) => {
    const far = connect(Number(port), hostname)
    let left = 200 + random.below(20000)
    sockets.add(near).add(far)
    near.pipe(far)
    far.on('data', (bytes) => {
      near.write(bytes.subarray(0, left))
      left -= bytes.length
      if (left <= 0) {
        cuts += 1
        near.end()
        far.destroy()
      }
    })
    for (const [socket, other] of [[near, far], [far, near]]) {
      socket.on('error', () => {}) // the other side's doing
      socket.on('close', () => {
        other.destroy()
        sockets.delete(socket)
      })
    }
  })
  cutter.listen(0, '127.0.0.1')
  await once(cutter, 'listening')
  return {
    base: `http://127.0.0.1:${cutter.address().port}`,
    get cuts() { return cuts },
    stop() {
      cutter.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

function randomCommand(random, rows) {
  const ids = rows.filter((row) => 'id' in row).map((row) => row.id)
  const row = () => ({ id: randomId(), data: { title: `é😀\u2028 ${random.below(1000)}`, n: random.below(10) } })
  const id = () => random.pick(ids)
  const kind = ids.length === 0 || (ids.length < 40 && random.chance(0.4)) ? 'insert'
    : random.pick(['delete', 'move', 'update', 'batch', 'replace', 'select', 'insert', 'transition'])
  switch (kind) {
    case 'insert': return ['insert', { rows: [row(), row()].slice(random.below(2)), at: random.below(ids.length + 1) }]
    case 'delete': return ['delete', { ids: [id()] }]
    case 'move': return ['move', { id: id(), to: random.below(ids.length) }]
    case 'update': return ['update', { rows: [{ id: id(), merge: { n: random.below(10) } }] }]
    case 'batch': return ['batch', { commands: [{ move: { id: id(), to: 0 } }, { insert: { rows: [row()], at: 0 } }, { delete: { ids: [id()] } }] }]
    case 'replace': return ['replace', { rows: random.shuffled(rows.filter((each) => 'id' in each)).slice(0, 30) }]
    case 'select': return ['select', { id: id() }]
    default: return ['transition', random.chance(0.3) ? { to: 'maintenance', data: { message: 'x' } } : { to: 'populated' }]
  }
}

test('20 subscribers on breaking connections end with the snapshot’s rows', { skip: missing, timeout: 240000 }, async () => {
  const random = generator(seed)
  const server = await startServer()
  const cutter = await startCutter(server.base, random)
  const options = { backoff: { first: 0, base: 20, cap: 200 } }
  const id = randomId()
  const writer = await Session.open(server.base, { ...options, table: 'tasks', id })
  await writer.transition('populated')
  const followers = await Promise.all([...Array(20)].map(async (_, n) => {
    // Half of them say nothing; half make commands of their own, over the breaking connection too.
    let session
    while (!session) {
      try {
        session = await Session.attach(cutter.base, id, options)
      } catch (error) {
        if (error.status !== 0) throw error
      }
    }
    const follower = { session, drawn: session.rows, last: session.revision, resets: 0 }
    session.subscribe((event) => {
      if ('ops' in event) follower.drawn = applyOps(follower.drawn, event.ops)
      if (event.type === 'change') {
        assert.equal(event.change.revision, follower.last + 1, `seed ${seed}: lost or repeated`)
        follower.last = event.change.revision
      } else if (event.type === 'snapshot') {
        follower.last = event.snapshot.revision
        follower.resets += 1
      }
    })
    return follower
  }))

  for (let n = 0; n < 2000; n += 1) {
    const by = random.chance(0.1) ? random.pick(followers).session : writer
    const [name, body] = randomCommand(random, by.rows)
    try {
      await by.command(name, body, { optimistic: random.chance(0.5) })
    } catch (error) {
      // Another's change came between (409, 404, 422), or the connection broke: both are part of the game.
      if (!(error instanceof RowcastError) || error.status >= 500) throw error
    }
  }

  const { snapshot } = await Session.attach(server.base, id, { live: false })
  for (const { session } of [{ session: writer }, ...followers]) {
    await until(session, () => session.revision === snapshot.revision, `revision ${snapshot.revision}; seed ${seed}`)
  }
  for (const follower of followers) {
    assert.deepEqual(follower.session.snapshot, snapshot, `seed ${seed}`)
    assert.deepEqual(follower.drawn, snapshot.rows, `seed ${seed}`)
    follower.session.close()
  }
  assert.ok(cutter.cuts > 100, `only ${cutter.cuts} cuts`)
  writer.close()
  cutter.stop()
  await server.stop()
})
