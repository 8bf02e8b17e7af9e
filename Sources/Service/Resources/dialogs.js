// The page's dialogs: a row's editor, the data of a state, the token.

import { button, h } from './dom.js'
import { members, text } from './values.js'

/**
 * A value that a form asks for.
 * @typedef {{name: string, kind: 'text' | 'words' | 'number' | 'flag' | 'json', required?: boolean, value?: any}} Field
 */

/**
 * Shows a dialog until it is sent or closed. `send` may refuse by throwing, which is shown; then it stays open.
 * @param {{title: string, note?: string, submit: string, content: Node[], send: (form: HTMLFormElement) => any, firm?: boolean}} options
 * @returns {Promise<boolean>} whether it was sent
 */
export function showDialog({ title, note, submit, content, send, firm = false }) {
  return new Promise((resolve) => {
    const trouble = h('p', { class: 'trouble', role: 'alert' })
    const form = h('form', { on: { submit: onSubmit }, noValidate: true },
      h('h2', { id: 'dialog-title' }, title), note && h('p', { class: 'note' }, note), ...content, trouble,
      h('div', { class: 'dialog-buttons' },
        firm ? null : h('button', { type: 'button', class: 'soft-button', on: { click: () => dialog.close() } }, 'Cancel'),
        h('button', { type: 'submit', class: 'strong-button' }, submit)))
    const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': 'dialog-title' }, form)
    let sent = false
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(sent)
    })
    if (firm) dialog.addEventListener('cancel', (/** @type {Event} */ event) => event.preventDefault())
    else dialog.addEventListener('pointerdown', (/** @type {Event} */ event) => { if (event.target === dialog) dialog.close() })
    form.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
    })
    document.body.append(dialog)
    dialog.showModal()
    form.querySelector('input:not([type=checkbox]), textarea, select')?.focus()

    /** @param {Event} event */
    async function onSubmit(event) {
      event.preventDefault()
      const buttons = form.querySelectorAll('button')
      for (const each of buttons) each.disabled = true
      trouble.textContent = ''
      try {
        await send(form)
        sent = true
        dialog.close()
      } catch (error) {
        trouble.textContent = error instanceof Error ? error.message : String(error)
        for (const each of buttons) each.disabled = false
      }
    }
  })
}

/** @param {Field} field */
function inputOf({ name, kind, required, value }) {
  const id = `field-${name}`
  const shown = kind === 'json' ? (value === undefined ? '' : JSON.stringify(value, null, 1)) : text(value)
  if (kind === 'flag') {
    return h('label', { class: 'field flag' }, h('input', { type: 'checkbox', id, name, checked: value === true }), h('span', null, name))
  }
  const long = kind === 'words' || kind === 'json'
  const properties = { id, name, required, autocomplete: 'off', class: kind === 'json' ? 'code' : null,
    ...(long ? { rows: kind === 'json' ? 5 : 3, value: shown } : { type: 'text', inputMode: kind === 'number' ? 'decimal' : 'text', value: shown }) }
  return h('label', { class: 'field' }, h('span', null, name, required ? h('em', null, ' required') : null),
    h(long ? 'textarea' : 'input', properties))
}

/**
 * What was entered for a field; undefined where nothing was.
 * @param {Field} field
 * @param {HTMLFormElement} form
 */
function valueOf({ name, kind, required }, form) {
  const input = /** @type {HTMLInputElement} */ (form.elements.namedItem(name))
  if (kind === 'flag') return input.checked
  const entered = input.value
  if (entered === '') {
    if (required) throw new Error(`“${name}” is required.`)
    return undefined
  }
  if (kind === 'number') {
    if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(entered.trim())) throw new Error(`“${name}” is a number.`)
    return Number(entered)
  }
  if (kind !== 'json') return entered
  try {
    return JSON.parse(entered)
  } catch (error) {
    throw new Error(`“${name}” is no JSON: ${/** @type {Error} */ (error).message}`)
  }
}

