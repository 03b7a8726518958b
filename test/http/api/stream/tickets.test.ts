// Tickets: one stream each, for a minute, and no wallet can take away another's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TICKET_LIFETIME_MS, TICKETS_PER_WALLET_MAX } from '../../../../http/api/stream/stream-limits.ts'
import { Tickets } from '../../../../http/api/stream/tickets.ts'

const holder = (account: number) => ({ account, deviceId: 'one', sessionId: `session-${account}`, expiresAtMs: 1e15 })

function openTickets(most?: number): { tickets: Tickets; pass: (byMs: number) => void } {
  let nowMs = 0
  const tickets = new Tickets(() => nowMs, most)
  return {
    tickets,
    pass: (byMs) => {
      nowMs += byMs
    },
  }
}

function issue(tickets: Tickets, who: ReturnType<typeof holder>): string {
  return tickets.issue(who)?.ticket ?? ''
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
  assert.equal(tickets.count, TICKETS_PER_WALLET_MAX + 1)
  assert.deepEqual(tickets.redeem(other), holder(8))
  assert.equal(tickets.redeem(own.at(-TICKETS_PER_WALLET_MAX - 1) ?? ''), null)
  assert.ok(own.slice(-TICKETS_PER_WALLET_MAX).every((ticket) => tickets.redeem(ticket) !== null))
  assert.equal(tickets.count, 0)
})

test('memory is bounded over all wallets, and what is over goes first', () => {
  const { tickets, pass } = openTickets(100)
  for (let account = 0; account < 150; account++) issue(tickets, holder(account))
  assert.equal(tickets.count, 100)
  pass(TICKET_LIFETIME_MS)
  const fresh = issue(tickets, holder(7))
  assert.equal(tickets.count, 1)
  assert.deepEqual(tickets.redeem(fresh), holder(7))
})
