// Tickets: one stream each, for a minute, and no wallet can take away another's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STREAM_TICKETS, TICKET_LIFETIME_MS } from '../../../../http/api/stream/stream-limits.ts'
import { Tickets } from '../../../../http/api/stream/tickets.ts'
import { accountQuota, heldQuotasWith } from '../../../support/held-quotas.ts'

const { share } = STREAM_TICKETS

const holder = (account: number) => ({ account, deviceId: 'one', sessionId: `session-${account}`, expiresAtMs: 1e15 })

function openTickets(max: number = STREAM_TICKETS.max.live as number): { tickets: Tickets; pass: (byMs: number) => void } {
  let nowMs = 0
  const quotas = heldQuotasWith({ stream_tickets: { max: { live: max, test: max } } })
  const tickets = new Tickets(() => nowMs, accountQuota(STREAM_TICKETS, quotas))
  return {
    tickets,
    pass: (byMs) => {
      nowMs += byMs
    },
  }
}

function issue(tickets: Tickets, who: ReturnType<typeof holder>): string {
  const issued = tickets.issue(who)
  return typeof issued === 'string' ? issued : issued.ticket
}

test('a ticket opens one stream, once', () => {
  const { tickets } = openTickets()
  const ticket = issue(tickets, holder(7))
  assert.deepEqual(tickets.redeem(ticket), holder(7))
  assert.equal(tickets.redeem(ticket), null)
  assert.equal(tickets.count, 0)
})

test('a ticket is good to the last millisecond of its minute', () => {
  const { tickets, pass } = openTickets()
  const [inTime, late] = [issue(tickets, holder(7)), issue(tickets, holder(7))]
  pass(TICKET_LIFETIME_MS - 1)
  assert.deepEqual(tickets.redeem(inTime), holder(7))
  pass(1)
  assert.equal(tickets.redeem(late), null)
})

test('nothing else is one', () => {
  const { tickets } = openTickets()
  const ticket = issue(tickets, holder(7))
  const flipped = `${ticket.startsWith('A') ? 'B' : 'A'}${ticket.slice(1)}`
  for (const wrong of ['', 'a', flipped, `${ticket} `, `${ticket}\n`, ticket.slice(1), '__proto__', 'x'.repeat(1_000_000)]) {
    assert.equal(tickets.redeem(wrong), null)
  }
  assert.deepEqual(tickets.redeem(ticket), holder(7))
})

test('a wallet that asks for thousands loses its own oldest, and none of another wallet', () => {
  const { tickets } = openTickets()
  const other = issue(tickets, holder(8))
  const own = Array.from({ length: 5000 }, () => issue(tickets, holder(7)))
  assert.equal(tickets.count, share + 1)
  assert.deepEqual(tickets.redeem(other), holder(8))
  assert.equal(tickets.redeem(own.at(-share - 1) ?? ''), null)
  assert.ok(own.slice(-share).every((ticket) => tickets.redeem(ticket) !== null))
  assert.equal(tickets.count, 0)
})

test('wallets that fill all places take no ticket of another, and what is over leaves room', () => {
  const { tickets, pass } = openTickets(100)
  const honest = issue(tickets, holder(1000))
  for (let account = 0; account < 150; account++) issue(tickets, holder(account))
  assert.equal(tickets.count, 75, 'the rest is for wallets with money')
  assert.equal(issue(tickets, holder(151)), 'quota_exceeded')
  assert.deepEqual(tickets.redeem(honest), holder(1000))
  pass(TICKET_LIFETIME_MS)
  const fresh = issue(tickets, holder(7))
  assert.equal(tickets.count, 1)
  assert.deepEqual(tickets.redeem(fresh), holder(7))
})
