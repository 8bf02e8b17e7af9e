import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { RowcastError, Session, applyOps, tables } from '../../Sources/Service/Resources/rowcast.js'
import { FakeServer, frame } from './Support/fake-server.js'
import { until } from './Support/waiting.js'

const options = { backoff: { first: 1, base: 1, cap: 5 } }

/** @type {FakeServer} */
let server
/** @type {Session[]} */
let sessions

beforeEach(async () => {
  server = await FakeServer.start()
  sessions = []
})

afterEach(async () => {
  for (const session of sessions) session.close()
  await server.stop()
})

async function attach(more = {}) {
  const session = await Session.attach(server.base, 's', { ...options, ...more })
  sessions.push(session)
  return session
}

/** Notes what a session tells, and draws it: the ops of every event applied in order. */
function watch(session) {
  const seen = { events: [], revisions: [], drawn: session.rows }
  session.subscribe((event) => {
    seen.events.push(event)
    if ('ops' in event) {
      seen.drawn = applyOps(seen.drawn, event.ops)
      assert.deepEqual(seen.drawn, event.rows)
    }
    if (event.type === 'change') seen.revisions.push(event.change.revision)
  })
  return seen
}

const settled = (session) => until(session, () => session.revision === server.revision, 'the server’s revision')

test('follows changes from the snapshot on', async () => {
  const session = await attach()
  const seen = watch(session)
  await until(session, () => session.status === 'live')
  server.append(1)
  server.append({ text: 'é\r\n\u2028😀' })
  await settled(session)
  assert.deepEqual(seen.revisions, [11, 12])
  assert.deepEqual(session.snapshot, server.snapshot)
  assert.deepEqual(seen.drawn, server.rows)
  assert.equal(server.requests.filter((each) => each.path.endsWith('/changes'))[0].query.get('since'), '10')
})

test('a change between the snapshot and the stream is not missed', async () => {
  const session = await attach({ live: false })
  assert.equal(session.status, 'idle')
  server.append(1)
  session.resume()
  await settled(session)
  assert.deepEqual(session.rows, server.rows)
})

test('opens by PUT with an id, by POST without, and hands on what it is told', async () => {
  const common = { ...options, table: 't', params: { topic: 'x' }, load: true, live: false, token: 'secret' }
  sessions.push(await Session.open(server.base, { ...common, id: 's', wait: 0 }))
  sessions.push(await Session.open(`${server.base}/`, { ...common, wait: 7 }))
  const [put, post] = server.requests
  assert.deepEqual([put.method, put.path, put.headers.prefer], ['PUT', '/v1/sessions/s', 'respond-async'])
  assert.deepEqual([post.method, post.path, post.headers.prefer], ['POST', '/v1/sessions', 'wait=7'])
  assert.deepEqual(put.body, { table: 't', params: { topic: 'x' }, load: true })
  assert.equal(put.headers.authorization, 'Bearer secret')
})

test('the stream carries the token in a header, never in the address', async () => {
  const session = await attach({ token: 'secret' })
  await until(session, () => session.status === 'live')
  for (const each of server.requests) {
    assert.equal(each.headers.authorization, 'Bearer secret')
    assert.doesNotMatch(`${each.path}?${each.query}`, /secret/)
  }
})

// MARK: Commands

test('its own change comes once when the answer is first', async () => {
  server.onStream = ({ response }) => server.open(response) // silent
  const session = await attach()
  const seen = watch(session)
  const answer = await session.insert([{ id: 'a', data: 1 }])
  assert.deepEqual(answer.ids, ['a'])
  assert.deepEqual(session.rows, server.rows)
  server.onStream = null
  session.pause()
  session.resume()
  await until(session, () => session.status === 'live')
  server.append(2)
  await settled(session)
  assert.deepEqual(seen.revisions, [11, 12])
  assert.deepEqual(seen.events.filter((each) => each.type === 'change').map((each) => each.own), [true, false])
})

test('its own change comes once when the stream is first', async () => {
  const session = await attach()
  await until(session, () => session.status === 'live')
  const seen = watch(session)
  let answered = false
  server.onCommand = async ({ tag, since, seen: request, json }) => {
    server.append(request.body.rows[0].data, { tag })
    await settled(session)
    answered = true
    json({ revision: server.revision, changes: server.after(since) })
  }
  await session.insert([{ data: 1 }])
  assert.ok(answered)
  assert.deepEqual(seen.revisions, [11])
  assert.equal(seen.events.find((each) => each.type === 'change').own, true)
})

