// Mailboxes: bounded, and turns are shared out over the accounts with work by what they cost.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Envelope, Reply } from '../../../engine/actor/envelope.ts'
import { Mailboxes } from '../../../engine/actor/mailboxes.ts'
import { WAITING_COMMANDS } from '../../../engine/kernel/limits.ts'
import { FILLED_BY } from '../../../engine/kernel/quota.ts'
import { createMerchant } from '../../support/commands.ts'

const { share: MAILBOX_MAX, max: MAX } = WAITING_COMMANDS
/** Accounts from here on are of live; those that `isProven` says are activated. */
const LIVE_FROM = 1_000_000

function openMailboxes(isProven: (account: number) => boolean = () => false): Mailboxes {
  return new Mailboxes({ environment: (account) => (account < LIVE_FROM ? 'test' : 'live'), isProven })
}

const reply: Reply = { settle: () => {} }

function letter(mailbox: number, name = ''): Envelope {
  return { command: createMerchant(name), mailbox, idempotency: null }
}

/** Mailbox of each queued command taken, in order. */
function takeAll(mailboxes: Mailboxes): number[] {
  const taken: number[] = []
  for (let next = mailboxes.take(); next !== null; next = mailboxes.take()) taken.push(next.envelope.mailbox)
  return taken
}

describe('turns', () => {
  it('turns are empty at first', () => {
    const mailboxes = openMailboxes()
    assert.equal(mailboxes.take(), null)
    assert.equal(mailboxes.count, 0)
  })

  it('turns keep the order of one account', () => {
    const mailboxes = openMailboxes()
    for (const name of ['a', 'b', 'c']) mailboxes.put(letter(7, name), reply, 1)
    const names = [mailboxes.take(), mailboxes.take(), mailboxes.take()].map((taken) => taken?.envelope.command)
    assert.deepEqual(
      names,
      ['a', 'b', 'c'].map((name) => createMerchant(name)),
    )
  })

  it('turns go round the accounts with work', () => {
    const mailboxes = openMailboxes()
    for (const [mailbox, count] of [
      [1, 4],
      [2, 1],
      [3, 2],
    ] as const) {
      for (let index = 0; index < count; index++) mailboxes.put(letter(mailbox), reply, 1)
    }
    assert.deepEqual(takeAll(mailboxes), [1, 2, 3, 1, 3, 1, 1])
  })

  it('turns let an account that comes back wait for its turn', () => {
    const mailboxes = openMailboxes()
    for (const mailbox of [1, 1, 2, 3]) mailboxes.put(letter(mailbox), reply, 1)
    assert.equal(mailboxes.take()?.envelope.mailbox, 1)
    assert.equal(mailboxes.take()?.envelope.mailbox, 2)
    mailboxes.put(letter(2), reply, 1)
    assert.deepEqual(takeAll(mailboxes), [3, 1, 2])
  })

  it('turns reach every account that waits, though new accounts keep coming as fast as turns are taken', () => {
    const mailboxes = openMailboxes()
    const waiting = 10
    for (let mailbox = 0; mailbox < waiting; mailbox++) {
      mailboxes.put(letter(mailbox), reply, 1)
      mailboxes.put(letter(mailbox), reply, 1)
    }
    const served = new Map<number, number>()
    for (let newcomer = 100; newcomer < 100 + 5 * waiting; newcomer++) {
      mailboxes.put(letter(newcomer), reply, 1)
      const mailbox = mailboxes.take()?.envelope.mailbox ?? -1
      served.set(mailbox, (served.get(mailbox) ?? 0) + 1)
    }
    for (let mailbox = 0; mailbox < waiting; mailbox++) assert.equal(served.get(mailbox), 2, `account ${mailbox} had both turns`)
  })

  it('turns reach each of thousands of accounts once', () => {
    const mailboxes = openMailboxes()
    const accounts = Array.from({ length: 5_000 }, (_, mailbox) => mailbox)
    for (const mailbox of accounts) mailboxes.put(letter(mailbox), reply, 1)
    assert.deepEqual(takeAll(mailboxes), accounts)
  })

  it('turns go on for as long as one account never empties its mailbox', () => {
    const mailboxes = openMailboxes()
    mailboxes.put(letter(1, '0'), reply, 1)
    for (let index = 1; index < 3 * MAILBOX_MAX; index++) {
      mailboxes.put(letter(1, String(index)), reply, 1)
      assert.deepEqual(mailboxes.take()?.envelope.command, createMerchant(String(index - 1)))
    }
    assert.equal(mailboxes.count, 1)
  })
})

