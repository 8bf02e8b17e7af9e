// The page without a table: which lists there are.

import { h, icon } from './dom.js'
import { hue, initials, text } from './values.js'

/** @type {Record<string, string>} */
const origins = { client: 'Written here', file: 'Read from a file', http: 'Read from the web' }

/**
 * @param {any[]} tables
 * @param {string} [unknown] a table that was asked for and is not here
 */
export function chooser(tables, unknown) {
  return h('main', { class: 'chooser', id: 'main' },
    h('header', { class: 'welcome' },
      h('span', { class: 'mark' }, icon('list')),
      h('h1', null, 'Rowcast'),
      h('p', null, 'Lists that everyone sees change at once. Choose one; the address you get can be shared.')),
    unknown === undefined ? null : h('p', { class: 'banner', role: 'alert' }, `There is no table “${unknown}” here.`),
    tables.length === 0 ? h('p', { class: 'note' }, 'This server has no tables.') : null,
    h('ul', { class: 'cards', role: 'list' }, ...tables.map((table) => {
      const title = text(table.title) || table.name
      return h('li', null,
        h('a', { class: 'card', href: `/?table=${encodeURIComponent(table.name)}` },
          h('span', { class: `avatar ${hue(table.name)}`, 'aria-hidden': 'true' }, initials(title)),
          h('span', { class: 'body' }, h('strong', null, title), h('small', null, origins[table.source?.kind] ?? ''))))
    })),
    h('footer', null, h('a', { href: '/openapi.json' }, 'The interface'), ' · ', h('a', { href: '/rowcast.js' }, 'The library')))
}
