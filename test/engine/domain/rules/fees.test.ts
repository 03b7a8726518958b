// Fees: the formula at its edges, who bears them, refunds. Random movements against a model stand in test/proof/model.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { BatchLine } from '../../../../engine/contract/batch-line.ts'
import type { FeeRule, FeeRules } from '../../../../engine/contract/fees.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import { JUDGED_PER_TURN } from '../../../../engine/domain/disbursement/disbursement-limits.ts'
import type { LogRecord } from '../../../../engine/domain/record.ts'
import { feeAmount } from '../../../../engine/domain/rules/fees.ts'
import type { FeePlanChange } from '../../../../engine/domain/rules/rules-state.ts'
import { AMOUNT_MAX } from '../../../../engine/kernel/amount.ts'
import type { Currency } from '../../../../engine/kernel/currency.ts'
import type { AccountNumber } from '../../../../engine/ledger/transaction.ts'
import { payWithdrawal, requestWithdrawal } from '../../../support/cash-request-commands.ts'
import { CALLER, deposit, openMerchant, openWallet, payout } from '../../../support/commands.ts'
import { DisbursementSteps } from '../../../support/disbursement-steps.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'

type PlannedRule = Partial<FeeRule> & Pick<FeeRule, 'on'>

const rule = (given: PlannedRule): FeeRule => ({ percent_bp: 0, fixed: 0, borne_by: 'merchant', ...given })

const feesOf = (rules: readonly PlannedRule[], refund_fees = false): FeeRules => ({
  plans: [{ name: 'standard', rules: rules.map(rule), refund_fees }],
  default_plan: 'standard',
})

const setFees = (rules: FeeRules, currency: Currency = 'XOF'): Command => ({
  type: 'ChangeRules',
  change: { kind: 'fee_rules', environment: 'test', currency, rules },
})

const setPlan = (merchant_id: string, plan: FeePlanChange['plan']): Command => ({
  type: 'ChangeRules',
  change: { kind: 'fee_plan', environment: 'test', merchant_id, plan },
})

const createCharge = (merchant: AccountNumber, token: string, amount: number): Command => {
  const texts = { reference: '', description: '', customerTag: '', metadata: {}, checkoutUrl: '', redirectUrl: '', webhookUrl: '' }
  return { type: 'CreateCharge', merchant, token, amount, madeBy: CALLER, ...texts }
}

const payCharge = (payer: AccountNumber, token: string): Command => {
  return { type: 'PayCharge', token, merchant: null, payer, challengeId: null, answer: 'app' }
}

interface Setup {
  readonly fixture: EngineFixture
  readonly id: string
  readonly merchant: AccountNumber
  readonly awa: AccountNumber
  readonly kofi: AccountNumber
}

async function setup(rules: readonly PlannedRule[], refundFees = false): Promise<Setup> {
  const fixture = await EngineFixture.open()
  const { id, test: merchant } = openMerchant(fixture, 'Boutique')
  const made = { fixture, id, merchant, awa: openWallet(fixture, 'awa'), kofi: openWallet(fixture, 'kofi') }
  assert.equal(fixture.do(setFees(feesOf(rules, refundFees))).kind, 'ok')
  return made
}

function balances({ fixture, merchant, awa, kofi }: Setup): number[] {
  const { accounts } = fixture.state
  return [merchant, awa, kofi, accounts.own('fee', 'test', 'XOF')].map((account) => accounts.balance(account))
}

describe('the fee of an amount', () => {
  it('is rounded half up, gets the fixed part, and then stays between its minimum and its maximum', () => {
    const rows: readonly (readonly [Partial<FeeRule>, number, number])[] = [
      [{ percent_bp: 150 }, 5000, 75],
      [{ percent_bp: 50 }, 99, 0],
      [{ percent_bp: 50 }, 100, 1],
      [{ percent_bp: 1 }, 5000, 1],
      [{ percent_bp: 1 }, 4999, 0],
      [{ percent_bp: 100, fixed: 25 }, 1000, 35],
      [{ percent_bp: 100, min: 50 }, 1000, 50],
      [{ percent_bp: 100, fixed: 25, max: 30 }, 1000, 30],
      [{ min: 10, max: 10, fixed: 500 }, 1, 10],
      [{ percent_bp: 10_000, fixed: 1 }, AMOUNT_MAX, AMOUNT_MAX + 1],
    ]
    for (const [given, amount, fee] of rows) assert.equal(feeAmount(rule({ on: 'payout', ...given }), amount), fee)
  })

  it('is exact for every amount, also where amount times percent is no safe integer', () => {
    const amounts = fc.integer({ min: 1, max: AMOUNT_MAX })
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 10_000 }), (amount, percent_bp) => {
        const exact = Number((BigInt(amount) * BigInt(percent_bp) + 5000n) / 10_000n)
        assert.equal(feeAmount(rule({ on: 'payout', percent_bp }), amount), exact)
      }),
    )
  })
})

