import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OpsError, applyOps, diffRows, predict } from '../../Sources/Service/Resources/rowcast.js'
import { applyLiterally } from './Support/literal-applier.js'
import { generator, seed } from './Support/random.js'

const row = (/** @type {string} */ id, data = 0) => ({ id, cell: 'Cell', data })
const status = (/** @type {string} */ placeholder) =>
  ({ placeholder, cell: 'Cell', visible: true, selectable: false, data: {} })

/** A batch that fits `count` rows, made from its effect: who goes, who stays, who is put where. */
function randomBatch(random, count) {
  const order = random.shuffled([...Array(count).keys()])
  const deleted = order.splice(0, random.below(count + 1) * (random.chance(0.5) ? 1 : 0))
  const moved = order.splice(0, random.below(order.length + 1))
  const inserts = random.below(6)
  const after = count - deleted.length + inserts
  const places = random.shuffled([...Array(after).keys()]).slice(0, inserts + moved.length)
  const ops = deleted.sort((a, b) => b - a).map((from) => ({ op: 'delete', from }))
  const moves = moved.map((from, n) => ({ op: 'move', from, to: places[n] })).sort((a, b) => a.to - b.to)
  const fresh = places.slice(moved.length).sort((a, b) => a - b)
    .map((to, n) => ({ op: 'insert', to, row: row(`new${n}`) }))
  ops.push(...moves, ...fresh)
  const origins = applyLiterally([...Array(count).keys()], ops.map((op) => ({ ...op, row: -1 })))
  origins.forEach((from, to) => {
    if (from >= 0 && random.chance(0.3)) ops.push({ op: 'update', from, to, row: row(`old${from}`, 1) })
  })
  return ops
}

test('random batches do what UIKit’s rules say', () => {
  const random = generator(seed)
  for (let round = 0; round < 5000; round += 1) {
    const rows = [...Array(random.below(12)).keys()].map((n) => row(`old${n}`))
    const before = structuredClone(rows)
    const ops = randomBatch(random, rows.length)
    const expected = applyLiterally(rows, ops)
    const context = `seed ${seed}, round ${round}: ${JSON.stringify({ rows: rows.length, ops })}`
    assert.deepEqual(applyOps(Object.freeze(rows), ops), expected, context)
    assert.deepEqual(applyOps(rows, random.shuffled(ops)), expected, `order must not matter; ${context}`)
    assert.deepEqual(rows, before, context)
  }
})

test('a batch is no script', () => {
  const rows = ['a', 'b', 'c', 'd'].map((id) => row(id))
  const ops = [
    { op: 'delete', from: 1 }, { op: 'move', from: 3, to: 0 },
    { op: 'insert', to: 2, row: row('e') }, { op: 'update', from: 0, to: 1, row: row('a', 1) },
  ]
  assert.deepEqual(applyOps(rows, /** @type {any} */ (ops)), [row('d'), row('a', 1), row('e'), row('c')])
})

test('a move may stay where it is, and an update may go with a move', () => {
  const rows = [row('a'), row('b')]
  assert.deepEqual(applyOps(rows, [{ op: 'move', from: 1, to: 1 }]), rows)
  assert.deepEqual(
    applyOps(rows, [{ op: 'move', from: 1, to: 0 }, { op: 'update', from: 1, to: 0, row: row('b', 1) }]),
    [row('b', 1), row('a')])
})

for (const [what, ops] of Object.entries({
  'no array': 'delete',
  'a null op': [null],
  'an unknown op': [{ op: 'replace', from: 0 }],
  'a name of every object': [{ op: 'constructor', from: 0 }],
  'a delete past the end': [{ op: 'delete', from: 3 }],
  'a delete before the start': [{ op: 'delete', from: -1 }],
  'an index that is text': [{ op: 'delete', from: '0' }],
  'an index between rows': [{ op: 'delete', from: 0.5 }],
  'no index': [{ op: 'delete' }],
  'a row deleted twice': [{ op: 'delete', from: 0 }, { op: 'delete', from: 0 }],
  'a row deleted and moved': [{ op: 'delete', from: 0 }, { op: 'move', from: 0, to: 1 }],
  'two rows at one place': [{ op: 'insert', to: 0, row: row('x') }, { op: 'move', from: 1, to: 0 }],
  'an insert past the end': [{ op: 'insert', to: 4, row: row('x') }],
  'an insert that leaves a hole': [{ op: 'insert', to: 4, row: row('x') }, { op: 'delete', from: 0 }],
  'an insert without a row': [{ op: 'insert', to: 0 }],
  'a row that is null': [{ op: 'insert', to: 0, row: null }],
  'an update of a deleted row': [{ op: 'delete', from: 0 }, { op: 'update', from: 0, to: 0, row: row('x') }],
  'an update of another row': [{ op: 'update', from: 0, to: 1, row: row('x') }],
  'an update of an inserted row': [{ op: 'insert', to: 0, row: row('x') }, { op: 'update', from: 0, to: 0, row: row('y') }],
  'a row updated twice': [{ op: 'update', from: 0, to: 0, row: row('x') }, { op: 'update', from: 0, to: 0, row: row('x') }],
})) {
  test(`refuses ${what}`, () => {
    const rows = [row('a'), row('b'), row('c')]
    assert.throws(() => applyOps(rows, /** @type {any} */ (ops)), OpsError)
    assert.deepEqual(rows, [row('a'), row('b'), row('c')])
  })
}

