// One row on the page: an element that stays the same for as long as its row is in the list, whatever becomes of it.

import { drawItem, drawStatus } from './cells.js'
import { button, h } from './dom.js'

let count = 0

/**
 * What rows do when they are used.
 * @typedef {object} Actions
 * @property {(id: string) => void} select
 * @property {(id: string) => void} edit
 * @property {(id: string) => void} remove
 * @property {(id: string, by: number) => void} step
 * @property {(row: RowView, event: PointerEvent) => void} drag
 * @property {() => void} loadMore
 * @property {() => void} retry
 */

export class RowView {
  /** Whether its content is drawn; far from sight it need not be. */
  isFilled = false
  /** How high it was when it was last seen, in pixels; 0 before that. */
  height = 0

  /** @param {any} row @param {import('./cells.js').Context & {actions: Actions}} context */
  constructor(row, context) {
    this.context = context
    this.element = h('li', { class: 'row', tabIndex: -1 })
    this.update(row)
  }

  get id() { return this.row.id }
  get isItem() { return this.row.id !== undefined }

  /**
   * Takes a new version of the row.
   * @param {any} row
   */
  update(row) {
    this.row = row
    const { element } = this
    if (this.isItem) {
      element.dataset.id = row.id
      element.dataset.cell = row.cell
    } else {
      element.classList.add('status-row')
      element.dataset.placeholder = row.placeholder
      element.hidden = row.visible === false
    }
    if (this.isFilled) this.#draw()
  }

  fill() {
    if (this.isFilled) return
    this.isFilled = true
    this.#draw()
  }

  /** Lets go of the content. */
  empty() {
    if (!this.isFilled) return
    this.element.replaceChildren()
    this.isFilled = false
  }

  #draw() {
    const { element, row, context } = this
    const focused = document.activeElement?.closest?.('.row') === element
      ? /** @type {HTMLElement} */ (document.activeElement) : null
    const role = focused?.dataset.does
    if (this.isItem) {
      const cell = drawItem(row, context)
      const old = element.querySelector(':scope > .cell')
      // The controls stay as they are, and the focus in them.
      if (old) old.replaceWith(cell)
      else element.replaceChildren(cell, this.#controls())
      cell.id ||= `row-${count++}`
      for (const control of element.querySelectorAll('[data-does]')) control.setAttribute('aria-describedby', cell.id)
    } else {
      element.replaceChildren(drawStatus(row, context.actions))
      element.dataset.cell = row.cell
    }
    if (element.tabIndex === 0) this.reach(true)
    if (focused && !element.contains(document.activeElement)) {
      const same = role && element.querySelector(`[data-does="${role}"]`)
      ;/** @type {HTMLElement} */ (same || element).focus({ preventScroll: true })
    }
  }

  #controls() {
    const { actions } = this.context
    const control = (/** @type {any} */ drawing, /** @type {string} */ name, /** @type {any} */ action, more = {}) =>
      button(drawing, name, (event) => {
        event.stopPropagation()
        action()
      }, { class: 'row-button', data: { does: name }, tabIndex: -1, ...more })
    const grip = control('grip', 'Move', () => {}, {
      'aria-keyshortcuts': 'ArrowUp ArrowDown',
      on: {
        pointerdown: (/** @type {PointerEvent} */ event) => actions.drag(this, event),
        keydown: (/** @type {KeyboardEvent} */ event) => {
          const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
          if (by === 0) return
          event.preventDefault()
          event.stopPropagation()
          actions.step(this.id, by)
        },
      },
    })
    return h('div', { class: 'controls', role: 'group', 'aria-label': 'Row' },
      control('select', 'Select', () => actions.select(this.id)),
      control('edit', 'Edit', () => actions.edit(this.id)),
      grip,
      control('trash', 'Delete', () => actions.remove(this.id)))
  }

  /**
   * Shows whether it is the one that all have selected.
   * @param {boolean} isSelected
   */
  mark(isSelected) {
    if (this.element.hasAttribute('aria-current') === isSelected) return
    if (isSelected) this.element.setAttribute('aria-current', 'true')
    else this.element.removeAttribute('aria-current')
  }

  /**
   * Lets the Tab key come here, or pass by.
   * @param {boolean} isCurrent
   */
  reach(isCurrent) {
    const index = isCurrent ? 0 : -1
    this.element.tabIndex = index
    for (const control of this.element.querySelectorAll('[data-does], .tick')) {
      /** @type {HTMLElement} */ (control).tabIndex = index
    }
  }

  /** Makes of its element a picture of itself, which is no row any more. */
  retire() {
    const { element } = this
    delete element.dataset.id
    delete element.dataset.placeholder
    element.inert = true
    element.removeAttribute('aria-current')
    element.setAttribute('aria-hidden', 'true')
  }
}
