// Sealed requests between nodes: what the seal covers, how long it is valid, that it is accepted once, and that the network shows nothing.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  CLOCK_DIFFERENCE_MAX_MS,
  NodeSeals,
  type OpenedRequest,
  SENDERS_MAX,
  type SealableRequest,
} from '../../../http/crypto/node-seal.ts'

const SECRET = Buffer.alloc(32, 7)
const OWNER = 'http://owner:8080'
const BODY = '{"pin":"4711"}'
const REQUEST: SealableRequest = {
  method: 'POST',
  path: '/v1/biz/payouts?dry_run=true',
  headers: ['X-Api-Secret', 'sk_live_of_a_merchant', 'Idempotency-Key', 'a b'],
  body: Buffer.from(BODY),
  address: '41.82.7.9',
  isLocal: false,
}

interface Pair {
  readonly follower: NodeSeals
  readonly owner: NodeSeals
  pass(timeMs: number): void
}

/** The owner has run for longer than any request is valid. */
function pair({ secret = SECRET, followerAheadMs = 0 } = {}): Pair {
  let nowMs = 1_750_000_000_000
  const made = {
    follower: new NodeSeals({ secret, url: 'http://follower:8080', nowMs: () => nowMs + followerAheadMs }),
    owner: new NodeSeals({ secret: SECRET, url: OWNER, nowMs: () => nowMs }),
    pass: (timeMs: number) => {
      nowMs += timeMs
    },
  }
  made.pass(2 * CLOCK_DIFFERENCE_MAX_MS)
  return made
}

function read(owner: NodeSeals, header: string): OpenedRequest | null {
  return owner.read(header, REQUEST.method, REQUEST.path)
}

