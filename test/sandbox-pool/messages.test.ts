// What crosses between server and child: frames that are cut anywhere come out whole, a message of every kind crosses at its
// maximum with any characters, and what is no message is found out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Frames, framed } from '../../sandbox-pool/frames.ts'
import { LAYER_NAMES, type SandboxLayers } from '../../sandbox-pool/layers.ts'
import {
  CROSSING_BYTES_MAX,
  ERROR_LENGTH_MAX,
  FETCH_JSON_BYTES_MAX,
  FROM_CHILD_BYTES_MAX,
  LOG_LENGTH_MAX,
  LOG_LINE_LENGTH_MAX,
  LOG_LINES_MAX,
} from '../../sandbox-pool/limits.ts'
import {
  type FromChild,
  fromChildBytes,
  MESSAGE_HEAD_BYTES,
  readFromChild,
  readToChild,
  type ToChild,
  toChildBytes,
} from '../../sandbox-pool/messages.ts'
import { REST_OF_LOG, RunLog, wellFormed } from '../../sandbox-pool/run-log.ts'

const LAYERS = Object.fromEntries(LAYER_NAMES.map((name) => [name, true])) as unknown as SandboxLayers

/** Texts that a careless frame or a careless escape falls over. */
const CHARACTERS: Readonly<Record<string, string>> = {
  'plain letters': 'x',
  quotes: '"',
  backslashes: '\\',
  'line ends': '\n',
  'control characters': '\u0001',
  'zero bytes': '\u0000',
  'lone surrogates': '\ud800',
  'two bytes each': 'é',
  'three bytes each': '€',
  'pairs of surrogates': '😀',
  'line separators': '\u2028',
}

/** So many bytes of UTF-8 at most, of one kind of character. */
function filled(character: string, bytesMax: number): string {
  return wellFormed(character.repeat(Math.floor(bytesMax / Buffer.byteLength(character))))
}

for (const [name, character] of Object.entries(CHARACTERS)) {
  test(`every message of the child crosses at its maximum, full of ${name}`, () => {
    const line = wellFormed(character.repeat(LOG_LINE_LENGTH_MAX)).slice(0, LOG_LINE_LENGTH_MAX)
    const log = new RunLog()
    for (let count = 0; count < 2 * LOG_LINES_MAX; count++) log.add(character.repeat(LOG_LINE_LENGTH_MAX))
    const message = character.repeat(3 * ERROR_LENGTH_MAX).slice(0, 3 * ERROR_LENGTH_MAX)
    const messages: FromChild[] = [
      { type: 'fetch', run: 1, id: 2, request: filled(character, FETCH_JSON_BYTES_MAX) },
      { type: 'done', run: 2 ** 32 - 1, outcome: { ok: true, value: filled(character, CROSSING_BYTES_MAX) } },
      { type: 'done', run: 1, outcome: { ok: false, fault: 'code', message, line: 3 } },
      { type: 'log', run: 1, lines: log.take() },
      { type: 'log', run: 1, lines: [line] },
    ]
    for (const sent of messages) {
      const bytes = fromChildBytes(sent)
      assert.ok(bytes.length <= FROM_CHILD_BYTES_MAX)
      assert.deepEqual(readFromChild(bytes), sent)
    }
  })

  test(`every message of the server crosses whole, full of ${name}`, () => {
    const text = filled(character, CROSSING_BYTES_MAX)
    const messages: ToChild[] = [
      { type: 'run', run: 7, merchant: text, purpose: 'live', entry: 'lookup', source: text, argument: text, wallMs: 10_000 },
      { type: 'run', run: 8, merchant: '', purpose: 'trial', entry: 'onPaid', source: '', argument: null, wallMs: 1 },
      { type: 'answer', run: 7, id: 3, answer: text },
      { type: 'cancel', run: 7 },
      { type: 'ping' },
    ]
    for (const sent of messages) assert.deepEqual(readToChild(toChildBytes(sent)), sent)
  })
}

test('what has no text crosses', () => {
  const messages: FromChild[] = [
    { type: 'ready', layers: LAYERS },
    { type: 'pong' },
    { type: 'begun', run: 5 },
    { type: 'done', run: 1, outcome: { ok: false, fault: 'timeout', message: '', line: null } },
    { type: 'log', run: 1, lines: [''] },
  ]
  for (const sent of messages) assert.deepEqual(readFromChild(fromChildBytes(sent)), sent)
})

/** As the child would send it if it sent such a thing. */
function forged(message: object): Buffer {
  return fromChildBytes(message as FromChild)
}

const FAILED = { ok: false, fault: 'code', message: 'm', line: 3 }

