// Reads values of data, which may be anything, as what a cell wants to show.

/**
 * A value as a line of text; nothing for what is not there.
 * @param {any} value
 * @returns {string}
 */
export function text(value) {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/**
 * Data as an object, whatever it is.
 * @param {any} data
 * @returns {Record<string, any>}
 */
export function members(data) {
  return data !== null && typeof data === 'object' && !Array.isArray(data) ? data : {}
}

/**
 * The first of these members that has something to show.
 * @param {Record<string, any>} data
 * @param {string[]} names
 */
export function firstText(data, names) {
  for (const name of names) {
    const found = Object.hasOwn(data, name) ? text(data[name]) : ''
    if (found !== '') return found
  }
  return ''
}

/**
 * What people call a row.
 * @param {any} row
 * @returns {string}
 */
export function titleOf(row) {
  const data = members(row.data)
  return firstText(data, ['title', 'name', 'label', 'subject', 'text', 'message', 'symbol'])
    || (row.data !== null && typeof row.data !== 'object' ? text(row.data) : '') || row.id || row.placeholder
}

/**
 * The first letters of up to two words.
 * @param {string} name
 */
export function initials(name) {
  const words = name.trim().split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  return words.slice(0, 2).map((word) => [...word.replace(/^[^\p{L}\p{N}]+/u, '')][0]?.toLocaleUpperCase() ?? '').join('') || '?'
}

/**
 * One of twelve hues, always the same for a text.
 * @param {string} of
 */
export function hue(of) {
  // FNV-1a from a start that tells the shipped tables' categories and people apart.
  let hash = 1543
  for (const character of of) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16777619)
  return `hue-${((hash ^ (hash >>> 15)) >>> 0) % 12}`
}

/**
 * When something was, for people: its parts where it is a date, with or without a time, else the text as it is.
 * @param {any} value
 * @returns {{text: string, machine?: string, day?: string, month?: string}}
 */
export function when(value) {
  const given = text(value)
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(given)
  if (!isDay && !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(given)) return { text: given }
  const date = new Date(given)
  if (Number.isNaN(date.getTime())) return { text: given }
  const zone = isDay ? { timeZone: 'UTC' } : {}
  const format = (/** @type {Intl.DateTimeFormatOptions} */ options) =>
    new Intl.DateTimeFormat(undefined, { ...zone, ...options }).format(date)
  return {
    text: format({ day: 'numeric', month: 'short', ...(isDay ? { year: 'numeric' } : { hour: '2-digit', minute: '2-digit' }) }),
    machine: given, day: format({ day: 'numeric' }), month: format({ month: 'short' }),
  }
}

/**
 * Where an image may come from: `inline` data at once, `outside` only when the reader asks, as it tells another server
 * who reads. Anything else is no image.
 * @param {any} value
 * @returns {{inline: string} | {outside: string, host: string} | null}
 */
export function imageSource(value) {
  if (typeof value !== 'string') return null
  if (/^data:image\//i.test(value)) return { inline: value }
  if (!/^https:\/\//i.test(value)) return null
  try {
    return { outside: value, host: new URL(value).host }
  } catch {
    return null
  }
}

/**
 * A number within bounds, else the default.
 * @param {any} value
 * @param {number} low
 * @param {number} high
 * @param {number} otherwise
 */
export function bounded(value, low, high, otherwise) {
  return typeof value === 'number' && value >= low ? Math.min(value, high) : otherwise
}

/** @type {boolean | undefined} */
let emoji
/** Whether this system draws emoji in colour; where it does not, initials look better than boxes. */
export function drawsEmoji() {
  if (emoji !== undefined) return emoji
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = 16
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) return (emoji = false)
  context.font = '14px sans-serif'
  context.fillText('🦊', 0, 14)
  const pixels = context.getImageData(0, 0, 16, 16).data
  emoji = false
  for (let at = 0; at < pixels.length; at += 4) if (pixels[at] > 60 && pixels[at + 3] > 100) emoji = true
  return emoji
}
