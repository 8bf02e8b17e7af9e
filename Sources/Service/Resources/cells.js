// Draws a row's content by its cell. A cell that is not known here is drawn from whatever its data holds.

import { h, icon } from './dom.js'
import { bounded, drawsEmoji, firstText, hue, imageSource, initials, members, text, titleOf, when } from './values.js'

/**
 * What cells need to know of the page.
 * @typedef {{table: any, update: (id: string, merge: any) => void}} Context
 */

/** @type {Record<string, (data: Record<string, any>, row: any, context: Context) => Node>} */
const cells = {
  UserCell: (data) => h('div', { class: 'cell cell-user' },
    avatar({ name: data.name, avatar: data.avatar ?? data.image }, 'small'),
    h('p', null, h('strong', null, text(data.name)), ' ', text(data.text))),

  TextCell: (data) => h('div', { class: 'cell cell-text' },
    avatar(data),
    h('div', { class: 'body' }, byline(data), h('p', { class: 'words' }, text(data.text)))),

  ImageCell: (data) => h('div', { class: 'cell cell-text' },
    avatar(data),
    h('div', { class: 'body' }, byline(data), picture(data.image, text(data.text)),
      data.text ? h('p', { class: 'words caption' }, text(data.text)) : null)),

  WarningCell: (data) => h('div', { class: 'cell cell-warning' },
    h('span', { class: 'badge-icon' }, icon('warning')),
    h('div', { class: 'body' },
      data.title ? h('p', { class: 'title' }, text(data.title)) : null,
      h('p', { class: 'words' }, firstText(data, ['text', 'body', 'message'])),
      timeOf(data.sent ?? data.date))),

  ElementCell: (data) => h('div', { class: 'cell cell-element' },
    h('div', { class: `tile ${hue(text(data.category))}`, 'aria-hidden': 'true' },
      h('small', null, text(data.number)), h('b', null, text(data.symbol))),
    h('div', { class: 'body' },
      h('p', { class: 'title' }, text(data.name)),
      h('p', { class: 'sub' }, text(data.category))),
    h('p', { class: 'figure', title: 'Atomic weight' }, text(data.weight))),

  TaskCell: (data, row, context) => {
    const title = titleOf(row)
    const rest = Object.keys(data).filter((name) => !['title', 'done', 'name'].includes(name))
    return h('div', { class: `cell cell-task${data.done === true ? ' done' : ''}` },
      h('input', { type: 'checkbox', class: 'tick', checked: data.done === true, tabIndex: -1, 'aria-label': `Done: ${title}`,
        on: { change: (/** @type {any} */ event) => context.update(row.id, { done: event.target.checked }) } }),
      h('div', { class: 'body' },
        h('p', { class: 'title' }, title),
        rest.length > 0 ? h('p', { class: 'sub' }, rest.map((name) => `${name}: ${text(data[name])}`).join(' · ')) : null))
  },

  AnnouncementCell: (data) => {
    const date = when(data.date)
    return h('div', { class: 'cell cell-announcement' },
      date.day
        ? h('time', { class: 'leaf', dateTime: date.machine }, h('b', null, date.day), h('small', null, date.month))
        : null,
      h('div', { class: 'body' },
        h('p', { class: 'title' }, text(data.title),
          data.level ? h('span', { class: `level ${hue(text(data.level))}` }, text(data.level)) : null),
        h('p', { class: 'words' }, firstText(data, ['body', 'text'])),
        date.day ? null : timeOf(data.date)))
  },
}

/**
 * The content of an item's row.
 * @param {any} row
 * @param {Context} context
 */
export function drawItem(row, context) {
  const draw = Object.hasOwn(cells, row.cell) ? cells[row.cell] : generic
  const cell = /** @type {HTMLElement} */ (draw(members(row.data), row, context))
  decorate(cell, members(context.table?.cells)[row.cell]?.presentation)
  return cell
}

/** @param {HTMLElement} cell @param {any} presentation */
function decorate(cell, presentation) {
  const height = bounded(presentation?.height, 0, 400, 0)
  // An image's height is the picture's own; a row is as high as a table says at least.
  if (height > 0 && height <= 120) cell.style.minHeight = `${height}px`
  if (['orange', 'red', 'green', 'blue', 'purple', 'yellow', 'gray'].includes(presentation?.tint)) {
    cell.dataset.tint = presentation.tint
  }
}

/** @param {Record<string, any>} data @param {any} row */
function generic(data, row) {
  const title = titleOf(row)
  const shown = Object.keys(data).filter((name) => ![title, row.id, ''].includes(text(data[name])))
  const isList = Array.isArray(row.data)
  return h('div', { class: 'cell cell-generic' },
    avatar({ name: title, avatar: data.avatar ?? data.image }),
    h('div', { class: 'body' },
      h('p', { class: 'title' }, title, h('span', { class: 'level' }, text(row.cell).replace(/Cell$/, '') || 'row')),
      isList ? h('p', { class: 'words' }, row.data.map(text).join(', ')) : null,
      shown.length > 0
        ? h('dl', null, ...shown.slice(0, 8).map((name) =>
          h('div', null, h('dt', null, name), h('dd', null, /^data:/.test(text(data[name])) ? '(data)' : text(data[name])))))
        : null))
}

