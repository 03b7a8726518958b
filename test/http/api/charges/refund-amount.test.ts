// The amount of a refund over HTTP: the whole one or none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Charge } from '../../../../engine/contract/charge.ts'
import { openCharge } from '../../../support/charge-callers.ts'
import { newKey } from '../../../support/server-fixture.ts'
import { sharedServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

test('a refund of a part is refused and refunds nothing; the whole amount may be named', async () => {
  const server = await sharedServer()
  const merchant = await server.merchant()
  const tag = await server.wallet(merchant)
  await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: 5000 }))
  const { token, amount } = await openCharge(merchant)
  await ok(merchant.test.post(`/v1/biz/test/charges/${token}/pay`, { payer_tag: tag }))
  const path = `/v1/biz/charges/${token}/refund`
  const key = newKey()
  for (const part of [amount - 1, amount + 1]) {
    const { status, body } = await merchant.test.post<{ code: string; param: string }>(path, { amount: part }, key)
    assert.deepEqual([status, body.code, body.param], [400, 'partial_refund_unsupported', 'amount'])
  }
  assert.equal((await merchant.test.get<Charge>(`/v1/biz/charges/${token}`)).body.state, 'paid')
  const refunded = await merchant.test.post<Charge>(path, { amount, currency: 'XOF' }, key)
  assert.deepEqual([refunded.status, refunded.body.state], [200, 'refunded'], refunded.text)
})

test('the reason of a refund stays with the charge and its event, and a reason that is none is refused', async () => {
  const server = await sharedServer()
  const merchant = await server.merchant()
  const tag = await server.wallet(merchant)
  await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: 5000 }))
  const { token } = await openCharge(merchant)
  await ok(merchant.test.post(`/v1/biz/test/charges/${token}/pay`, { payer_tag: tag }))
  const path = `/v1/biz/charges/${token}/refund`
  const wrong = await merchant.test.post<{ code: string; param: string }>(path, { reason: 'Rendu' }, newKey())
  assert.deepEqual([wrong.status, wrong.body.code, wrong.body.param], [400, 'invalid_request', 'reason'])
  const refunded = await merchant.test.post<Charge>(path, { reason: 'not_received', text: 'Colis perdu.' }, newKey())
  assert.deepEqual([refunded.status, refunded.body.refund_reason, refunded.body.refund_text], [200, 'not_received', 'Colis perdu.'])
  assert.deepEqual((await merchant.test.get<Charge>(`/v1/biz/charges/${token}`)).body, refunded.body)
  const events = await ok(merchant.test.get<{ data: { data: Charge }[] }>('/v1/biz/events?type=charge.refunded'))
  const [told] = events.body.data
  assert.deepEqual([told?.data.refund_reason, told?.data.refund_text], ['not_received', 'Colis perdu.'])
  const rows = await ok(
    server.operator.get<{ data: { summary: string }[] }>(`/v1/operator/merchants/${merchant.id}/timeline?environment=test&type=movement`),
  )
  assert.match(rows.body.data[0]?.summary ?? '', /^Remboursement versé · @\w+ : Non reçu\. Colis perdu\.$/)
})
