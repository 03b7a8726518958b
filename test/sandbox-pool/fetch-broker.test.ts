// What the server makes of a fetch that the child asks for: every part of it may be forged by code that broke out of its
// machine, and nothing of it reaches the broker unread.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type FetchAnswer, type FetchBroker, type FetchRequest, fetchFor } from '../../sandbox-pool/fetch-broker.ts'
import { FETCH_BODY_BYTES_MAX, FETCH_HEADERS_LENGTH_MAX, FETCH_HEADERS_MAX, FETCH_URL_LENGTH_MAX } from '../../sandbox-pool/limits.ts'

const ASKED = { method: 'GET', url: 'https://api.example:444/a?b#c', headers: [], body: null }
const EMPTY: FetchAnswer = { status: 204, headers: [], body: '' }

async function fetched(request: unknown, broker: FetchBroker | FetchAnswer = EMPTY, signal = new AbortController().signal) {
  const requests: FetchRequest[] = []
  const unexpected: unknown[] = []
  const way = {
    broker: (made: FetchRequest, stop: AbortSignal): Promise<FetchAnswer> => {
      requests.push(made)
      return typeof broker === 'function' ? broker(made, stop) : Promise.resolve(broker)
    },
    withinMs: 500,
    signal,
    onUnexpected: (error: unknown) => unexpected.push(error),
  }
  return { ...(await fetchFor(typeof request === 'string' ? request : JSON.stringify(request), way)), requests, unexpected }
}

test('the broker gets what was asked for, in the form that it is promised', async () => {
  const headers = [
    ['X-Key', 'é'],
    ['x-key', 'last'],
    ['__proto__', 'a'],
  ]
  const { requests, answer, record } = await fetched({ ...ASKED, method: 'POST', headers, body: { base64: '/wA=' }, extra: 1 })
  const [{ headers: got, ...made } = { headers: {} }] = requests
  assert.deepEqual(made, { method: 'POST', url: ASKED.url, body: Buffer.from([0xff, 0]), withinMs: 500 })
  assert.deepEqual(Object.entries(got), [
    ['x-key', 'last'],
    ['__proto__', 'a'],
  ])
  assert.deepEqual(answer, { status: 204, url: 'https://api.example:444/a?b', redirected: false, headers: [], body: { text: '' } })
  assert.deepEqual({ ...record, durationMs: 0 }, { method: 'POST', host: 'api.example:444', status: 204, durationMs: 0 })
})

const limit = (count: number): string => 'x'.repeat(count)
const REFUSED: Readonly<Record<string, readonly [request: unknown, error: RegExp]>> = {
  'no JSON': ['{', /unreadable/],
  nothing: ['', /unreadable/],
  null: ['null', /unreadable/],
  'a text': ['"GET"', /unreadable/],
  'no method': [{ ...ASKED, method: undefined }, /method/],
  'a method in small letters': [{ ...ASKED, method: 'get' }, /method/],
  'a method with a line': [{ ...ASKED, method: 'GET / HTTP/1.1\r\nA: b' }, /method/],
  CONNECT: [{ ...ASKED, method: 'CONNECT' }, /method/],
  'no URL': [{ ...ASKED, url: 7 }, /URL/],
  'half a URL': [{ ...ASKED, url: '//api.example' }, /URL/],
  'a long URL': [{ ...ASKED, url: `https://a/${limit(FETCH_URL_LENGTH_MAX)}` }, /URL/],
  'headers that are no list': [{ ...ASKED, headers: { a: 'b' } }, /headers/],
  'too many headers': [{ ...ASKED, headers: Array.from({ length: FETCH_HEADERS_MAX + 1 }, (_, at) => [`a${at}`, '']) }, /headers/],
  'headers that are too large': [{ ...ASKED, headers: [['a', limit(FETCH_HEADERS_LENGTH_MAX)]] }, /headers/],
  'a header that is no pair': [{ ...ASKED, headers: ['ab'] }, /header/],
  'a header of a number': [{ ...ASKED, headers: [['a', 1]] }, /header/],
  'a header without a name': [{ ...ASKED, headers: [['', 'a']] }, /header/],
  'a name with a space': [{ ...ASKED, headers: [['a b', 'a']] }, /header/],
  'a name with a line': [{ ...ASKED, headers: [['a\r\nb', 'a']] }, /header/],
  'a value with a line': [{ ...ASKED, headers: [['a', 'b\r\nc: d']] }, /header/],
  'a value with a line feed': [{ ...ASKED, headers: [['a', 'b\nc: d']] }, /header/],
  'a value with a zero': [{ ...ASKED, headers: [['a', '\u0000']] }, /header/],
  'a value beyond Latin-1': [{ ...ASKED, headers: [['a', '€']] }, /header/],
  'a body that is a text': [{ ...ASKED, body: 'x' }, /body/],
  'a body that is missing': [{ ...ASKED, body: undefined }, /body/],
  'a body of nothing known': [{ ...ASKED, body: { bytes: [] } }, /body/],
  'a body that is too large': [{ ...ASKED, body: { text: limit(FETCH_BODY_BYTES_MAX + 1) } }, /body/],
  'bytes that are too many': [{ ...ASKED, body: { base64: Buffer.alloc(FETCH_BODY_BYTES_MAX + 1).toString('base64') } }, /body/],
}

