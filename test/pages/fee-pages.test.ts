// Fees on the dashboard: named in the check before money moves, summed for many lines, and on the record and the receipt afterwards.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import type { Charge } from '../../engine/contract/charge.ts'
import type { Disbursement } from '../../engine/contract/disbursement.ts'
import type { Transaction } from '../../engine/contract/transaction.ts'
import { csvRows } from '../support/csv-rows.ts'
import { hiddenOf, openShop, plainText, type Shop } from '../support/dashboard-shop.ts'
import { eventuallyAsync } from '../support/eventually.ts'
import type { TestServer } from '../support/server-fixture.ts'
import { sharedServer } from '../support/shared-server.ts'
import { ok } from '../support/wallet-callers.ts'

let server: TestServer
let shop: Shop

const key = () => ({ 'idempotency-key': randomUUID() })

before(async () => {
  server = await sharedServer()
  const rule = (on: string, percent_bp: number, fixed: number, borne_by = 'merchant') => ({ on, percent_bp, fixed, borne_by })
  const rules = [rule('payout', 100, 0), rule('withdrawal', 0, 150), rule('charge', 200, 0, 'payer')]
  const plans = [
    { name: 'standard', rules, refund_fees: false },
    { name: 'shop', rules: [rule('charge', 100, 0)], refund_fees: false },
  ]
  await ok(server.operator.request('PUT', '/v1/operator/rules/fees?environment=test', { json: { plans, default_plan: 'standard' } }))
  shop = await openShop(server, 100_000)
})

async function paidCharge(of: Shop, payer: string): Promise<string> {
  const { token } = (await ok(of.keyed.post<Charge>('/v1/biz/charges', { amount: 1000 }))).body
  await ok(of.keyed.post(`/v1/biz/test/charges/${token}/pay`, { payer_tag: payer }))
  return token
}

describe('the check of a payout', () => {
  test('shows the fee, the total, and what is left after both', async () => {
    const { text } = await shop.post('payouts/new', { recipient: `@${shop.tag}`, amount: '10 000' })
    assert.match(text, /Montant 10 000 F CFA Frais 100 F CFA Total 10 100 F CFA Solde disponible 100 000 F CFA Solde après 89 900 F CFA/)
  })

  test('says that the balance is not enough for the amount with its fee', async () => {
    const { text } = await shop.post('payouts/new', { recipient: `@${shop.tag}`, amount: '99 500' })
    assert.match(text, /Frais 995 F CFA Total 100 495 F CFA/)
    assert.match(text, /<p class="error"|ne suffit pas|insuffisant/i)
  })
})

describe('the check of a disbursement', () => {
  test('sums the fees of its lines; record, lines, statement, files and page then name what was taken', async () => {
    const lines = `@${shop.tag};5000;A\n@${shop.tag};3050;B`
    const check = await shop.post('disbursements/new', { lines, reference: 'Frais', group: '', amount: '' }, 'file')
    assert.match(check.text, /Frais 81 F CFA Total 8 131 F CFA/)
    const { data } = (await ok(shop.keyed.get<{ data: Disbursement[] }>('/v1/biz/disbursements'))).body
    const { id = '' } = data[0] ?? {}
    assert.match(await shop.read(`disbursements/${id}`), /Frais 81 F CFA Total 8 131 F CFA/)
    await ok(shop.keyed.post(`/v1/biz/disbursements/${id}/start`, {}, key()))
    const isDone = async (): Promise<boolean> =>
      (await ok(shop.keyed.get<Disbursement>(`/v1/biz/disbursements/${id}`))).body.state === 'completed'
    await eventuallyAsync(isDone, 'the disbursement')
    const page = await shop.read(`disbursements/${id}`)
    assert.match(page, /5 000 F CFA 50 F CFA A .* 3 050 F CFA 31 F CFA B/)
    assert.match(page, /Référence Frais Frais 81 F CFA/)
    const record = (await ok(shop.keyed.get<Disbursement>(`/v1/biz/disbursements/${id}`))).body
    assert.deepEqual([record.paid_amount, record.fee_amount], [8050, 81])
    const taken = (await ok(shop.keyed.get<{ data: Transaction[] }>('/v1/biz/transactions?type=fee&limit=2'))).body.data
    assert.deepEqual(
      taken.map(({ amount }) => amount),
      [-31, -50],
    )
    const feesIn = async (path: string, column: string): Promise<number[]> => {
      const rows = csvRows(await (await shop.get(path)).text())
      return rows.map((row) => Number(row[column]))
    }
    assert.deepEqual(await feesIn(`disbursements/${id}/lines.csv`, 'fee'), [50, 31])
    assert.deepEqual(await feesIn(`disbursements.csv?q=${id}`, 'fee_amount'), [81])
  })
})

describe('a withdrawal', () => {
  test('shows its fee in the check, on its page and on its receipt', async () => {
    const fields = { amount: '20 000', kind: 'bank', name: 'Awa', account: 'SN08SN0100152000048500003035' }
    const check = await shop.post('withdrawals/new', fields)
    assert.match(check.text, /Montant 20 000 F CFA Frais 150 F CFA Total 20 150 F CFA/)
    const sent = await shop.post('withdrawals', { key: randomUUID(), ...hiddenOf(check.html, 'withdrawals"') })
    const id = sent.location.split('/').at(-1)?.split('?')[0] ?? ''
    assert.match(await shop.read(`withdrawals/${id}`), /Frais 150 F CFA/)
    await ok(shop.keyed.post(`/v1/biz/test/withdrawals/${id}/pay`, {}, key()))
    assert.match(await shop.read(`withdrawals/${id}/receipt`), /Frais, payés par le marchand 150 F CFA/)
  })
})

describe('a receipt', () => {
  test('of a payout names the fee of the merchant', async () => {
    const body = { recipient: `@${shop.tag}`, amount: 4000 }
    const { id } = (await ok(shop.keyed.post<{ id: string }>('/v1/biz/payouts', body, key()))).body
    const page = await shop.read(`payouts/${id}/receipt`)
    assert.equal(page.match(/Frais, payés par le marchand/g)?.length, 2, 'on the sheet and in the message')
  })

  test('of a charge says who bore the fee, and so does its page', async () => {
    const other = await openShop(server, 100_000)
    await ok(server.operator.post(`/v1/operator/merchants/${other.merchantId}/fee-plan`, { plan: 'shop', environment: 'test' }))
    for (const of of [shop, other]) await ok(of.keyed.post('/v1/biz/test/deposits', { recipient: of.tag, amount: 5000 }))
    const [byPayer, byMerchant] = [await paidCharge(shop, shop.tag), await paidCharge(other, other.tag)]
    assert.match(await shop.read(`charges/${byPayer}`), /Frais, payés par le client 20 F CFA/)
    assert.match(await shop.read(`charges/${byPayer}/receipt`), /Frais, payés par le client 20 F CFA/)
    assert.match(await other.read(`charges/${byMerchant}`), /Frais, à votre charge 10 F CFA/)
    assert.match(await other.read(`charges/${byMerchant}/receipt`), /Frais, payés par le marchand 10 F CFA/)
  })

  test('and page without a fee name none', async () => {
    const { body } = await ok(shop.keyed.post<{ id: string }>('/v1/biz/payouts', { recipient: `@${shop.tag}`, amount: 10 }, key()))
    const page = plainText(await (await shop.get(`payouts/${body.id}/receipt`)).text())
    assert.doesNotMatch(page, /Frais/)
  })
})
