// Every method of the client against the real server; and every route of the merchant API has a method.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DOCUMENT } from '../../support/api-document.ts'
import { Customer, openBillerSystem, openBillServer, openPaidFor, type PaidFor } from '../../support/bill-callers.ts'
import { GOOD_PRODUCTS } from '../../support/biller-engine.ts'
import { openClient } from '../../support/built-client.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { approve, fromNow, openPair } from '../../support/mandate-callers.ts'
import { png } from '../../support/pictures.ts'
import { Receiver } from '../../support/receiver.ts'
import { type Merchant, newTag, type TestServer } from '../../support/server-fixture.ts'

const SOURCE = join(import.meta.dirname, '..', '..', '..', 'http', 'client', 'src')

let server: TestServer
let system: Receiver
let receiver: Receiver
let merchant: Merchant
let client: Awaited<ReturnType<typeof openClient>>

before(async () => {
  system = await openBillerSystem()
  receiver = await Receiver.open()
  server = await openBillServer()
  merchant = await server.fundedMerchant(1_000_000)
  client = await openClient(server, merchant)
})

after(async () => {
  await server.close()
  await receiver.close()
  await system.close()
})

/** `GET /v1/biz/charges` and so on: routes with a key pair, and the public checkout. */
function merchantRoutes(): string[] {
  const paths = DOCUMENT.paths as Readonly<Record<string, object>>
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((method) => (path.startsWith('/v1/biz/') ? [`${method.toUpperCase()} ${path}`] : [])),
  )
}

/** Routes that the source of the client calls. */
function calledRoutes(): string[] {
  const files = [join(SOURCE, 'cauri.ts'), ...readdirSync(join(SOURCE, 'resources')).map((name) => join(SOURCE, 'resources', name))]
  const calls = files.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/ransport\.(get|postBytes|post|put|delete)\(\s*'([^']+)'/g),
  ])
  return calls.map(([, verb = '', path]) => `${verb.replace('Bytes', '').toUpperCase()} ${path}`)
}

test('every route of the merchant API has a method, and every method a route', () => {
  const called = [...calledRoutes(), 'GET /v1/biz/events/stream'].filter((route) => route !== 'GET /healthz')
  assert.deepEqual([...new Set(called)].sort(), merchantRoutes().sort())
})

test('account: ping, balance, health, transactions as rows, one by one and as CSV', async () => {
  const ping = await client.ping()
  assert.deepEqual([ping.merchant_id, ping.environment], [merchant.id, 'test'])
  assert.equal((await client.balance()).currency, 'XOF')
  assert.equal((await client.health()).status, 'ok')
  await client.payouts.create({ recipient: await server.wallet(merchant), amount: 10, reference: 'COMPTE' })
  const [row] = await client.transactions.list({ reference: 'COMPTE' }).toArray(10)
  assert.equal(row.amount, -10)
  assert.equal((await client.transactions.get(row.id)).id, row.id)
  assert.match(await joined(client.transactions.csv({ reference: 'COMPTE' })), /COMPTE/)
})

async function joined(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}

test('top-ups and withdrawals: create, list, get, cancel, and the decisions of the test environment', async () => {
  const topUp = await client.topUps.create({ amount: 500 })
  assert.equal((await client.topUps.get(topUp.id)).state, 'requested')
  assert.equal((await client.test.confirmTopUp(topUp.id)).state, 'confirmed')
  assert.equal((await client.topUps.cancel((await client.topUps.create({ amount: 5 })).id)).state, 'cancelled')
  assert.equal((await client.topUps.list().toArray(9)).length, 2)
  const destination = { kind: 'bank', name: 'Awa Diallo', account: 'SN08 0100 1520' }
  const out = await client.withdrawals.create({ amount: 50, destination })
  assert.equal((await client.withdrawals.get(out.id)).state, 'requested')
  assert.equal((await client.test.payWithdrawal(out.id)).state, 'paid')
  assert.equal((await client.withdrawals.cancel((await client.withdrawals.create({ amount: 5, destination })).id)).state, 'cancelled')
  assert.equal((await client.withdrawals.list().toArray(9)).length, 2)
})

test('charges: create, list, get, cancel, refund, and pay and expire in the test environment', async () => {
  const charge = await client.charges.create({ amount: 100, reference: 'CMD-1' })
  const { tag } = await client.test.createWallet(newTag())
  await client.test.deposit({ recipient: tag, amount: 1000 })
  assert.equal((await client.test.payCharge(charge.token, { payer_tag: tag })).state, 'paid')
  assert.equal((await client.charges.get(charge.id)).state, 'paid')
  await assert.rejects(client.charges.refund(charge.token, { amount: 99 }), { code: 'partial_refund_unsupported' })
  assert.equal((await client.charges.refund(charge.token, { amount: 100 })).state, 'refunded')
  assert.equal((await client.charges.cancel((await client.charges.create({ amount: 5 })).token)).state, 'cancelled')
  assert.equal((await client.test.expireCharge((await client.charges.create({ amount: 5 })).token)).state, 'expired')
  assert.equal((await client.charges.list({ reference: 'CMD-1' }).toArray(9)).length, 1)
})