test('an answer brings what others did before it', async () => {
  const session = await attach({ live: false })
  const seen = watch(session)
  server.append('theirs')
  await session.insert([{ data: 'mine' }])
  assert.deepEqual(seen.revisions, [11, 12])
  assert.deepEqual(session.snapshot, server.snapshot)
})

test('where the answer’s past is not kept, the list comes whole', async () => {
  const session = await attach({ live: false })
  const seen = watch(session)
  server.onCommand = ({ json }) => {
    server.append(1)
    json({ revision: server.revision, reset: true, changes: [], snapshot: server.snapshot })
  }
  await session.command('load-more')
  assert.deepEqual(seen.events.map((each) => each.type), ['snapshot'])
  assert.deepEqual(seen.drawn, server.rows)
})

test('where an answer leaves a gap, the missing changes are asked for', async () => {
  const session = await attach({ live: false })
  const seen = watch(session)
  server.onCommand = ({ json }) => {
    server.append(1)
    server.append(2)
    json({ revision: 12, changes: [server.changes[1]] }, 200, { 'Idempotent-Replayed': 'true' })
  }
  await session.command('load-more')
  assert.deepEqual(seen.revisions, [11, 12])
})

test('an optimistic command shows at once and draws nothing twice', async () => {
  const session = await attach()
  await until(session, () => session.status === 'live')
  const seen = watch(session)
  const done = session.insert([{ id: 'a', cell: 'Cell', data: 1 }], {}, { optimistic: true })
  assert.deepEqual(session.rows.map((row) => row.id), ['a', undefined])
  assert.equal(session.snapshot.rows.length, 1)
  await done
  assert.deepEqual(seen.events.map((each) => [each.type, each.ops.length]), [['prediction', 1], ['change', 0]])
  assert.deepEqual(seen.drawn, server.rows)
})

test('a prediction is kept over others’ changes, and taken back when refused', async () => {
  const session = await attach()
  await until(session, () => session.status === 'live')
  const seen = watch(session)
  const arrived = new Promise((resolve) => { server.onCommand = resolve })
  const done = session.insert([{ id: 'mine', data: 1 }], { at: 0 }, { optimistic: true })
  server.append('theirs', { id: 'theirs' })
  await settled(session)
  assert.deepEqual(session.rows.map((row) => row.id), ['mine', 'theirs', undefined])
  ;(await arrived).problem(409, 'duplicate-id')
  await assert.rejects(done, { code: 'duplicate-id', status: 409 })
  assert.deepEqual(seen.drawn, server.rows)
  assert.deepEqual(session.rows, server.rows)
})

test('conditions, keys and preferences go along', async () => {
  const session = await attach({ live: false })
  await session.command('insert', { rows: [] }, { ifRevision: 10, idempotencyKey: 'k', wait: 0, tag: 'mine' })
  const { headers, query } = server.requests.at(-1)
  assert.equal(headers['if-match'], '"10"')
  assert.equal(headers['idempotency-key'], 'k')
  assert.equal(headers.prefer, 'return=minimal, respond-async')
  assert.equal(query.get('tag'), 'mine')
  assert.equal(query.get('since'), '10')
})

test('with a key, a command that met a failure is sent again, and only then', async () => {
  const session = await attach({ live: false })
  let times = 0
  server.onCommand = ({ response, json, since, seen }) => {
    times += 1
    if (times === 1) return response.destroy()
    server.append(seen.body.rows[0].data)
    json({ revision: server.revision, changes: server.after(since) })
  }
  await session.insert([{ data: 1 }], {}, { idempotencyKey: true })
  assert.equal(times, 2)
  const keys = server.requests.slice(-2).map((each) => each.headers['idempotency-key'])
  assert.equal(keys[0], keys[1])
  times = 0
  await assert.rejects(session.insert([{ data: 1 }]), { status: 0, code: 'network' })
  assert.equal(times, 1)
})

// MARK: The stream