const REFUSED: Readonly<Record<string, Buffer>> = {
  'the empty frame': Buffer.alloc(0),
  'half a head': fromChildBytes({ type: 'pong' }).subarray(0, MESSAGE_HEAD_BYTES - 1),
  'a kind that there is not': Buffer.alloc(MESSAGE_HEAD_BYTES, 255),
  'a kind of the other direction': toChildBytes({ type: 'ping' }),
  'a pong with a text': Buffer.concat([fromChildBytes({ type: 'pong' }), Buffer.from('x')]),
  'ready without layers': forged({ type: 'ready', layers: null }),
  'ready with half of them': forged({ type: 'ready', layers: { ownUser: true } }),
  'ready with other values': forged({ type: 'ready', layers: { ...LAYERS, ownUser: 'yes' } }),
  'a fetch that is too large': forged({ type: 'fetch', run: 1, id: 1, request: 'x'.repeat(FETCH_JSON_BYTES_MAX + 1) }),
  'a value that is too large': forged({ type: 'done', run: 1, outcome: { ok: true, value: 'x'.repeat(CROSSING_BYTES_MAX + 1) } }),
  'a failure that is no record': forged({ type: 'done', run: 1, outcome: {} }),
  'a fault that there is not': forged({ type: 'done', run: 1, outcome: { ...FAILED, fault: 'tired' } }),
  'a line number that is none': forged({ type: 'done', run: 1, outcome: { ...FAILED, line: '3' } }),
  'an error that is too long': forged({ type: 'done', run: 1, outcome: { ...FAILED, message: 'x'.repeat(3 * ERROR_LENGTH_MAX + 1) } }),
  'a log that is no list': forged({ type: 'log', run: 1, lines: 'x' }),
  'a log without a line': forged({ type: 'log', run: 1, lines: [] }),
  'a log with a number': forged({ type: 'log', run: 1, lines: [1] }),
  'a line of a log that is too long': forged({ type: 'log', run: 1, lines: ['x'.repeat(LOG_LINE_LENGTH_MAX + 1)] }),
  'more lines than a run has': forged({ type: 'log', run: 1, lines: Array(LOG_LINES_MAX + 2).fill('') }),
  'more log than a run has': forged({ type: 'log', run: 1, lines: Array(18).fill('x'.repeat(LOG_LINE_LENGTH_MAX)) }),
}

for (const [name, bytes] of Object.entries(REFUSED)) {
  test(`an input is rejected: ${name}`, () => assert.equal(readFromChild(bytes), null))
}

test('any bytes are a message or null, never an error', () => {
  const head = fc.tuple(fc.nat(12), fc.uint8Array({ minLength: 8, maxLength: 8 }))
  const text = fc.oneof(fc.json(), fc.string()).map((value) => Buffer.from(value))
  const likely = fc.tuple(head, text).map(([[kind, rest], body]) => Buffer.concat([Buffer.from([kind]), rest, body]))
  const bytes = fc.oneof(
    likely,
    fc.uint8Array().map((raw) => Buffer.from(raw)),
  )
  fc.assert(fc.property(bytes, (frame) => typeof readFromChild(frame) === 'object'))
})

test('frames come out whole, however the stream is cut', () => {
  const contents = fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 20 })
  const property = fc.property(contents, fc.infiniteStream(fc.integer({ min: 1, max: 60 })), (whole, sizes) => {
    const frames = new Frames(40)
    const stream = Buffer.concat(whole.map((content) => framed(content)))
    const found: Buffer[] = []
    for (let at = 0; at < stream.length; ) {
      const size = sizes.next().value
      found.push(...frames.take(stream.subarray(at, at + size)))
      at += size
    }
    assert.deepEqual(
      found.map((frame) => [...frame]),
      whole.map((content) => [...content]),
    )
  })
  fc.assert(property)
})

test('a frame may be as long as the limit, and one byte more is found out before it has arrived', () => {
  const longest = Buffer.alloc(100)
  assert.equal(new Frames(100).take(framed(longest)).length, 1)
  assert.throws(() => new Frames(99).take(framed(longest).subarray(0, 4)), RangeError)
})

test('a log keeps its first lines and says once that the rest is left out', () => {
  const log = new RunLog()
  for (let count = 0; count < LOG_LINES_MAX; count++) log.add(`line ${count}`)
  assert.equal(log.take().length, LOG_LINES_MAX)
  for (let count = 0; count < 10_000; count++) log.add('more')
  assert.deepEqual(log.take(), [REST_OF_LOG])
  assert.equal(log.hasLines, false)
})

test('a log of long lines ends at its length', () => {
  const log = new RunLog()
  for (let count = 0; count < 30; count++) log.add('x'.repeat(2 * LOG_LINE_LENGTH_MAX))
  const lines = log.take()
  assert.equal(lines.at(-1), REST_OF_LOG)
  assert.ok(lines.slice(0, -1).every(({ length }) => length === LOG_LINE_LENGTH_MAX))
  assert.ok(lines.slice(0, -1).join('').length <= LOG_LENGTH_MAX)
})
