// Moves rows on the page as the table's presentation hints say: kept rows glide from where they were, new ones come in
// and old ones go out by `insert` and `delete`, after `delay`, in `duration` (seconds). Nothing moves for those who
// asked for less motion.

import { stillness } from './dom.js'
import { bounded } from './values.js'

const easing = 'cubic-bezier(0.2, 0.8, 0.2, 1)'

/**
 * Where a row comes from or goes to, by its hint.
 * @type {Record<string, string>}
 */
const places = {
  top: 'translateY(-70%)', bottom: 'translateY(70%)', left: 'translateX(-40%)', right: 'translateX(40%)',
  middle: 'scale(0.9)', automatic: 'translateY(-30%)', fade: 'none',
}

export class Motion {
  /** @param {any} presentation the table's hints, which may be anything */
  constructor(presentation) {
    const hints = presentation ?? {}
    this.insert = hints.insert
    this.delete = hints.delete
    this.duration = bounded(hints.duration, 0, 3, 0.25) * 1000
    this.delay = bounded(hints.delay, 0, 2, 0) * 1000
  }

  get isStill() {
    return stillness.matches || document.hidden || this.duration === 0
  }

  /** @param {HTMLElement} element */
  enter(element) {
    if (this.insert === 'none') return
    element.animate(
      [{ opacity: 0, transform: places[this.insert] ?? 'none' }, { opacity: 1, transform: 'none' }],
      { duration: this.duration, delay: this.delay, easing, fill: 'backwards' })
  }

  /**
   * Lets a retired element go, from where it was.
   * @param {HTMLElement} element
   * @param {HTMLElement} layer
   * @param {DOMRect} from
   */
  leave(element, layer, from) {
    if (this.delete === 'none') return
    const origin = layer.getBoundingClientRect()
    element.style.position = 'absolute'
    element.style.top = `${from.top - origin.top}px`
    element.style.left = `${from.left - origin.left}px`
    element.style.width = `${from.width}px`
    element.style.height = `${from.height}px`
    layer.append(element)
    const gone = element.animate(
      [{ opacity: 1, transform: 'none' }, { opacity: 0, transform: places[this.delete] ?? 'none' }],
      { duration: this.duration, easing, fill: 'forwards' })
    gone.finished.then(() => element.remove(), () => element.remove())
  }

  /** @param {HTMLElement} element @param {number} by how far above the new place the old one was, in pixels */
  glide(element, by) {
    element.animate([{ transform: `translateY(${by}px)` }, { transform: 'none' }], { duration: this.duration, easing })
  }
}