test('a gap, a damaged frame or ops that do not fit: the list comes whole', async () => {
  for (const damaged of [
    (next) => frame({ ...server.header, revision: next + 1, cause: 'x', ops: [] }),
    (next) => frame({ ...server.header, revision: next, cause: 'x', ops: [{ op: 'delete', from: 70 }] }),
    (next) => `event: change\ndata: {"revision":${next},"o\n\n`,
    (next) => `event: change\ndata: {"revision":${next}}\n\n`,
  ]) {
    const wrong = damaged(server.revision + 1)
    let first = true
    server.onStream = ({ response, since }) => {
      server.open(response)
      response.write(first ? wrong : server.opening(since))
      if (first) server.append(1)
      first = false
    }
    const session = await attach()
    const seen = watch(session)
    await until(session, () => seen.events.some((each) => each.type === 'snapshot'), `a snapshot after ${wrong}`)
    assert.deepEqual(session.snapshot, server.snapshot)
    assert.deepEqual(seen.drawn, server.rows)
    session.close()
  }
})

test('an old snapshot of a stream does not take back what an answer brought', async () => {
  let send
  server.onStream = ({ response }) => {
    server.open(response)
    const old = frame(server.snapshot, 'snapshot')
    send = () => response.write(old + server.changes.map((change) => frame(change)).join(''))
  }
  const session = await attach()
  await until(session, () => session.status === 'live')
  const seen = watch(session)
  await session.insert([{ data: 1 }])
  send()
  server.append(2)
  send()
  await settled(session)
  assert.deepEqual(seen.revisions, [11, 12])
  assert.ok(seen.events.every((each) => each.type === 'change'))
})

test('a server that lost its newest changes is believed', async () => {
  server.revision = 20
  server.forgotten = 20
  const session = await attach()
  await until(session, () => session.status === 'live')
  server.revision = 15
  server.forgotten = 15
  for (const stream of server.streams) stream.destroy()
  await until(session, () => session.revision === 15)
})

for (const reason of ['deleted', 'expired']) {
  test(`end: ${reason} is the end`, async () => {
    server.onStream = ({ response }) => {
      server.open(response)
      response.end(`event: end\ndata: {"reason":"${reason}"}\n\n`)
    }
    const session = await attach()
    let told
    await until(session, (event) => { if (event?.type === 'end') told = event; return told !== undefined })
    assert.equal(told.reason, reason)
    assert.equal(session.status, 'ended')
    session.resume()
    assert.equal(session.status, 'ended')
    assert.equal(server.requests.filter((each) => each.path.endsWith('changes')).length, 1)
  })
}

for (const reason of ['draining', 'lagging', 'something new']) {
  test(`end: ${reason} is followed by another stream`, async () => {
    let streams = 0
    server.onStream = ({ response, since }) => {
      server.open(response)
      streams += 1
      if (streams === 1) response.end(`event: end\ndata: {"reason":"${reason}"}\n\n`)
      else response.write(server.opening(since))
    }
    const session = await attach()
    await until(session, () => streams === 2 && session.status === 'live')
    assert.equal(server.requests.at(-1).query.get('since'), '10')
  })
}

for (const [status, slug] of [[410, 'session-ended'], [404, 'unknown-session']]) {
  test(`${status} is the end`, async () => {
    server.onStream = ({ problem }) => problem(status, slug)
    const session = await attach()
    let told
    await until(session, (event) => { if (event?.type === 'end') told = event; return told !== undefined })
    assert.equal(told.reason, 'gone')
    assert.equal(told.error.code, slug)
  })
}

test('403 is a failure, 503 and 429 are waits', async () => {
  let answers = [503, 429, 502]
  server.onStream = ({ problem, response, since }) => {
    const status = answers.shift()
    if (status) return problem(status, 'x')
    server.open(response)
    response.write(server.opening(since))
  }
  const session = await attach()
  await until(session, () => session.status === 'live')
  answers = [403]
  session.pause()
  session.resume()
  let told
  await until(session, (event) => { if (event?.type === 'end') told = event; return told !== undefined })
  assert.equal(told.reason, 'failed')
})

test('Retry-After is heeded', async () => {
  let first = true
  server.onStream = ({ problem, response }) => {
    if (first) problem(503, 'draining', { 'Retry-After': '1' })
    else server.open(response)
    first = false
  }
  const session = await attach()
  let wait
  await until(session, (event) => { wait ??= event?.retryIn; return wait !== undefined })
  assert.ok(wait >= 1000)
  session.resume() // does not wait for it
  await until(session, () => session.status === 'live')
})

