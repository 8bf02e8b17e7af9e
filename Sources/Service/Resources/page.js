// The page of one list: its bar, the list, and what the keys, buttons and fingers do to it. Somewhat longer than other
// files, as it is where all of them meet one session.

import { announce, button, h, icon, notify, notifyError } from './dom.js'
import { saysOf } from './cells.js'
import { askForChange, askForRow, askForState, dataOfState, menu } from './dialogs.js'
import { Drawer } from './drawer.js'
import { dragRow, pullToRefresh } from './gestures.js'
import { ListView } from './list.js'
import { members, text } from './values.js'

/** How long a hidden page keeps its stream: browsers allow few connections to a host, and other tabs want some. */
const hiddenFor = 30000

/**
 * What a connection's states are called.
 * @type {Record<string, string>}
 */
const statuses = {
  idle: 'Connecting…', connecting: 'Connecting…', live: 'Live', waiting: 'Offline – trying again', paused: 'Paused',
  unauthorized: 'Waiting for a token', ended: 'Ended', closed: 'Closed',
}

export class ListPage {
  /** @type {(() => void)[]} what undoes what was begun */
  #undo = []
  /** Whether the row that loads more is near the window. */
  #isMoreNear = false
  /** The revision at which more was last asked for, so that no page is asked for twice. */
  #moreAskedAt = -1
  #said = ''

