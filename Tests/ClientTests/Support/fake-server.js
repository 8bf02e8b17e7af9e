import { createServer } from 'node:http'
import { once } from 'node:events'

/**
 * A server of one session that does what it is told: it streams, and cuts, as a test says. Its list is items with a
 * resident placeholder behind them; `append` makes a change.
 */
export class FakeServer {
  static async start() {
    const server = new FakeServer()
    server.http.listen(0, '127.0.0.1')
    await once(server.http, 'listening')
    return server
  }

  constructor() {
    this.revision = 10
    /** @type {any[]} */
    this.changes = []
    /** @type {any[]} */
    this.rows = [{ placeholder: 'hidden', cell: 'HiddenCell', visible: false, selectable: false, data: {} }]
    /** Changes up to this revision are not kept. */
    this.forgotten = 10
    this.requests = []
    /** @type {Set<import('node:http').ServerResponse>} */
    this.streams = new Set()
    /** Called with each stream's response in place of the usual streaming. @type {null | Function} */
    this.onStream = null
    /** Called with each command in place of the usual answer. @type {null | Function} */
    this.onCommand = null
    /** Called with a GET of the snapshot. @type {null | Function} */
    this.onSnapshot = null
    this.http = createServer((request, response) => this.answer(request, response))
  }

  get base() {
    return `http://127.0.0.1:${/** @type {any} */ (this.http.address()).port}`
  }

  get snapshot() {
    return { session: 's', table: 't', params: {}, ...this.header, offset: 0, rows: this.rows }
  }

  get header() {
    return {
      revision: this.revision, state: this.rows.length > 1 ? 'populated' : 'empty', loading: null, hasNext: false,
      error: null, itemCount: this.rows.length - 1, rowCount: this.rows.length, selected: null,
    }
  }

  /** @param {any} data @param {{tag?: string, id?: string}} [more] */
  append(data, { tag, id = `i${this.revision}` } = {}) {
    const to = this.rows.length - 1
    const row = { id, cell: 'Cell', data }
    this.rows = [...this.rows.slice(0, to), row, this.rows[to]]
    this.revision += 1
    const change = { cause: 'insert', ...this.header, ops: [{ op: 'insert', to, row }], ...(tag && { tag }) }
    this.changes.push(change)
    for (const stream of this.streams) stream.write(frame(change))
    return change
  }

  /** @param {number} since */
  after(since) {
    return since < this.forgotten || since > this.revision
      ? null : this.changes.filter((change) => change.revision > since)
  }

  async answer(request, response) {
    const url = new URL(request.url, 'http://localhost')
    let body = ''
    for await (const chunk of request) body += chunk
    const seen = { method: request.method, path: url.pathname, query: url.searchParams, headers: request.headers,
      body: body === '' ? undefined : JSON.parse(body) }
    this.requests.push(seen)
    const since = url.searchParams.has('since') ? Number(url.searchParams.get('since')) : undefined
    const json = (value, status = 200, headers = {}) => {
      response.writeHead(status, { 'Content-Type': status < 400 ? 'application/json' : 'application/problem+json', ...headers })
      response.end(JSON.stringify(value))
    }
    const problem = (status, slug, headers) => json({ type: `/problems/${slug}`, title: slug, status }, status, headers)
    if (url.pathname.endsWith('/changes')) {
      if (request.headers.accept !== 'text/event-stream') {
        const changes = this.after(since ?? -1)
        return json(changes ? { revision: this.revision, changes }
          : { revision: this.revision, reset: true, changes: [], snapshot: this.snapshot })
      }
      if (this.onStream) return this.onStream({ response, since, seen, problem, json })
      this.open(response)
      response.write(this.opening(since))
      this.streams.add(response)
      response.on('close', () => this.streams.delete(response))
      return
    }
    if (request.method === 'POST' && url.pathname.startsWith('/v1/sessions/')) {
      const tag = url.searchParams.get('tag')
      if (this.onCommand) return this.onCommand({ response, since, tag, seen, problem, json })
      const ids = seen.body.rows.map((row) => this.append(row.data, { tag, id: row.id }).ops[0].row.id)
      return json({ revision: this.revision, changes: this.after(since), ids })
    }
    if (request.method === 'GET') return this.onSnapshot ? this.onSnapshot({ json, problem }) : json(this.snapshot)
    return json({ revision: this.revision, changes: [], snapshot: this.snapshot }, 201)
  }

  open(response) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.flushHeaders()
  }

  /** What a stream begins with. @param {number} [since] */
  opening(since) {
    const changes = since === undefined ? null : this.after(since)
    return `retry: 2000\n\n${changes ? changes.map((change) => frame(change)).join('') : frame(this.snapshot, 'snapshot')}`
  }

  async stop() {
    this.http.closeAllConnections()
    this.http.close()
  }
}

/** @param {any} content */
export function frame(content, event = 'change') {
  return `id: ${content.revision}\nevent: ${event}\ndata: ${JSON.stringify(content)}\n\n`
}