test('401 asks for a token and goes on with it', async () => {
  const refuse = ({ problem }) => problem(401, 'unauthorized')
  server.onStream = refuse
  const session = await attach({ token: 'old' })
  await until(session, () => session.status === 'unauthorized')
  server.onStream = null
  session.token = 'new'
  server.append(1)
  session.resume()
  await settled(session)
  assert.equal(server.requests.at(-1).headers.authorization, 'Bearer new')
})

test('opens again where the server has forgotten it', async () => {
  const session = await Session.open(server.base, { ...options, table: 't', id: 's', load: true, reopen: true })
  sessions.push(session)
  await until(session, () => session.status === 'live')
  const seen = watch(session)
  server.append('lost')
  await settled(session)
  server.rows = [server.rows[1]]
  server.revision = 1_000_000
  server.forgotten = 1_000_000
  server.changes = []
  let gone = true
  server.onStream = ({ problem, response, since }) => {
    if (gone) {
      gone = false
      return problem(404, 'unknown-session')
    }
    server.open(response)
    response.write(server.opening(since))
    server.streams.add(response)
  }
  for (const stream of server.streams) stream.destroy()
  await until(session, (event) => event?.type === 'snapshot' && event.reopened)
  const put = server.requests.filter((each) => each.method === 'PUT').at(-1)
  assert.deepEqual(put.body, { table: 't', load: true })
  await until(session, () => session.status === 'live')
  server.append('after')
  await settled(session)
  assert.deepEqual(seen.drawn, server.rows)
})

test('a connection without a byte is given up', async () => {
  let streams = 0
  server.onStream = ({ response }) => {
    streams += 1
    server.open(response)
  }
  const session = await attach({ silence: 20 })
  await until(session, () => streams >= 3)
})

test('a paused session is silent and then catches up', async () => {
  const session = await attach()
  await until(session, () => session.status === 'live')
  const seen = watch(session)
  session.pause()
  assert.equal(session.status, 'paused')
  server.append(1)
  server.append(2)
  assert.deepEqual(seen.revisions, [])
  session.resume()
  await settled(session)
  assert.deepEqual(seen.revisions, [11, 12])
})

// MARK: Listening

test('a loop is given every event, and ends with the session', async () => {
  const session = await attach()
  await until(session, () => session.status === 'live')
  const revisions = []
  const loop = (async () => {
    for await (const event of session) if (event.type === 'change') revisions.push(event.change.revision)
  })()
  for (let n = 0; n < 5; n += 1) server.append(n)
  await settled(session)
  await session.end()
  await loop
  assert.deepEqual(revisions, [11, 12, 13, 14, 15])
})

test('leaving a loop leaves the session', async () => {
  const session = await attach()
  await until(session, () => session.status === 'live')
  server.append(1)
  for await (const event of session) {
    assert.equal(event.type, 'change')
    break
  }
  assert.equal(session.status, 'live')
})

test('a loop that is too slow is given the list whole', async () => {
  const session = await attach()
  await until(session, () => session.status === 'live')
  const loop = session[Symbol.asyncIterator]()
  let drawn = session.rows
  for (let n = 0; n < 1500; n += 1) server.append(n)
  await settled(session)
  session.close()
  let count = 0
  for await (const event of loop) {
    if ('ops' in event) drawn = applyOps(drawn, event.ops)
    count += 1
  }
  assert.ok(count < 1500)
  assert.deepEqual(drawn, server.rows)
})

test('close ends loops, commands and the stream', async () => {
  const session = await attach()
  await until(session, () => session.status === 'live')
  server.onCommand = () => session.close()
  const loop = (async () => { for await (const _ of session); })()
  await assert.rejects(session.command('load-more'), { name: 'AbortError' })
  await loop
  assert.equal(session.status, 'closed')
})

test('a signal closes', async () => {
  const controller = new AbortController()
  const session = await attach({ signal: controller.signal })
  controller.abort()
  assert.equal(session.status, 'closed')
  assert.equal((await attach({ signal: AbortSignal.abort() }).catch((error) => error)).name, 'AbortError')
})

test('errors say what the server said', async () => {
  server.onSnapshot = ({ problem }) => problem(404, 'unknown-session')
  await assert.rejects(Session.attach(server.base, 's', options), (error) => {
    assert.ok(error instanceof RowcastError)
    assert.deepEqual([error.status, error.code], [404, 'unknown-session'])
    return true
  })
  const { base } = server
  await server.stop()
  await assert.rejects(tables(base), { status: 0, code: 'network' })
})
