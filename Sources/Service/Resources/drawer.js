// The drawer that shows what arrives: each change with its ops, newest first.

import { button, h } from './dom.js'
import { titleOf } from './values.js'

const kept = 200

export class Drawer {
  /** @param {() => void} onClose */
  constructor(onClose) {
    this.entries = h('ol', { class: 'entries', reversed: true })
    this.empty = h('p', { class: 'note' }, 'Every change of the list will be shown here, op by op, as it arrives.')
    this.element = h('aside', { class: 'drawer', id: 'drawer', 'aria-label': 'Changes', hidden: true },
      h('header', null, h('h2', null, 'Changes'),
        h('button', { type: 'button', class: 'text-button', on: { click: () => this.clear() } }, 'Clear'),
        button('close', 'Close', onClose)),
      this.empty, this.entries)
  }

  clear() {
    this.entries.replaceChildren()
    this.empty.hidden = false
  }

  /** @param {any} event a session's event */
  add(event) {
    const entry = event.type === 'change' ? changeEntry(event) : event.type === 'snapshot' ? snapshotEntry(event) : null
    if (!entry) return
    this.empty.hidden = true
    this.entries.prepend(entry)
    while (this.entries.children.length > kept) this.entries.lastElementChild.remove()
  }
}

/** @param {any} event */
function changeEntry({ change, own }) {
  const { ops, ...header } = change
  return h('li', { class: 'entry', data: { revision: change.revision } },
    h('p', null, h('b', null, change.cause), own ? h('span', { class: 'mine' }, 'mine') : null,
      h('code', { class: 'revision' }, String(change.revision))),
    h('ul', { class: 'ops' }, ...(ops.length > 0 ? ops.slice(0, 30).map(opLine) : [h('li', { class: 'op-none' }, 'no ops')]),
      ops.length > 30 ? h('li', { class: 'op-none' }, `and ${ops.length - 30} more`) : null),
    details({ ...header, ops }))
}

/** @param {any} event */
function snapshotEntry({ snapshot, reopened }) {
  return h('li', { class: 'entry', data: { revision: snapshot.revision } },
    h('p', null, h('b', null, reopened ? 'opened again' : 'snapshot'),
      h('code', { class: 'revision' }, String(snapshot.revision))),
    h('ul', { class: 'ops' }, h('li', { class: 'op-none' }, `the whole list, ${snapshot.rowCount} rows`)))
}

/** @param {any} op */
function opLine(op) {
  const places = [op.from, op.to].filter((place) => place !== undefined).join(' → ')
  const subject = op.row ? (op.row.id !== undefined ? titleOf(op.row) : op.row.placeholder) : ''
  return h('li', { class: `op op-${op.op}` }, h('b', null, op.op), h('code', null, places), subject && h('span', null, subject))
}

/**
 * Its text is made when it is opened: most never are.
 * @param {any} content
 */
function details(content) {
  const text = h('pre', null)
  return h('details', { on: { toggle: () => { text.textContent ||= JSON.stringify(content, null, 2) } } },
    h('summary', null, 'JSON'), text)
}