test('a difference leads there, with the fewest moves', () => {
  const random = generator(seed)
  for (let round = 0; round < 3000; round += 1) {
    const before = random.shuffled([...'abcdefgh']).slice(0, random.below(9)).map((id) => row(id, random.below(2)))
    const after = random.shuffled([...'abcdefgh']).slice(0, random.below(9)).map((id) => row(id, random.below(2)))
    if (random.chance(0.5)) before.push(/** @type {any} */ (status('more')))
    if (random.chance(0.5)) after.push(/** @type {any} */ (status('end')))
    const ops = diffRows(before, after)
    const context = `seed ${seed}, round ${round}: ${JSON.stringify({ before, after, ops })}`
    assert.deepEqual(applyLiterally(before, ops), after, context)
    assert.deepEqual(applyOps(before, ops), after, context)
    const kept = after.filter((each) => before.some((other) => other.id === each.id)).map((each) => each.id)
    const places = kept.map((id) => before.findIndex((each) => each.id === id))
    assert.equal(ops.filter((op) => op.op === 'move').length, kept.length - longestRiseSlowly(places), context)
  }
})

/** O(n²), and plain. */
function longestRiseSlowly(values) {
  const lengths = []
  values.forEach((value, n) => {
    lengths[n] = 1 + Math.max(0, ...values.slice(0, n).map((other, m) => (other < value ? lengths[m] : 0)))
  })
  return Math.max(0, ...lengths)
}

test('predictions say what edits will do', () => {
  const rows = [row('a', 1), row('b', 2), status('more')]
  const ids = (made) => made?.map((each) => each.id ?? each.placeholder).join(' ')
  assert.equal(ids(predict('insert', { rows: [row('c')] }, rows)), 'a b c more')
  assert.equal(ids(predict('insert', { rows: [row('c')], at: 0 }, rows)), 'c a b more')
  assert.equal(ids(predict('insert', { rows: [row('c')], before: 'b' }, rows)), 'a c b more')
  assert.equal(ids(predict('insert', { rows: [row('c')], after: 'a' }, rows)), 'a c b more')
  assert.equal(ids(predict('insert', { rows: [row('c')], at: 3 }, rows)), undefined)
  assert.equal(ids(predict('insert', { rows: [row('c')], after: 'gone' }, rows)), undefined)
  assert.equal(ids(predict('insert', { rows: [row('a')] }, rows)), 'a b more')
  assert.equal(ids(predict('delete', { ids: ['a', 'gone'] }, rows)), 'b more')
  assert.equal(ids(predict('delete', { all: true }, rows)), 'more')
  assert.equal(ids(predict('move', { id: 'a', to: 1 }, rows)), 'b a more')
  assert.equal(ids(predict('move', { id: 'a', after: 'b' }, rows)), 'b a more')
  assert.equal(ids(predict('move', { id: 'a', to: 2 }, rows)), undefined)
  assert.equal(ids(predict('replace', { rows: [row('z')] }, rows)), 'z more')
  assert.equal(ids(predict('batch', { commands: [{ delete: { ids: ['a'] } }, { insert: { rows: [row('c')], at: 0 } }] }, rows)), 'c b more')
  assert.equal(predict('refresh', {}, rows), null)
})

test('a predicted merge is RFC 7396, whatever members are called', () => {
  const rows = [row('a', /** @type {any} */ ({ title: 'x', gone: 1, deep: { a: 1, b: 2 } }))]
  const merge = JSON.parse('{"gone":null,"deep":{"b":null,"c":[1]},"__proto__":{"x":1},"list":{"y":null}}')
  const made = /** @type {any} */ (predict('update', { rows: [{ id: 'a', merge }] }, rows))
  assert.equal(JSON.stringify(made[0].data), '{"title":"x","deep":{"a":1,"c":[1]},"__proto__":{"x":1},"list":{}}')
  assert.equal(/** @type {any} */ ({}).x, undefined)
})