test('checkout: what the page shows, its status, its code, and a payment with a one-time code', async () => {
  const { token } = await client.charges.create({ amount: 100, description: '2 pagnes' })
  assert.equal((await client.checkout.get(token)).description, '2 pagnes')
  assert.match((await client.checkout.qr(token)).svg, /^<svg/)
  const { tag } = await client.test.createWallet(newTag())
  await client.test.deposit({ recipient: tag, amount: 100 })
  const { challenge_id } = await client.checkout.startOtp(token, { identifier: tag })
  const paid = await client.checkout.pay(token, { challenge_id, identifier: tag, otp: '000000', pin: '2580' })
  assert.equal(paid.state, 'paid')
  assert.deepEqual(await client.checkout.status(token), { state: 'paid' })
})

test('payment links: create, list, get, close', async () => {
  const link = await client.paymentLinks.create({ description: 'Caisse 1' })
  assert.equal((await client.paymentLinks.get(link.id)).state, 'active')
  assert.equal((await client.paymentLinks.close(link.id)).state, 'closed')
  assert.equal((await client.paymentLinks.list({ state: 'closed' }).toArray(9)).length, 1)
})

test('payouts: create, list, get, the check of a recipient, and CSV', async () => {
  const recipient = await server.wallet(merchant)
  const payout = await client.payouts.create({ recipient: `@${recipient}`, amount: 10, reference: 'PRIME' })
  assert.equal((await client.payouts.get(payout.id)).state, 'paid')
  assert.equal((await client.payouts.list({ recipient }).toArray(9)).length, 1)
  assert.equal((await client.payouts.checkRecipient(recipient)).exists, true)
  assert.match(await joined(client.payouts.csv({ reference: 'PRIME' })), new RegExp(recipient))
  assert.equal((await client.payouts.create({ recipient: newTag(), amount: 10 })).failure_code, 'recipient_not_found')
})

test('batches: a dry run, create, list, get', async () => {
  const items = [{ recipient: await server.wallet(merchant), amount: 10 }]
  assert.equal((await client.batches.dryRun({ items })).state, 'dry_run')
  const report = await client.batches.create({ items, reference: 'LOT' })
  assert.equal(report.paid_count, 1)
  assert.deepEqual(await client.batches.get(report.id), report)
  assert.equal((await client.batches.list({ q: 'LOT' }).toArray(9)).length, 1)
})

test('schedules: create, list, get, replace, pause, resume, run, runs, cancel', async () => {
  const items = [{ recipient: await server.wallet(merchant), amount: 10 }]
  const { id } = await client.schedules.create({ items, recurrence: 'weekly', start_at: fromNow(3_600_000) })
  assert.equal((await client.schedules.pause(id)).state, 'paused')
  assert.equal((await client.schedules.resume(id)).state, 'active')
  assert.equal((await client.schedules.replace(id, { items, recurrence: 'monthly' })).recurrence, 'monthly')
  await client.test.runSchedule(id)
  assert.equal((await client.schedules.runs(id).toArray(9)).length, 1)
  assert.equal((await client.schedules.get(id)).runs_count, 1)
  assert.equal((await client.schedules.cancel(id)).state, 'cancelled')
  assert.equal((await client.schedules.list().toArray(9)).length, 1)
})

test('mandates: create, list, get, charge, collect, the list of charges, cancel', async () => {
  const pair = await openPair(server, 10_000)
  const own = await openClient(server, pair.merchant)
  const demand = await own.mandates.create({ customer_tag: pair.payer.tag, max_amount: 500, interval: 'on_demand' })
  await approve(pair, demand.id)
  assert.equal((await own.mandates.charge(demand.id, { amount: 100 })).state, 'paid')
  assert.equal((await own.mandates.listCharges(demand.id).toArray(9)).length, 1)
  const monthly = await own.mandates.create({ customer_tag: pair.payer.tag, amount: 50, interval: 'monthly', start_at: fromNow(3_600_000) })
  await approve(pair, monthly.id)
  assert.equal((await own.test.collectMandate(monthly.id)).state, 'paid')
  assert.equal((await own.mandates.cancel(monthly.id)).state, 'cancelled')
  assert.equal((await own.mandates.get(monthly.id)).payments_count, 1)
  assert.equal((await own.mandates.list().toArray(9)).length, 2)
})

