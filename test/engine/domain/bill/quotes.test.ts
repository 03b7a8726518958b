// Quotes: five minutes, one payment, one wallet; across restarts, against the clock, with many at once.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BillFixture, DUE, FUNDS, METER } from '../../../support/bill-engine.ts'
import { CollidingArchive } from '../../../support/colliding-archive.ts'
import { openLiveWallet } from '../../../support/commands.ts'
import { outcomeStatus } from '../../../support/outcome-status.ts'

const MINUTE_MS = 60_000

test('a quote says everything that was looked up, and for how long it holds', async () => {
  const setup = await BillFixture.open()
  const { status, body } = setup.do(setup.quote())
  assert.equal(status, 201)
  const { id, created_at, expires_at, ...rest } = body
  assert.match(String(id), /^[0-9a-f-]{36}$/)
  assert.equal(Date.parse(String(expires_at)) - Date.parse(String(created_at)), 5 * MINUTE_MS)
  assert.deepEqual(rest, { biller: setup.biller, product: 'facture', ...DUE, fee: 0, form_values: { compteur: METER }, state: 'active' })
})

test('a quote is paid once', async () => {
  const setup = await BillFixture.open()
  const pay = setup.pay('facture', { quoteId: setup.quoted() })
  assert.deepEqual(setup.ask(pay), [200])
  assert.deepEqual(setup.ask(pay), [409, 'quote_used', 'quote_id'])
  assert.equal(setup.balances().merchant, DUE.amount)
})

test('of a hundred payments by one quote, each with a key of its own, one wins', async () => {
  const setup = await BillFixture.open()
  const pay = setup.pay('facture', { quoteId: setup.quoted() })
  const sent = Array.from({ length: 100 }, (_, index) => setup.fixture.send(pay, { mailbox: setup.awa, key: `k-${index}` }))
  setup.fixture.settle()
  const statuses = sent.map(({ outcome }) => outcomeStatus(outcome))
  assert.equal(statuses.filter((status) => status === 200).length, 1)
  assert.equal(statuses.filter((status) => status === 409).length, 99)
  assert.deepEqual(setup.balances(), { awa: FUNDS - DUE.amount, merchant: DUE.amount })
})

test('its last millisecond counts, the next one does not', async () => {
  for (const [lateMs, answer] of [
    [-1, [200]],
    [0, [409, 'quote_expired', 'quote_id']],
  ] as const) {
    const setup = await BillFixture.open()
    const { body } = setup.do(setup.quote())
    setup.fixture.loop.nowMs = Date.parse(String(body.expires_at)) + lateMs
    assert.deepEqual(setup.ask(setup.pay('facture', { quoteId: String(body.id) })), answer)
  }
})

test('a quote that was used stays used after its time', async () => {
  const setup = await BillFixture.open()
  const pay = setup.pay('facture', { quoteId: setup.quoted() })
  setup.do(pay)
  setup.fixture.loop.nowMs += 10 * MINUTE_MS
  assert.deepEqual(setup.ask(pay), [409, 'quote_used', 'quote_id'])
})

test('it survives a restart, with and without an archive, used or not', async () => {
  const setup = await BillFixture.open()
  const [first, second] = [setup.quoted(), setup.quoted()]
  assert.deepEqual(setup.ask(setup.pay('facture', { quoteId: first })), [200])
  await setup.fixture.start()
  assert.deepEqual(setup.ask(setup.pay('facture', { quoteId: first })), [409, 'quote_used', 'quote_id'])
  await setup.fixture.startWithoutArchive()
  assert.deepEqual(setup.ask(setup.pay('facture', { quoteId: second })), [200])
  assert.deepEqual(setup.ask(setup.pay('facture', { quoteId: second })), [409, 'quote_used', 'quote_id'])
  assert.equal(setup.sum(), 0)
})

test('a quote is its wallet’s and its product’s, used or not', async () => {
  const setup = await BillFixture.open()
  const quoteId = setup.quoted()
  const others = [setup.pay('facture', { quoteId, payer: setup.moussa }), setup.pay('jeton', { quoteId })]
  for (const other of others) assert.deepEqual(setup.ask(other), [404, 'not_found', 'quote_id'])
  assert.deepEqual(setup.ask(setup.pay('facture', { quoteId })), [200])
  for (const other of others) assert.deepEqual(setup.ask(other), [404, 'not_found', 'quote_id'])
})

