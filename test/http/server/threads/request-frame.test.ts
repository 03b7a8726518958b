// A request on its way from an HTTP thread: what is written is what is read.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { JsonFault, parseJson, plainJson } from '../../../../http/server/body/json-body.ts'
import { type Preparation, prepare } from '../../../../http/server/body/prepared-body.ts'
import { fingerprintOf } from '../../../../http/server/fingerprint.ts'
import { isSafelyFramed, RareHeaders, RequestHead } from '../../../../http/server/request-head.ts'
import { DecodedRequest } from '../../../../http/server/threads/decoded-request.ts'
import { endpointOf, generationOf, slotOf } from '../../../../http/server/threads/frames.ts'
import { type FirstBytes, putRequest, requestFrame } from '../../../../http/server/threads/request-frame.ts'
import { runs } from '../../../support/property-runs.ts'

const START = 8
const VALUES_MAX = 100
const PAYOUTS: Preparation = { method: 'POST', path: '/v1/biz/payouts', valuesMax: VALUES_MAX, hasFingerprint: true }
/** All texts of a head but `Expect`: the HTTP thread answers it, before the request is relayed. */
const RARE_FIELDS = Object.keys(new RareHeaders()).filter((name) => name !== 'expectation')
const TEXT_FIELDS = Object.entries(new RequestHead())
  .filter(([, value]) => value === '')
  .map(([name]) => name)
  .concat(RARE_FIELDS)

const anyText = fc.string({ unit: 'grapheme', maxLength: 30 })
const anyHead = fc.record(
  Object.fromEntries(TEXT_FIELDS.map((name) => [name, fc.oneof(fc.constant(''), fc.string({ maxLength: 40 }), anyText)])),
)

function sent(texts: object, more: Partial<RequestHead> = {}): RequestHead {
  const head = new RequestHead()
  head.hosts = 1
  for (const [name, value] of Object.entries({ ...texts, ...more })) {
    if (value !== '') Object.assign(name in head.rare ? head.ownRare : head, { [name]: value })
  }
  return head
}

function passed(head: RequestHead, target: { url: string; query: string; params: string[] }, body: FirstBytes | null): DecodedRequest {
  const frame = requestFrame({ head, method: 'post', peer: '10.0.0.1', ...target }, body)
  const bytes = Buffer.alloc(START + frame.sizeMax, 0xff)
  const end = putRequest(bytes, START, { slot: 70_000, generation: 0xffff_fffe }, 300, frame)
  assert.ok(end <= bytes.length)
  assert.deepEqual([endpointOf(bytes, START), slotOf(bytes, START), generationOf(bytes, START)], [300, 70_000, 0xffff_fffe])
  return new DecodedRequest(bytes, START, target.params.length)
}

describe('the frame of a request', () => {
  it('holds every header, the target, and a body that is not prepared', () => {
    fc.assert(
      fc.property(
        anyHead,
        anyText,
        anyText,
        fc.array(anyText, { maxLength: 3 }),
        fc.uint8Array(),
        fc.boolean(),
        (texts, url, query, params, body, isLast) => {
          const head = sent(texts, { contentLengths: 1, idempotencyKeys: 2, proxied: isLast, all: isLast ? ['A', 'é'] : [] })
          const got = passed(head, { url, query, params }, { bytes: Buffer.from(body), isLast, fingerprint: null })
          assert.deepEqual({ ...got.head }, { ...head })
          assert.deepEqual([got.getMethod(), got.getUrl(), got.getQuery(), got.peer], ['post', url, query, '10.0.0.1'])
          assert.deepEqual(
            params.map((_, index) => got.getParameter(index)),
            params,
          )
          assert.deepEqual([got.prepared, got.isLast], [null, isLast])
          assert.deepEqual(Buffer.from(got.chunk ?? new ArrayBuffer(1)), Buffer.from(body))
        },
      ),
    )
  })

  it('holds a prepared body with its fingerprint, in any alphabet', () => {
    fc.assert(
      fc.property(anyHead, fc.json(), fc.boolean(), (texts, text, isWide) => {
        const bytes = Buffer.from(isWide ? `{"é":${text}}` : text)
        const got = passed(sent(texts), { url: '/', query: '', params: [] }, { bytes, isLast: true, fingerprint: 'f'.repeat(22) })
        assert.deepEqual(got.prepared, { text: bytes.toString(), sizeBytes: bytes.length, fingerprint: 'f'.repeat(22) })
        assert.equal(got.chunk, null)
      }),
    )
  })

  it('says when no bytes of the body came with the head', () => {
    const got = passed(sent({}, { transferEncodings: 1, transferEncoding: 'chunked' }), { url: '/', query: '', params: [] }, null)
    assert.deepEqual([got.prepared, got.chunk], [null, null])
    assert.ok(isSafelyFramed(got.head))
  })
})

describe('a prepared body', () => {
  const target = { url: '/v1/biz/payouts', query: 'dry_run=true', idempotencyKey: 'key' }

  it('is one whose text parses to what the engine thread would read', () => {
    const anyBody = fc.oneof(
      fc.json(),
      fc.string(),
      fc.constantFrom('{"a":1.0}', '{"a":1,"a":2}', '{"__proto__":1}', '\ufeff{}', '['.repeat(40)),
    )
    fc.assert(
      fc.property(anyBody, (text) => {
        const bytes = Buffer.from(text)
        const plain = plainJson(bytes, VALUES_MAX)
        const read = parseJson(bytes, VALUES_MAX)
        if (plain !== null) assert.deepEqual(JSON.parse(plain), read)
        if (read instanceof JsonFault) assert.equal(plain, null)
      }),
      { numRuns: runs(500) },
    )
    assert.equal(plainJson(Buffer.from('{"a":1e2}'), VALUES_MAX), null)
    assert.equal(plainJson(Buffer.from([0x22, 0xff, 0x22]), VALUES_MAX), null)
  })

  it('has the fingerprint that the engine thread would make', () => {
    const body = Buffer.from('{"reference":"août"}')
    assert.equal(prepare(PAYOUTS, target, body), fingerprintOf('POST', '/v1/biz/payouts?dry_run=true', body))
    const ofPath = prepare({ ...PAYOUTS, path: '' }, { ...target, url: '/v1/biz/payouts/7', query: '' }, body)
    assert.equal(ofPath, fingerprintOf('POST', '/v1/biz/payouts/7', body))
  })

  it('has none without a key, and where the body holds a secret', () => {
    assert.equal(prepare(PAYOUTS, { ...target, idempotencyKey: '' }, Buffer.from('{}')), '')
    assert.equal(prepare({ ...PAYOUTS, hasFingerprint: false }, target, Buffer.from('{}')), '')
    assert.equal(prepare(PAYOUTS, target, Buffer.from('{')), null)
  })
})
