// rowcast.js – follow and change a Rowcast session, from a browser or Node 18 and later.
//
// One file without dependencies, longer than others in this project for that reason: it can be copied anywhere, or
// imported from a running server as `/rowcast.js`. It has four parts: the ops of a change (`applyOps`, `diffRows`),
// the parser of server-sent events, what a command will probably do (`predict`), and `Session`, which holds them
// together. The wire contract is Documentation/Protocol.md; what to call is Documentation/Client.md.
//
// Two things that JSON in JavaScript cannot do: numbers of `data` become doubles, and members of an object whose
// names are integers come first. Who needs the exact text reads the answers with another parser.

/**
 * A row of data.
 * @typedef {{id: string, cell: string, data: any}} Item
 */
/**
 * A row that is not data: the placeholder, or a row of a custom state.
 * @typedef {{placeholder: string, cell: string, visible: boolean, selectable: boolean, data: any, presentation?: any}} StatusRow
 */
/** @typedef {Item | StatusRow} Row */
/**
 * One step of a batch. `from` is an index into the rows before, `to` one into the rows after; both count from 0.
 * @typedef {{op: 'delete', from: number}
 *   | {op: 'move', from: number, to: number}
 *   | {op: 'insert', to: number, row: Row}
 *   | {op: 'update', from: number, to: number, row: Row}} Op
 */
/**
 * A problem (RFC 9457) as the server tells it.
 * @typedef {{type: string, title?: string, status?: number, detail?: string, instance?: string, pointer?: string,
 *   revision?: number, during?: string, upstreamStatus?: number, retryAfter?: number}} Problem
 */
/**
 * What a list is besides its rows.
 * @typedef {{revision: number, state: string, loading: null | 'load' | 'refresh' | 'load-more', hasNext: boolean,
 *   error: Problem | null, selected: string | null, itemCount: number, rowCount: number}} Header
 */
/** @typedef {Header & {cause: string, ops: Op[], params?: Record<string, any>, tag?: string}} Change */
/** @typedef {Header & {session: string, table: string, params: Record<string, any>, offset: number, rows: Row[]}} Snapshot */
/**
 * The answer to a command, as sent: `changes` may hold what the session has had already.
 * @typedef {{revision: number, changes: Change[], snapshot?: Snapshot, reset?: boolean, more?: boolean, ids?: string[]}} Answer
 */
/**
 * What a listener is told. `ops` always lead from the rows that were last told of to `rows`, so a view that applies
 * the ops of every event, in order, shows `session.rows`.
 *
 * - `change`: the list took a step. `own` says that this session's command made it.
 * - `snapshot`: the list was given whole, because the past is not kept or was lost; `reopened` where it began anew.
 * - `prediction`: an optimistic command shows before it is answered, or is taken back.
 * - `status`: the connection. `retryIn` are the milliseconds until the next attempt while `waiting`.
 * - `end`: nothing will follow. `reason` is `deleted`, `expired`, `gone` (not there when asked) or `failed`.
 * @typedef {{type: 'change', change: Change, own: boolean, ops: Op[], rows: Row[]}
 *   | {type: 'snapshot', snapshot: Snapshot, reopened: boolean, ops: Op[], rows: Row[]}
 *   | {type: 'prediction', tag: string, ops: Op[], rows: Row[]}
 *   | {type: 'status', status: Status, retryIn?: number, error?: RowcastError}
 *   | {type: 'end', reason: string, error?: RowcastError}} SessionEvent
 */
/**
 * `idle` (never followed), `connecting`, `live`, `waiting` (to try again), `paused`, `unauthorized` (set `token`, then
 * `resume()`), `ended`, `closed`.
 * @typedef {'idle' | 'connecting' | 'live' | 'waiting' | 'paused' | 'unauthorized' | 'ended' | 'closed'} Status
 */
/**
 * @typedef {object} Options
 * @property {string} [token] a bearer token, sent with every request
 * @property {typeof fetch} [fetch] in place of the global one
 * @property {AbortSignal} [signal] closes the session when it aborts
 * @property {boolean} [live] whether to follow the changes at once (default); else from `resume()` on
 * @property {{first?: number, base?: number, cap?: number}} [backoff] milliseconds before an attempt to connect again:
 *   the first after a cut (250), then from `base` (what the server's `retry:` says, else 2000) doubling up to `cap`
 *   (15000); each is cut by a random part of up to a half
 * @property {number} [silence] milliseconds without a byte after which a connection counts as dead (45000: the server
 *   sends a comment every 15 s)
 */
/**
 * @typedef {object} OpenOptions
 * @property {string} table
 * @property {string} [id] the session's id, `[A-Za-z0-9_-]{1,64}`: joined if it is there; without it the server makes one
 * @property {Record<string, any>} [params]
 * @property {boolean} [load] whether to do the first load
 * @property {number} [wait] seconds to wait for that load at most; 0 answers at once and lets the rows follow
 * @property {boolean} [reopen] whether to open it again by its id where a server has forgotten it (404)
 */