for (const [name, [request, error]] of Object.entries(REFUSED)) {
  test(`rejected before any call: ${name}`, async () => {
    const { answer, record, requests } = await fetched(request)
    assert.ok('error' in answer)
    assert.match(answer.error, error)
    assert.deepEqual([requests.length, record.status, record.host], [0, null, ''])
  })
}

test('any text is an answer, never an error', async () => {
  const part = fc.record(
    { method: fc.constantFrom('GET', 'POST'), url: fc.oneof(fc.webUrl(), fc.string()), headers: fc.jsonValue(), body: fc.jsonValue() },
    { requiredKeys: [] },
  )
  const property = fc.asyncProperty(fc.oneof(part, fc.jsonValue()), async (request) => {
    const { answer, unexpected } = await fetched(request)
    assert.ok('error' in answer || answer.status === 204)
    assert.deepEqual(unexpected, [])
  })
  await fc.assert(property)
})

test('a body of text comes back as text, other bytes as bytes, a large one not at all', async () => {
  const bodyOf = async (body: string | Uint8Array) => {
    const { answer } = await fetched(ASKED, { status: 200, headers: [], body })
    return 'error' in answer ? answer.error : answer.body
  }
  assert.deepEqual(await bodyOf(Buffer.from('é\ufeff')), { text: 'é\ufeff' })
  assert.deepEqual(await bodyOf(Buffer.from([0x80])), { base64: 'gA==' })
  assert.deepEqual(await bodyOf(limit(FETCH_BODY_BYTES_MAX)), { text: limit(FETCH_BODY_BYTES_MAX) })
  assert.equal(await bodyOf('é'.repeat(FETCH_BODY_BYTES_MAX / 2 + 1)), 'the answer is larger than 256 KB')
})

test('the answer says where redirects led to', async () => {
  const { answer } = await fetched(ASKED, { status: 200, url: 'https://b.example/', headers: new Map([['a', 'b']]), body: '' })
  assert.deepEqual(answer, { status: 200, url: 'https://b.example/', redirected: true, headers: [['a', 'b']], body: { text: '' } })
})

test('a rejection of the broker is reported, unless its run has ended', async () => {
  const broken: FetchBroker = () => Promise.reject(new Error('bug'))
  const told = await fetched(ASKED, broken)
  assert.deepEqual([told.answer, told.unexpected.map(String)], [{ error: 'the call failed' }, ['Error: bug']])
  const untold = await fetched(ASKED, broken, AbortSignal.abort())
  assert.deepEqual([untold.answer, untold.unexpected], [{ error: 'the call failed' }, []])
})