  /**
   * @param {import('./rowcast.js').Session} session
   * @param {any} table its definition; undefined where the configuration has it no more
   * @param {{askForToken: () => Promise<string>, startAgain: () => void}} options
   */
  constructor(session, table, options) {
    this.session = session
    this.table = table ?? { name: session.snapshot.table, title: session.snapshot.table }
    this.options = options
    this.list = new ListView({
      table: this.table,
      update: (/** @type {string} */ id, /** @type {any} */ merge) =>
        this.#do(session.update([{ id, merge }], { optimistic: true, idempotencyKey: true })),
      actions: {
        select: (id) => this.#select(id),
        edit: (id) => this.#edit(id),
        remove: (id) => this.#do(session.delete([id], { optimistic: true, idempotencyKey: true })),
        step: (id, by) => this.#step(id, by),
        drag: (view, event) => dragRow(this.list, view, event, (to) => this.#move(view.id, to)),
        loadMore: () => this.#do(session.loadMore()),
        retry: () => this.#do(session.retry()),
      },
    })
    this.#build()
    this.list.apply(session.rows.map((row, to) => ({ op: 'insert', to, row })))
    this.#showHeader()
    this.#showStatus({ status: session.status })
    this.#undo.push(session.subscribe((event) => this.#receive(event)))
    this.#followSight()
  }

  // MARK: Building

  #build() {
    const title = text(this.table.title) || this.table.name
    document.title = `${title} – Rowcast`
    this.drawer = new Drawer(() => this.#toggleDrawer(false))
    this.subtitle = h('span', { class: 'count' })
    this.connection = h('span', { class: 'connection', role: 'status' })
    this.drawerButton = button('code', 'Changes', () => this.#toggleDrawer(), { 'aria-expanded': 'false', 'aria-controls': 'drawer' })
    this.refreshButton = button('refresh', 'Refresh', () => this.#refresh(), { class: 'icon-button refresh' })
    this.banner = h('div', { class: 'banner-holder' })
    this.pull = h('div', { class: 'pull', 'aria-hidden': 'true' }, icon('refresh'))
    const { opener, panel } = this.#menu()
    const bar = h('header', { class: 'bar' },
      h('div', { class: 'bar-inner' },
        h('a', { class: 'icon-button', href: '/', 'aria-label': 'All lists', title: 'All lists' }, icon('back')),
        h('div', { class: 'heading' }, h('h1', null, title), h('p', null, this.connection, this.subtitle)),
        h('div', { class: 'tools', role: 'toolbar', 'aria-label': 'List' },
          this.refreshButton,
          button('plus', 'Insert', () => this.#insert(), { class: 'icon-button primary' }),
          this.drawerButton, opener)), panel)
    this.main = h('main', { id: 'main', class: 'sheet' }, this.banner, this.list.element)
    this.element = h('div', { class: 'list-page' },
      h('a', { class: 'skip', href: '#main' }, 'Skip to the list'),
      bar, this.pull, h('div', { class: 'columns' }, this.main, this.drawer.element))
    this.list.list.addEventListener('click', (/** @type {MouseEvent} */ event) => this.#onClick(event))
    this.list.list.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.#onKey(event))
    this.#undo.push(pullToRefresh(this.pull, () => this.#refresh()))
  }

  #menu() {
    this.clearsFirst = h('input', { type: 'checkbox' })
    this.states = h('div', { class: 'states', role: 'group', 'aria-label': 'State' })
    const parameters = Object.keys(members(this.table.params))
    const { opener, panel, close } = menu('More', [
      h('label', { class: 'menu-item flag' }, this.clearsFirst, h('span', null, 'Clear the rows first when refreshing')),
      parameters.length > 0 ? this.#parametersForm(parameters) : null,
      h('h3', null, 'State'), this.states,
      h('hr'),
      button('link', 'Copy link', () => {
        close()
        this.#copyLink()
      }, { class: 'menu-item', label: true }),
      button('close', 'End session', () => {
        close()
        this.#do(this.session.end())
      }, { class: 'menu-item danger', label: true }),
    ].filter((each) => each !== null))
    this.closeMenu = close
    return { opener, panel }
  }

  /** @param {string[]} names */
  #parametersForm(names) {
    const form = h('form', { class: 'parameters', on: { submit: (/** @type {Event} */ event) => {
      event.preventDefault()
      this.closeMenu?.()
      const entered = names.map((name) => [name, form.elements.namedItem(`parameter-${name}`).value])
      this.#do(this.session.refresh({ params: Object.fromEntries(entered), immediately: this.clearsFirst.checked }))
    } } },
    ...names.map((name) => h('label', { class: 'field' }, h('span', null, name),
      h('input', { name: `parameter-${name}`, autocomplete: 'off' }))),
    h('button', { type: 'submit', class: 'soft-button' }, 'Apply'))
    this.parameters = form
    return form
  }

  // MARK: Showing

  /** @param {any} event */
  #receive(event) {
    switch (event.type) {
      case 'status':
        this.#showStatus(event)
        return
      case 'end':
        this.#showEnd(event)
        return
      case 'snapshot':
        if (event.reopened) notify('The server had forgotten this list', 'It was opened again.')
    }
    this.list.apply(event.ops)
    this.drawer?.add(event)
    this.#showHeader()
    this.#speak(event)
    this.#watchMore()
  }

  #showHeader() {
    const { snapshot } = this.session
    const count = snapshot.itemCount
    this.subtitle.textContent = `${count.toLocaleString('en')}${snapshot.hasNext ? '+' : ''} ${count === 1 && !snapshot.hasNext ? 'row' : 'rows'}`
    this.main.setAttribute('aria-busy', String(snapshot.loading !== null))
    this.refreshButton.classList.toggle('turning', snapshot.loading === 'refresh' || snapshot.loading === 'load')
    this.list.select(snapshot.selected)
    this.#showParameters()
    this.#showStates()
    this.#showAwaited()
  }

  /** What others have chosen, unless somebody is choosing here. */
  #showParameters() {
    const { params } = this.session.snapshot
    const key = JSON.stringify(params)
    if (!this.parameters || this.parameters.dataset.key === key || this.parameters.contains(document.activeElement)) return
    this.parameters.dataset.key = key
    for (const input of this.parameters.querySelectorAll('input')) {
      const name = input.name.replace(/^parameter-/, '')
      input.value = text(params[name] ?? this.table.params[name]?.default)
    }
  }

  #showStates() {
    const { state } = this.session.snapshot
    const custom = Object.keys(members(this.table.states))
    const allowed = members(this.table.transitions)[state]
    const names = ['populated', 'empty', 'loading', 'error', ...custom]
    const key = JSON.stringify([state, allowed, names])
    if (this.states.dataset.key === key) return
    this.states.dataset.key = key
    this.states.replaceChildren(...names.map((name) => h('button', {
      type: 'button', class: 'state', 'aria-label': `Transition to ${name}`, 'aria-pressed': String(name === state),
      disabled: Array.isArray(allowed) && name !== state && !allowed.includes(name), on: { click: () => this.#transition(name) },
    }, name)))
  }