test('billers: profile, categories, logo, products and their trials, runs, submission and approval', async () => {
  const own = await openClient(server, await server.merchant())
  const profile = { display_name: 'Eaux du Sahel', category: 'water', short_desc: 'L’eau de tous.' }
  assert.equal((await own.biller.save(profile)).directory_state, 'draft')
  assert.ok((await own.biller.categories().toArray(50)).length > 10)
  assert.match((await own.biller.uploadLogo(new Uint8Array(png(128)))).logo_url, /^http/)
  const code = { ...GOOD_PRODUCTS.user, fulfillment_mode: 'code', fulfillment_code: 'function onPaid(ctx) { console.log(ctx.amount) }' }
  // On a busy machine the sandbox may not have started: the API asks for another try, and the client makes it.
  assert.equal((await own.products.create({ slug: 'don', ...code })).state, 'active')
  assert.equal((await own.products.deactivate('don')).state, 'inactive')
  assert.equal((await own.products.activate('don')).state, 'active')
  assert.equal((await own.products.replace('don', { ...code, title: 'Un don' })).title, 'Un don')
  assert.deepEqual(await own.products.testFulfillment('don', { amount: 700 }), { ok: true, result: null })
  const lookup_code = 'function lookup() { return { ok: true, amount: 5 } }'
  assert.deepEqual(await own.products.testLookup('don', { lookup_code }), { ok: true, amount: 5 })
  const broken = await own.products.testLookup('don', { lookup_code: 'function lookup( {' })
  assert.match(broken.transport_error, /code\.js:1/)
  const fulfillment_code = 'function onPaid(ctx) { console.log("sent", ctx.amount) }'
  assert.equal((await own.products.testFulfillment('don', { amount: 9, fulfillment_code })).ok, true)
  await assert.rejects(own.products.testLookup('don'), { code: 'lookup_not_configured' })
  const saved = await own.products.get('don')
  assert.deepEqual([saved.lookup_code, saved.fulfillment_code], [null, code.fulfillment_code])
  const kinds = (await own.products.runs('don').toArray(9)).map(({ kind, logs }: { kind: string; logs: string[] }) => [kind, ...logs])
  assert.deepEqual(kinds, [['fulfillment', 'sent 9'], ['lookup'], ['lookup'], ['fulfillment', '700']])
  assert.equal((await own.products.list().toArray(9)).length, 1)
  assert.equal((await own.products.get('don')).version, 2)
  assert.equal((await own.biller.submit()).directory_state, 'in_review')
  assert.equal((await own.test.approveBiller()).directory_state, 'published')
  assert.equal((await own.biller.get()).directory_state, 'published')
})

test('bill payments: list, get, redeliver, refund', async () => {
  const paidFor: PaidFor = await openPaidFor(server, system)
  const own = await openClient(server, paidFor.merchant)
  const customer = await Customer.open(server, paidFor)
  assert.equal((await customer.pay('jeton', { amount: 1000 })).status, 200)
  const [bill] = await own.billPayments.list({ product: 'jeton' }).toArray(9)
  const isOver = async () => (await own.billPayments.get(bill.transaction_id)).fulfillment.state === 'succeeded'
  await eventuallyAsync(isOver, 'the fulfillment')
  assert.equal((await own.billPayments.redeliver(bill.transaction_id, { force: true })).transaction_id, bill.transaction_id)
  await assert.rejects(own.billPayments.refund(bill.transaction_id, { amount: 999 }), { code: 'partial_refund_unsupported' })
  assert.equal((await own.billPayments.refund(bill.transaction_id, { amount: 1000 })).state, 'refunded')
})

test('webhook endpoints: create, list, get, update, ping, deliveries, the rotation of the secret, the default secret, delete', async () => {
  const made = await client.webhookEndpoints.create({ url: receiver.url('/un'), events: ['charge.succeeded'] })
  assert.match(made.secret, /^whsec_/)
  assert.equal((await client.webhookEndpoints.update(made.id, { description: 'Caisse' })).description, 'Caisse')
  assert.equal((await client.webhookEndpoints.ping(made.id)).type, 'ping')
  await eventuallyAsync(async () => (await client.webhookEndpoints.deliveries(made.id).toArray(1)).length === 1, 'the attempt')
  assert.notEqual((await client.webhookEndpoints.rotateSecret(made.id)).secret, made.secret)
  assert.equal((await client.webhookEndpoints.get(made.id)).status, 'enabled')
  assert.equal((await client.webhookEndpoints.list().toArray(9)).length, 1)
  assert.equal((await client.webhookEndpoints.delete(made.id)).deleted, true)
  assert.match(await client.webhookEndpoints.defaultSecret(), /^whsec_/)
})

test('events: list, get, and another delivery', async () => {
  const own = await server.merchant()
  const other = await openClient(server, own)
  await other.webhookEndpoints.create({ url: receiver.url('/deux'), events: ['charge.cancelled'] })
  await other.charges.cancel((await other.charges.create({ amount: 5 })).token)
  const [event] = await other.events.list({ type: 'charge.cancelled' }).toArray(9)
  assert.equal((await other.events.get(event.id)).type, 'charge.cancelled')
  assert.equal((await other.events.redeliver(event.id)).id, event.id)
})

test('a file of a disbursement without its type is refused before it is sent', async () => {
  const create = client.disbursements.createFromFile.bind(client.disbursements) as (file: unknown) => Promise<unknown>
  const text = `recipient,amount\n${newTag()},5\n`
  for (const file of [text, Buffer.from(text), { content: text }, { type: 'text/plain', content: text }, { type: 'text/csv' }])
    await assert.rejects(create(file), { name: 'TypeError', message: /createFromFile takes \{ type, content \}: type is 'text\/csv'/ })
  const { valid_count } = await client.disbursements.createFromFile({ type: 'text/csv', content: Buffer.from(text) })
  assert.equal(valid_count, 0)
})
