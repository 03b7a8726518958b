// The samples against the real server: what a customer, an accountant and a biller see.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { keysOf, openClient, sdk } from '../../support/built-client.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { LOCALHOST_CERTIFICATE } from '../../support/receiver.ts'
import { SampleProject } from '../../support/sample-project.ts'
import { type Merchant, TestServer } from '../../support/server-fixture.ts'

let server: TestServer
let project: SampleProject

before(async () => {
  project = new SampleProject()
  server = await TestServer.open({ settings: { OUTBOUND_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: LOCALHOST_CERTIFICATE } })
})

after(async () => {
  await project.close()
  await server?.close()
})

async function startOf(merchant: Merchant): Promise<{ baseUrl: string; keys: { publicKey: string; secretKey: string } }> {
  return { baseUrl: server.process.baseUrl, keys: await keysOf(server, merchant) }
}

async function textOf(address: string): Promise<string> {
  return await (await fetch(address)).text()
}

/** Buys the first product, pays as the wallet, waits for the webhook, and refunds. */
async function buy(shop: string, merchant: Merchant): Promise<string> {
  const bought = await fetch(`${shop}/orders`, { method: 'POST', body: new URLSearchParams({ product: 'pagne' }), redirect: 'manual' })
  assert.equal(bought.status, 303)
  const checkout = bought.headers.get('location') ?? ''
  assert.ok(checkout.startsWith(`${server.process.baseUrl}/`), checkout)
  const [, order = ''] = /href="(\/orders\/[^"]+)"/.exec(await textOf(`${shop}/`)) ?? []
  assert.match(await textOf(shop + order), /En attente du paiement/)
  const client = await openClient(server, merchant)
  const tag = await server.wallet(merchant)
  await client.test.deposit({ recipient: tag, amount: 20_000 })
  await client.test.payCharge(checkout.split('/').at(-1), { payer_tag: tag })
  await eventuallyAsync(async () => (await textOf(shop + order)).includes('Payée'), 'the webhook reached the shop')
  const refunded = await fetch(`${shop}${order}/refund`, { method: 'POST' })
  assert.match(await refunded.text(), /Remboursée/)
  return order
}

test('the shop takes a payment from the stream of events and refunds it, and refuses a forged webhook', async () => {
  const merchant = await server.merchant()
  const shop = project.start('shop', await startOf(merchant))
  const [, address = ''] = await shop.printed(/Shop: (http:\S+)\//)
  const order = await buy(address, merchant)
  const body = JSON.stringify({ type: 'charge.succeeded', data: { reference: order.split('/').at(-1), amount: 12_500 } })
  const headers = { 'x-service-signature': await sdk.webhooks.sign(body, 'whsec_forged') }
  assert.equal((await fetch(`${address}/webhooks`, { method: 'POST', headers, body })).status, 401)
  assert.match(await textOf(address + order), /Remboursée/)
})

test('the shop with a public address takes the webhook of the server', async () => {
  const merchant = await server.merchant()
  let port = 0
  const paths: string[] = []
  const proxy = await openProxy((path) => {
    paths.push(path)
    return port
  })
  const settings = { PUBLIC_URL: `http://localhost:${(proxy.address() as AddressInfo).port}` }
  const shop = project.start('shop', { ...(await startOf(merchant)), settings })
  const [, address = ''] = await shop.printed(/Shop: (http:\S+)\//)
  port = Number(new URL(address).port)
  await buy(address, merchant)
  assert.deepEqual(paths, ['/webhooks'])
  proxy.close()
})

/** The public address of a shop: it passes each request on to the port that `portFor` returns. */
async function openProxy(portFor: (path: string) => number): Promise<Server> {
  const proxy = createServer((incoming: IncomingMessage, answer: ServerResponse) => {
    const { url = '/', method, headers } = incoming
    const passed = request({ host: 'localhost', port: portFor(url), path: url, method, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502)
      response.pipe(answer)
    })
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => proxy.listen(0, 'localhost', resolve))
  return proxy
}

test('the payroll plans a CSV once, and its schedule pays the salaries', async () => {
  const merchant = await server.fundedMerchant(1_000_000)
  const options = await startOf(merchant)
  const client = await openClient(server, merchant)
  // The demo of the server has the wallets of the sample's own file.
  const first = project.start('payroll', options)
  const [, id = ''] = await first.printed(/([0-9a-f-]{36}): 2 lines, 270000 XOF, monthly, next \d{4}-\d\d-01T08:00:00.000Z/)
  assert.equal(await first.exited, 0)
  const second = project.start('payroll', options)
  assert.equal((await second.printed(/([0-9a-f-]{36}): 2 lines/))[1], id)
  const schedules = await client.schedules.list().toArray(10)
  assert.equal(schedules.length, 1)
  await client.test.runSchedule(id)
  assert.equal((await client.balance()).available, 1_000_000 - 270_000)
})

test('the payroll names lines that cannot be paid and plans nothing', async () => {
  const merchant = await server.merchant()
  const options = await startOf(merchant)
  const file = join(project.folder, 'paie.csv')
  writeFileSync(file, 'recipient,amount\n@awa_demo,1000\n@personne_ici,2000\n')
  const payroll = project.start('payroll', { ...options, words: [file] })
  assert.equal(await payroll.exited, 1)
  assert.match(payroll.output, /line 3: personne_ici: recipient_not_found/)
  assert.doesNotMatch(payroll.output, /lines,/)
  writeFileSync(file, 'recipient,amount\n@awa_demo,12.5\n')
  const wrong = project.start('payroll', { ...options, words: [file] })
  assert.equal(await wrong.exited, 1)
  assert.match(wrong.output, /line 2: the amount "12.5" is no whole number of francs/)
  writeFileSync(file, 'recipient,amount,reference\n@awa_demo,150,000\n')
  const cut = project.start('payroll', { ...options, words: [file] })
  assert.equal(await cut.exited, 1)
  assert.match(cut.output, /line 2: the amount "150,000" can be read as 150 000 or 150:/)
  writeFileSync(file, 'recipient,amount,amount\n@awa_demo,150000,5\n')
  const twice = project.start('payroll', { ...options, words: [file] })
  assert.equal(await twice.exited, 1)
  assert.match(twice.output, /several columns are "amount"/)
  const client = await openClient(server, merchant)
  assert.deepEqual(await client.schedules.list().toArray(10), [])
})

test('the biller answers the same lookup as hosted code and by a signed webhook', async () => {
  const merchant = await server.merchant()
  const settings = { TLS_KEY: LOCALHOST_CERTIFICATE.replace('.pem', '-key.pem'), TLS_CERT: LOCALHOST_CERTIFICATE }
  const biller = project.start('biller', { ...(await startOf(merchant)), settings })
  const [, address = ''] = await biller.printed(/Lookups: (https:\S+)/)
  for (const slug of ['facture-code', 'facture-webhook']) {
    assert.match(biller.output, new RegExp(`${slug} 01234567890: 12500 XOF, Facture de novembre, Awa Diallo`))
    assert.match(biller.output, new RegExp(`${slug} 00000000000: Compteur inconnu.`))
  }
  assert.match(address, /^https:\/\/localhost:\d+\/lookup$/)
})
