// Tickets of a cluster: every node reads them, and over all nodes and takeovers each opens one stream.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EngineApi } from '../../../../engine/api.ts'
import { SignedTickets } from '../../../../http/api/stream/signed-tickets.ts'
import { STREAM_TICKETS, TICKET_LIFETIME_MS } from '../../../../http/api/stream/stream-limits.ts'
import type { StreamHolder } from '../../../../http/api/stream/wallet-stream.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import { accountQuota } from '../../../support/held-quotas.ts'
import { PHONE, signUp } from '../../../support/wallet-engine.ts'

interface Nodes {
  readonly fixture: EngineFixture
  readonly holder: StreamHolder
  /** One more node: the same log, and a memory of its own. */
  node(more?: { readonly keyByte?: number; readonly submit?: EngineApi['submit'] }): SignedTickets
  redeem(node: SignedTickets, ticket: string): Promise<StreamHolder | 'unavailable' | null>
}

async function open(): Promise<Nodes> {
  const fixture = await EngineFixture.open()
  const account = signUp(fixture, PHONE, 'awa')
  const [device] = fixture.state.auth.devicesOf(account)
  assert.ok(device !== undefined)
  const expiresAtMs = Math.ceil(fixture.loop.now() / 1000) * 1000 + 3_600_000
  const engine: Pick<EngineApi, 'query'> = { query: (name, input) => fixture.engine.query(name, input) }
  const here: EngineApi['submit'] = (envelope, reply) => fixture.engine.submit(envelope, reply)
  return {
    fixture,
    holder: { account, deviceId: device.id, sessionId: device.session_id, expiresAtMs },
    node: ({ keyByte = 7, submit = here } = {}) =>
      new SignedTickets({ engine, submit, key: Buffer.alloc(32, keyByte), use: accountQuota(STREAM_TICKETS) }),
    redeem: (node, ticket) => {
      const redeemed = node.redeem(ticket)
      fixture.settle()
      return redeemed
    },
  }
}

function issue(node: SignedTickets, holder: StreamHolder, key?: string, fingerprint = 'f'): string {
  const issued = node.issue(holder, key === undefined ? null : { scope: 's', key, fingerprint })
  return typeof issued === 'string' ? '' : issued.ticket
}

describe('a ticket of a cluster', () => {
  test('a ticket of one node opens one stream at another, and none at any node afterwards', async () => {
    const { holder, node, redeem } = await open()
    const [owner, follower] = [node(), node()]
    const ticket = issue(owner, holder)
    assert.deepEqual(await redeem(follower, ticket), holder)
    assert.equal(await redeem(follower, ticket), null)
    assert.equal(await redeem(owner, ticket), null)
    assert.equal(await redeem(node(), ticket), null)
  })

  test('of two nodes that redeem a ticket at the same time, one opens a stream', async () => {
    const { fixture, holder, node } = await open()
    const ticket = issue(node(), holder)
    const both = [node().redeem(ticket), node().redeem(ticket)]
    fixture.settle()
    assert.equal((await Promise.all(both)).filter((redeemed) => redeemed !== null).length, 1)
  })

  test('a ticket stays valid over a takeover, and a used one stays used', async () => {
    const { fixture, holder, node, redeem } = await open()
    const [used, unused] = [issue(node(), holder), issue(node(), holder)]
    assert.deepEqual(await redeem(node(), used), holder)
    await fixture.start()
    assert.equal(await redeem(node(), used), null)
    assert.deepEqual(await redeem(node(), unused), holder)
  })

  test('a repeated request of the same attempt opens the stream', async () => {
    const { fixture, holder, node, redeem } = await open()
    const twice: EngineApi['submit'] = (envelope, reply) => {
      fixture.engine.submit(envelope, { settle: () => void fixture.engine.submit(envelope, reply) })
      return null
    }
    const ticket = issue(node(), holder)
    assert.deepEqual(await redeem(node({ submit: twice }), ticket), holder)
    assert.equal(await redeem(node(), ticket), null)
  })

  test('without an owner a ticket opens nothing and stays unused', async () => {
    const { holder, node, redeem } = await open()
    const ticket = issue(node(), holder)
    assert.equal(await redeem(node({ submit: () => 'unavailable' }), ticket), 'unavailable')
    assert.deepEqual(await redeem(node(), ticket), holder)
  })

  test('a ticket is valid for a minute and while its session is open', async () => {
    const { fixture, holder, node, redeem } = await open()
    const [inTime, late] = [issue(node(), holder), issue(node(), holder)]
    fixture.loop.advance(TICKET_LIFETIME_MS - 1)
    assert.deepEqual(await redeem(node(), inTime), holder)
    fixture.loop.advance(1001)
    assert.equal(await redeem(node(), late), null, 'its time is over, though its session is open')
    const ofEnded = issue(node(), holder)
    const { account, deviceId } = holder
    assert.equal(fixture.do({ type: 'LogOut', account, deviceId }, { mailbox: account }).kind, 'ok')
    assert.equal(await redeem(node(), ofEnded), null)
  })

  test('a ticket of another master key, a changed one and what is none are rejected', async () => {
    const { holder, node, redeem } = await open()
    const ticket = issue(node(), holder)
    const changed = Array.from(Buffer.from(ticket, 'base64url').keys(), (at) => {
      const bytes = Buffer.from(ticket, 'base64url')
      bytes[at] = (bytes[at] as number) ^ 1
      return bytes.toString('base64url')
    })
    for (const wrong of [...changed, issue(node({ keyByte: 8 }), holder), '', 'A'.repeat(64), ticket.slice(1), `${ticket}A`, '__proto__'])
      assert.equal(await redeem(node(), wrong), null, wrong)
    assert.deepEqual(await redeem(node(), ticket), holder)
  })

  test('an idempotency key gives the same ticket for as long as it opens a stream', async () => {
    const { fixture, holder, node, redeem } = await open()
    const owner = node()
    const ticket = issue(owner, holder, 'k')
    assert.deepEqual(owner.issue(holder, { scope: 's', key: 'k', fingerprint: 'f' }), { ticket, isReplay: true })
    assert.equal(owner.issue(holder, { scope: 's', key: 'k', fingerprint: 'other' }), 'idempotency_key_reused')
    assert.notEqual(issue(owner, holder, 'another'), ticket)
    assert.deepEqual(await redeem(node(), ticket), holder)
    const next = issue(owner, holder, 'k')
    assert.notEqual(next, ticket)
    fixture.loop.advance(TICKET_LIFETIME_MS)
    assert.notEqual(issue(owner, holder, 'k'), next)
    assert.equal(owner.count, 1)
  })

  test('after a takeover an idempotency key gives another ticket, and each of the two opens one stream', async () => {
    const { holder, node, redeem } = await open()
    const [before, after] = [issue(node(), holder, 'k'), issue(node(), holder, 'k')]
    assert.notEqual(before, after)
    for (const ticket of [before, after]) {
      assert.deepEqual(await redeem(node(), ticket), holder)
      assert.equal(await redeem(node(), ticket), null)
    }
  })
})
