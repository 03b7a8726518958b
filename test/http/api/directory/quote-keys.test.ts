// Quotes under an Idempotency-Key, over HTTP: one question to the merchant for one key, however many requests wait for its answer.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Customer, openBillerSystem, openBillServer, openPaidFor } from '../../../support/bill-callers.ts'
import { DUE, METER } from '../../../support/bill-engine.ts'
import type { Receiver } from '../../../support/receiver.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'

const FORM = { compteur: METER }
const OTHER_FORM = { compteur: '04999999999' }

let server: TestServer
let system: Receiver
let customer: Customer

before(async () => {
  system = await openBillerSystem()
  server = await openBillServer()
  customer = await Customer.open(server, await openPaidFor(server, system))
})

after(async () => {
  await server?.close()
  await system?.close()
})

const due = JSON.stringify({ ok: true, ...DUE })

/** Lookups wait until they are let go of; later ones are answered at once. */
function holding(): { release(text: string): void } {
  const held: ((text: string) => void)[] = []
  system.answering = (_received, response) => held.push((text) => response.end(text))
  return {
    release: (text) => {
      system.answering = (_received, response) => response.end(text)
      for (const go of held) go(text)
    },
  }
}

test('a key gives its quote again, and the merchant is asked once', async () => {
  system.answering = (_received, response) => response.end(due)
  const key = newKey()
  const first = await customer.quote('facture', FORM, key)
  assert.equal(first.status, 201, first.text)
  const count = system.received.length
  const second = await customer.quote('facture', FORM, key)
  assert.equal(second.text, first.text)
  assert.equal(second.headers['idempotent-replayed'], 'true')
  assert.equal(system.received.length, count)
})

test('a key whose first request is under way waits for it, however many wait, and one question is asked', async () => {
  const answers = holding()
  const count = system.received.length
  const key = newKey()
  const first = customer.quote('facture', FORM, key)
  await system.until(count + 1)
  const more = Array.from({ length: 8 }, () => customer.quote('facture', FORM, key))
  const other = await customer.quote('facture', OTHER_FORM, key)
  assert.deepEqual([other.status, other.body.code], [422, 'idempotency_key_reused'])
  answers.release(due)
  const { text } = await first
  const replays = await Promise.all(more)
  assert.deepEqual(new Set([text, ...replays.map((answer) => answer.text)]).size, 1)
  assert.equal(replays.filter(({ headers }) => headers['idempotent-replayed'] === 'true').length >= 7, true)
  assert.equal(system.received.length, count + 1)
})

test('what was refused to the first is refused to all who waited with it, and is kept under no key', async () => {
  const answers = holding()
  const count = system.received.length
  const key = newKey()
  const first = customer.quote('facture', FORM, key)
  await system.until(count + 1)
  const second = customer.quote('facture', FORM, key)
  const other = customer.quote('facture', OTHER_FORM)
  await system.until(count + 2)
  answers.release(JSON.stringify({ ok: false, reason: 'Compteur inconnu.' }))
  for (const answer of await Promise.all([first, second, other]))
    assert.deepEqual([answer.status, answer.body.code], [422, 'lookup_failed'])
  system.answering = (_received, response) => response.end(due)
  assert.equal((await customer.quote('facture', FORM, key)).status, 201)
})