describe('a fee', () => {
  it('of a payout is borne by its merchant, and too little for both fails as for the amount', async () => {
    const made = await setup([{ on: 'payout', fixed: 30, borne_by: 'payer' }])
    const { fixture, id, merchant } = made
    fixture.do(deposit({ merchantId: id }, 1029))
    const short = JSON.parse(fixture.do(payout(merchant, 'awa', 1000)).body) as { failure_code?: string; fee: number }
    assert.deepEqual([short.failure_code, short.fee, balances(made)], ['insufficient_balance', 0, [1029, 0, 0, 0]])
    fixture.do(deposit({ merchantId: id }, 1))
    const paid = JSON.parse(fixture.do(payout(merchant, 'awa', 1000)).body) as { state: string; fee: number }
    assert.deepEqual([paid.state, paid.fee, balances(made)], ['paid', 30, [0, 1000, 0, 30]])
  })

  it('of each line counts for the lines that follow, and the report sums them', async () => {
    const made = await setup([{ on: 'payout', fixed: 10 }])
    const { fixture, id, merchant } = made
    fixture.do(deposit({ merchantId: id }, 320))
    const line = (recipient: string) => ({ recipient, amount: 100, reference: '', note: '', fault: null })
    const lines = [line('awa'), line('nobody'), line('kofi'), line('awa')]
    const order = { merchant, lines, reference: '', scheduleId: null }
    type Report = { fee_amount: number; items: { fee: number; failure_code?: string }[] }
    const dry = JSON.parse(fixture.do({ type: 'DryRunBatch', ...order }).body) as Report
    const real = JSON.parse(fixture.do({ type: 'CreateBatch', ...order }).body) as Report
    for (const { fee_amount, items } of [dry, real]) {
      assert.equal(fee_amount, 20)
      assert.deepEqual(
        items.map(({ fee, failure_code = 'paid' }) => [fee, failure_code]),
        [
          [10, 'paid'],
          [0, 'recipient_not_found'],
          [10, 'paid'],
          [0, 'insufficient_balance'],
        ],
      )
    }
    assert.deepEqual(balances(made), [100, 100, 100, 20])
    await fixture.startWithoutArchive()
    assert.deepEqual(balances(made), [100, 100, 100, 20])
  })

  it('of each line of a disbursement is summed over its turns in its record, after a restart too', async () => {
    const made = await setup([{ on: 'payout', fixed: 2 }])
    const { fixture, id, merchant } = made
    fixture.do(deposit({ merchantId: id }, 2000))
    const steps = new DisbursementSteps(fixture, merchant)
    const line = (recipient: string, amount = 1): BatchLine => ({ recipient, amount, reference: '', note: '', fault: null })
    const lines = [...Array.from({ length: JUDGED_PER_TURN }, () => line('awa')), line('ghost'), line('kofi', 1000), line('kofi')]
    const created = steps.create({ lines, start: 'auto', onInsufficientBalance: 'fail' })
    assert.deepEqual([created.valid_amount, created.valid_fee_amount, created.fee_amount], [1513, 1028, 0])
    for (let turn = 0; turn < 3; turn++) {
      fixture.loop.advance(1)
      fixture.settle()
      await fixture.start()
    }
    const read = fixture.engine.query('disbursements.get', { account: merchant, id: created.id }) ?? ''
    const { state, paid_count, paid_amount, failed_amount, fee_amount } = JSON.parse(read) as typeof created
    assert.deepEqual([state, paid_count, paid_amount, failed_amount, fee_amount], ['completed', 513, 513, 1000, 1026])
    assert.deepEqual(balances(made), [2000 - 513 - 1026, 512, 1, 1026])
  })

  it('of a transfer is borne by its sender, whose answer has the balance after it', async () => {
    const made = await setup([{ on: 'transfer', percent_bp: 1000, borne_by: 'merchant' }])
    const { fixture, awa } = made
    fixture.do(deposit({ tag: 'awa' }, 1000))
    const transfer = (amount: number) => fixture.do({ type: 'CreateTransfer', sender: awa, recipient: 'kofi', amount, note: '' })
    assert.equal(transfer(1000).kind, 'insufficient_funds')
    const { fee, balance_after } = JSON.parse(transfer(900).body) as { fee: number; balance_after: number }
    assert.deepEqual([fee, balance_after, balances(made)], [90, 10, [0, 10, 900, 90]])
    const { events, frames } = fixture.records.at(-1) as LogRecord
    const seen = frames.filter(({ account }) => account === awa).map(({ type, eventIndex }) => [type, events[eventIndex]?.type])
    assert.deepEqual(seen.at(-1), ['balance.updated', 'fee.taken'], 'the stream of the sender ends with the balance after the fee')
  })

  it('of a charge comes out of what the merchant holds with the payment, or refuses it', async () => {
    const made = await setup([{ on: 'charge', fixed: 400 }], true)
    const { fixture, merchant, awa } = made
    fixture.do(deposit({ tag: 'awa' }, 1000))
    fixture.do(createCharge(merchant, 'small', 399))
    assert.equal(fixture.do(payCharge(awa, 'small')).kind, 'insufficient_funds')
    fixture.do(createCharge(merchant, 'large', 600))
    const paid = JSON.parse(fixture.do(payCharge(awa, 'large')).body) as { fee: number; balance_after: number }
    assert.deepEqual([paid.fee, paid.balance_after, balances(made)], [0, 400, [200, 400, 0, 400]])
    fixture.do(setFees(feesOf([{ on: 'charge', fixed: 1 }])))
    const refund = fixture.do({ type: 'RefundCharge', merchant, token: 'large' })
    assert.deepEqual([refund.kind, balances(made)], ['ok', [0, 1000, 0, 0]], 'the plan of the payment gives its fee back')
  })

  it('that the payer bears stays taken where the plan does not give it back', async () => {
    const made = await setup([{ on: 'charge', percent_bp: 500, borne_by: 'payer' }])
    const { fixture, merchant, awa } = made
    fixture.do(deposit({ tag: 'awa' }, 1000))
    fixture.do(createCharge(merchant, 'one', 1000))
    assert.equal(fixture.do(payCharge(awa, 'one')).kind, 'insufficient_funds')
    fixture.do(createCharge(merchant, 'two', 900))
    const paid = JSON.parse(fixture.do(payCharge(awa, 'two')).body) as { fee: number; balance_after: number }
    assert.deepEqual([paid.fee, paid.balance_after, balances(made)], [45, 55, [900, 55, 0, 45]])
    assert.equal(fixture.do({ type: 'RefundCharge', merchant, token: 'two' }).kind, 'ok')
    assert.deepEqual(balances(made), [0, 955, 0, 45])
  })

  it('of a withdrawal is held with its request, taken with its payment, and released with its end', async () => {
    const made = await setup([{ on: 'withdrawal', fixed: 20, borne_by: 'payer' }])
    const { fixture, id, merchant } = made
    fixture.do(deposit({ merchantId: id }, 1000))
    assert.equal(fixture.do(requestWithdrawal(merchant, 981)).kind, 'insufficient_funds')
    const request = (amount: number): string => (JSON.parse(fixture.do(requestWithdrawal(merchant, amount)).body) as { id: string }).id
    const cancelled = request(100)
    assert.equal(fixture.state.accounts.held(merchant), 120)
    assert.equal(fixture.do({ type: 'CancelWithdrawal', merchant, id: cancelled }).kind, 'ok')
    assert.equal(fixture.state.accounts.held(merchant), 0)
    const paid = request(500)
    fixture.do(setFees(feesOf([])))
    await fixture.start()
    const { fee, ...record } = JSON.parse(fixture.do(payWithdrawal(paid)).body) as { fee: number }
    assert.deepEqual([fee, 'fee_plan' in record, balances(made)], [20, false, [480, 0, 0, 20]])
    const report = fixture.engine.query('fees.moves', {
      ...{ environment: 'test', currency: 'XOF', fromMs: 0, toMs: Number.MAX_SAFE_INTEGER },
      ...{ below: null, limit: 20 },
    })
    assert.deepEqual(report.moves, [
      { plan: 'standard', on: 'withdrawal', merchant_id: id, amount: 20, atMs: fixture.engine.query('engine.time', null) },
    ])
  })

  it('goes by the plan of its merchant, and by the default plan where that plan is no more', async () => {
    const made = await setup([{ on: 'payout', fixed: 1 }])
    const { fixture, id, merchant } = made
    fixture.do(deposit({ merchantId: id }, 1000))
    const plans = feesOf([{ on: 'payout', fixed: 1 }])
    const own = { name: 'own', rules: [rule({ on: 'payout', fixed: 5 })], refund_fees: false }
    const fee = (): number => (JSON.parse(fixture.do(payout(merchant, 'awa', 10)).body) as { fee: number }).fee
    assert.equal(fixture.do(setPlan(id, 'own')).kind, 'invalid')
    fixture.do(setFees({ ...plans, plans: [...plans.plans, own] }))
    assert.equal(fixture.do(setPlan(id, 'own')).kind, 'ok')
    assert.equal(fee(), 5)
    await fixture.start()
    assert.equal(fee(), 5)
    fixture.do(setFees(plans))
    assert.equal(fee(), 1)
    fixture.do(setFees({ plans: [], default_plan: null }))
    assert.equal(fee(), 0)
  })
})
