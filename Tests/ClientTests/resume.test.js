import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Session, applyOps } from '../../Sources/Service/Resources/rowcast.js'
import { FakeServer } from './Support/fake-server.js'
import { until } from './Support/waiting.js'

/** The first stream is cut after so many bytes; those after it are whole. */
async function cutAfter(server, bytes) {
  const changes = server.revision
  let first = true
  server.onStream = ({ response, since }) => {
    server.open(response)
    const opening = Buffer.from(server.opening(since))
    if (!first) response.write(opening)
    else if (bytes === 0) response.destroy()
    else response.write(opening.subarray(0, bytes), () => response.destroy())
    first = false
  }
  server.forgotten = 10
  const start = { ...server.snapshot, revision: 10, rows: [server.rows.at(-1)], itemCount: 0, rowCount: 1 }
  server.onSnapshot = ({ json }) => json(start)
  const session = await Session.attach(server.base, 's', { live: false, backoff: { first: 0, base: 0 } })
  /** @type {number[]} */
  const revisions = []
  let drawn = session.rows
  session.subscribe((event) => {
    if (event.type === 'change') revisions.push(event.change.revision)
    if ('ops' in event) drawn = applyOps(drawn, event.ops)
    if (event.type === 'snapshot') revisions.push(-event.snapshot.revision)
  })
  session.resume()
  await until(session, () => session.revision === changes, `all changes when cut after ${bytes} bytes`)
  session.close()
  return { revisions, drawn }
}

test('a stream that is cut at any byte resumes without loss or repeat', { timeout: 120000 }, async () => {
  const server = await FakeServer.start()
  server.append({ text: 'é😀\r\n\u2028' })
  server.append({ text: 'b' })
  server.append([1, 2])
  const length = Buffer.byteLength(server.opening(10))
  for (let bytes = 0; bytes <= length; bytes += 1) {
    const { revisions, drawn } = await cutAfter(server, bytes)
    assert.deepEqual(revisions, [11, 12, 13], `cut after ${bytes} of ${length} bytes`)
    assert.deepEqual(drawn, server.rows)
  }
  await server.stop()
})

test('a stream that is cut after every few bytes, again and again, arrives', { timeout: 60000 }, async () => {
  const server = await FakeServer.start()
  for (let n = 0; n < 10; n += 1) server.append({ n, text: 'é😀' })
  const start = { ...server.snapshot, revision: 10, rows: [server.rows.at(-1)] }
  server.onSnapshot = ({ json }) => json(start)
  let cut = 0
  server.onStream = ({ response, since }) => {
    server.open(response)
    cut += 97
    // A moment's delay: what a reader has not taken when the connection breaks is lost to it.
    response.write(Buffer.from(server.opening(since)).subarray(0, 500 + (cut % 300)), () => setTimeout(() => response.destroy(), 2))
  }
  const session = await Session.attach(server.base, 's', { live: false, backoff: { first: 0, base: 0 } })
  const revisions = []
  session.subscribe((event) => { if (event.type === 'change') revisions.push(event.change.revision) })
  session.resume()
  await until(session, () => session.revision === server.revision)
  assert.deepEqual(revisions, [...Array(10).keys()].map((n) => 11 + n))
  assert.deepEqual(session.rows, server.rows)
  session.close()
  await server.stop()
})