/**
 * The cells that a table's rows may have.
 * @param {any} table
 * @returns {string[]}
 */
export function cellsOf(table) {
  const rule = table?.cell
  const named = typeof rule === 'string' ? [rule] : [...Object.values(members(rule?.map)), rule?.default]
  return [...new Set([...Object.keys(members(table?.cells)), ...named])].filter((name) => typeof name === 'string')
}

/**
 * The fields of a cell's data: those that the table names, and those that such rows have.
 * @param {any} table
 * @param {string} cell
 * @param {any[]} rows
 * @param {any} [data] that of the row to edit
 * @returns {Field[]}
 */
export function fieldsOf(table, cell, rows, data) {
  const definition = members(members(table?.cells)[cell])
  const required = members(definition.required)
  const alike = data !== undefined ? [members(data)]
    : rows.filter((row) => row.id !== undefined && row.cell === cell).slice(0, 20).map((row) => members(row.data))
  const names = new Set([...Object.keys(members(definition.data)), ...Object.keys(required), ...alike.flatMap((each) => Object.keys(each))])
  if (names.size === 0 && data === undefined) names.add('title')
  if (cell === 'TaskCell' && data === undefined) names.add('done')
  return [...names].map((name) => {
    const sample = alike.find((each) => each[name] !== null && each[name] !== undefined)?.[name]
    const type = required[name] ?? (name === 'done' ? 'boolean' : typeof sample)
    const kind = type === 'boolean' ? 'flag' : type === 'number' || type === 'integer' ? 'number'
      : type === 'object' || type === 'array' ? 'json'
        : ['text', 'body', 'message', 'description'].includes(name) ? 'words' : 'text'
    return { name, kind, required: required[name] === 'string', value: data === undefined ? undefined : members(data)[name] }
  })
}

/**
 * Asks for a new row.
 * @param {any} table
 * @param {any[]} rows
 * @param {{selected: string | null, insert: (row: any, place: any) => Promise<any>}} options
 */
export function askForRow(table, rows, { selected, insert }) {
  const names = cellsOf(table)
  const cells = names.length > 0 ? names : ['Cell']
  // The cell that most rows have is the one that is most likely wanted.
  const used = rows.filter((row) => row.id !== undefined).map((row) => row.cell)
  const usual = cells.reduce((best, cell) => (used.filter((each) => each === cell).length > used.filter((each) => each === best).length ? cell : best), cells[0])
  /** @type {Field[]} */
  let fields = []
  const holder = h('div', { class: 'fields' })
  const choose = (/** @type {string} */ cell) => {
    fields = fieldsOf(table, cell, rows)
    for (const field of fields) {
      if (field.name === 'sent') field.value = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
      if (field.name === 'date') field.value = new Date().toISOString().slice(0, 10)
    }
    holder.replaceChildren(...fields.map(inputOf))
  }
  choose(usual)
  const kind = cells.length > 1
    ? h('label', { class: 'field' }, h('span', null, 'kind of row'),
      h('select', { name: 'row-cell', on: { change: (/** @type {any} */ event) => choose(event.target.value) } },
        ...cells.map((cell) => h('option', { value: cell, selected: cell === usual }, cell.replace(/Cell$/, '') || cell))))
    : null
  const first = table?.presentation?.insert === 'top'
  const place = h('label', { class: 'field' }, h('span', null, 'place'),
    h('select', { name: 'row-place' },
      h('option', { value: 'start', selected: first }, 'at the top'),
      h('option', { value: 'end', selected: !first }, 'at the end'),
      selected ? h('option', { value: 'after' }, 'after the selected row') : null))
  return showDialog({
    title: 'New row', submit: 'Add', content: [holder, h('div', { class: 'field-pair' }, kind, place)],
    send: async (form) => {
      const entered = fields.map((field) => [field.name, valueOf(field, form)]).filter(([, value]) => value !== undefined)
      const cell = /** @type {any} */ (form.elements.namedItem('row-cell'))?.value
      const where = /** @type {any} */ (form.elements.namedItem('row-place')).value
      await insert({ ...(cell && { cell }), data: Object.fromEntries(entered) },
        where === 'start' ? { at: 0 } : where === 'after' ? { after: selected } : {})
    },
  })
}

