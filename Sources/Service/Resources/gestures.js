// Dragging a row to another place, and pulling the page down to refresh.

import { h } from './dom.js'

/**
 * Lets a row be dragged from its handle; calls `drop` with the place among the items where it was let go.
 * @param {import('./list.js').ListView} list
 * @param {import('./row.js').RowView} view
 * @param {PointerEvent} start
 * @param {(to: number) => void} drop
 */
export function dragRow(list, view, start, drop) {
  if (start.button !== 0) return
  start.preventDefault()
  const handle = /** @type {HTMLElement} */ (start.currentTarget)
  handle.setPointerCapture(start.pointerId)
  const line = h('div', { class: 'drop-line' })
  list.element.append(line)
  view.element.classList.add('dragged')
  const origin = start.clientY + window.scrollY
  let pointer = start.clientY
  let to = -1
  let frame = requestAnimationFrame(follow)

  function follow() {
    // At the window's edges the page scrolls along.
    const edge = 72
    const speed = pointer < edge ? pointer - edge : pointer > window.innerHeight - edge ? pointer - (window.innerHeight - edge) : 0
    if (speed !== 0) window.scrollBy({ top: speed / 4, behavior: /** @type {any} */ ('instant') })
    place()
    frame = requestAnimationFrame(follow)
  }

  function place() {
    if (!view.element.isConnected) return finish(false)
    view.element.style.translate = `0 ${pointer + window.scrollY - origin}px`
    const items = list.views.filter((each) => each.isItem && each !== view)
    const others = items.filter((each) => each.element.isConnected)
    const y = pointer - list.element.getBoundingClientRect().top
    let low = 0
    let high = others.length
    while (low < high) {
      const middle = (low + high) >> 1
      const { offsetTop, offsetHeight } = others[middle].element
      if (offsetTop + offsetHeight / 2 < y) low = middle + 1
      else high = middle
    }
    const next = others[low]?.element
    const last = others[others.length - 1]?.element
    to = next ? items.indexOf(others[low]) : items.indexOf(others[others.length - 1]) + 1
    line.style.top = `${next ? next.offsetTop : last ? last.offsetTop + last.offsetHeight : 0}px`
  }

  /** @param {boolean} isDropped */
  function finish(isDropped) {
    cancelAnimationFrame(frame)
    handle.removeEventListener('pointermove', onMove)
    handle.removeEventListener('pointerup', onUp)
    handle.removeEventListener('pointercancel', onCancel)
    window.removeEventListener('keydown', onKey, true)
    line.remove()
    view.element.classList.remove('dragged')
    view.element.style.translate = ''
    const from = list.views.filter((each) => each.isItem).indexOf(view)
    if (isDropped && to >= 0 && from >= 0 && to !== from) drop(to)
  }

  const onMove = (/** @type {PointerEvent} */ event) => { pointer = event.clientY }
  const onUp = (/** @type {PointerEvent} */ event) => {
    pointer = event.clientY
    place()
    finish(true)
  }
  const onCancel = () => finish(false)
  const onKey = (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Escape') finish(false) }
  handle.addEventListener('pointermove', onMove)
  handle.addEventListener('pointerup', onUp)
  handle.addEventListener('pointercancel', onCancel)
  window.addEventListener('keydown', onKey, true)
}

/**
 * Refreshes when the page is pulled down by a finger from its top; returns what stops that.
 * @param {HTMLElement} indicator
 * @param {() => void} refresh
 */
export function pullToRefresh(indicator, refresh) {
  const enough = 72
  let start = -1
  let pulled = 0
  const show = (/** @type {number} */ distance) => {
    pulled = distance
    indicator.style.translate = `0 ${Math.min(distance, enough * 1.3)}px`
    indicator.style.opacity = String(Math.min(1, distance / enough))
    indicator.classList.toggle('ready', distance >= enough)
  }
  const onStart = (/** @type {TouchEvent} */ event) => {
    // What is dragged or scrolled by itself does not pull the page.
    const isElsewhere = /** @type {Element} */ (event.target).closest('dialog, .menu, .drawer, [data-does="Move"]') !== null
    start = window.scrollY <= 0 && event.touches.length === 1 && !isElsewhere ? event.touches[0].clientY : -1
  }
  const onMove = (/** @type {TouchEvent} */ event) => {
    if (start < 0) return
    const distance = (event.touches[0].clientY - start) / 2
    if (distance <= 0 || window.scrollY > 0) {
      if (pulled > 0) show(0)
      return
    }
    if (event.cancelable) event.preventDefault()
    show(distance)
  }
  const onCancel = () => {
    if (pulled > 0) show(0)
    start = -1
  }
  const onEnd = () => {
    if (pulled >= enough) refresh()
    onCancel()
  }
  document.addEventListener('touchstart', onStart, { passive: true })
  document.addEventListener('touchmove', onMove, { passive: false })
  document.addEventListener('touchend', onEnd)
  document.addEventListener('touchcancel', onCancel)
  return () => {
    document.removeEventListener('touchstart', onStart)
    document.removeEventListener('touchmove', onMove)
    document.removeEventListener('touchend', onEnd)
    document.removeEventListener('touchcancel', onCancel)
  }
}
