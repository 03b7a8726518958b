// The signature between nodes: what it covers, how long it is valid, and that it is accepted once.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bodyHashOf, CLOCK_DIFFERENCE_MAX_MS, NodeSignatures, type PassedOn, SENDERS_MAX } from '../../../http/crypto/node-signature.ts'

const SECRET = Buffer.alloc(32, 7)
const OWNER = 'http://owner:8080'
const REQUEST: PassedOn = {
  method: 'POST',
  path: '/v1/biz/payouts?dry_run=true',
  address: '41.82.7.9',
  isLocal: false,
  bodyHash: bodyHashOf(Buffer.from('{"amount":10}')),
}

interface Pair {
  readonly follower: NodeSignatures
  readonly owner: NodeSignatures
  pass(timeMs: number): void
}

function pair({ secret = SECRET, followerAheadMs = 0 } = {}): Pair {
  let nowMs = 1_750_000_000_000
  return {
    follower: new NodeSignatures({ secret, url: 'http://follower:8080', nowMs: () => nowMs + followerAheadMs }),
    owner: new NodeSignatures({ secret: SECRET, url: OWNER, nowMs: () => nowMs }),
    pass: (timeMs) => {
      nowMs += timeMs
    },
  }
}

function read(owner: NodeSignatures, header: string): PassedOn | null {
  return owner.read(header, REQUEST.method, REQUEST.path)
}

describe('a signature between nodes', () => {
  test('the owner reads the request as the follower described it', () => {
    const { follower, owner } = pair()
    assert.deepEqual(read(owner, follower.sign(OWNER, REQUEST)), REQUEST)
    const local = { ...REQUEST, address: '2001:db8:7:1::/64', isLocal: true }
    assert.deepEqual(read(owner, follower.sign(OWNER, local)), local)
  })

  test('a signature is accepted once', () => {
    const { follower, owner, pass } = pair()
    const header = follower.sign(OWNER, REQUEST)
    assert.notEqual(read(owner, header), null)
    assert.equal(read(owner, header), null)
    pass(1_000)
    assert.equal(read(owner, header), null)
    assert.notEqual(read(owner, follower.sign(OWNER, REQUEST)), null)
  })

  test('signatures that arrive in another order are each accepted once', () => {
    const { follower, owner } = pair()
    const headers = Array.from({ length: 100 }, () => follower.sign(OWNER, REQUEST)).reverse()
    for (const header of headers) assert.notEqual(read(owner, header), null)
    for (const header of headers) assert.equal(read(owner, header), null)
  })

  test('a signature for another node is rejected, also by a node that becomes the owner', () => {
    const { follower, owner } = pair()
    assert.equal(read(owner, follower.sign('http://other:8080', REQUEST)), null)
  })

  test('a signature for another method or path is rejected', () => {
    const { follower, owner } = pair()
    const header = follower.sign(OWNER, REQUEST)
    assert.equal(owner.read(header, 'PUT', REQUEST.path), null)
    assert.equal(owner.read(header, 'POST', '/v1/biz/payouts'), null)
    assert.notEqual(read(owner, header), null, 'a rejected attempt does not use it up')
  })

  test('a signature under another secret is rejected', () => {
    const { follower, owner } = pair({ secret: Buffer.alloc(32, 8) })
    assert.equal(read(owner, follower.sign(OWNER, REQUEST)), null)
  })

  test('no part of a signature can be changed', () => {
    const { follower, owner } = pair()
    const parts = follower.sign(OWNER, REQUEST).split(' ')
    const others = ['1', 'other', '2', '10.0.0.1', 'local', bodyHashOf(Buffer.from('{"amount":99}')), '00'.repeat(32)]
    assert.equal(parts.length, others.length)
    for (const [index, other] of others.entries()) {
      const forged = parts.map((part, at) => (at === index ? other : part)).join(' ')
      assert.equal(read(owner, forged), null, forged)
    }
  })

  test('every digit of the signature itself is compared', () => {
    const { follower, owner } = pair()
    const header = follower.sign(OWNER, REQUEST)
    for (let at = header.lastIndexOf(' ') + 1; at < header.length; at++) {
      const changed = `${header.slice(0, at)}${header[at] === '0' ? '1' : '0'}${header.slice(at + 1)}`
      assert.equal(read(owner, changed), null, changed)
    }
    assert.notEqual(read(owner, header), null)
  })

  test('what is no signature is rejected', () => {
    const { follower, owner } = pair()
    const header = follower.sign(OWNER, REQUEST)
    for (const text of ['', ' ', 'x', header.slice(0, -1), `${header} `, `${header}00`, header.replaceAll(' ', ''), '1 2 3 4 5 6 7'])
      assert.equal(read(owner, text), null, JSON.stringify(text))
  })

  test('a signature is valid for half a minute, also when the clock of the sender runs ahead or behind', () => {
    for (const followerAheadMs of [0, 20_000, -20_000]) {
      const { follower, owner, pass } = pair({ followerAheadMs })
      const [early, late] = [follower.sign(OWNER, REQUEST), follower.sign(OWNER, REQUEST)]
      pass(Math.max(0, CLOCK_DIFFERENCE_MAX_MS + followerAheadMs))
      assert.notEqual(read(owner, early), null)
      pass(1)
      assert.equal(read(owner, late), null)
    }
    const { follower, owner } = pair({ followerAheadMs: CLOCK_DIFFERENCE_MAX_MS + 1 })
    assert.equal(read(owner, follower.sign(OWNER, REQUEST)), null)
  })

  test('the memory of senders has a maximum, and a sender whose signatures are too old leaves it', () => {
    const { owner, pass } = pair()
    const [first, ...others] = Array.from({ length: SENDERS_MAX + 1 }, () => pair().follower) as [NodeSignatures, ...NodeSignatures[]]
    const old = first.sign(OWNER, REQUEST)
    assert.notEqual(read(owner, old), null)
    for (const other of others.slice(0, -1)) assert.notEqual(read(owner, other.sign(OWNER, REQUEST)), null)
    assert.equal(read(owner, (others.at(-1) as NodeSignatures).sign(OWNER, REQUEST)), null)
    pass(CLOCK_DIFFERENCE_MAX_MS + 1)
    const later = pair()
    later.pass(CLOCK_DIFFERENCE_MAX_MS + 1)
    assert.notEqual(read(owner, later.follower.sign(OWNER, REQUEST)), null)
    assert.equal(read(owner, old), null)
  })
})
