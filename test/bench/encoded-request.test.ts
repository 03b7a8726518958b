// The load generator's request bytes: exact, and different where they must be.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EncodedRequest, seededDraw } from '../../bench/load/encoded-request.ts'

const SHAPE = {
  method: 'POST',
  path: '/v1/biz/payouts',
  headers: { 'Idempotency-Key': 'run-{{sequence:6}}', 'Content-Type': 'application/json' },
  body: '{"recipient":"@w{{random:4:100}}","amount":1}',
} as const

function textAfter(image: EncodedRequest, sequence: number, drawn: number): string {
  image.patch(sequence, () => drawn)
  return image.bytes.toString('latin1')
}

test('a request is written byte for byte, its length counted after filling in', () => {
  const image = new EncodedRequest(SHAPE, 'localhost:1')
  const body = '{"recipient":"@w0042","amount":1}'
  const expected = [
    'POST /v1/biz/payouts HTTP/1.1',
    'Host: localhost:1',
    'Idempotency-Key: run-000317',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
  assert.equal(textAfter(image, 317, 42), expected)
})

test('patching again leaves no digit of the number before', () => {
  const image = new EncodedRequest(SHAPE, 'localhost:1')
  textAfter(image, 999_999, 99)
  const text = textAfter(image, 7, 0)
  assert.match(text, /run-000007\r\n/)
  assert.match(text, /@w0000"/)
})

test('a request without a body has no length', () => {
  const image = new EncodedRequest({ method: 'GET', path: '/healthz', headers: {}, body: '' }, 'localhost:1')
  assert.equal(image.bytes.toString('latin1'), 'GET /healthz HTTP/1.1\r\nHost: localhost:1\r\n\r\n')
})

test('offsets would be wrong beyond ASCII, so such a shape is refused', () => {
  assert.throws(() => new EncodedRequest({ ...SHAPE, body: '{"note":"é"}' }, 'localhost:1'), /ASCII/)
})

test('placeholders must be whole', () => {
  assert.throws(() => new EncodedRequest({ ...SHAPE, body: '{{random:4}}' }, 'localhost:1'), /bad placeholder/)
  assert.throws(() => new EncodedRequest({ ...SHAPE, body: '{{sequence:4:9}}' }, 'localhost:1'), /bad placeholder/)
})

test('draws repeat with their seed and reach every value', () => {
  const [one, same, other] = [seededDraw(5), seededDraw(5), seededDraw(6)]
  const take = (draw: (below: number) => number): number[] => Array.from({ length: 1000 }, () => draw(10))
  const first = take(one)
  assert.deepEqual(take(same), first)
  assert.notDeepEqual(take(other), first)
  assert.deepEqual([...new Set(first)].sort(), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
})
