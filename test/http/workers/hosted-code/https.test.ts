// Hosted code on the way that customers' money takes: a whole server, a quote whose code asks a TLS server of the merchant's,
// a payment whose code sends it. Every answer is checked against the document.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, beforeEach, test } from 'node:test'
import type { CodeRun } from '../../../../engine/contract/code-run.ts'
import { Customer, fulfilledRow, openBillerSystem, openBillServer, openPaidFor, type PaidFor } from '../../../support/bill-callers.ts'
import { METER } from '../../../support/bill-engine.ts'
import { GOOD_PRODUCTS } from '../../../support/biller-engine.ts'
import type { Receiver } from '../../../support/receiver.ts'
import type { TestServer } from '../../../support/server-fixture.ts'

let server: TestServer
/** The merchant's own system; its certificate is for `localhost`. */
let system: Receiver
let shop: PaidFor
let awa: Customer

before(async () => {
  system = await openBillerSystem()
  server = await openBillServer()
  shop = await openPaidFor(server, system)
  awa = await Customer.open(server, shop)
})

after(async () => {
  await server?.close()
  await system?.close()
})

beforeEach(() => {
  system.received.length = 0
})

const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { 'content-type': 'application/json', 'x-dossier': 'A-7' }).end(JSON.stringify(value))
}

const at = (path: string): string => `https://localhost:${system.port}${path}`

/** Asks the merchant's system with a header and a body of its own, and takes the amount from the answer. */
const ASKING = (path: string): string => `
  const amountIn = (bill) => bill.lines.reduce((sum, line) => sum + line.amount, 0)
  export async function lookup(args) {
    const response = await fetch('${path}', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: 'Bearer du-marchand' },
      body: JSON.stringify({ meter: args.fields.compteur, id: args.request_id }),
    })
    console.log(response.status, response.ok, response.headers.get('x-dossier'))
    if (response.status === 404) return { ok: false, reason: 'Compteur inconnu.' }
    const bill = await response.json()
    await new Promise((resolve) => setTimeout(resolve, 5))
    return { ok: true, amount: amountIn(bill), currency: 'XOF', label: bill.label, customer_name: '', biller_ref: bill.ref, line_items: bill.lines }
  }`

const TELLING = (path: string): string => `
  async function onPaid(ctx) {
    const response = await fetch('${path}', { method: 'PUT', body: JSON.stringify(ctx) })
    if (!response.ok) throw new Error('the meter answered ' + response.status)
    console.log(await response.text())
  }`

async function hostedProduct(slug: string): Promise<void> {
  const { lookup_url: _, ...lookup } = GOOD_PRODUCTS.lookup
  const code = {
    lookup_integration: 'code',
    lookup_code: ASKING(at('/factures')),
    fulfillment_mode: 'code',
    fulfillment_code: TELLING(at('/compteurs')),
  }
  const made = await shop.merchant.test.post('/v1/biz/biller/products', { slug, ...lookup, ...code })
  assert.equal(made.status, 201, made.text)
}

const runsOf = async (slug: string): Promise<readonly CodeRun[]> =>
  (await shop.merchant.test.get<{ data: CodeRun[] }>(`/v1/biz/biller/products/${slug}/runs`)).body.data

const callsOf = (run: CodeRun | undefined) => run?.fetches.map(({ method, host, status }) => [method, host, status])

