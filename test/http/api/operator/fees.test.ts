// Fees through the API: rules, plans, what payers and merchants are shown, statements, and the report that equals the fee account.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { FeeReport } from '../../../../engine/contract/fees.ts'
import type { TrialBalance } from '../../../../engine/contract/operator.ts'
import type { Transaction, TransactionDetail } from '../../../../engine/contract/transaction.ts'
import { openCharge, openPayer, PIN } from '../../../support/charge-callers.ts'
import type { Client } from '../../../support/client.ts'
import { newKey, type TestServer } from '../../../support/server-fixture.ts'
import { ownServer } from '../../../support/shared-server.ts'
import { ok } from '../../../support/wallet-callers.ts'

const FEES = '/v1/operator/rules/fees?environment=test'

let server: TestServer

before(async () => {
  server = await ownServer()
})

after(async () => {
  await server.close()
})

const setFees = (body: object) => server.operator.request('PUT', FEES, { json: body })

const PLANS = {
  plans: [
    {
      name: 'standard',
      rules: [
        { on: 'payout', percent_bp: 150, fixed: 0, min: 50, borne_by: 'merchant' },
        { on: 'charge', percent_bp: 200, fixed: 5, borne_by: 'payer' },
        { on: 'transfer', percent_bp: 0, fixed: 10, borne_by: 'payer' },
        { on: 'withdrawal', percent_bp: 0, fixed: 30, borne_by: 'merchant' },
      ],
      refund_fees: true,
    },
    { name: 'gratuit', rules: [], refund_fees: false },
  ],
  default_plan: 'standard',
}

it('nothing costs a fee at first, and rules that contradict themselves are refused with the field', async () => {
  assert.deepEqual((await ok(server.operator.get(FEES))).body, { plans: [], default_plan: null })
  const put = async (body: object): Promise<unknown[]> => {
    const answer = await server.operator.request<{ code?: string; param?: string }>('PUT', FEES, { json: body })
    return [answer.status, answer.body.code, answer.body.param]
  }
  const rule = { on: 'payout', percent_bp: 0, fixed: 0, borne_by: 'merchant' }
  const plan = (...rules: object[]) => ({ plans: [{ name: 'a', rules }] })
  assert.deepEqual(await put({ default_plan: 'a' }), [400, 'invalid_request', 'default_plan'])
  assert.deepEqual(
    await put({
      plans: [
        { name: 'a', rules: [] },
        { name: 'a', rules: [] },
      ],
    }),
    [400, 'invalid_request', 'plans.1.name'],
  )
  assert.deepEqual(await put(plan(rule, rule)), [400, 'invalid_request', 'plans.0.rules.1.on'])
  assert.deepEqual(await put(plan({ ...rule, min: 2, max: 1 })), [400, 'invalid_request', 'plans.0.rules.0.max'])
  assert.deepEqual(await put(plan({ ...rule, rate: 1 })), [400, 'unknown_field', 'plans.0.rules.0.rate'])
  assert.deepEqual(await put(plan({ ...rule, percent_bp: 10_001 })), [400, 'invalid_request', 'plans.0.rules.0.percent_bp'])
  assert.deepEqual(await put({ currency: 'GHS' }), [400, 'unsupported_currency', 'currency'])
  const unkept = await server.operator.get<{ code: string; param: string }>(`${FEES}&currency=GHS`)
  assert.deepEqual([unkept.status, unkept.body.code, unkept.body.param], [400, 'invalid_parameter', 'currency'])
})

it('records, checkout, answers and statements carry the fee, and the report equals the fee account to the franc', async () => {
  const merchant = await server.fundedMerchant(20_000)
  const { tag, app } = await openPayer(server, merchant, 5000)
  assert.deepEqual((await ok(setFees(PLANS))).body, PLANS)
  assert.deepEqual((await ok(merchant.test.get('/v1/biz/fees?on=payout&amount=1000'))).body, { fee: 50, borne_by: 'merchant' })
  assert.deepEqual((await ok(merchant.test.get('/v1/biz/fees?on=bill&amount=1000'))).body, { fee: 0, borne_by: 'merchant' })
  assert.deepEqual((await ok(app.get('/v1/me/fees?on=transfer&amount=1000'))).body, { fee: 10, borne_by: 'payer' })

  const payout = (await ok(merchant.test.post('/v1/biz/payouts', { recipient: tag, amount: 9001, reference: 'PAIE' }, newKey()))).body
  assert.deepEqual([payout.state, payout.fee], ['paid', 135])
  const rows = (await ok(merchant.test.get<Rows>('/v1/biz/transactions?limit=2'))).body.data
  assert.deepEqual(
    rows.map(({ type, amount, balance_after, fee_of, reference }) => [type, amount, balance_after, fee_of, reference]),
    [
      ['fee', -135, 20_000 - 9136, payout.transaction_id, 'PAIE'],
      ['payout', -9001, 20_000 - 9001, undefined, 'PAIE'],
    ],
  )
  const fees = (await ok(merchant.test.get<Rows>('/v1/biz/transactions?type=fee'))).body.data
  const detail = (await ok(merchant.test.get<TransactionDetail>(`/v1/biz/transactions/${fees[0]?.id}`))).body
  assert.deepEqual(
    detail.postings.map(({ account_type, direction, amount }) => [account_type, direction, amount]),
    [
      ['merchant', 'debit', 135],
      ['fee', 'credit', 135],
    ],
  )

  const { token } = await openCharge(merchant, { amount: 1000 })
  const checkout = (await ok(server.anybody.get(`/v1/biz/checkout/${token}`))).body
  assert.equal(checkout.fee, 25)
  const page = await (await fetch(`${server.process.baseUrl}/pay/${token}`)).text()
  assert.match(page.replaceAll(/\s/g, ''), /Frais:25FCFA.*Total:1025FCFA/)
  const paid = (await ok(app.post(`/v1/me/charges/${token}/pay`, { pin: PIN }, newKey()))).body
  assert.deepEqual([paid.fee, paid.balance_after], [25, 5000 + 9001 - 1025])
  assert.equal((await ok(app.get('/v1/me/balance'))).body.available, paid.balance_after)
  assert.equal((await ok(server.anybody.get(`/v1/biz/checkout/${token}`))).body.fee, 25)
  assert.equal((await ok(merchant.test.get(`/v1/biz/charges/${token}`))).body.fee, 25)
  const report = async (): Promise<FeeReport> =>
    (await ok(server.operator.get<FeeReport>('/v1/operator/reports/fees?environment=test'))).body
  const row = { plan: 'standard', merchant_id: merchant.id, count: 1 }
  assert.deepEqual((await report()).rows, [
    { ...row, on: 'charge', amount: 25 },
    { ...row, on: 'payout', amount: 135 },
  ])
  const byDay = (await ok(server.operator.get<FeeReport>('/v1/operator/reports/fees?environment=test&by=day'))).body
  assert.deepEqual(
    byDay.rows.map(({ day, amount }) => [day, amount]),
    [25, 135].map((amount) => [byDay.from.slice(0, 10), amount]),
  )
  await ok(merchant.test.post(`/v1/biz/charges/${token}/refund`, {}, newKey()))
  const back = (await ok(app.get<Rows>('/v1/me/transactions?type=fee_refund'))).body.data
  assert.deepEqual(
    back.map(({ amount, counterparty }) => [amount, counterparty]),
    [[25, null]],
  )
  await assertRunningBalances(app, '/v1/me/transactions')
  const trial = (await ok(server.operator.get<TrialBalance>('/v1/operator/ledger/trial-balance?environment=test'))).body
  const { amount } = await report()
  assert.deepEqual([trial.balanced, amount, trial.accounts.find(({ type }) => type === 'fee')?.credit], [true, 135, 135])
})