/**
 * @typedef {object} CommandOptions
 * @property {string} [tag] 1–64 characters of `[A-Za-z0-9_-]`, for this command's changes; one is made without it
 * @property {boolean} [optimistic] whether to show what the command will do before it is answered
 * @property {number} [ifRevision] refuse (412) unless this is the list's revision
 * @property {string | true} [idempotencyKey] makes it safe to send the command again; with one (`true` makes it), a
 *   command that met a network failure or 503 is sent up to `attempts` times
 * @property {number} [attempts] 4
 * @property {number} [wait] seconds to wait for a fetch at most; 0 answers when it has started
 * @property {AbortSignal} [signal]
 */

// MARK: Ops

/** Ops that do not fit the rows they are applied to. */
export class OpsError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message)
    this.name = 'OpsError'
  }
}

/**
 * The rows that a batch of ops makes of `rows`, which stay as they are.
 *
 * A batch is no script (Protocol.md, “Ops”): rows named by a delete's or move's `from` are taken out, moved and
 * inserted rows are put in by rising `to`, then updated rows are set. The order of the array does not matter.
 * O(rows + ops · log ops).
 *
 * @template {object} R
 * @param {readonly R[]} rows
 * @param {readonly Op[]} ops
 * @returns {R[]}
 * @throws {OpsError} where an op is unknown, an index is out of range or used twice, or an update names the wrong row
 */
export function applyOps(rows, ops) {
  if (!Array.isArray(rows) || !Array.isArray(ops)) throw new OpsError('rows and ops are arrays')
  /** @type {Set<number>} */
  const taken = new Set()
  /** @type {{to: number, from: number, row: any}[]} */
  const placed = []
  /** @type {{from: number, to: number, row: any}[]} */
  const updated = []
  let after = rows.length
  for (const op of ops) {
    switch (op?.op) {
      case 'delete':
        take(op.from)
        after -= 1
        break
      case 'move':
        take(op.from)
        placed.push({ to: op.to, from: op.from, row: rows[op.from] })
        break
      case 'insert':
        placed.push({ to: op.to, from: -1, row: wholeRow(op) })
        after += 1
        break
      case 'update':
        checkIndex(op.from, rows.length, 'from')
        updated.push({ from: op.from, to: op.to, row: wholeRow(op) })
        break
      default:
        throw new OpsError(`unknown op ${JSON.stringify(op)}`)
    }
  }
  placed.sort((a, b) => a.to - b.to)
  placed.forEach(({ to }, n) => {
    checkIndex(to, after, 'to')
    if (n > 0 && placed[n - 1].to === to) throw new OpsError(`two rows are put at ${to}`)
  })

  /** @type {R[]} */
  const result = new Array(after)
  /** Where each row of the result came from; only kept where an update has to be checked. */
  const origins = updated.length > 0 ? new Array(after) : null
  let source = 0
  let next = 0
  for (let index = 0; index < after; index += 1) {
    let origin
    if (next < placed.length && placed[next].to === index) {
      result[index] = placed[next].row
      origin = placed[next].from
      next += 1
    } else {
      while (taken.has(source)) source += 1
      result[index] = rows[source]
      origin = source
      source += 1
    }
    if (origins) origins[index] = origin
  }
  /** @type {Set<number>} */
  const set = new Set()
  for (const { from, to, row } of updated) {
    checkIndex(to, after, 'to')
    if (set.has(to)) throw new OpsError(`row ${to} is updated twice`)
    if (origins?.[to] !== from) throw new OpsError(`the row that was at ${from} is not at ${to}`)
    set.add(to)
    result[to] = row
  }
  return result

  /** @param {number} from */
  function take(from) {
    checkIndex(from, rows.length, 'from')
    if (taken.has(from)) throw new OpsError(`row ${from} is taken out twice`)
    taken.add(from)
  }
}

/** @param {number} index @param {number} count @param {string} name */
function checkIndex(index, count, name) {
  if (!Number.isInteger(index) || index < 0 || index >= count) {
    throw new OpsError(`${name} is ${index}, of ${count} rows`)
  }
}

/** @param {{row: any}} op */
function wholeRow(op) {
  if (op.row === null || typeof op.row !== 'object') throw new OpsError('an op has no row')
  return op.row
}

/**
 * A minimal batch of ops that leads from one list of rows to another. Items are the same by id, status rows by their
 * place among status rows. O(n log n).
 *
 * @param {readonly Row[]} before
 * @param {readonly Row[]} after
 * @returns {Op[]}
 */
export function diffRows(before, after) {
  if (before === after) return []
  /** @type {Map<string, number>} */
  const places = new Map()
  keys(before).forEach((key, index) => places.set(key, index))
  /** For each row after, its index before, or -1. */
  const origins = keys(after).map((key) => {
    const from = places.get(key)
    places.delete(key)
    return from ?? -1
  })
  const still = longestRise(origins)
  /** @type {Op[]} */
  const ops = [...places.values()].sort((a, b) => b - a).map((from) => ({ op: 'delete', from }))
  origins.forEach((from, to) => {
    if (from >= 0 && !still.has(to)) ops.push({ op: 'move', from, to })
  })
  origins.forEach((from, to) => {
    if (from < 0) ops.push({ op: 'insert', to, row: after[to] })
  })
  origins.forEach((from, to) => {
    if (from >= 0 && !sameRow(before[from], after[to])) ops.push({ op: 'update', from, to, row: after[to] })
  })
  return ops

  /** @param {readonly Row[]} rows */
  function keys(rows) {
    let status = 0
    return rows.map((row) => ('id' in row ? `i${row.id}` : `s${status++}`))
  }
}

