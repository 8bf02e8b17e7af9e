// Makes elements. Whatever comes from data goes in as text or as an attribute's value, never as markup.

/**
 * An element. Of the properties, `class`, `data`, `on` and names with a dash or that no element has are understood as
 * one expects; null, undefined and false are left out.
 * @param {string} tag
 * @param {Record<string, any> | null} [properties]
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {any}
 */
export function h(tag, properties, ...children) {
  /** @type {any} */
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === null || value === undefined || value === false) continue
    if (name === 'class') element.className = value
    else if (name === 'data') for (const [key, text] of Object.entries(value)) element.dataset[key] = text
    else if (name === 'on') for (const [event, listener] of Object.entries(value)) element.addEventListener(event, listener)
    else if (name in element && !name.includes('-')) element[name] = value
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child)
  return element
}

const icons = {
  back: 'M15 5l-7 7 7 7',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  code: 'M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  grip: 'M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.01',
  inbox: 'M4 13l3-8h10l3 8v6H4zM4 13h5a3 3 0 0 0 6 0h5',
  link: 'M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1',
  list: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3',
  more: 'M5 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M11 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0M17 12a1 1 0 1 0 2 0a1 1 0 1 0-2 0',
  plus: 'M12 5v14M5 12h14',
  refresh: 'M20 11a8 8 0 1 0-2.3 6.3M20 5v6h-6',
  select: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8 12.5l2.7 2.7L16 9.8',
  trash: 'M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  warning: 'M12 4l9.5 16h-19zM12 10v4M12 17h.01',
  wifi: 'M12 19h.01M8.5 15.5a5 5 0 0 1 7 0M5 12a10 10 0 0 1 14 0M2 8.5a15 15 0 0 1 20 0',
}

/**
 * A drawing of 24 by 24, which says nothing to those who listen.
 * @param {keyof typeof icons} name
 */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg'
  const svg = document.createElementNS(space, 'svg')
  svg.setAttribute('viewBox', '0 0 24 24')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  const path = document.createElementNS(space, 'path')
  path.setAttribute('d', icons[name])
  svg.append(path)
  return svg
}

/**
 * A button that shows an icon, and its name where there is room.
 * @param {keyof typeof icons} drawing
 * @param {string} name what it is called
 * @param {(event: Event) => void} action
 * @param {Record<string, any>} [more]
 */
export function button(drawing, name, action, more = {}) {
  const { class: classes = 'icon-button', label = false, on = {}, ...properties } = more
  return h('button', { type: 'button', class: classes, title: label ? null : name, 'aria-label': label ? null : name,
    on: { click: action, ...on }, ...properties }, icon(drawing), label && h('span', null, name))
}

/**
 * Says something to those who listen.
 * @param {string} text
 */
export function announce(text) {
  const region = document.getElementById('announcer')
  if (region && region.textContent !== text) region.textContent = text
}

/**
 * Shows a short notice; what went wrong stays a little longer.
 * @param {string} title
 * @param {string} [detail]
 */
export function notify(title, detail) {
  const region = document.getElementById('notices')
  if (!region) return
  const notice = h('div', { class: 'notice' },
    h('div', null, h('strong', null, title), detail && detail !== title ? h('p', null, detail) : null),
    button('close', 'Dismiss', () => notice.remove()))
  region.append(notice)
  while (region.children.length > 3) region.firstElementChild?.remove()
  setTimeout(() => notice.remove(), 7000)
}

/**
 * Says why something was refused, and which member of what was sent is at fault.
 * @param {any} error
 */
export function notifyError(error) {
  if (error?.name === 'AbortError') return
  const { problem, message } = error ?? {}
  const member = problem?.pointer?.split('/').filter((/** @type {string} */ name) => /\D/.test(name)).at(-1)
  notify(problem?.title ?? 'That did not work', member ? `${member}: ${message}` : message)
}

/** Whether things may move. */
export const stillness = window.matchMedia('(prefers-reduced-motion: reduce)')
