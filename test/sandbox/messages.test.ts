// What the child may say: every kind of line that is believed, and lines that end it. Nothing in a line that is believed may
// be larger than the limits allow.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LAYER_NAMES } from '../../sandbox-pool/layers.ts'
import {
  CROSSING_BYTES_MAX,
  ERROR_LENGTH_MAX,
  FETCH_JSON_LENGTH_MAX,
  LINE_LENGTH_MAX,
  LOG_LINE_LENGTH_MAX,
} from '../../sandbox-pool/limits.ts'
import { Lines } from '../../sandbox-pool/lines.ts'
import { readFromChild } from '../../sandbox-pool/messages.ts'

const LAYERS = Object.fromEntries(LAYER_NAMES.map((name) => [name, true]))
const OK = { ok: true, value: '1' }
const FAILED = { ok: false, fault: 'code', message: 'm', line: 3 }

const BELIEVED: Readonly<Record<string, object>> = {
  ready: { type: 'ready', layers: LAYERS },
  pong: { type: 'pong' },
  'a fetch at its limit': { type: 'fetch', run: 1, id: 2, request: 'x'.repeat(FETCH_JSON_LENGTH_MAX) },
  'a success at its limit': { type: 'done', run: 1, outcome: { ok: true, value: 'x'.repeat(CROSSING_BYTES_MAX) } },
  'a failure without a line': { type: 'done', run: 1, outcome: { ...FAILED, line: null } },
  'a line of a log at its limit': { type: 'log', run: 1, line: 'x'.repeat(LOG_LINE_LENGTH_MAX) },
  'an empty line of a log': { type: 'log', run: 1, line: '' },
}

for (const [name, message] of Object.entries(BELIEVED)) {
  test(`believed: ${name}`, () => assert.deepEqual(readFromChild(JSON.stringify(message)), message))
}

test('what nobody asked for is left out', () => {
  const line = JSON.stringify({ type: 'done', run: 1, outcome: { ...OK, extra: 1 }, durationMs: 9 })
  assert.deepEqual(readFromChild(line), { type: 'done', run: 1, outcome: OK })
})

const REFUSED: Readonly<Record<string, string | object | null>> = {
  'no JSON': '{"type":',
  'the empty line': '',
  null: null,
  'a list': [],
  'a text': '"pong"',
  'no type': {},
  'a type of the other direction': { type: 'ping' },
  'a type from the prototype': { type: 'constructor' },
  'ready without layers': { type: 'ready' },
  'ready with half of them': { type: 'ready', layers: { ownUser: true } },
  'ready with other values': { type: 'ready', layers: { ...LAYERS, ownUser: 'yes' } },
  'a fetch of no run': { type: 'fetch', id: 1, request: '' },
  'a fetch of half a run': { type: 'fetch', run: 1.5, id: 1, request: '' },
  'a fetch without a text': { type: 'fetch', run: 1, id: 1, request: {} },
  'a fetch that is too large': { type: 'fetch', run: 1, id: 1, request: 'x'.repeat(FETCH_JSON_LENGTH_MAX + 1) },
  'done without an outcome': { type: 'done', run: 1 },
  'done of no run': { type: 'done', outcome: OK },
  'a value that is no text': { type: 'done', run: 1, outcome: { ok: true, value: { a: 1 } } },
  'a value that is too large': { type: 'done', run: 1, outcome: { ok: true, value: 'x'.repeat(CROSSING_BYTES_MAX + 1) } },
  'ok that is only nearly true': { type: 'done', run: 1, outcome: { ok: 1, value: '1' } },
  'a fault of ours': { type: 'done', run: 1, outcome: { ...FAILED, fault: 'busy' } },
  'a line that is no number': { type: 'done', run: 1, outcome: { ...FAILED, line: '3' } },
  'an error that is too long': { type: 'done', run: 1, outcome: { ...FAILED, message: 'x'.repeat(3 * ERROR_LENGTH_MAX + 1) } },
  'a line of a log that is no text': { type: 'log', run: 1, line: 1 },
  'a line of a log that is too long': { type: 'log', run: 1, line: 'x'.repeat(LOG_LINE_LENGTH_MAX + 1) },
  'a line of no log': { type: 'log', line: '' },
}

for (const [name, message] of Object.entries(REFUSED)) {
  test(`refused: ${name}`, () => {
    assert.equal(readFromChild(typeof message === 'string' ? message : JSON.stringify(message)), null)
  })
}

const JSON_OF_A_KIND = fc
  .record({ type: fc.constantFrom('done', 'fetch', 'log', 'ready'), run: fc.jsonValue(), outcome: fc.jsonValue(), line: fc.jsonValue() })
  .map((value) => JSON.stringify(value))

test('any line is a message or null, never an error', () => {
  const line = fc.oneof(fc.string(), fc.json(), JSON_OF_A_KIND)
  fc.assert(fc.property(line, (text) => typeof readFromChild(text) === 'object'))
})

test('lines come out whole, however the stream is cut', () => {
  const text = fc.array(fc.stringMatching(/^[^\n]{0,20}$/), { minLength: 1, maxLength: 20 })
  const property = fc.property(text, fc.infiniteStream(fc.integer({ min: 1, max: 30 })), (whole, sizes) => {
    const lines = new Lines()
    const stream = `${whole.join('\n')}\n`
    const found: string[] = []
    for (let at = 0; at < stream.length; ) {
      const size = sizes.next().value
      found.push(...lines.take(stream.slice(at, at + size)))
      at += size
    }
    assert.deepEqual(found, whole)
  })
  fc.assert(property)
})

test('a line may be as long as the limit and no longer, whole or in pieces', () => {
  const longest = 'x'.repeat(LINE_LENGTH_MAX)
  assert.deepEqual(new Lines().take(`${longest}\n`), [longest])
  assert.throws(() => new Lines().take(`${longest}x\n`), RangeError)
  assert.throws(() => new Lines().take(`a\n${longest}x\nb\n`), RangeError)
  const inPieces = new Lines()
  inPieces.take(longest)
  assert.throws(() => inPieces.take('x'), RangeError)
})