test('a quote and a payment: the code asks the merchant’s system over TLS, and sends it what was paid', async () => {
  await hostedProduct('hosted')
  const lines = [
    { label: 'Énergie', amount: 4000 },
    { label: 'Redevance', amount: 750 },
  ]
  system.answering = ({ path }, response) => {
    if (path === '/factures') json(response, { label: 'Facture de novembre', ref: 'F-2026-11', lines })
    else response.end('crédité')
  }
  const quote = await awa.quote('hosted')
  assert.equal(quote.status, 201, quote.text)
  const { amount, label, biller_ref, line_items } = quote.body
  assert.deepEqual(
    { amount, label, biller_ref, line_items },
    { amount: 4750, label: 'Facture de novembre', biller_ref: 'F-2026-11', line_items: lines },
  )
  const [asked] = system.received
  assert.ok(asked !== undefined)
  assert.deepEqual(
    [asked.method, asked.path, asked.headers.authorization, asked.servername],
    ['POST', '/factures', 'Bearer du-marchand', 'localhost'],
  )
  assert.equal((JSON.parse(asked.body) as { meter: string }).meter, METER)

  const paid = await awa.pay('hosted', { quote_id: quote.body.id })
  assert.equal(paid.status, 200, paid.text)
  const row = await fulfilledRow(shop.merchant, paid.body.charge_id)
  assert.deepEqual([row.fulfillment.state, row.fulfillment.error], ['succeeded', null])
  const told = JSON.parse(system.received.at(-1)?.body ?? '') as Record<string, unknown>
  assert.deepEqual(
    [told.biller, told.product, told.amount, told.biller_ref, told.form_values, told.charge_id, told.transaction_id],
    [shop.biller, 'hosted', 4750, 'F-2026-11', { compteur: METER }, paid.body.charge_id, paid.body.transaction_id],
  )

  const [fulfillment, lookup, ...others] = await runsOf('hosted')
  assert.equal(others.length, 0)
  assert.deepEqual([lookup?.kind, lookup?.test, lookup?.ok, lookup?.logs], ['lookup', false, true, ['200 true A-7']])
  assert.deepEqual([fulfillment?.kind, fulfillment?.test, fulfillment?.ok, fulfillment?.logs], ['fulfillment', false, true, ['crédité']])
  const host = `localhost:${system.port}`
  assert.deepEqual([callsOf(lookup), callsOf(fulfillment)], [[['POST', host, 200]], [['PUT', host, 200]]])
})

test('what the merchant’s system refuses is the code’s to judge; a fulfillment that fails leaves the payment as it is', async () => {
  await hostedProduct('refused')
  system.answering = (_received, response) => json(response, {}, 404)
  const none = await awa.quote('refused')
  assert.deepEqual([none.status, none.body.code, none.body.message], [422, 'lookup_failed', 'Compteur inconnu.'])
  system.answering = ({ path }, response) =>
    path === '/factures' ? json(response, { label: 'F', ref: 'F-1', lines: [{ label: 'x', amount: 10 }] }) : json(response, {}, 503)
  const quote = await awa.quote('refused')
  const paid = await awa.pay('refused', { quote_id: quote.body.id })
  assert.equal(paid.status, 200, paid.text)
  const row = await fulfilledRow(shop.merchant, paid.body.charge_id)
  assert.equal(row.fulfillment.state, 'failed')
  assert.match(row.fulfillment.error ?? '', /^the meter answered 503/)
  assert.equal(system.received.filter(({ path }) => path === '/compteurs').length, 1, 'it is not tried again')
})

test('a redirect to another place of the merchant’s is followed', async () => {
  await hostedProduct('moved')
  system.answering = ({ path }, response) => {
    if (path === '/factures') response.writeHead(307, { location: '/v2/factures' }).end()
    else json(response, { label: 'F', ref: 'F-2', lines: [{ label: 'x', amount: 20 }] })
  }
  const quote = await awa.quote('moved')
  assert.deepEqual([quote.status, quote.body.biller_ref], [201, 'F-2'])
  assert.deepEqual(
    system.received.map(({ method, path }) => [method, path]),
    [
      ['POST', '/factures'],
      ['POST', '/v2/factures'],
    ],
  )
})

test('code that spends its second, or waits for nothing, has run out of its time: 504', async () => {
  const { lookup_url: _, ...lookup } = GOOD_PRODUCTS.lookup
  for (const [slug, lookup_code] of [
    ['spins', 'function lookup() { for (;;); }'],
    ['hangs', 'function lookup() { return new Promise(() => {}) }'],
  ]) {
    const made = await shop.merchant.test.post('/v1/biz/biller/products', { slug, ...lookup, lookup_integration: 'code', lookup_code })
    assert.equal(made.status, 201, made.text)
    const quote = await awa.quote(slug)
    assert.deepEqual([quote.status, quote.body.code], [504, 'lookup_timeout'], slug)
  }
})
