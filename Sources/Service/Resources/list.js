// The list on the page. Each batch of ops is applied to the elements as it is to the rows: kept rows keep their
// element, their focus and their place under the reader's eyes.
//
// Up to `whole` rows all are in the document. Of a longer list only those near the window are, between two spacers as
// high as the rows that are not; and always the last, which may be the placeholder.

import { applyOps } from './rowcast.js'
import { h } from './dom.js'
import { Motion } from './motion.js'
import { RowView } from './row.js'

const whole = 500
/** How many rows above and below the window are in the document too, in a long list. */
const margin = 30
/** How high a row is taken to be in pixels, before one was seen. */
const usual = 64
/** More ops than this are shown at once, without motion. */
const mostMoved = 200

export class ListView {
  /** @type {RowView[]} */
  #views = []
  /** @type {WeakMap<Element, RowView>} */
  #byElement = new WeakMap()
  /** @type {string | null} */
  #selected = null
  /** @type {RowView | null} the row that the Tab key comes to */
  #current = null
  #isDrawing = false
  #isLong = false
  #above = h('li', { class: 'spacer', role: 'presentation' })
  #below = h('li', { class: 'spacer', role: 'presentation' })
  /** The height of a row that was not seen yet. */
  #estimate = usual

  /** @param {import('./cells.js').Context & {actions: import('./row.js').Actions}} context */
  constructor(context) {
    this.context = context
    this.motion = new Motion(context.table?.presentation)
    this.list = h('ul', { class: 'rows', role: 'list', tabIndex: -1, 'aria-label': context.table?.title ?? 'Rows' })
    this.ghosts = h('div', { class: 'ghosts', 'aria-hidden': 'true' })
    this.element = h('div', { class: 'list' }, this.list, this.ghosts)
    this.list.addEventListener('focusin', (/** @type {FocusEvent} */ event) => {
      const view = this.viewOf(event.target)
      if (view) this.#setCurrent(view)
    })
    this.#onScroll = () => this.#drawLater()
    window.addEventListener('scroll', this.#onScroll, { passive: true })
    window.addEventListener('resize', this.#onScroll, { passive: true })
  }

  /** @type {() => void} */
  #onScroll

  get views() { return this.#views }

  /** @param {any} target the element of a row, or one within */
  viewOf(target) {
    return this.#byElement.get(target?.closest?.('.row')) ?? (target === this.list ? this.#current ?? undefined : undefined)
  }

  /** @param {string} id */
  viewById(id) {
    return this.#views.find((view) => view.id === id)
  }

  /**
   * Applies ops that lead from the rows that are shown to the rows to show.
   * @param {any[]} ops
   */
  apply(ops) {
    if (ops.length === 0) return
    const before = this.#views
    const updates = ops.filter((op) => op.op === 'update')
    /** @type {RowView[]} */
    const inserted = []
    const changes = ops.filter((op) => op.op !== 'update').map((op) => {
      if (op.op !== 'insert') return op
      const view = new RowView(op.row, this.context)
      inserted.push(view)
      this.#byElement.set(view.element, view)
      return { ...op, row: view }
    })
    const gone = new Set(changes.filter((op) => op.op === 'delete').map((op) => before[op.from]))
    const moved = new Set(changes.filter((op) => op.op === 'move').map((op) => before[op.from]))
    const moves = changes.length > 0 && changes.length <= mostMoved && !this.motion.isStill
    const places = moves ? this.#placesInSight() : new Map()
    const anchor = changes.length > 0 ? this.#anchor(gone, moved) : null
    const focus = this.#focusOf(gone)

    const views = /** @type {RowView[]} */ (applyOps(before, changes))
    this.#views = views
    for (const view of gone) {
      view.retire()
      view.element.remove()
    }
    for (const { to, row } of updates) views[to].update(row)
    for (const view of inserted) view.mark(view.id !== undefined && view.id === this.#selected)
    if (this.#isLong || views.length > whole) this.#showWindow()
    else this.#rearrange(views, new Set([...inserted, ...moved]))

    this.#hold(anchor)
    if (focus) this.#restoreFocus(focus)
    if (!this.#current || this.#current.element.hidden || gone.has(this.#current)) this.#setCurrent(views.find((view) => !view.element.hidden) ?? null)
    if (moves) this.#animate(places, gone, new Set(inserted))
    else for (const view of gone) view.element.remove()
  }

  /**
   * Puts the elements that are placed in order, from the last to the first, so that the one behind is always in place
   * already.
   * @param {RowView[]} views
   * @param {Set<RowView>} placed
   */
  #rearrange(views, placed) {
    for (let index = views.length - 1, left = placed.size; left > 0 && index >= 0; index -= 1) {
      const view = views[index]
      if (!placed.has(view)) continue
      left -= 1
      view.fill()
      this.#place(view.element, views[index + 1]?.element ?? null)
    }
  }

  /**
   * `moveBefore` keeps focus and running animations; where it is not known, the focus is put back afterwards.
   * @param {HTMLElement} element
   * @param {Element | null} behind
   */
  #place(element, behind) {
    if (element.isConnected && this.list.isConnected && 'moveBefore' in this.list) this.list.moveBefore(element, behind)
    else this.list.insertBefore(element, behind)
  }

  // MARK: Places

  /**
   * The first and last row that the window shows: found by halving, O(log rows), or in a long list by adding heights,
   * O(rows).
   */
  #inSight() {
    const views = this.#views
    if (this.#isLong) return this.#longInSight()
    const top = -this.element.getBoundingClientRect().top
    const bottom = top + window.innerHeight
    const firstBelow = (/** @type {number} */ line) => {
      let low = 0
      let high = views.length
      while (low < high) {
        const middle = (low + high) >> 1
        const { offsetTop, offsetHeight } = views[middle].element
        if (views[middle].element.hidden || offsetTop + offsetHeight > line) high = middle
        else low = middle + 1
      }
      return low
    }
    return { first: firstBelow(top), last: Math.min(views.length - 1, firstBelow(bottom)) }
  }

  /** @returns {Map<RowView, DOMRect>} */
  #placesInSight() {
    const { first, last } = this.#inSight()
    const from = Math.max(0, first - 10)
    return new Map(this.#views.slice(from, last + 11).filter((view) => view.element.isConnected)
      .map((view) => [view, view.element.getBoundingClientRect()]))
  }

  /**
   * The first row in sight that stays, which shall not shift under the reader. None at the top of the page: there, what
   * comes in first is what one wants to see.
   * @param {Set<RowView>} gone
   * @param {Set<RowView>} moved
   */
  #anchor(gone, moved) {
    if (window.scrollY < 8) return null
    const { first, last } = this.#inSight()
    for (let index = first; index <= last; index += 1) {
      const view = this.#views[index]
      if (!view || gone.has(view) || moved.has(view) || view.element.hidden || !view.element.isConnected) continue
      const { top } = view.element.getBoundingClientRect()
      if (top >= 0) return { view, top }
    }
    return null
  }

  /**
   * Scrolls so that a row is where it was.
   * @param {{view: RowView, top: number} | null} anchor
   */
  #hold(anchor) {
    if (!anchor?.view.element.isConnected) return
    const shift = anchor.view.element.getBoundingClientRect().top - anchor.top
    if (Math.abs(shift) >= 1) window.scrollBy({ top: shift, behavior: /** @type {any} */ ('instant') })
  }

  /** @param {Map<RowView, DOMRect>} places @param {Set<RowView>} gone @param {Set<RowView>} inserted */
  #animate(places, gone, inserted) {
    const { first, last } = this.#inSight()
    for (const view of gone) {
      const place = places.get(view)
      if (place && view.isFilled && !view.element.hidden) this.motion.leave(view.element, this.ghosts, place)
    }
    const shown = this.#views.slice(Math.max(0, first - 2), last + 3).filter((view) => !view.element.hidden && view.element.isConnected)
    // Measured all at once, before the first animation changes what is measured.
    const tops = shown.map((view) => view.element.getBoundingClientRect().top)
    shown.forEach((view, n) => {
      const place = places.get(view)
      if (inserted.has(view)) this.motion.enter(view.element)
      else if (place && Math.abs(place.top - tops[n]) > 0.5) this.motion.glide(view.element, place.top - tops[n])
    })
  }