test('a wallet of the other environment with the same tag does not see that a quote was used', async () => {
  const setup = await BillFixture.open()
  const payer = openLiveWallet(setup.fixture, '+221771234567', 'awa')
  const quoteId = setup.quoted()
  assert.deepEqual(setup.ask(setup.pay('facture', { quoteId })), [200])
  assert.deepEqual(setup.ask(setup.pay('facture', { quoteId, payer })), [404, 'not_found', 'quote_id'])
})

test('a quote is found by its id, not by the hash of it', async () => {
  const setup = await BillFixture.open({ archive: (soon) => new CollidingArchive({ soon }) })
  const [first, second] = [setup.quoted(), setup.quoted({ due: { ...DUE, amount: 7000, line_items: [] } })]
  setup.fixture.loop.advance(2000)
  setup.fixture.settle()
  assert.equal(setup.fixture.engine.history.tailEntries, 0, 'the archive has the quotes')
  const unknown = setup.pay('facture', { quoteId: '019aa0fc-10d2-7b41-9c52-6f7a8b9c0d1e' })
  assert.deepEqual(setup.ask(unknown), [404, 'not_found', 'quote_id'])
  assert.deepEqual(setup.ask(setup.pay('facture', { quoteId: first })), [200])
  assert.equal(setup.balances().merchant, DUE.amount)
  assert.deepEqual(setup.ask(setup.pay('facture', { quoteId: second })), [200])
  assert.deepEqual(setup.ask(unknown), [404, 'not_found', 'quote_id'])
})

test('a form that comes along must be the one that was looked up', async () => {
  const setup = await BillFixture.open()
  const quoteId = setup.quoted({ formValues: { compteur: METER, mois: 2 } })
  const withForm = (formValues: Record<string, unknown>) => setup.ask(setup.pay('facture', { quoteId, formValues }))
  assert.deepEqual(withForm({ compteur: '04999999999' }), [400, 'invalid_form_values', 'form_values.compteur'])
  assert.deepEqual(withForm({ compteur: METER, autre: 'x' }), [400, 'invalid_form_values', 'form_values.autre'])
  assert.deepEqual(withForm({ compteur: '' }), [400, 'invalid_form_values', 'form_values.compteur'])
  assert.deepEqual(withForm({ compteur: { deep: 1 } }), [400, 'invalid_form_values', 'form_values.compteur'])
  assert.deepEqual(withForm({ compteur: METER, mois: '2', autre: null }), [200])
  assert.deepEqual(setup.payments()[0]?.form_values, { compteur: METER, mois: 2 })
})

test('an amount that comes along must be the quote’s', async () => {
  const setup = await BillFixture.open()
  const quoteId = setup.quoted()
  assert.deepEqual(setup.ask(setup.pay('facture', { quoteId, amount: DUE.amount - 1 })), [400, 'invalid_request', 'amount'])
  assert.deepEqual(setup.ask(setup.pay('facture', { quoteId, amount: DUE.amount })), [200])
})

test('the merchant’s next definition does not touch what was quoted, another mode ends it', async () => {
  const setup = await BillFixture.open()
  const [first, second] = [setup.quoted(), setup.quoted()]
  const { billers } = setup
  const fixed = { title: 'Autre', amount_mode: 'fixed', schema: { steps: [] }, packages: [{ id: 'un', label: 'Un', amount: 1 }] }
  const lookup = {
    title: 'Autre',
    amount_mode: 'lookup',
    schema: { steps: [{ fields: [{ id: 'nom', label: 'Nom', type: 'text' }] }] },
    lookup_url: 'https://a.example/',
  }
  billers.must(billers.product('facture', lookup, { mode: 'replace' }), 200)
  assert.deepEqual(setup.ask(setup.pay('facture', { quoteId: first })), [200])
  billers.must(billers.product('facture', fixed, { mode: 'replace' }), 200)
  assert.deepEqual(setup.ask(setup.pay('facture', { quoteId: second })), [400, 'invalid_request', 'quote_id'])
})

test('a key gives its quote again, and another request under it is refused', async () => {
  const setup = await BillFixture.open()
  const first = setup.do(setup.quote(), 'k')
  assert.deepEqual(setup.do(setup.quote(), 'k'), first)
  const { status, body } = setup.do(setup.quote({ formValues: {} }), 'k')
  assert.deepEqual([status, body.code], [422, 'idempotency_key_reused'])
})
