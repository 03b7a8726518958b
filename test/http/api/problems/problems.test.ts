// Problems with payments over HTTP: a customer writes, the merchant answers or refunds, and no stranger reads or fills anything.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import type { Problem } from '../../../../engine/contract/problem.ts'
import { type PayerOfCharge, payerOfCharge } from '../../../support/charge-callers.ts'
import { type Merchant, newKey, type TestServer } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

let server: TestServer
let merchant: Merchant

before(async () => {
  server = await sharedServer()
  merchant = await server.merchant()
})

const pathOf = ({ transactionId }: PayerOfCharge): string => `/v1/me/transactions/${transactionId}/problem`
const BODY = { reason: 'not_received', text: 'Je n’ai rien reçu.' }

interface Fault {
  readonly code: string
  readonly param?: string
}

interface List {
  readonly data: readonly Problem[]
}

test('a customer writes about a payment, the merchant answers, and the customer may write again', async () => {
  const payer = await payerOfCharge(server, merchant, { reference: 'CMD-9' })
  assert.equal((await payer.app.get(pathOf(payer))).status, 404)
  const balance = (await ok(payer.app.get<{ balance: number }>('/v1/me/balance'))).body.balance
  const opened = await payer.app.post<Problem>(pathOf(payer), BODY)
  assert.equal(opened.status, 201, opened.text)
  const { id, state, payment, charge_token, reference, amount, customer_tag, reason, text, answer } = opened.body
  assert.deepEqual(
    [state, payment, charge_token, reference, amount, customer_tag, reason, text, answer],
    ['open', 'charge', payer.charge.token, 'CMD-9', 1000, payer.tag, 'not_received', BODY.text, null],
  )
  assert.equal((await ok(payer.app.get<{ balance: number }>('/v1/me/balance'))).body.balance, balance, 'no money moves')
  const again = await payer.app.post<Fault>(pathOf(payer), BODY)
  assert.deepEqual([again.status, again.body.code], [409, 'problem_open'])
  const found = (await ok(merchant.test.get<List>('/v1/biz/problems?state=open&q=CMD-9'))).body.data
  assert.deepEqual(found, [opened.body])
  const { data: events } = (await ok(merchant.test.get<{ data: { data: Problem }[] }>('/v1/biz/events?type=problem.opened'))).body
  assert.deepEqual(events[0]?.data, opened.body)

  const blank = await merchant.test.post<Fault>(`/v1/biz/problems/${id}/answer`, { text: ' ' })
  assert.deepEqual([blank.status, blank.body.param], [400, 'text'])
  const answered = await merchant.test.post<Problem>(`/v1/biz/problems/${id}/answer`, { text: 'Demain.' })
  assert.deepEqual([answered.status, answered.body.state, answered.body.answer], [200, 'answered', 'Demain.'], answered.text)
  assert.deepEqual((await ok(payer.app.get<Problem>(pathOf(payer)))).body, answered.body)
  const twice = await merchant.test.post<Fault>(`/v1/biz/problems/${id}/answer`, { text: 'Demain.' })
  assert.deepEqual([twice.status, twice.body.code], [409, 'problem_closed'])
  const second = await payer.app.post<Problem>(pathOf(payer), { reason: 'other' })
  assert.equal(second.status, 201, second.text)
  assert.deepEqual((await ok(payer.app.get<Problem>(pathOf(payer)))).body, second.body)
  const states = (await ok(merchant.test.get<List>('/v1/biz/problems?q=CMD-9'))).body.data.map((one) => one.state)
  assert.deepEqual(states, ['open', 'answered'])
})

test('a refund of the payment ends its problem, and a refunded payment takes none', async () => {
  const payer = await payerOfCharge(server, merchant)
  const { body: opened } = await ok(payer.app.post<Problem>(pathOf(payer), BODY))
  await ok(merchant.test.post(`/v1/biz/charges/${payer.charge.token}/refund`, {}, newKey()))
  const { body } = await ok(merchant.test.get<Problem>(`/v1/biz/problems/${opened.id}`))
  assert.deepEqual([body.state, body.answer], ['refunded', null])
  const late = await merchant.test.post<Fault>(`/v1/biz/problems/${opened.id}/answer`, { text: 'Remboursé.' })
  assert.deepEqual([late.status, late.body.code], [409, 'problem_closed'])
  const again = await payer.app.post<Fault>(pathOf(payer), BODY)
  assert.deepEqual([again.status, again.body.code], [409, 'charge_already_refunded'])
})

test('only the wallet that paid writes, only the merchant that was paid reads, and money that came in is no payment', async () => {
  const payer = await payerOfCharge(server, merchant)
  const other = await payerOfCharge(server, merchant)
  const stranger = await server.merchant()
  assert.equal((await other.app.post(pathOf(payer), BODY)).status, 404)
  const { body } = await ok(payer.app.post<Problem>(pathOf(payer), BODY))
  assert.equal((await other.app.get(pathOf(payer))).status, 404)
  assert.equal((await stranger.test.get(`/v1/biz/problems/${body.id}`)).status, 404)
  assert.equal((await stranger.test.post(`/v1/biz/problems/${body.id}/answer`, { text: 'Non.' })).status, 404)
  assert.deepEqual((await ok(stranger.test.get<List>('/v1/biz/problems'))).body.data, [])
  const { data } = (await ok(payer.app.get<{ data: { id: string; type: string }[] }>('/v1/me/transactions'))).body
  const deposit = data.find(({ type }) => type === 'deposit')
  assert.equal((await payer.app.post(`/v1/me/transactions/${deposit?.id}/problem`, BODY)).status, 404)
  const wrong = await payer.app.post<Fault>(pathOf(payer), { reason: 'broken' })
  assert.deepEqual([wrong.status, wrong.body.param], [400, 'reason'])
})
