// Events of a mandate, over real HTTP in both environments: the customer's phone and stream, the merchant's webhooks.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Mandate } from '../../../../engine/contract/mandate.ts'
import { verifySignature } from '../../../../http/workers/webhooks/verify-signature.ts'
import type { Client } from '../../../support/client.ts'
import { fromNow, PATH } from '../../../support/mandate-callers.ts'
import { Receiver } from '../../../support/receiver.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import { Handsets, newLivePhone, newTestPhone, ok, type Person, PIN, signUp } from '../../../support/wallet-callers.ts'

let handsets: Handsets
let receiver: Receiver
let server: TestServer

before(async () => {
  handsets = await Handsets.open()
  receiver = await Receiver.open()
  server = await ownServer({ PUSH_URL: handsets.url, SMS_URL: handsets.url, OUTBOUND_ALLOW_PRIVATE: 'true' })
})

after(async () => {
  await server.close()
  await receiver.close()
  handsets.close()
})

/** The `data` of the first frame of that name since the beginning. */
async function frameOf({ accessToken }: Person, name: string): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${accessToken}`, 'last-event-id': '0' }
  const response = await fetch(`${server.process.baseUrl}/v1/me/events`, { headers })
  assert.equal(response.status, 200)
  const reader = (response.body ?? assert.fail('a stream has a body')).getReader()
  const decoder = new TextDecoder()
  for (let text = ''; ; ) {
    const { done, value } = await reader.read()
    assert.ok(!done, `the stream ended without ${name}: ${text}`)
    text += decoder.decode(value, { stream: true })
    const found = new RegExp(`event: ${name}\\ndata: (.*)\\n\\n`).exec(text)?.[1]
    if (found === undefined) continue
    await reader.cancel()
    return JSON.parse(found) as Record<string, unknown>
  }
}

async function ask(client: Client, tag: string, more: object): Promise<Mandate> {
  return (await ok(client.post<Mandate>(PATH, { customer_tag: tag, interval: 'on_demand', max_amount: 500, ...more }))).body
}

for (const environment of ['test', 'live'] as const) {
  test(`${environment}: a request reaches phone and stream, and what follows reaches the endpoints that ask`, async () => {
    const business = await server.merchant('Salle Baobab')
    const client = business[environment]
    const phone = environment === 'live' ? newLivePhone() : newTestPhone()
    const person = await signUp(server.anybody, environment === 'live' ? { phone, codeOf: handsets.codeOf } : { phone })
    const funds = { tag: person.tag, environment, amount: 1000, reference: '' }
    assert.equal((await server.operator.post('/v1/operator/deposits', funds, newKey())).status, 201)
    await handsets.next(phone) // The deposit's own.

    const asked = await ask(client, person.tag, {})
    const push = await handsets.next(phone)
    assert.deepEqual(
      [push.channel, push.title, push.data],
      ['push', 'Demande de prélèvement', { type: 'mandate.requested', mandate_id: asked.id }],
    )
    assert.equal(
      push.text.replaceAll('\u00a0', ' '),
      'Salle Baobab vous demande l’autorisation de prélever jusqu’à 500 F CFA par mois. Ouvrez l’application pour accepter ou refuser.',
    )
    const frame = await frameOf(person, 'mandate.requested')
    assert.deepEqual(frame.data, (await person.client.get(`/v1/me/mandates/${asked.id}`)).body)

    assert.equal(environment === 'live', await isHttpsOnly(client))
    if (environment === 'live') return
    const endpoint = {
      url: receiver.url('/hooks'),
      events: ['mandate.approved', 'mandate.rejected', 'mandate.paused', 'mandate.cancelled', 'mandate.charged'],
    }
    const { secret } = (await ok(client.post<{ secret: string }>('/v1/biz/webhook-endpoints', { ...endpoint, description: '' }))).body
    const refused = await ask(client, person.tag, {})
    const short = await ask(client, person.tag, { interval: 'weekly', amount: 5000, max_amount: undefined, start_at: fromNow(3_600_000) })
    const approve = (id: string) => ok(person.client.post(`/v1/me/mandates/${id}/approve`, { pin: PIN }))
    await approve(asked.id)
    await receiver.until(1)
    await ok(client.post(`${PATH}/${asked.id}/charges`, { amount: 400, reference: 'A' }, newKey()))
    await receiver.until(2)
    await ok(person.client.post(`/v1/me/mandates/${refused.id}/reject`, undefined))
    await receiver.until(3)
    await ok(person.client.post(`/v1/me/mandates/${asked.id}/cancel`, undefined))
    await receiver.until(4)
    await approve(short.id)
    await receiver.until(5)
    for (let attempt = 0; attempt < 4; attempt++) await ok(client.post(`/v1/biz/test/mandates/${short.id}/collect`, {}))
    const told = await receiver.until(6)
    const bodies = told.map(({ body }) => JSON.parse(body) as { type: string; data: Mandate & { payment?: Record<string, unknown> } })
    assert.deepEqual(
      bodies.map(({ type, data }) => [type, data.id, data.state, data.payment?.state]),
      [
        ['mandate.approved', asked.id, 'active', undefined],
        ['mandate.charged', asked.id, 'active', 'paid'],
        ['mandate.rejected', refused.id, 'rejected', undefined],
        ['mandate.cancelled', asked.id, 'cancelled', undefined],
        ['mandate.approved', short.id, 'active', undefined],
        ['mandate.paused', short.id, 'paused', 'failed'],
      ],
    )
    const [first] = told
    const signature = String(first?.headers['x-service-signature'])
    assert.equal(verifySignature({ signature, body: first?.bytes ?? '', secret }), 'valid')
    const { payment: _payment, ...charged } = bodies[1]?.data ?? assert.fail('it was told')
    assert.deepEqual(Object.keys(charged).sort(), Object.keys(asked).sort())
  })
}

/** Live endpoints are HTTPS: no receiver of a test can be one. */
async function isHttpsOnly(client: Client): Promise<boolean> {
  const endpoint = { url: 'http://127.0.0.1:9/hooks', events: ['mandate.approved'], description: '' }
  return (await client.post('/v1/biz/webhook-endpoints', endpoint)).body.code === 'webhook_url_must_be_https'
}

test('live money moves by a mandate like test money, in its own ledger', async () => {
  const business = await server.merchant('Salle Baobab')
  const phone = newLivePhone()
  const person = await signUp(server.anybody, { phone, codeOf: handsets.codeOf })
  await ok(server.operator.post('/v1/operator/deposits', { tag: person.tag, environment: 'live', amount: 1000, reference: '' }, newKey()))
  const { id } = await ask(business.live, person.tag, {})
  await ok(person.client.post(`/v1/me/mandates/${id}/approve`, { pin: PIN }))
  const paid = await ok(business.live.post(`${PATH}/${id}/charges`, { amount: 400 }, newKey()))
  assert.equal(paid.body.environment, 'live')
  const held = async (client: Client, path: string): Promise<unknown> => (await client.get(path)).body.available
  assert.deepEqual(
    [
      await held(person.client, '/v1/me/balance'),
      await held(business.live, '/v1/biz/balance'),
      await held(business.test, '/v1/biz/balance'),
    ],
    [600, 400, 0],
  )
})