/**
 * Asks for a row's new content. Only members that were changed are sent, so that the others keep their exact text.
 * @param {any} table
 * @param {any} row
 * @param {(change: any) => Promise<any>} update
 */
export function askForChange(table, row, update) {
  const isObject = row.data !== null && typeof row.data === 'object' && !Array.isArray(row.data)
  /** @type {Field[]} */
  const fields = isObject ? fieldsOf(table, row.cell, [row], row.data)
    : [{ name: 'data', kind: 'json', required: true, value: row.data }]
  return showDialog({
    title: 'Edit row', submit: 'Save', content: [h('div', { class: 'fields' }, ...fields.map(inputOf))],
    send: async (form) => {
      if (!isObject) return update({ data: valueOf(fields[0], form) })
      /** @type {[string, any][]} */
      const changed = []
      for (const field of fields) {
        const value = valueOf(field, form)
        const before = field.value
        if (value === undefined && (before === undefined || before === null || before === '')) continue
        if (field.kind === 'flag' && value === (before === true)) continue
        if (JSON.stringify(value) === JSON.stringify(before)) continue
        changed.push([field.name, value === undefined && typeof before === 'string' ? '' : value ?? null])
      }
      if (changed.length > 0) await update({ merge: Object.fromEntries(changed) })
    },
  })
}

/**
 * The members of data that a state's rows are filled from.
 * @param {any} state
 * @returns {string[]}
 */
export function dataOfState(state) {
  /** @type {any[]} */
  const pointers = (state?.rows ?? []).flatMap((/** @type {any} */ row) => Object.values(members(row?.bind)))
  const names = pointers.map((pointer) => text(pointer).split('/')[1]?.replaceAll('~1', '/').replaceAll('~0', '~'))
  return [...new Set(/** @type {string[]} */ (names.filter((name) => name)))]
}

/**
 * Asks for the data of a state.
 * @param {string} state
 * @param {string[]} names
 * @param {(data: any) => Promise<any>} enter
 */
export function askForState(state, names, enter) {
  /** @type {Field[]} */
  const fields = names.map((name) => ({ name, kind: 'words' }))
  return showDialog({
    title: `Enter “${state}”`, submit: 'Enter', content: [h('div', { class: 'fields' }, ...fields.map(inputOf))],
    send: (form) => enter(Object.fromEntries(
      fields.map((field) => [field.name, valueOf(field, form)]).filter(([, value]) => value !== undefined))),
  })
}

/**
 * Asks for the token until it is given.
 * @param {boolean} wasRefused
 * @returns {Promise<string>}
 */
export async function askForToken(wasRefused) {
  let token = ''
  const input = h('input', { type: 'password', name: 'token', id: 'token', autocomplete: 'current-password', required: true })
  await showDialog({
    title: 'A token, please', firm: true, submit: 'Continue',
    note: wasRefused ? 'The server did not accept that token.' : 'This server opens its lists to those who have a token.',
    content: [h('label', { class: 'field' }, h('span', null, 'token'), input)],
    send: () => {
      token = input.value.trim()
      if (token === '') throw new Error('Without a token the server keeps its lists to itself.')
    },
  })
  return token
}

/**
 * A button with a panel of further controls under it.
 * @param {string} name
 * @param {Node[]} content
 */
export function menu(name, content) {
  const panel = h('div', { class: 'menu', popover: 'auto', role: 'group', 'aria-label': name }, ...content)
  const opener = button('more', name, () => {}, { popoverTargetElement: panel })
  return { opener, panel, close: () => { if (panel.matches(':popover-open')) panel.hidePopover() } }
}