/** @param {Record<string, any>} data @param {string} [size] */
function avatar(data, size = '') {
  const name = text(data.name)
  const source = imageSource(data.avatar)
  const face = source && 'inline' in source ? h('img', { src: source.inline, alt: '' })
    : typeof data.avatar === 'string' && /^\p{Extended_Pictographic}/u.test(data.avatar) && drawsEmoji() ? data.avatar
      : initials(name)
  return h('span', { class: `avatar ${size} ${hue(name)}`, 'aria-hidden': 'true' }, face)
}

/** @param {Record<string, any>} data */
function byline(data) {
  return h('p', { class: 'byline' }, h('strong', null, text(data.name) || 'Somebody'), timeOf(data.sent ?? data.date))
}

/** @param {any} value */
function timeOf(value) {
  const time = when(value)
  return time.text === '' ? null : h('time', { class: 'when', dateTime: time.machine }, time.text)
}

/** @param {any} value @param {string} description */
function picture(value, description) {
  const source = imageSource(value)
  if (!source) return h('p', { class: 'no-picture' }, icon('image'), 'No picture')
  const image = (/** @type {string} */ src) => h('img', { class: 'picture', src, alt: description, loading: 'lazy',
    decoding: 'async', referrerPolicy: 'no-referrer', draggable: false })
  if ('inline' in source) return image(source.inline)
  const show = h('button', { type: 'button', class: 'no-picture', on: { click: () => show.replaceWith(image(source.outside)) } },
    icon('image'), `Show the picture from ${source.host}`)
  return show
}

/** What each kind of placeholder says where its table says nothing. */
const words = /** @type {Record<string, {title: string, icon?: any}>} */ ({
  loading: { title: 'Loading…' },
  'loading-more': { title: 'Loading more…' },
  empty: { title: 'Nothing here yet', icon: 'inbox' },
  error: { title: 'This could not be loaded', icon: 'warning' },
  retry: { title: 'More could not be loaded', icon: 'warning' },
  more: { title: 'Load more' },
  end: { title: 'That is all' },
  hidden: { title: '' },
})

/**
 * What a status row says.
 * @param {any} row
 */
export function saysOf(row) {
  const data = members(row.data)
  const title = firstText(data, ['title', 'name', 'label', 'text', 'message']) || words[row.placeholder]?.title || ''
  const more = ['text', 'message', 'body', 'why'].map((name) => text(data[name])).filter((each) => each !== '' && each !== title)
  return { title, more: [...new Set(more)] }
}

/**
 * The content of a status row.
 * @param {any} row
 * @param {{loadMore: () => void, retry: () => void}} actions
 */
export function drawStatus(row, actions) {
  const { title, more } = saysOf(row)
  const texts = [h('p', { class: 'title' }, title), ...more.map((each) => h('p', { class: 'sub' }, each))]
  const fills = row.presentation?.height === 'fill'
  switch (row.placeholder) {
    case 'hidden':
      return h('div')
    case 'loading':
      return h('div', { class: 'status status-loading' },
        h('div', { class: 'inline' }, h('span', { class: 'spinner' }), h('p', { class: 'title' }, title)),
        h('div', { class: 'skeletons', 'aria-hidden': 'true' }, ...Array.from({ length: 6 }, () =>
          h('div', { class: 'skeleton' }, h('i'), h('div', null, h('b'), h('b'))))))
    case 'loading-more':
      return h('div', { class: 'status inline' }, h('span', { class: 'spinner' }), ...texts)
    case 'more':
      return h('div', { class: 'status inline' },
        h('button', { type: 'button', class: 'soft-button', 'aria-label': 'Load more', on: { click: actions.loadMore } }, title))
    case 'retry':
      return h('div', { class: 'status inline trouble' },
        icon('warning'), h('div', { class: 'body' }, ...texts), retryButton(actions))
    case 'error':
      return h('div', { class: 'status hero trouble' }, h('span', { class: 'emblem' }, icon('warning')), ...texts, retryButton(actions))
    case 'end':
      return h('div', { class: 'status end' }, ...texts)
    default:
      return h('div', { class: `status hero${fills ? ' fill' : ''}` },
        h('span', { class: 'emblem' }, icon(words[row.placeholder]?.icon ?? 'inbox')), ...texts)
  }
}

/** @param {{retry: () => void}} actions */
function retryButton(actions) {
  return h('button', { type: 'button', class: 'soft-button', on: { click: actions.retry } }, 'Retry')
}
