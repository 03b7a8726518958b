// Mailboxes: bounded, and round robin over the accounts with work.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Envelope, Reply } from '../../../engine/actor/envelope.ts'
import { Mailboxes } from '../../../engine/actor/mailboxes.ts'
import { MAILBOX_MAX, MAILBOXES_MAX } from '../../../engine/kernel/limits.ts'
import { createMerchant } from '../../support/commands.ts'

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
    const mailboxes = new Mailboxes()
    assert.equal(mailboxes.take(), null)
    assert.equal(mailboxes.count, 0)
  })

  it('turns keep the order of one account', () => {
    const mailboxes = new Mailboxes()
    for (const name of ['a', 'b', 'c']) mailboxes.put(letter(7, name), reply)
    const names = [mailboxes.take(), mailboxes.take(), mailboxes.take()].map((taken) => taken?.envelope.command)
    assert.deepEqual(
      names,
      ['a', 'b', 'c'].map((name) => createMerchant(name)),
    )
  })

  it('turns go round the accounts with work', () => {
    const mailboxes = new Mailboxes()
    for (const [mailbox, count] of [
      [1, 4],
      [2, 1],
      [3, 2],
    ] as const) {
      for (let index = 0; index < count; index++) mailboxes.put(letter(mailbox), reply)
    }
    assert.deepEqual(takeAll(mailboxes), [1, 2, 3, 1, 3, 1, 1])
  })

  it('turns let an account that comes back wait for its turn', () => {
    const mailboxes = new Mailboxes()
    for (const mailbox of [1, 1, 2, 3]) mailboxes.put(letter(mailbox), reply)
    assert.equal(mailboxes.take()?.envelope.mailbox, 1)
    assert.equal(mailboxes.take()?.envelope.mailbox, 2)
    mailboxes.put(letter(2), reply)
    assert.deepEqual(takeAll(mailboxes), [3, 1, 2])
  })

  it('turns reach every account that waits, though new accounts keep coming as fast as turns are taken', () => {
    const mailboxes = new Mailboxes()
    const waiting = 10
    for (let mailbox = 0; mailbox < waiting; mailbox++) {
      mailboxes.put(letter(mailbox), reply)
      mailboxes.put(letter(mailbox), reply)
    }
    const served = new Map<number, number>()
    for (let newcomer = 100; newcomer < 100 + 5 * waiting; newcomer++) {
      mailboxes.put(letter(newcomer), reply)
      const mailbox = mailboxes.take()?.envelope.mailbox ?? -1
      served.set(mailbox, (served.get(mailbox) ?? 0) + 1)
    }
    for (let mailbox = 0; mailbox < waiting; mailbox++) assert.equal(served.get(mailbox), 2, `account ${mailbox} had both turns`)
  })

  it('turns reach each of thousands of accounts once', () => {
    const mailboxes = new Mailboxes()
    const accounts = Array.from({ length: 5_000 }, (_, mailbox) => mailbox)
    for (const mailbox of accounts) mailboxes.put(letter(mailbox), reply)
    assert.deepEqual(takeAll(mailboxes), accounts)
  })

  it('turns go on for as long as one account never empties its mailbox', () => {
    const mailboxes = new Mailboxes()
    mailboxes.put(letter(1, '0'), reply)
    for (let index = 1; index < 3 * MAILBOX_MAX; index++) {
      mailboxes.put(letter(1, String(index)), reply)
      assert.deepEqual(mailboxes.take()?.envelope.command, createMerchant(String(index - 1)))
    }
    assert.equal(mailboxes.count, 1)
  })
})

describe('bounds', () => {
  it('one account has a maximum of queued commands', () => {
    const mailboxes = new Mailboxes()
    for (let index = 0; index < MAILBOX_MAX; index++) assert.equal(mailboxes.put(letter(1), reply), true)
    assert.equal(mailboxes.put(letter(1), reply), false)
    assert.equal(mailboxes.put(letter(2), reply), true)
    mailboxes.take()
    assert.equal(mailboxes.put(letter(1), reply), true)
    assert.equal(mailboxes.put(letter(1), reply), false)
    assert.equal(mailboxes.count, MAILBOX_MAX + 1)
  })

  it('all accounts together have a maximum of queued commands', () => {
    const mailboxes = new Mailboxes()
    for (let index = 0; index < MAILBOXES_MAX; index++) assert.equal(mailboxes.put(letter(index), reply), true)
    assert.equal(mailboxes.put(letter(MAILBOXES_MAX), reply), false)
    mailboxes.take()
    assert.equal(mailboxes.put(letter(MAILBOXES_MAX), reply), true)
  })
})