describe('cost', () => {
  it('a payout does not wait for the batches of others that came before it', () => {
    const mailboxes = openMailboxes()
    for (const mailbox of [1, 1, 2, 2]) mailboxes.put(letter(mailbox), reply, 500)
    mailboxes.put(letter(3), reply, 1)
    assert.deepEqual(takeAll(mailboxes), [3, 1, 2, 1, 2])
  })

  it('an account with payouts and one with batches get as many lines as each other', () => {
    const mailboxes = openMailboxes()
    for (let count = 0; count < 4; count++) mailboxes.put(letter(1), reply, 500)
    for (let count = 0; count < 2000; count++) mailboxes.put(letter(2), reply, 1)
    const lines = new Map([
      [1, 0],
      [2, 0],
    ])
    for (let next = mailboxes.take(); next !== null; next = mailboxes.take()) {
      const { mailbox } = next.envelope
      lines.set(mailbox, (lines.get(mailbox) ?? 0) + next.cost)
      const [batches = 0, payouts = 0] = lines.values()
      assert.ok(Math.abs(batches - payouts) <= 500, `${batches} lines of batches, ${payouts} payouts`)
    }
    assert.deepEqual([...lines.values()], [2000, 2000])
  })

  it('many accounts that send one batch each do not delay the payouts of one account', () => {
    const mailboxes = openMailboxes()
    for (let mailbox = 0; mailbox < 1000; mailbox++) mailboxes.put(letter(mailbox), reply, 500)
    for (let count = 0; count < 100; count++) mailboxes.put(letter(5000), reply, 1)
    assert.deepEqual(takeAll(mailboxes).slice(0, 100), new Array(100).fill(5000))
  })

  it('a command that costs more than what is left stays the next one, and a cheaper one of another account goes before it', () => {
    const mailboxes = openMailboxes()
    mailboxes.put(letter(1), reply, 500)
    assert.equal(mailboxes.take(499), null)
    mailboxes.put(letter(2), reply, 1)
    assert.equal(mailboxes.take(499)?.envelope.mailbox, 2)
    assert.equal(mailboxes.take(499), null)
    assert.equal(mailboxes.take(500)?.envelope.mailbox, 1)
    assert.equal(mailboxes.count, 0)
  })

  it('a command above the highest cost that counts has its turn', () => {
    const mailboxes = openMailboxes()
    mailboxes.put(letter(1), reply, 100_000)
    mailboxes.put(letter(2), reply, 1)
    assert.deepEqual(takeAll(mailboxes), [2, 1])
  })
})

describe('bounds', () => {
  it('one account has a maximum of queued commands', () => {
    const mailboxes = openMailboxes()
    for (let index = 0; index < MAILBOX_MAX; index++) assert.equal(mailboxes.put(letter(1), reply, 1), true)
    assert.equal(mailboxes.put(letter(1), reply, 1), false)
    assert.equal(mailboxes.put(letter(2), reply, 1), true)
    mailboxes.take()
    assert.equal(mailboxes.put(letter(1), reply, 1), true)
    assert.equal(mailboxes.put(letter(1), reply, 1), false)
    assert.equal(mailboxes.count, MAILBOX_MAX + 1)
  })

  it('accounts that fill their mailboxes leave room for those of others, for proven ones and for live', () => {
    const proven = 900_000
    const mailboxes = openMailboxes((account) => account === proven)
    const max = Number(MAX.test)
    let taken = 0
    for (let account = 1; account <= max / MAILBOX_MAX; account++)
      for (let index = 0; index < MAILBOX_MAX; index++) taken += mailboxes.put(letter(account), reply, 1) ? 1 : 0
    assert.ok(taken < max * FILLED_BY.few, `${taken} of ${max} are taken by a few accounts`)
    assert.equal(mailboxes.put(letter(1), reply, 1), false)
    assert.equal(mailboxes.put(letter(500), reply, 1), true, 'one with none waiting')
    for (let index = 0; index < 100; index++) assert.equal(mailboxes.put(letter(proven), reply, 1), true)
    assert.equal(mailboxes.put(letter(LIVE_FROM), reply, 1), true)
    const [live, test] = mailboxes.figures
    assert.deepEqual(live, { part: 'live', rows: 1, max: MAX.live, largest: 1 })
    assert.deepEqual([test?.part, test?.rows, test?.largest], ['test', mailboxes.count - 1, MAILBOX_MAX])
    assert.deepEqual([mailboxes.largestHolder('live'), mailboxes.largestHolder('test')], [LIVE_FROM, 1])
    takeAll(mailboxes)
    assert.deepEqual(
      mailboxes.figures.map(({ rows, largest }) => rows + largest),
      [0, 0],
    )
  })
})