it('a merchant has a plan of its own, and a withdrawal holds its fee', async () => {
  await ok(setFees(PLANS))
  const merchant = await server.fundedMerchant(1000)
  const tag = await server.wallet(merchant)
  const destination = { kind: 'bank', name: 'Boutique Awa', account: 'SN08SN0100152000048500003035' }
  const withdrawal = (await ok(merchant.test.post('/v1/biz/withdrawals', { amount: 100, destination }, newKey()))).body
  const { available, pending } = (await ok(merchant.test.get('/v1/biz/balance'))).body
  assert.deepEqual([withdrawal.fee, available, pending], [30, 870, 130])
  const given = await ok(server.operator.post(`/v1/operator/merchants/${merchant.id}/fee-plan`, { plan: 'gratuit', environment: 'test' }))
  assert.deepEqual(given.body, { merchant_id: merchant.id, environment: 'test', currency: 'XOF', plan: 'gratuit' })
  const payout = await ok(merchant.test.post('/v1/biz/payouts', { recipient: tag, amount: 500 }, newKey()))
  assert.deepEqual([payout.body.state, payout.body.fee], ['paid', 0])
  const none = await server.operator.post(`/v1/operator/merchants/${merchant.id}/fee-plan`, { plan: 'or', environment: 'test' })
  assert.deepEqual([none.status, none.body.param], [400, 'plan'])
  await ok(merchant.test.post(`/v1/biz/test/withdrawals/${String(withdrawal.id)}/pay`, {}))
  assert.deepEqual((await ok(merchant.test.get('/v1/biz/balance'))).body, {
    available: 370,
    pending: 0,
    currency: 'XOF',
    environment: 'test',
  })
})

it('a fee that goes back to the merchant stands before its refund, in the statement and beside the webhook', async () => {
  const rules = [{ on: 'charge', percent_bp: 0, fixed: 400, borne_by: 'merchant' }]
  await ok(setFees({ plans: [{ name: 'marchand', rules, refund_fees: true }], default_plan: 'marchand' }))
  const merchant = await server.merchant()
  const tag = await server.wallet(merchant)
  await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: 1000 }))
  const { token } = await openCharge(merchant, { amount: 1000 })
  await ok(merchant.test.post(`/v1/biz/test/charges/${token}/pay`, { payer_tag: tag }))
  const refunded = await ok(merchant.test.post(`/v1/biz/charges/${token}/refund`, {}, newKey()))
  assert.deepEqual([refunded.body.state, refunded.body.fee], ['refunded', 400])
  assert.deepEqual(
    (await assertRunningBalances(merchant.test, '/v1/biz/transactions')).map(({ type, balance_after }) => [type, balance_after]),
    [
      ['refund', 0],
      ['fee_refund', 1000],
      ['fee', 600],
      ['charge', 1000],
    ],
  )
  const events = (await ok(merchant.test.get<{ data: { data: object }[] }>('/v1/biz/events?type=charge.refunded'))).body.data
  assert.deepEqual(
    events.map(({ data }) => (data as { token: string }).token),
    [token],
  )
})

/** Each row of a statement begins where the next older one ended. */
async function assertRunningBalances(client: Client, path: string): Promise<readonly Transaction[]> {
  const rows = (await ok(client.get<Rows>(path))).body.data
  for (const [at, { amount, balance_after }] of rows.entries()) assert.equal(balance_after - amount, rows[at + 1]?.balance_after ?? 0)
  return rows
}

interface Rows {
  readonly data: readonly Transaction[]
}
