import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventStreamParser } from '../../Sources/Service/Resources/rowcast.js'
import { generator, seed } from './Support/random.js'

const bytes = (/** @type {string} */ text) => new TextEncoder().encode(text)

/** @param {Uint8Array[]} chunks */
function parse(chunks) {
  const parser = new EventStreamParser()
  const events = chunks.flatMap((chunk) => parser.push(chunk))
  return { events, lastEventId: parser.lastEventId, retry: parser.retry }
}

const event = (data, name = 'message', id = '') => ({ event: name, data, id })

/** Each: what it shows, the stream, its events, and the last id and reconnection time where there are some. */
const streams = [
  ['one line', 'data: a\n\n', [event('a')]],
  ['lines that end in every way', 'data: a\r\rdata: b\r\n\r\ndata: c\n\ndata: d\r\n\n', 'abcd'.split('').map((d) => event(d))],
  ['carriage returns before a line feed', 'data: a\r\ndata: b\r\n\r\n', [event('a\nb')]],
  ['a byte order mark', '\ufeffdata: a\n\n', [event('a')]],
  ['only one of them', '\ufeff\ufeffdata: a\n\ndata: b\n\n', [event('b')]],
  ['characters of every length', 'data: aé€😀\u2028\u2029\u0085\ufeff\n\n', [event('aé€😀\u2028\u2029\u0085\ufeff')]],
  ['comments', ': hello\n:\ndata: a\n: b\n\n', [event('a')]],
  ['unknown fields', 'datum: x\nDATA: x\n data: x\ndata: a\nconstructor: x\n\n', [event('a')]],
  ['unknown events', 'event: other\ndata: a\n\n', [event('a', 'other')]],
  ['an event without data', 'event: change\nid: 7\n\ndata: a\n\n', [event('a', 'message', '7')], '7'],
  ['empty data', 'data\n\ndata:\n\ndata: \n\n', [event(''), event(''), event('')]],
  ['several lines of data', 'data: a\ndata:\ndata:  b\n\n', [event('a\n\n b')]],
  ['one space, not two', 'data:a\ndata: a\ndata:  a\n\n', [event('a\na\n a')]],
  ['a colon in a value', 'data: a:b: c\n\n', [event('a:b: c')]],
  ['an id that stays', 'id: 1\ndata: a\n\ndata: b\n\n', [event('a', 'message', '1'), event('b', 'message', '1')], '1'],
  ['an id with NUL, which is none', 'id: 1\ndata: a\n\nid: 2\0\ndata: b\n\n', [event('a', 'message', '1'), event('b', 'message', '1')], '1'],
  ['an id that is taken back', 'id: 1\ndata: a\n\nid\ndata: b\n\n', [event('a', 'message', '1'), event('b')]],
  ['a time to reconnect', 'retry: 2000\nretry: 1e3\nretry: -1\nretry:\n\n', [], '', 2000],
  ['an event that is not whole', 'data: a\n\ndata: b\n', [event('a')]],
  ['what the server sends', 'retry: 2000\n\nid: 12\nevent: change\ndata: {"a":"é"}\n\n:\n\nevent: end\ndata: {"reason":"draining"}\n\n',
    [event('{"a":"é"}', 'change', '12'), event('{"reason":"draining"}', 'end', '12')], '12', 2000],
]

for (const [what, stream, events, lastEventId = '', retry = undefined] of streams) {
  const whole = bytes(/** @type {string} */ (stream))
  const expected = { events, lastEventId, retry }
  test(`${what}: whole, byte by byte, and under every two cuts`, () => {
    assert.deepEqual(parse([whole]), expected)
    assert.deepEqual(parse([...whole].map((byte) => Uint8Array.of(byte))), expected)
    for (let a = 0; a <= whole.length; a += 1) {
      for (let b = a; b <= whole.length; b += 1) {
        assert.deepEqual(parse([whole.slice(0, a), whole.slice(a, b), whole.slice(b)]), expected, `cut at ${a} and ${b}`)
      }
    }
  })
}

test('random streams read the same however they are cut', () => {
  const random = generator(seed)
  const words = ['data', 'event', 'id', 'retry', ':', ': ', ' ', '\r', '\n', '\r\n', '\n\n', '\0', 'é', '😀', '7', 'x', '\ufeff']
  for (let round = 0; round < 2000; round += 1) {
    const whole = bytes([...Array(random.below(40))].map(() => random.pick(words)).join(''))
    const chunks = []
    for (let start = 0; start < whole.length;) {
      const end = Math.min(whole.length, start + 1 + random.below(6))
      chunks.push(whole.slice(start, end))
      start = end
    }
    assert.deepEqual(parse(chunks), parse([whole]), `seed ${seed}, round ${round}: ${JSON.stringify(new TextDecoder().decode(whole))}`)
  }
})

test('a line of eight megabytes in small pieces costs no more than its length', { timeout: 20000 }, () => {
  const parser = new EventStreamParser()
  const piece = bytes('x'.repeat(1024))
  parser.push(bytes('data: '))
  for (let n = 0; n < 8192; n += 1) parser.push(piece)
  const [read] = parser.push(bytes('\n\n'))
  assert.equal(read.data.length, 8192 * 1024)
})