/**
 * The places of a longest rising run of the values ≥ 0 (patience sorting).
 * @param {readonly number[]} values
 */
function longestRise(values) {
  /** @type {number[]} the place of the lowest end of a run of each length */
  const ends = []
  /** @type {number[]} */
  const previous = []
  values.forEach((value, place) => {
    if (value < 0) return
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (values[ends[middle]] < value) low = middle + 1
      else high = middle
    }
    previous[place] = low > 0 ? ends[low - 1] : -1
    ends[low] = place
  })
  /** @type {Set<number>} */
  const run = new Set()
  for (let place = ends.length > 0 ? ends[ends.length - 1] : -1; place >= 0; place = previous[place]) run.add(place)
  return run
}

/** @param {Row} a @param {Row} b */
function sameRow(a, b) {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

// MARK: Server-sent events

/**
 * Cuts a stream of bytes into server-sent events, as the WHATWG text has it, wherever the bytes are cut.
 *
 * Lines end with CR, LF or both; a byte order mark before the first is passed over; comments and unknown fields are
 * ignored; an event without data is none.
 */
export class EventStreamParser {
  #decoder = new TextDecoder()
  /** @type {string[]} the line that is not yet whole, in pieces, so that a long one costs no more than its length */
  #pieces = []
  #afterReturn = false
  /** @type {string[]} */
  #data = []
  #event = ''
  /** The last id given; the place to resume from. */
  lastEventId = ''
  /** @type {number | undefined} the reconnection time that the server asks for, in milliseconds */
  retry

  /**
   * The events that these bytes complete.
   * @param {Uint8Array} bytes
   * @returns {{event: string, data: string, id: string}[]}
   */
  push(bytes) {
    let text = this.#decoder.decode(bytes, { stream: true })
    /** @type {{event: string, data: string, id: string}[]} */
    const events = []
    if (text === '') return events
    if (this.#afterReturn && text.startsWith('\n')) text = text.slice(1)
    this.#afterReturn = text === '' ? false : text.endsWith('\r')
    const ends = /\r\n|\r|\n/g
    let start = 0
    for (let end = ends.exec(text); end; end = ends.exec(text)) {
      this.#pieces.push(text.slice(start, end.index))
      start = ends.lastIndex
      const line = this.#pieces.length === 1 ? this.#pieces[0] : this.#pieces.join('')
      this.#pieces = []
      this.#line(line, events)
    }
    if (start < text.length) this.#pieces.push(text.slice(start))
    return events
  }

  /** @param {string} line @param {{event: string, data: string, id: string}[]} events */
  #line(line, events) {
    if (line === '') {
      if (this.#data.length > 0) {
        events.push({ event: this.#event || 'message', data: this.#data.join('\n'), id: this.lastEventId })
      }
      this.#data = []
      this.#event = ''
      return
    }
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon < 0 ? line : line.slice(0, colon)
    let value = colon < 0 ? '' : line.slice(colon + 1)
    if (value.startsWith(' ')) value = value.slice(1)
    switch (field) {
      case 'data':
        this.#data.push(value)
        break
      case 'event':
        this.#event = value
        break
      case 'id':
        if (!value.includes('\0')) this.lastEventId = value
        break
      case 'retry':
        if (/^[0-9]+$/.test(value)) this.retry = Number(value)
        break
    }
  }
}

// MARK: Predictions

/**
 * What a command will probably make of the rows; null where that cannot be told here. The server has the last word:
 * its change takes the prediction's place.
 *
 * @param {string} name
 * @param {any} body
 * @param {readonly Row[]} rows
 * @returns {Row[] | null}
 */
export function predict(name, body, rows) {
  /** @type {Item[]} */
  const items = []
  /** @type {StatusRow[]} */
  const rest = []
  for (const row of rows) 'id' in row ? items.push(row) : rest.push(row)
  const made = predictItems(name, body, items)
  return made && [...made, ...rest]
}

/** @param {string} name @param {any} body @param {Item[]} items @returns {Item[] | null} */
function predictItems(name, body, items) {
  switch (name) {
    case 'insert': {
      if (!Array.isArray(body.rows)) return null
      const ids = new Set(items.map((item) => item.id))
      const rows = body.rows.filter((/** @type {any} */ row) => typeof row?.id === 'string' && !ids.has(row.id))
      const at = 'at' in body ? body.at : placeBeside(items, body) ?? items.length
      if (!Number.isInteger(at) || at < 0 || at > items.length) return null
      return [...items.slice(0, at), ...rows.map(asItem), ...items.slice(at)]
    }
    case 'delete': {
      if (body.all === true) return []
      if (!Array.isArray(body.ids)) return null
      const gone = new Set(body.ids)
      return items.filter((item) => !gone.has(item.id))
    }
    case 'move': {
      const moved = items.find((item) => item.id === body.id)
      if (!moved) return null
      const others = items.filter((item) => item !== moved)
      const to = 'to' in body ? body.to : placeBeside(others, body)
      if (!Number.isInteger(to) || to < 0 || to > others.length) return null
      return [...others.slice(0, to), moved, ...others.slice(to)]
    }
    case 'update': {
      if (!Array.isArray(body.rows)) return null
      /** @type {Map<string, any>} */
      const news = new Map(body.rows.map((/** @type {any} */ row) => [row?.id, row]))
      return items.map((item) => {
        const row = news.get(item.id)
        if (!row) return item
        const data = 'merge' in row ? mergePatch(item.data, row.merge) : row.data
        return { ...item, cell: row.cell ?? item.cell, data }
      })
    }
    case 'replace':
      return Array.isArray(body.rows) && body.rows.every((/** @type {any} */ row) => typeof row?.id === 'string')
        ? body.rows.map(asItem) : null
    case 'batch': {
      if (!Array.isArray(body.commands)) return null
      /** @type {Item[] | null} */
      let made = items
      for (const command of body.commands) {
        for (const [each, inner] of Object.entries(command ?? {})) made = made && predictItems(each, inner, made)
      }
      return made
    }
    default:
      return null
  }
}

/** @param {any} row @returns {Item} */
function asItem(row) {
  return { id: row.id, cell: row.cell ?? 'Cell', data: row.data }
}

/** @param {Item[]} items @param {any} body @returns {number | undefined} */
function placeBeside(items, body) {
  const id = body.before ?? body.after
  if (id === undefined) return undefined
  const place = items.findIndex((item) => item.id === id)
  return place < 0 ? -1 : body.before !== undefined ? place : place + 1
}

/**
 * A merge patch applied (RFC 7396).
 * @param {any} target
 * @param {any} patch
 * @returns {any}
 */
function mergePatch(target, patch) {
  if (!isObject(patch)) return patch
  const members = new Map(Object.entries(isObject(target) ? target : {}))
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name)
    else members.set(name, mergePatch(members.get(name), value))
  }
  return Object.fromEntries(members)
}

/** @param {any} value */
function isObject(value) {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

// MARK: Requests

/** What went wrong with a request: a problem that the server told, or the network's failure (status 0). */
export class RowcastError extends Error {
  /**
   * @param {number} status
   * @param {Problem} problem
   * @param {{cause?: unknown, retryAfter?: number}} options
   */
  constructor(status, problem, { cause, retryAfter } = {}) {
    super(problem.detail ?? problem.title ?? problem.type)
    this.name = 'RowcastError'
    /** The HTTP status; 0 where there was no answer. */
    this.status = status
    /** The problem as the server told it. */
    this.problem = problem
    /** The problem's name, as `duplicate-id`; `network` where there was no answer. */
    this.code = problem.type.replace(/^.*\//, '')
    /** What lies behind a network failure. */
    this.cause = cause
    /** Seconds that the server asks to wait; undefined where it did not say. */
    this.retryAfter = retryAfter
  }
}

/** A server's address with what every request to it carries. */
class Server {
  /** @param {string} base @param {Options} options */
  constructor(base, { token, fetch: ask = globalThis.fetch.bind(globalThis) }) {
    this.base = String(base).replace(/\/+$/, '')
    this.token = token
    this.ask = ask
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{body?: any, headers?: Record<string, string>, signal?: AbortSignal}} options
   * @returns {Promise<Response>}
   */
  async request(method, path, { body, headers = {}, signal } = {}) {
    const fields = { ...headers }
    if (this.token !== undefined) fields.Authorization = `Bearer ${this.token}`
    if (body !== undefined) fields['Content-Type'] = 'application/json'
    let response
    try {
      response = await this.ask(this.base + path, {
        method, headers: fields, signal, cache: 'no-store', body: body === undefined ? undefined : JSON.stringify(body),
      })
    } catch (cause) {
      throw failure(cause, signal)
    }
    if (!response.ok) throw await refusal(response)
    return response
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{body?: any, headers?: Record<string, string>, signal?: AbortSignal}} [options]
   * @returns {Promise<any>}
   */
  async json(method, path, options) {
    const response = await this.request(method, path, options)
    try {
      return await response.json()
    } catch (cause) {
      throw failure(cause, options?.signal)
    }
  }
}

/** @param {unknown} cause @param {AbortSignal} [signal] */
function failure(cause, signal) {
  if (signal?.aborted) return signal.reason ?? cause
  return new RowcastError(0, { type: 'network', title: 'The server could not be reached' }, { cause })
}

/** @param {Response} response */
async function refusal(response) {
  const wait = response.headers.get('Retry-After')
  const retryAfter = wait !== null && /^[0-9]+$/.test(wait) ? Number(wait) : undefined
  /** @type {any} */
  let problem
  try {
    problem = await response.json()
  } catch {
    // Not this server's own answer but that of something between; its status must do.
  }
  if (typeof problem?.type !== 'string') problem = { type: 'about:blank', title: `HTTP ${response.status}` }
  return new RowcastError(response.status, problem, { retryAfter })
}

/**
 * The tables of a server.
 * @param {string} base the server's address; in a page of its own, `''`
 * @param {Options} [options]
 * @returns {Promise<any[]>}
 */
export async function tables(base, options = {}) {
  return (await new Server(base, options).json('GET', '/v1/tables', { signal: options.signal })).tables
}

/** 128 random bits as 22 characters of `[A-Za-z0-9_-]`. */
export function randomId() {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(16))
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

/**
 * Resolves after so many milliseconds, or early when the signal aborts.
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
function pause(milliseconds, signal) {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    signal.addEventListener('abort', done)
  })
}

// MARK: Session

/** Events that wait for a loop at most; one that is slower is given the list whole. */
const longestQueue = 1000
/** Milliseconds after which a connection without an event counts as one that worked. */
const steadyAfter = 5000

/**
 * A session that is followed: its list, its changes as they come, and its commands.
 *
 * Whatever happens to the connection, each change comes once and in order, or the list is given whole. A command's
 * own changes come with its answer or by the stream, whichever is first.
 */
export class Session {
  /** @type {Server} */
  #server
  /** @type {Options & Partial<OpenOptions>} */
  #options
  /** @type {Snapshot} what the server has committed, as far as is known here */
  #committed
  /** @type {{tag: string, name: string, body: any}[]} commands shown before they are answered, in order */
  #pending = []
  /** @type {Row[]} */
  #rows
  /** @type {Set<(event: SessionEvent) => void>} */
  #listeners = new Set()
  /** @type {Status} */
  #status = 'idle'
  /** @type {AbortController | null} the stream's loop, while it runs */
  #run = null
  /** @type {AbortController} a pause between two attempts */
  #waiting = new AbortController()
  #closing = new AbortController()
  /** Whether the next connection begins with the list whole, because something here does not fit. */
  #startOver = false
  /** Connections that failed in a row. */
  #failures = 0
  #retry = 2000
  #tagPrefix = randomId().slice(0, 8)
  #tagCount = 0
  /** @type {Set<string>} tags that a caller chose, the newest of them */
  #tags = new Set()

  /**
   * Opens a session on a table: joins that of `id` if it is there, else makes it.
   * @param {string} base the server's address; in a page of its own, `''`
   * @param {OpenOptions & Options} options
   * @returns {Promise<Session>}
   * @throws {RowcastError}
   */
  static async open(base, options) {
    const server = new Server(base, options)
    const snapshot = await openSnapshot(server, options, options.id)
    return new Session(server, { ...options, id: snapshot.session }, snapshot)
  }

  /**
   * Joins a session that is there.
   * @param {string} base
   * @param {string} id
   * @param {Options} [options]
   * @returns {Promise<Session>}
   * @throws {RowcastError}
   */
  static async attach(base, id, options = {}) {
    const server = new Server(base, options)
    const snapshot = await server.json('GET', `/v1/sessions/${encodeURIComponent(id)}`, { signal: options.signal })
    return new Session(server, options, snapshot)
  }

  /**
   * Use `Session.open` or `Session.attach`.
   * @param {Server} server
   * @param {Options & Partial<OpenOptions>} options
   * @param {Snapshot} snapshot
   */
  constructor(server, options, snapshot) {
    this.#server = server
    this.#options = options
    this.#committed = snapshot
    this.#rows = snapshot.rows
    options.signal?.addEventListener('abort', () => this.close(), { once: true })
    if (options.signal?.aborted) this.close()
    else if (options.live !== false) this.resume()
  }

  /** The session's id. */
  get id() { return this.#committed.session }
  /** The list as the server has committed it. Not to be changed; each change makes a new one. */
  get snapshot() { return this.#committed }
  /** The rows to draw: those of the snapshot, with what optimistic commands will make of them. */
  get rows() { return this.#rows }
  get revision() { return this.#committed.revision }
  get status() { return this.#status }

  /** The bearer token; setting it takes effect with the next request. */
  get token() { return this.#server.token }
  set token(token) { this.#server.token = token }

  get #path() { return `/v1/sessions/${encodeURIComponent(this.id)}` }

  // MARK: Listening

  /**
   * Calls a listener with every event from now on, and returns what stops that.
   * @param {(event: SessionEvent) => void} listener
   * @returns {() => void}
   */
  subscribe(listener) {
    const own = (/** @type {SessionEvent} */ event) => listener(event)
    this.#listeners.add(own)
    return () => { this.#listeners.delete(own) }
  }

  /**
   * Every event from now on but those of status. Ends when the session does.
   *
   * A loop that is more than a thousand events behind is given one `snapshot` in place of them.
   * @returns {AsyncGenerator<SessionEvent, void, void>}
   */
  [Symbol.asyncIterator]() {
    /** @type {SessionEvent[]} */
    let queue = []
    let drawn = this.#rows
    let done = this.#status === 'ended' || this.#status === 'closed'
    let wake = () => {}
    const stop = this.subscribe((event) => {
      if (event.type === 'status') {
        if (event.status !== 'closed') return
        done = true
      } else {
        if (event.type === 'end') done = true
        queue.push(event)
        if (queue.length > longestQueue && event.type !== 'end') {
          queue = [{ type: 'snapshot', snapshot: this.#committed, reopened: false,
            ops: diffRows(drawn, this.#rows), rows: this.#rows }]
        }
      }
      wake()
    })
    const events = async function* () {
      try {
        for (;;) {
          const event = queue.shift()
          if (event) {
            if ('rows' in event) drawn = event.rows
            yield event
          } else if (done) {
            return
          } else {
            await new Promise((resolve) => { wake = () => resolve(undefined) })
          }
        }
      } finally {
        stop()
      }
    }
    return events()
  }

  /** @param {SessionEvent} event */
  #tell(event) {
    for (const listener of [...this.#listeners]) {
      try {
        listener(event)
      } catch (error) {
        // A listener's fault is its own: it is reported where faults are, and the others are told all the same.
        queueMicrotask(() => { throw error })
      }
    }
  }

  /** @param {Status} status @param {{retryIn?: number, error?: RowcastError}} [more] */
  #become(status, more = {}) {
    if (this.#status === 'closed' || (status === this.#status && more.retryIn === undefined)) return
    this.#status = status
    this.#tell({ type: 'status', status, ...more })
  }

  /** @param {string} reason @param {RowcastError} [error] */
  #end(reason, error) {
    if (this.#status === 'ended' || this.#status === 'closed') return
    this.#run?.abort()
    this.#run = null
    this.#become('ended')
    this.#tell({ type: 'end', reason, error })
  }

  // MARK: What comes in

  /**
   * Takes the next change; false where it does not follow what is here.
   * @param {Change} change
   */
  #take(change) {
    const before = this.#committed
    if (change.revision <= before.revision) return true
    if (change.revision !== before.revision + 1) return false
    /** @type {Row[]} */
    let rows
    try {
      rows = applyOps(before.rows, change.ops)
    } catch (error) {
      if (!(error instanceof OpsError)) throw error
      this.#startOver = true
      return false
    }
    const { cause: _cause, ops: _ops, tag: _tag, ...header } = change
    this.#committed = { ...before, ...header, rows }
    const plain = this.#pending.length === 0
    this.#pending = this.#pending.filter(({ tag }) => tag !== change.tag)
    const ops = this.#redraw(plain ? change.ops : undefined)
    this.#tell({ type: 'change', change, own: this.#isOwn(change.tag), ops, rows: this.#rows })
    return true
  }

  /**
   * Takes the list whole, unless it is older than what answers have brought since it was asked for.
   * @param {Snapshot} snapshot
   * @param {number} asked the revision that was here when it was asked for
   * @param {boolean} [reopened]
   */
  #reset(snapshot, asked, reopened = false) {
    if (snapshot.revision >= asked && snapshot.revision < this.#committed.revision) return
    this.#committed = snapshot
    this.#startOver = false
    const ops = this.#redraw()
    this.#tell({ type: 'snapshot', snapshot, reopened, ops, rows: this.#rows })
  }

  /**
   * Makes the rows to draw anew, and returns the ops that lead there.
   * @param {Op[]} [ops] where they are known
   */
  #redraw(ops) {
    const before = this.#rows
    let rows = this.#committed.rows
    if (this.#committed.state === 'populated' || this.#committed.state === 'empty') {
      for (const { name, body } of this.#pending) rows = predict(name, body, rows) ?? rows
    }
    this.#rows = rows
    return ops ?? diffRows(before, rows)
  }

  /** @param {string | undefined} tag */
  #isOwn(tag) {
    return tag !== undefined && (tag.startsWith(this.#tagPrefix) || this.#tags.has(tag))
  }

  /**
   * Asks for the changes until revision `goal` is here; the stream may bring them first.
   * @param {number} goal
   * @param {AbortSignal} [signal]
   */
  async #catchUp(goal, signal) {
    while (this.#committed.revision < goal) {
      const asked = this.#committed.revision
      /** @type {Answer} */
      const answer = await this.#server.json('GET', `${this.#path}/changes?since=${asked}`, { signal })
      if (answer.reset && answer.snapshot) this.#reset(answer.snapshot, asked)
      else for (const change of answer.changes) if (!this.#take(change)) break
      if (this.#committed.revision === asked) {
        // Neither a change nor a reset that fits: the list whole, then.
        this.#reset(await this.#server.json('GET', this.#path, { signal }), asked)
        return
      }
    }
  }

  // MARK: The stream

  /** Follows the changes; after a pause from where it was. While it waits for the next attempt: attempts at once. */
  resume() {
    if (this.#status === 'ended' || this.#status === 'closed') return
    if (this.#run) {
      this.#waiting.abort()
      return
    }
    const run = new AbortController()
    this.#run = run
    this.#failures = 0
    this.#follow(run)
  }

  /** Closes the stream; the list stays as it is until `resume()`, or until a command brings it up to date. */
  pause() {
    if (!this.#run) return
    this.#run.abort()
    this.#run = null
    this.#become('paused')
  }

  /** Leaves the session, which lives on: no event follows, commands under way are given up. */
  close() {
    if (this.#status === 'closed') return
    this.#run?.abort()
    this.#run = null
    this.#become('closed')
    this.#closing.abort()
    this.#listeners.clear()
  }

  /** @param {AbortController} run */
  async #follow(run) {
    while (!run.signal.aborted) {
      this.#become('connecting')
      /** @type {RowcastError | undefined} */
      let error
      try {
        await this.#connect(run)
      } catch (thrown) {
        if (run.signal.aborted) return
        error = thrown instanceof RowcastError ? thrown : /** @type {RowcastError} */ (failure(thrown))
        if (await this.#isFinal(error, run)) return
      }
      if (run.signal.aborted) return
      const delay = this.#delay(error)
      this.#waiting = new AbortController()
      const stop = () => this.#waiting.abort()
      run.signal.addEventListener('abort', stop, { once: true })
      this.#become('waiting', { retryIn: delay, error })
      await pause(delay, this.#waiting.signal)
      run.signal.removeEventListener('abort', stop)
    }
  }

  /** @param {RowcastError} [error] */
  #delay(error) {
    const { first = 250, base = this.#retry, cap = 15000 } = this.#options.backoff ?? {}
    const whole = this.#failures === 0 ? first : Math.min(cap, base * 2 ** (this.#failures - 1))
    this.#failures += 1
    return Math.max(whole * (1 - Math.random() / 2), (error?.retryAfter ?? 0) * 1000)
  }

  /**
   * Whether the stream cannot go on after this; opens the session again where it is to be.
   * @param {RowcastError} error
   * @param {AbortController} run
   */
  async #isFinal(error, run) {
    const { reopen, table, id, params, load } = this.#options
    switch (error.status) {
      case 401:
        this.#run = null
        this.#become('unauthorized', { error })
        return true
      case 404:
        if (reopen && table !== undefined && id !== undefined) {
          try {
            const snapshot = await openSnapshot(this.#server, { table, params, load, wait: 0, signal: run.signal }, id)
            if (!run.signal.aborted) this.#reset(snapshot, Infinity, true)
            return false
          } catch (again) {
            if (run.signal.aborted) return true
            if (again instanceof RowcastError && (again.status === 0 || again.status >= 429)) return false
            this.#end('gone', again instanceof RowcastError ? again : error)
            return true
          }
        }
        this.#end('gone', error)
        return true
      case 410:
        this.#end('gone', error)
        return true
      case 400: case 403: case 405: case 406:
        this.#end('failed', error)
        return true
      default:
        return false
    }
  }

  /**
   * One connection, until it ends.
   * @param {AbortController} run
   */
  async #connect(run) {
    const asked = this.#committed.revision
    const connection = new AbortController()
    const stop = () => connection.abort()
    run.signal.addEventListener('abort', stop, { once: true })
    const silence = this.#options.silence ?? 45000
    const start = Date.now()
    let timer = setTimeout(stop, silence)
    try {
      const response = await this.#server.request(
        'GET', `${this.#path}/changes${this.#startOver ? '' : `?since=${asked}`}`,
        { headers: { Accept: 'text/event-stream' }, signal: connection.signal })
      if (!response.body || !/^text\/event-stream\b/i.test(response.headers.get('Content-Type') ?? '')) {
        throw new RowcastError(0, { type: 'network', title: 'The answer is no stream of events' })
      }
      this.#become('live')
      const parser = new EventStreamParser()
      const reader = response.body.getReader()
      for (;;) {
        const { done, value } = await reader.read()
        if (done || run.signal.aborted) return
        clearTimeout(timer)
        timer = setTimeout(stop, silence)
        for (const event of parser.push(value)) {
          this.#failures = 0
          if (!this.#receive(event, asked) || run.signal.aborted) return
        }
        if (parser.retry !== undefined) this.#retry = parser.retry
      }
    } finally {
      if (Date.now() - start > steadyAfter) this.#failures = 0
      clearTimeout(timer)
      run.signal.removeEventListener('abort', stop)
      connection.abort()
    }
  }

  /**
   * Takes an event of the stream; false where the connection is of no more use.
   * @param {{event: string, data: string}} event
   * @param {number} asked
   */
  #receive({ event, data }, asked) {
    if (event !== 'change' && event !== 'snapshot' && event !== 'end') return true
    let content
    try {
      content = JSON.parse(data)
    } catch {
      // Something between has damaged it: what it said is asked for anew.
      this.#startOver = true
      return false
    }
    switch (event) {
      case 'change':
        if (this.#take(content)) return true
        this.#startOver = true
        return false
      case 'snapshot':
        this.#reset(content, asked)
        return true
      case 'end':
        if (content.reason === 'deleted' || content.reason === 'expired') this.#end(content.reason)
        return false
    }
  }

  // MARK: Commands

  /**
   * Sends a command. When this resolves, what it did has been told to the listeners and is in `rows`.
   *
   * @param {string} name
   * @param {any} [body]
   * @param {CommandOptions} [options]
   * @returns {Promise<Answer>}
   * @throws {RowcastError} where it is refused; then nothing was changed
   */
  async command(name, body, options = {}) {
    const tag = options.tag ?? `${this.#tagPrefix}-${this.#tagCount++}`
    if (options.tag !== undefined) this.#remember(options.tag)
    if (options.optimistic) {
      this.#pending.push({ tag, name, body: body ?? {} })
      this.#tellPrediction(tag)
    }
    try {
      const asked = this.#committed.revision
      const answer = await this.#send(name, body, tag, asked, options)
      if (this.#status === 'closed') return answer
      if (answer.reset && answer.snapshot) this.#reset(answer.snapshot, asked)
      else for (const change of answer.changes) if (!this.#take(change)) break
      if (answer.revision > this.#committed.revision) await this.#catchUp(answer.revision, this.#closing.signal)
      return answer
    } finally {
      if (this.#pending.some((each) => each.tag === tag)) {
        this.#pending = this.#pending.filter((each) => each.tag !== tag)
        this.#tellPrediction(tag)
      }
    }
  }

  /** @param {string} tag */
  #tellPrediction(tag) {
    const ops = this.#redraw()
    if (ops.length > 0) this.#tell({ type: 'prediction', tag, ops, rows: this.#rows })
  }

  /** @param {string} tag */
  #remember(tag) {
    this.#tags.add(tag)
    if (this.#tags.size > 1000) for (const oldest of this.#tags) { this.#tags.delete(oldest); break }
  }

  /**
   * @param {string} name
   * @param {any} body
   * @param {string} tag
   * @param {number} asked
   * @param {CommandOptions} options
   * @returns {Promise<Answer>}
   */
  async #send(name, body, tag, asked, options) {
    const { ifRevision, idempotencyKey, wait, attempts = 4 } = options
    /** @type {Record<string, string>} */
    const headers = { Prefer: `return=minimal${preferredWait(wait, ', ')}` }
    if (ifRevision !== undefined) headers['If-Match'] = `"${ifRevision}"`
    if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey === true ? randomId() : idempotencyKey
    const giveUp = new AbortController()
    const stop = () => giveUp.abort(options.signal?.aborted ? options.signal.reason : undefined)
    const signals = [this.#closing.signal, options.signal]
    for (const signal of signals) {
      signal?.addEventListener('abort', stop)
      if (signal?.aborted) stop()
    }
    try {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#server.json(
            'POST', `${this.#path}/${name}?since=${asked}&tag=${encodeURIComponent(tag)}`,
            { body, headers, signal: giveUp.signal })
        } catch (error) {
          const again = error instanceof RowcastError && (error.status === 0 || error.status === 503)
          if (!again || idempotencyKey === undefined || attempt >= attempts) throw error
          await pause(Math.max(250 * 2 ** attempt * (1 - Math.random() / 2), (error.retryAfter ?? 0) * 1000), giveUp.signal)
        }
      }
    } finally {
      for (const signal of signals) signal?.removeEventListener('abort', stop)
    }
  }

  /** @param {any} [body] @param {CommandOptions} [options] */
  load(body, options) { return this.command('load', body, options) }
  /** @param {any} [body] @param {CommandOptions} [options] */
  refresh(body, options) { return this.command('refresh', body, options) }
  /** @param {any} [body] @param {CommandOptions} [options] */
  loadMore(body, options) { return this.command('load-more', body, options) }
  /** @param {any} [body] @param {CommandOptions} [options] */
  retry(body, options) { return this.command('retry', body, options) }
  /** @param {any} [body] @param {CommandOptions} [options] */
  fail(body, options) { return this.command('fail', body, options) }

  /**
   * Adds items. Rows without an id get one here where the command is optimistic, so that they show at once.
   * @param {{id?: string, cell?: string, data: any}[]} rows
   * @param {{at?: number, before?: string, after?: string}} [place]
   * @param {CommandOptions} [options]
   */
  insert(rows, place = {}, options = {}) {
    const named = options.optimistic ? rows.map((row) => ({ id: randomId(), ...row })) : rows
    return this.command('insert', { rows: named, ...place }, options)
  }

  /** @param {string[]} ids @param {CommandOptions} [options] */
  delete(ids, options) { return this.command('delete', { ids }, options) }
  /** @param {string} id @param {{to: number} | {before: string} | {after: string}} place @param {CommandOptions} [options] */
  move(id, place, options) { return this.command('move', { id, ...place }, options) }
  /** @param {{id: string, cell?: string, data?: any, merge?: any}[]} rows @param {CommandOptions} [options] */
  update(rows, options) { return this.command('update', { rows }, options) }
  /** @param {{id?: string, cell?: string, data: any}[]} rows @param {CommandOptions & {hasNext?: boolean}} options */
  replace(rows, { hasNext = false, ...options } = {}) { return this.command('replace', { rows, hasNext }, options) }
  /** @param {Record<string, any>[]} commands @param {CommandOptions} [options] */
  batch(commands, options) { return this.command('batch', { commands }, options) }
  /** @param {{id: string | null} | {index: number}} row @param {CommandOptions} [options] */
  select(row, options) { return this.command('select', row, options) }

  /** @param {string} to @param {any} [data] @param {CommandOptions} [options] */
  transition(to, data, options) {
    return this.command('transition', data === undefined ? { to } : { to, data }, options)
  }

  /** Ends the session, for everyone. */
  async end() {
    await this.#server.request('DELETE', this.#path, { signal: this.#closing.signal })
    this.#end('deleted')
  }
}

/**
 * @param {Server} server
 * @param {Partial<OpenOptions> & Options} options
 * @param {string | undefined} id
 * @returns {Promise<Snapshot>}
 */
async function openSnapshot(server, { table, params, load, wait, signal }, id) {
  const body = { table, ...(params && { params }), ...(load !== undefined && { load }) }
  const prefer = preferredWait(wait, '')
  const headers = prefer ? { Prefer: prefer } : undefined
  const answer = id === undefined
    ? await server.json('POST', '/v1/sessions', { body, headers, signal })
    : await server.json('PUT', `/v1/sessions/${encodeURIComponent(id)}`, { body, headers, signal })
  return answer.snapshot
}

/** @param {number | undefined} wait @param {string} before */
function preferredWait(wait, before) {
  if (wait === undefined) return ''
  return before + (wait === 0 ? 'respond-async' : `wait=${wait}`)
}
