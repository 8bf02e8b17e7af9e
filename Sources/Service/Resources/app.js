// Where the page starts: reads the address, asks for a token where one is wanted, and shows the chooser or a list.
//
// The address names the table and the session, `/?table=NAME&session=ID`: whoever opens it joins. `#token=…` is taken
// into this tab's memory and out of the address.

import { RowcastError, Session, randomId, tables as askForTables } from './rowcast.js'
import { chooser } from './chooser.js'
import { askForToken } from './dialogs.js'
import { h, icon } from './dom.js'
import { ListPage } from './page.js'

const place = /** @type {HTMLElement} */ (document.getElementById('page'))
const memory = 'rowcast.token'
/** @type {ListPage | null} */
let page = null

function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token')
  if (given === null) return
  if (given !== '') sessionStorage.setItem(memory, given)
  history.replaceState(history.state, '', location.pathname + location.search)
}

const token = () => sessionStorage.getItem(memory) ?? undefined

/** @param {boolean} wasRefused */
async function newToken(wasRefused) {
  const given = await askForToken(wasRefused)
  sessionStorage.setItem(memory, given)
  return given
}

/**
 * Does what needs the server until it can be done: asks for a token where one is wanted, waits where nobody answers.
 * @template T
 * @param {() => Promise<T>} attempt
 * @returns {Promise<T>}
 */
async function persist(attempt) {
  for (let failures = 0; ; ) {
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof RowcastError)) throw error
      if (error.status === 401) {
        await newToken(token() !== undefined)
      } else if (error.status === 0 || error.status === 429 || error.status >= 500) {
        failures += 1
        show(problemPage('The server does not answer', 'This page tries again by itself.'))
        const wait = Math.max(Math.min(10000, 500 * 2 ** failures), (error.retryAfter ?? 0) * 1000)
        await new Promise((resolve) => setTimeout(resolve, wait))
      } else {
        throw error
      }
    }
  }
}

/** @param {HTMLElement} element */
function show(element) {
  place.replaceChildren(element)
}

/**
 * What is said to people where the server's own words are for programs.
 * @type {Record<string, [string, string]>}
 */
const sayings = {
  'unknown-session': ['There is no such list', 'It was not used for a long time, or its address is not whole.'],
  'session-ended': ['This list has ended', 'Choose one to begin anew.'],
}

/** @param {string} title @param {string} detail @param {Parameters<typeof icon>[0]} [drawing] */
function problemPage(title, detail, drawing = 'wifi') {
  return h('main', { class: 'chooser', id: 'main' }, h('div', { class: 'status hero trouble' },
    h('span', { class: 'emblem' }, icon(drawing)), h('h1', null, title), h('p', { class: 'sub' }, detail),
    h('a', { class: 'soft-button', href: '/' }, 'All lists')))
}

async function start() {
  takeToken()
  page?.remove()
  page = null
  const address = new URLSearchParams(location.search)
  const name = address.get('table') ?? undefined
  const id = address.get('session') ?? undefined
  try {
    const tables = await persist(() => askForTables('', { token: token() }))
    const table = tables.find((each) => each.name === name)
    if (id === undefined && !table) {
      document.title = 'Rowcast'
      show(chooser(tables, name))
      return
    }
    const session = await persist(() => open(table, id))
    const { table: actual, session: actualId } = session.snapshot
    history.replaceState(history.state, '', `/?${new URLSearchParams({ table: actual, session: actualId })}`)
    page = new ListPage(session, tables.find((each) => each.name === actual),
      { askForToken: () => newToken(true), startAgain: start })
    show(page.element)
  } catch (error) {
    const { problem, code, message } = /** @type {any} */ (error)
    const [title, detail] = sayings[code] ?? [problem?.title ?? 'This list cannot be shown', message]
    show(problemPage(title, detail, 'warning'))
    if (!problem) throw error
  }
}

/** @param {any} table @param {string} [id] */
async function open(table, id) {
  const options = { token: token(), backoff: { cap: 8000 } }
  if (!table) return Session.attach('', /** @type {string} */ (id), options)
  try {
    // A list whose rows a client brings is not awaited: people will write them.
    return await Session.open('', { ...options, table: table.name, id: id ?? randomId(), wait: 0, reopen: true,
      load: table.source?.kind !== 'client' })
  } catch (error) {
    // The session is there with another table or with parameters: it is what the address names.
    if (error instanceof RowcastError && error.code === 'session-exists') return Session.attach('', /** @type {string} */ (id), options)
    throw error
  }
}

window.addEventListener('hashchange', () => { if (location.hash.startsWith('#token=')) start() })
window.addEventListener('popstate', () => { if (!location.hash) start() })
start()
