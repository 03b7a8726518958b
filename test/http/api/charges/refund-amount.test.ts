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