describe('a sealed request between nodes', () => {
  test('the owner reads the request as the follower sent it, and the follower its answer', () => {
    const { follower, owner } = pair()
    const sealed = follower.seal(OWNER, REQUEST)
    const opened = read(owner, sealed.header)
    assert.deepEqual([opened?.headers, opened?.address, opened?.isLocal], [REQUEST.headers, '41.82.7.9', false])
    assert.equal(opened?.openBody(sealed.body)?.toString(), BODY)
    const answer = opened?.sealAnswer('201 Created\r\nSet-Cookie: s', Buffer.from('secret answer'))
    assert.ok(answer !== undefined)
    const told = sealed.open(answer.header, answer.body)
    assert.deepEqual([told?.head, told?.body.toString()], ['201 Created\r\nSet-Cookie: s', 'secret answer'])
    assert.equal(sealed.open(answer.header, Buffer.alloc(0))?.head, '201 Created\r\nSet-Cookie: s', 'an answer to HEAD')
  })

  test('nothing of headers, bodies and answers is on the network', () => {
    const { follower, owner } = pair()
    const { header, body } = follower.seal(OWNER, REQUEST)
    const answer = read(owner, header)?.sealAnswer('201 Created\r\nX-Secret: sk_live_of_a_merchant', Buffer.from('4711 4711'))
    const seen = [header, body.toString('latin1'), answer?.header, answer?.body.toString('latin1')].join('\n')
    const texts = [seen, ...seen.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))].join('\n')
    for (const secret of ['4711', 'sk_live', '41.82', 'Api-Secret', 'Created']) assert.equal(texts.includes(secret), false, secret)
  })

  test('an empty body is empty on the network too, and no other one stands for it', () => {
    const { follower, owner } = pair()
    const empty = follower.seal(OWNER, { ...REQUEST, body: Buffer.alloc(0) })
    const opened = read(owner, empty.header)
    assert.deepEqual([empty.body.length, opened?.openBody(empty.body)?.length, opened?.openBody(Buffer.from('x'))], [0, 0, null])
    assert.equal(read(owner, follower.seal(OWNER, REQUEST).header)?.openBody(Buffer.alloc(0)), null)
  })

  test('a body or an answer of another request, or a changed one, is not opened', () => {
    const { follower, owner } = pair()
    const [one, other] = [follower.seal(OWNER, REQUEST), follower.seal(OWNER, REQUEST)]
    const opened = read(owner, one.header)
    assert.equal(opened?.openBody(other.body), null)
    const changed = Buffer.from(one.body)
    changed[3] = (changed[3] ?? 0) ^ 1
    assert.equal(opened?.openBody(changed), null)
    const answer = opened?.sealAnswer('200 OK', Buffer.from('{}'))
    assert.ok(answer !== undefined)
    assert.equal(other.open(answer.header, answer.body), null)
    assert.equal(one.open(answer.header, Buffer.concat([answer.body, Buffer.from('x')])), null)
    assert.equal(one.open('', answer.body), null)
  })

  test('a request is accepted once', () => {
    const { follower, owner, pass } = pair()
    const { header } = follower.seal(OWNER, REQUEST)
    assert.notEqual(read(owner, header), null)
    assert.equal(read(owner, header), null)
    pass(1_000)
    assert.equal(read(owner, header), null)
    assert.notEqual(read(owner, follower.seal(OWNER, REQUEST).header), null)
  })

  test('a request from before the start of the receiver is rejected, because it may have accepted it then', () => {
    const { follower, owner } = pair()
    const { header } = follower.seal(OWNER, REQUEST)
    assert.notEqual(read(owner, header), null)
    const restarted = new NodeSeals({ secret: SECRET, url: OWNER, nowMs: () => 1_750_000_000_001 + 2 * CLOCK_DIFFERENCE_MAX_MS })
    assert.equal(read(restarted, header), null)
  })

  test('requests that arrive in another order are each accepted once', () => {
    const { follower, owner } = pair()
    const headers = Array.from({ length: 100 }, () => follower.seal(OWNER, REQUEST).header).reverse()
    for (const header of headers) assert.notEqual(read(owner, header), null)
    for (const header of headers) assert.equal(read(owner, header), null)
  })

  test('a request for another node, method or path, or under another secret is rejected', () => {
    const { follower, owner } = pair()
    assert.equal(read(owner, follower.seal('http://other:8080', REQUEST).header), null)
    const { header } = follower.seal(OWNER, REQUEST)
    assert.equal(owner.read(header, 'PUT', REQUEST.path), null)
    assert.equal(owner.read(header, 'POST', '/v1/biz/payouts'), null)
    assert.notEqual(read(owner, header), null, 'a rejected attempt does not use it up')
    assert.equal(read(owner, pair({ secret: Buffer.alloc(32, 8) }).follower.seal(OWNER, REQUEST).header), null)
  })

  test('no part of the header can be changed', () => {
    const { follower, owner } = pair()
    const { header } = follower.seal(OWNER, REQUEST)
    const parts = header.split('.')
    for (const [index, other] of ['1', 'other', '2', 'AAAA'.repeat(20)].entries()) {
      const forged = parts.map((part, at) => (at === index ? other : part)).join('.')
      assert.equal(read(owner, forged), null, forged)
    }
    for (const text of ['', '.', 'x', `${header}.`, `.${header}`, header.slice(0, -8), '1.2.3.4', '1.2.-3.4', '1.2.x.4']) {
      assert.equal(read(owner, text), null, JSON.stringify(text))
    }
    assert.notEqual(read(owner, header), null)
  })

  test('a request is valid for half a minute, also when the clock of the sender runs ahead or behind', () => {
    for (const followerAheadMs of [0, 20_000, -20_000]) {
      const { follower, owner, pass } = pair({ followerAheadMs })
      const [early, late] = [follower.seal(OWNER, REQUEST).header, follower.seal(OWNER, REQUEST).header]
      pass(Math.max(0, CLOCK_DIFFERENCE_MAX_MS + followerAheadMs))
      assert.notEqual(read(owner, early), null)
      pass(1)
      assert.equal(read(owner, late), null)
    }
    const { follower, owner } = pair({ followerAheadMs: CLOCK_DIFFERENCE_MAX_MS + 1 })
    assert.equal(read(owner, follower.seal(OWNER, REQUEST).header), null)
  })

  test('the memory of senders has a maximum, and a sender whose requests are too old leaves it', () => {
    const { owner, pass } = pair()
    const [first, ...others] = Array.from({ length: SENDERS_MAX + 1 }, () => pair().follower) as [NodeSeals, ...NodeSeals[]]
    const old = first.seal(OWNER, REQUEST).header
    assert.notEqual(read(owner, old), null)
    for (const other of others.slice(0, -1)) assert.notEqual(read(owner, other.seal(OWNER, REQUEST).header), null)
    assert.equal(read(owner, (others.at(-1) as NodeSeals).seal(OWNER, REQUEST).header), null)
    pass(CLOCK_DIFFERENCE_MAX_MS + 1)
    const later = pair()
    later.pass(CLOCK_DIFFERENCE_MAX_MS + 1)
    assert.notEqual(read(owner, later.follower.seal(OWNER, REQUEST).header), null)
    assert.equal(read(owner, old), null)
  })
})