  // MARK: Focus

  /**
   * Where the focus is, if it could be lost.
   * @param {Set<RowView>} gone
   */
  #focusOf(gone) {
    const active = /** @type {HTMLElement | null} */ (document.activeElement)
    const view = active && this.viewOf(active)
    if (!view) return null
    return { view, active, index: this.#views.indexOf(view), isGone: gone.has(view) }
  }

  /** @param {{view: RowView, active: HTMLElement | null, index: number, isGone: boolean}} focus */
  #restoreFocus({ view, active, index, isGone }) {
    if (!isGone) {
      if (active?.isConnected && document.activeElement !== active) active.focus({ preventScroll: true })
      return
    }
    const next = this.#views.slice(index).find((each) => !each.element.hidden)
      ?? this.#views.slice(0, index).reverse().find((each) => !each.element.hidden)
    if (next) this.focus(next)
    else view.element.blur()
  }

  /** @param {RowView} view */
  focus(view) {
    this.#setCurrent(view)
    this.reveal(view)
    view.element.focus({ preventScroll: true })
  }

  /**
   * Scrolls as little as needed to show a row.
   * @param {RowView} view
   */
  reveal(view) {
    if (!view.element.isConnected) {
      const place = this.#heightOf(0, this.#views.indexOf(view)) - window.innerHeight / 2
      window.scrollTo({ top: window.scrollY + this.element.getBoundingClientRect().top + place, behavior: /** @type {any} */ ('instant') })
      this.#showWindow()
    }
    view.element.scrollIntoView({ block: 'nearest', behavior: /** @type {any} */ ('instant') })
  }

  /**
   * Moves the focus by rows.
   * @param {RowView} from
   * @param {number} by
   */
  focusBy(from, by) {
    const shown = this.#views.filter((view) => !view.element.hidden)
    const next = shown[Math.max(0, Math.min(shown.length - 1, shown.indexOf(from) + by))]
    if (next) this.focus(next)
  }

  /** @param {RowView | null} view */
  #setCurrent(view) {
    if (view === this.#current) return
    this.#current?.reach(false)
    this.#current = view
    view?.reach(true)
  }

  /** @param {string | null} id */
  select(id) {
    if (id === this.#selected) return
    this.#selected = id
    for (const view of this.#views) view.mark(view.id !== undefined && view.id === id)
  }

  // MARK: Long lists

  #drawLater() {
    if (this.#isDrawing || !this.#isLong) return
    this.#isDrawing = true
    requestAnimationFrame(() => {
      this.#isDrawing = false
      const anchor = this.#anchor(new Set(), new Set())
      this.#showWindow()
      this.#hold(anchor)
    })
  }

  /**
   * How high these rows are together, as far as it is known.
   * @param {number} from
   * @param {number} to
   */
  #heightOf(from, to) {
    let sum = 0
    for (let index = from; index < to; index += 1) sum += this.#views[index].height || this.#estimate
    return sum
  }

  #longInSight() {
    const views = this.#views
    const top = -this.element.getBoundingClientRect().top
    const bottom = top + window.innerHeight
    let first = 0
    let line = 0
    const step = (/** @type {number} */ index) => views[index].height || this.#estimate
    while (first < views.length - 1 && line + step(first) <= top) line += step(first++)
    let last = first
    while (last < views.length - 1 && line < bottom) line += step(last++)
    return { first, last }
  }

  /** Puts the rows near the window into the document, and takes the others out. */
  #showWindow() {
    const views = this.#views
    this.#isLong = views.length > whole
    const { first, last } = this.#isLong ? this.#longInSight() : { first: 0, last: views.length - 1 }
    const from = Math.max(0, first - margin)
    const to = Math.min(views.length, last + margin + 1)
    const shown = views.slice(from, to)
    const tail = to < views.length ? views.slice(-1) : []
    const wanted = [...(from > 0 ? [this.#above] : []), ...shown.map((view) => view.element),
      ...(tail.length > 0 ? [this.#below] : []), ...tail.map((view) => view.element)]

    const kept = new Set(wanted)
    const hadFocus = this.list.contains(document.activeElement)
    for (const element of [...this.list.children]) {
      if (kept.has(element)) continue
      element.remove()
      this.#byElement.get(element)?.empty()
    }
    let next = this.list.firstElementChild
    for (const element of wanted) {
      if (element === next) next = next.nextElementSibling
      else this.#place(element, next)
    }
    for (const view of [...shown, ...tail]) view.fill()
    this.#above.style.height = `${this.#heightOf(0, from)}px`
    // The focus of a row that went out of sight stays in the list: the arrow keys lead back to it.
    if (hadFocus && !this.list.contains(document.activeElement)) this.list.focus({ preventScroll: true })
    if (!this.#isLong) return

    // All are measured at once, and what was not seen yet is taken to be like the first of them: for good, as another
    // estimate would give every row that was not seen another place, and take the window from the rows it stands on.
    let sum = 0
    for (const view of shown) sum += view.height = view.element.offsetHeight
    if (sum > 0 && this.#estimate === usual) this.#estimate = sum / shown.length
    this.#below.style.height = `${this.#heightOf(to, views.length - 1)}px`
  }

  remove() {
    window.removeEventListener('scroll', this.#onScroll)
    window.removeEventListener('resize', this.#onScroll)
    this.element.remove()
  }
}
