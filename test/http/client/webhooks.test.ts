// Signatures as the client checks them: the worked example of the README, deliveries of the real server, and forgeries.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { signatureHeader } from '../../../http/workers/webhooks/verify-signature.ts'
import { CLIENT_MODULE, openClient, sdk } from '../../support/built-client.ts'
import { Receiver } from '../../support/receiver.ts'
import type { Merchant, TestServer } from '../../support/server-fixture.ts'
import { sharedServer } from '../../support/shared-server.ts'

const SECRET = 'whsec_6vYVlZcJH0p2s8mK4n7q1tWxRbDgEfLaUoTiN3yQ9zA'
const BODY = '{"type":"ping","data":{"endpoint_id":"019aa0f0-2a00-7b11-8c2d-3e4f50617283"}}'
const HEADER = 't=1763632800,v1=961d68af16e9fafd2c21f55acce254553448104c305f89cfe9131d4720036878'
const NOW = { nowS: 1_763_632_900 }

let server: TestServer
let receiver: Receiver
let merchant: Merchant

before(async () => {
  receiver = await Receiver.open()
  server = await sharedServer({ OUTBOUND_ALLOW_PRIVATE: 'true' })
  merchant = await server.fundedMerchant(1000)
})

after(async () => {
  await receiver.close()
})

test('the worked example is valid as text, as bytes and as an ArrayBuffer, and is the event', async () => {
  const bytes = new TextEncoder().encode(BODY)
  for (const body of [BODY, bytes, bytes.buffer, Buffer.from(BODY)]) {
    const event = await sdk.webhooks.verify(body, HEADER, SECRET, NOW)
    assert.deepEqual(event, JSON.parse(BODY))
  }
  assert.equal(await sdk.webhooks.sign(BODY, SECRET, 1_763_632_800), HEADER)
})

test('one of several secrets, and one of several signatures, is enough', async () => {
  const rotated = signatureHeader(['whsec_next', SECRET], 1_763_632_800, BODY)
  assert.equal((await sdk.webhooks.verify(BODY, rotated, SECRET, NOW)).type, 'ping')
  assert.equal((await sdk.webhooks.verify(BODY, HEADER, ['whsec_next', SECRET], NOW)).type, 'ping')
})

type Change = readonly [reason: string, body: string, header: string | readonly string[] | null, secret: string, nowS: number]

const WRONG: Readonly<Record<string, Change>> = {
  'a changed body': ['forged', BODY.replace('ping', 'pong'), HEADER, SECRET, NOW.nowS],
  'another secret': ['forged', BODY, HEADER, `${SECRET}x`, NOW.nowS],
  'a changed time': ['forged', BODY, HEADER.replace('1763632800', '1763632801'), SECRET, NOW.nowS],
  'an old signature': ['expired', BODY, HEADER, SECRET, 1_763_633_101],
  'a signature of the future': ['expired', BODY, HEADER, SECRET, 1_763_632_499],
  'no header': ['malformed', BODY, null, SECRET, NOW.nowS],
  'a header that came twice': ['malformed', BODY, [HEADER, HEADER], SECRET, NOW.nowS],
  'a header without a signature': ['malformed', BODY, 't=1763632800', SECRET, NOW.nowS],
  'a signature of half a length': ['malformed', BODY, HEADER.slice(0, -32), SECRET, NOW.nowS],
  'a signed body that is no event': ['unreadable', '[]', signatureHeader([SECRET], 1_763_632_800, '[]'), SECRET, NOW.nowS],
}

for (const [what, [reason, body, header, secret, nowS]] of Object.entries(WRONG)) {
  test(`${what} is refused as ${reason}`, async () => {
    await assert.rejects(sdk.webhooks.verify(body, header, secret, { nowS }), { name: 'WebhookSignatureError', reason })
  })
}

const QUESTION =
  '{"product":"facture","fields":{"compteur":"01234567890"},"request_id":"019aa0f0-2a00-7b11-8c2d-3e4f50617283","ts":1763632800}'
const LOOKUP_SECRET = 'un-secret-pour-les-consultations'

test('a lookup that is signed with its lookup_secret is its question', async () => {
  const header = signatureHeader([LOOKUP_SECRET], 1_763_632_800, QUESTION)
  const { product, fields } = await sdk.billers.verifyLookup(Buffer.from(QUESTION), header, ['another', LOOKUP_SECRET], NOW)
  assert.deepEqual([product, fields], ['facture', { compteur: '01234567890' }])
})

const WRONG_LOOKUPS: Readonly<Record<string, readonly [reason: string, body: string, secret: string, nowS: number]>> = {
  'a lookup with the secret of the webhooks': ['forged', QUESTION, SECRET, NOW.nowS],
  'a lookup that was signed long ago': ['expired', QUESTION, LOOKUP_SECRET, 1_763_633_101],
  'an event in the place of a lookup': ['unreadable', BODY, LOOKUP_SECRET, NOW.nowS],
  'a lookup whose fields are a list': ['unreadable', QUESTION.replace(/\{"compteur.*?\}/, '[]'), LOOKUP_SECRET, NOW.nowS],
  'signed bytes that are no JSON': ['unreadable', QUESTION.slice(1), LOOKUP_SECRET, NOW.nowS],
}

for (const [what, [reason, body, secret, nowS]] of Object.entries(WRONG_LOOKUPS)) {
  test(`${what} is refused as ${reason}`, async () => {
    const header = signatureHeader([secret], 1_763_632_800, body)
    await assert.rejects(sdk.billers.verifyLookup(body, header, LOOKUP_SECRET, { nowS }), { name: 'WebhookSignatureError', reason })
  })
}

test('a lookup without a signature is refused as malformed, and a lookup is no event', async () => {
  await assert.rejects(sdk.billers.verifyLookup(QUESTION, null, LOOKUP_SECRET, NOW), { reason: 'malformed' })
  const header = signatureHeader([LOOKUP_SECRET], 1_763_632_800, QUESTION)
  await assert.rejects(sdk.webhooks.verify(QUESTION, header, LOOKUP_SECRET, NOW), { reason: 'unreadable' })
})

test('a wider tolerance accepts an older signature', async () => {
  assert.equal((await sdk.webhooks.verify(BODY, HEADER, SECRET, { nowS: 1_763_633_400, toleranceS: 600 })).type, 'ping')
})

test('a delivery of the server is valid with the secret of its endpoint', async () => {
  const client = await openClient(server, merchant)
  const { secret } = await client.webhookEndpoints.create({ url: receiver.url('/hook'), events: ['payout.paid'] })
  const payout = await client.payouts.create({ recipient: await server.wallet(merchant), amount: 10, reference: 'PRIME' })
  const [received] = await receiver.until(1)
  assert.ok(received !== undefined)
  const event = await sdk.webhooks.verify(received.bytes, received.headers['x-service-signature'], secret)
  assert.deepEqual([event.type, event.data.id, event.data.reference], ['payout.paid', payout.id, 'PRIME'])
})

test('without a global crypto, as in Node.js 18, keys and signatures come from the module of Node.js', () => {
  const program = `
    import { webhooks } from ${JSON.stringify(CLIENT_MODULE)}
    if (globalThis.crypto !== undefined) throw new Error('there is a global crypto')
    console.log(await webhooks.sign(${JSON.stringify(BODY)}, ${JSON.stringify(SECRET)}, 1763632800))`
  const file = join(dirname(CLIENT_MODULE), 'without-crypto.js')
  writeFileSync(file, program)
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--no-experimental-global-webcrypto', file], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  assert.equal(stdout.trim(), HEADER)
})