  /** Where rows are awaited from a client, this one can say that they are all there, or that they will not come. */
  #showAwaited() {
    const { loading } = this.session.snapshot
    const isAwaited = loading !== null && this.table.source?.kind === 'client'
    if (!isAwaited) {
      this.awaited?.remove()
      this.awaited = null
      return
    }
    if (this.awaited) return
    const finish = () => this.#do(this.session.command(/** @type {string} */ (this.session.snapshot.loading), {
      rows: this.session.snapshot.rows.filter((row) => 'id' in row), hasNext: false }))
    this.awaited = h('div', { class: 'banner' },
      h('p', null, 'This list waits for a client to bring its rows.'),
      h('button', { type: 'button', class: 'soft-button', on: { click: finish } }, 'These are all'),
      h('button', { type: 'button', class: 'soft-button', on: { click: () => this.#do(this.session.fail({ title: 'The rows did not come' })) } }, 'Fail'))
    this.banner.append(this.awaited)
  }

  /** @param {any} event */
  #showStatus({ status, retryIn }) {
    this.connection.dataset.status = status
    this.connection.textContent = statuses[status] ?? status
    this.connection.title = retryIn ? `The next attempt follows in ${Math.ceil(retryIn / 1000)} s` : ''
    if (status === 'unauthorized') this.#askForToken()
  }

  async #askForToken() {
    this.session.token = await this.options.askForToken()
    this.session.resume()
  }

  /** @param {any} event */
  #showEnd({ reason, error }) {
    const why = { deleted: 'Somebody has ended this session.', expired: 'This session was not used for a long time.' }[/** @type {'deleted' | 'expired'} */ (reason)]
      ?? error?.message ?? 'This session is not there any more.'
    this.banner.replaceChildren(h('div', { class: 'banner', role: 'alert' },
      h('p', null, h('strong', null, 'This list has ended. '), why),
      h('button', { type: 'button', class: 'soft-button', on: { click: () => this.options.startAgain() } }, 'Start again')))
    this.main.classList.add('ended')
  }

  /**
   * Says what one sees: that rows are loaded, that there are none, that it failed.
   * @param {any} event
   */
  #speak(event) {
    /** @type {any} */
    const status = this.session.rows.filter((row) => !('id' in row) && row.visible !== false).at(-1)
    const { title, more } = status ? saysOf(status) : { title: '', more: [] }
    const kind = status?.placeholder
    const saying = kind && kind !== 'more' && kind !== 'end' ? [title, ...more].join('. ') : ''
    const loaded = event.type === 'change' && event.change.loading === null
      && ['load', 'load-more', 'refresh', 'retry'].includes(event.change.cause)
    if (saying !== '' && saying !== this.#said) announce(saying)
    else if (saying === '' && loaded) announce(`${this.session.snapshot.itemCount} rows`)
    this.#said = saying
  }

  // MARK: Loading more

  #followSight() {
    this.observer = new IntersectionObserver((entries) => {
      this.#isMoreNear = entries.at(-1)?.isIntersecting === true
      this.#loadMoreIfNear()
    }, { rootMargin: '0px 0px 240px 0px' })
    this.#watchMore()
    const onVisibility = () => this.#onVisibility()
    const onOnline = () => this.session.resume()
    document.addEventListener('visibilitychange', onVisibility)
    window.addEventListener('online', onOnline)
    this.#undo.push(() => {
      this.observer?.disconnect()
      document.removeEventListener('visibilitychange', onVisibility)
      window.removeEventListener('online', onOnline)
      clearTimeout(this.hiding)
    })
  }

  /** Looks anew where the row is that loads more; an observer tells once for each time it is asked to look. */
  #watchMore() {
    this.observer?.disconnect()
    this.#isMoreNear = false
    const more = this.list.views.at(-1)
    if (more?.row.placeholder === 'more') this.observer?.observe(more.element)
  }

  async #loadMoreIfNear() {
    const { revision, loading } = this.session.snapshot
    if (!this.#isMoreNear || document.hidden || loading !== null || this.#moreAskedAt === revision) return
    this.#moreAskedAt = revision
    try {
      // Where another client is asking, the server has both wait for the one page.
      await this.session.loadMore()
    } catch (error) {
      const { status } = /** @type {any} */ (error)
      if (status === 409 || status === 0) return
      notifyError(error)
    }
  }

  #onVisibility() {
    clearTimeout(this.hiding)
    if (document.hidden) {
      this.hiding = setTimeout(() => this.session.pause(), hiddenFor)
    } else {
      this.session.resume()
      this.#watchMore()
    }
  }

  // MARK: Doing

  /**
   * Waits for a command, and says so where it is refused.
   * @param {Promise<any>} command
   */
  async #do(command) {
    try {
      return await command
    } catch (error) {
      notifyError(error)
      return undefined
    }
  }

  #refresh() {
    this.#do(this.session.refresh({ immediately: this.clearsFirst.checked }))
  }

  #insert() {
    const { session } = this
    askForRow(this.table, session.rows, {
      selected: session.snapshot.selected,
      insert: async (row, place) => {
        const { ids } = await session.insert([row], place, { idempotencyKey: true })
        const view = ids && this.list.viewById(ids[0])
        // When the dialog has closed and given the focus back.
        if (view) requestAnimationFrame(() => this.list.focus(view))
      },
    })
  }

  /** @param {string} id */
  #edit(id) {
    const view = this.list.viewById(id)
    if (!view) return
    askForChange(this.table, view.row, (change) => this.session.update([{ id, ...change }], { idempotencyKey: true }))
  }

  /** @param {string} id */
  #select(id) {
    this.#do(this.session.select({ id: this.session.snapshot.selected === id ? null : id }))
  }

  /** @param {string} id @param {number} by */
  #step(id, by) {
    const items = this.session.rows.filter((row) => 'id' in row)
    const to = items.findIndex((row) => 'id' in row && row.id === id) + by
    if (to < 0 || to >= items.length) return
    this.#move(id, to)
    const view = this.list.viewById(id)
    if (view) this.list.reveal(view)
    announce(`Moved to place ${to + 1} of ${items.length}`)
  }

  /** @param {string} id @param {number} to */
  #move(id, to) {
    this.#do(this.session.move(id, { to }, { optimistic: true, idempotencyKey: true }))
  }

  /** @param {string} to */
  #transition(to) {
    this.closeMenu?.()
    const names = dataOfState(members(this.table.states)[to])
    if (names.length > 0) askForState(to, names, (data) => this.session.transition(to, data))
    else this.#do(this.session.transition(to))
  }

  async #copyLink() {
    try {
      await navigator.clipboard.writeText(location.href)
      notify('The link is copied', 'Whoever opens it joins this list.')
    } catch {
      // Browsers give the clipboard to secure pages only.
      notify('Copy the address of this page', location.href)
    }
  }

  /** @param {boolean} [isOpen] */
  #toggleDrawer(isOpen = this.drawerButton.getAttribute('aria-expanded') !== 'true') {
    if (!this.drawer) return
    this.drawerButton.setAttribute('aria-expanded', String(isOpen))
    this.drawer.element.hidden = !isOpen
    this.element.classList.toggle('with-drawer', isOpen)
    if (!isOpen) this.drawerButton.focus()
  }

  // MARK: Keys and clicks

  /** @param {MouseEvent} event */
  #onClick(event) {
    const target = /** @type {HTMLElement} */ (event.target)
    if (target.closest('button, a, input, select, textarea, label, summary')) return
    if (String(window.getSelection() ?? '') !== '') return // a reader marks text
    const view = this.list.viewOf(target)
    if (view?.isItem) this.#select(view.id)
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const view = this.list.viewOf(event.target)
    if (!view || event.ctrlKey || event.metaKey) return
    const isRow = event.target === view.element
    if (event.altKey) {
      const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
      if (by === 0 || !view.isItem) return
      event.preventDefault()
      this.#step(view.id, by)
      return
    }
    switch (event.key) {
      case 'ArrowDown': this.list.focusBy(view, 1); break
      case 'ArrowUp': this.list.focusBy(view, -1); break
      case 'PageDown': this.list.focusBy(view, 10); break
      case 'PageUp': this.list.focusBy(view, -10); break
      case 'Home': this.list.focusBy(view, -Infinity); break
      case 'End': this.list.focusBy(view, Infinity); break
      case 'Enter': case ' ':
        if (!isRow) return
        if (view.isItem) this.#select(view.id)
        else view.element.querySelector('button')?.click()
        break
      case 'Delete':
        if (!isRow || !view.isItem) return
        this.list.context.actions.remove(view.id)
        break
      case 'e': case 'F2':
        if (!isRow || !view.isItem) return
        this.#edit(view.id)
        break
      default: return
    }
    event.preventDefault()
  }

  remove() {
    for (const undo of this.#undo) undo()
    this.session.close()
    this.list.remove()
    this.element.remove()
  }
}
