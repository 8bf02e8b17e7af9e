// The list on the page. Each batch of ops is applied to the elements as it is to the rows: kept rows keep their
// element, their focus and their place under the reader's eyes.
//
// Up to `whole` rows all are drawn. Beyond, every row still has its element, but only those near the window have
// content. (`content-visibility` would do that by itself, but takes seconds for ten thousand rows whenever one of them
// is measured.)

import { applyOps } from './rowcast.js'
import { h } from './dom.js'
import { Motion } from './motion.js'
import { RowView } from './row.js'

const whole = 500
/** How many rows above and below the window are kept drawn in a long list. */
const margin = 40
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
  /** The drawn part of a long list. */
  #drawn = { first: 0, last: 0 }

  /** @param {import('./cells.js').Context & {actions: import('./row.js').Actions}} context */
  constructor(context) {
    this.context = context
    this.motion = new Motion(context.table?.presentation)
    this.list = h('ul', { class: 'rows', role: 'list', 'aria-label': context.table?.title ?? 'Rows' })
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
    return this.#byElement.get(target?.closest?.('.row'))
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
    this.#rearrange(views, gone, new Set([...inserted, ...moved]))
    for (const { to, row } of updates) views[to].update(row)
    for (const view of inserted) view.mark(view.id !== undefined && view.id === this.#selected)
    this.#fill()

    if (anchor) {
      const shift = anchor.view.element.getBoundingClientRect().top - anchor.top
      if (Math.abs(shift) >= 1) window.scrollBy({ top: shift, behavior: /** @type {any} */ ('instant') })
    }
    if (focus) this.#restoreFocus(focus)
    if (!this.#current || this.#current.element.hidden || gone.has(this.#current)) this.#setCurrent(views.find((view) => !view.element.hidden) ?? null)
    if (moves) this.#animate(places, gone, new Set(inserted))
    else for (const view of gone) view.element.remove()
  }

  /**
   * Puts the elements in order: those that go out, those that are placed from the last to the first, so that the one
   * behind is always in place already.
   * @param {RowView[]} views
   * @param {Set<RowView>} gone
   * @param {Set<RowView>} placed
   */
  #rearrange(views, gone, placed) {
    for (const view of gone) {
      view.retire()
      view.element.remove()
    }
    if (placed.size === 0) return
    for (let index = views.length - 1, left = placed.size; left > 0 && index >= 0; index -= 1) {
      const view = views[index]
      if (!placed.has(view)) continue
      left -= 1
      const behind = views[index + 1]?.element ?? null
      // `moveBefore` keeps focus and running animations; where it is not known, the focus is put back afterwards.
      if (view.element.isConnected && 'moveBefore' in this.list) this.list.moveBefore(view.element, behind)
      else this.list.insertBefore(view.element, behind)
    }
  }

  // MARK: Places

  /** The first and last row that the window shows, found by halving; O(log rows). */
  #inSight() {
    const views = this.#views
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
    return new Map(this.#views.slice(from, last + 11).map((view) => [view, view.element.getBoundingClientRect()]))
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
      if (!view || gone.has(view) || moved.has(view) || view.element.hidden) continue
      const { top } = view.element.getBoundingClientRect()
      if (top >= 0) return { view, top }
    }
    return null
  }

  /** @param {Map<RowView, DOMRect>} places @param {Set<RowView>} gone @param {Set<RowView>} inserted */
  #animate(places, gone, inserted) {
    const { first, last } = this.#inSight()
    for (const view of gone) {
      const place = places.get(view)
      if (place && view.isFilled && !view.element.hidden) this.motion.leave(view.element, this.ghosts, place)
    }
    const shown = this.#views.slice(Math.max(0, first - 2), last + 3).filter((view) => !view.element.hidden)
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
    view.element.focus({ preventScroll: true })
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
    if (this.#isDrawing || this.#views.length <= whole) return
    this.#isDrawing = true
    requestAnimationFrame(() => {
      this.#isDrawing = false
      this.#fill()
    })
  }

  /** Draws what is to be drawn, and lets go of what is far away. */
  #fill() {
    const views = this.#views
    const isLong = views.length > whole
    this.list.classList.toggle('long', isLong)
    if (!isLong) {
      for (const view of views) view.fill()
      return
    }
    // A new list is laid out with its first rows drawn, as their height says where the window ends.
    if (!views.some((view) => view.isFilled)) for (const view of views.slice(0, margin)) view.fill()
    const { first, last } = this.#inSight()
    const from = Math.max(0, first - margin)
    const to = Math.min(views.length, last + margin + 1)
    for (let index = from; index < to; index += 1) views[index].fill()
    views.at(-1)?.fill()
    if (Math.abs(from - this.#drawn.first) + Math.abs(to - this.#drawn.last) > margin) {
      this.#drawn = { first: from, last: to }
      const far = views.filter((view, index) => view.canEmpty && (index < from - margin || index > to + margin))
      // All are measured before the first is changed, so that the page is laid out once.
      const heights = far.map((view) => view.element.offsetHeight)
      far.forEach((view, n) => view.empty(heights[n]))
    }
  }

  remove() {
    window.removeEventListener('scroll', this.#onScroll)
    window.removeEventListener('resize', this.#onScroll)
    this.element.remove()
  }
}
