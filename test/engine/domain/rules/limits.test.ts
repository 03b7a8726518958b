// Limits against a naive model: random movements over days and months, with tiers that change and restarts between them. The model
// keeps a list of all movements and sums it anew for each question.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { LimitRules } from '../../../../engine/contract/limits.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import { NO_MERCHANT_RULE } from '../../../../engine/domain/rules/rules-state.ts'
import { rfc3339, type TimeMs } from '../../../../engine/kernel/time.ts'
import type { AccountNumber } from '../../../../engine/ledger/transaction.ts'
import { CALLER, deposit, openMerchant, openWallet, payout } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import { Prng } from '../../../support/prng.ts'

const DAY_MS = 86_400_000
/** `node --import tsx … limits.test.ts` with MOVEMENTS=1000000 is the long form. */
const MOVEMENTS = Number(process.env.MOVEMENTS ?? 400)

interface Moved {
  readonly from: AccountNumber
  readonly to: AccountNumber
  readonly amount: number
  readonly day: string
}

const rules = (tier: Partial<LimitRules['wallet_tiers'][number]>, merchant: Partial<LimitRules['merchant']> = {}): LimitRules => ({
  wallet_tiers: [{ name: 'basic', balance_max: null, received_month_max: null, sent_day_max: null, sent_month_max: null, ...tier }],
  default_tier: 'basic',
  merchant: { ...NO_MERCHANT_RULE, ...merchant },
})

const setLimits = (limits: LimitRules): Command => ({
  type: 'ChangeRules',
  change: { kind: 'limit_rules', environment: 'test', currency: 'XOF', rules: limits },
})

const transfer = (sender: AccountNumber, recipient: string, amount: number): Command => ({
  type: 'CreateTransfer',
  sender,
  recipient,
  amount,
  note: '',
})

/** What the rules must answer, computed from the list of all movements. */
class NaiveModel {
  readonly moved: Moved[] = []
  limits = rules(
    { balance_max: 40_000, received_month_max: 90_000, sent_day_max: 9000, sent_month_max: 30_000 },
    { payout_day_max: 60_000 },
  )
  readonly #fixture: EngineFixture

  constructor(fixture: EngineFixture) {
    this.#fixture = fixture
  }

  get day(): string {
    return rfc3339(this.#fixture.engine.query('engine.time', null)).slice(0, 10)
  }

  payoutFailure(from: AccountNumber, to: AccountNumber, amount: number): string | undefined {
    if (isOver(this.#sum('from', from, this.day), amount, this.limits.merchant.payout_day_max)) return 'merchant_limit_exceeded'
    return this.#isPayeeOver(to, amount) ? 'recipient_limit_exceeded' : undefined
  }

  transferRejection(from: AccountNumber, to: AccountNumber, amount: number): string | undefined {
    if (this.#fixture.state.accounts.available(from) < amount) return 'insufficient_balance'
    if (isOver(this.#sum('from', from, this.day), amount, this.#tier.sent_day_max)) return 'limit_exceeded'
    if (isOver(this.#sum('from', from, this.day.slice(0, 7)), amount, this.#tier.sent_month_max)) return 'limit_exceeded'
    return this.#isPayeeOver(to, amount) ? 'recipient_limit_exceeded' : undefined
  }

  get #tier(): LimitRules['wallet_tiers'][number] {
    const [tier] = this.limits.wallet_tiers
    assert.ok(tier !== undefined)
    return tier
  }

  #isPayeeOver(to: AccountNumber, amount: number): boolean {
    const { balance_max, received_month_max } = this.#tier
    const received = this.#sum('to', to, this.day.slice(0, 7))
    return isOver(this.#fixture.state.accounts.balance(to), amount, balance_max) || isOver(received, amount, received_month_max)
  }

  #sum(side: 'from' | 'to', account: AccountNumber, period: string): number {
    const inPeriod = this.moved.filter((one) => one[side] === account && one.day.startsWith(period))
    return inPeriod.reduce((total, { amount }) => total + amount, 0)
  }
}

function isOver(used: number, amount: number, limit: number | null): boolean {
  return limit !== null && used + amount > limit
}

it('random movements are allowed exactly where a naive sum of all movements allows them, over restarts and month ends', async () => {
  const fixture = await EngineFixture.open()
  const prng = new Prng(38)
  const { id, test: merchant } = openMerchant(fixture, 'Boutique')
  fixture.do(deposit({ merchantId: id }, 1_000_000_000))
  const wallets = ['awa', 'kofi', 'binta'].map((tag) => ({ tag, account: openWallet(fixture, tag) }))
  const model = new NaiveModel(fixture)
  fixture.do(setLimits(model.limits))
  for (let turn = 0; turn < MOVEMENTS; turn++) {
    if (prng.chance(0.05)) fixture.loop.advance(prng.below(3) * DAY_MS + prng.below(DAY_MS))
    if (prng.chance(0.02)) await fixture.start()
    if (prng.chance(0.03)) {
      const sent_day_max = prng.chance(0.3) ? null : 4000 + prng.below(9000)
      model.limits = rules({ ...model.limits.wallet_tiers[0], sent_day_max }, model.limits.merchant)
      fixture.do(setLimits(model.limits))
    }
    const amount = 1 + prng.below(9000)
    const { tag, account: to } = prng.pick(wallets)
    const isPayout = prng.chance(0.5)
    const from = isPayout ? merchant : prng.pick(wallets).account
    if (from === to) continue
    const expected = isPayout ? model.payoutFailure(from, to, amount) : model.transferRejection(from, to, amount)
    const { day } = model
    const { body } = fixture.do(isPayout ? payout(from, tag, amount) : transfer(from, tag, amount))
    const { code, failure_code = code } = JSON.parse(body) as { code?: string; failure_code?: string }
    assert.equal(failure_code, expected)
    if (expected === undefined) model.moved.push({ from, to, amount, day })
  }
  assert.ok(model.moved.length > MOVEMENTS / 10, 'some movements were allowed')
})

it('a batch counts its own lines against the limits of its merchant and of each recipient', async () => {
  const fixture = await EngineFixture.open()
  const { id, test: merchant } = openMerchant(fixture, 'Boutique')
  fixture.do(deposit({ merchantId: id }, 1_000_000))
  openWallet(fixture, 'awa')
  openWallet(fixture, 'kofi')
  fixture.do(setLimits(rules({ received_month_max: 1000 }, { payout_max: 900, payout_day_max: 1500 })))
  const line = (recipient: string, amount: number) => ({ recipient, amount, reference: '', note: '', fault: null })
  const lines = [line('awa', 901), line('awa', 600), line('awa', 500), line('kofi', 900), line('kofi', 1)]
  const { body } = fixture.do({ type: 'CreateBatch', merchant, lines, reference: '', scheduleId: null })
  const codes = (JSON.parse(body) as { items: { failure_code?: string }[] }).items.map(({ failure_code }) => failure_code)
  const above = 'merchant_limit_exceeded'
  assert.deepEqual(codes, [above, undefined, 'recipient_limit_exceeded', undefined, above])
})

it('a refund passes over limits and gives back what its payment took in the same day and month', async () => {
  const fixture = await EngineFixture.open()
  const { id, test: merchant } = openMerchant(fixture, 'Boutique')
  const awa = openWallet(fixture, 'awa')
  fixture.do(deposit({ tag: 'awa' }, 1000))
  fixture.do(deposit({ merchantId: id }, 5000))
  fixture.do(setLimits(rules({ sent_day_max: 700, balance_max: 1000 })))
  const pay = (token: string): string => {
    const urls = { checkoutUrl: '', redirectUrl: '', webhookUrl: '' }
    const texts = { reference: '', description: '', customerTag: '', metadata: {}, ...urls }
    fixture.do({ type: 'CreateCharge', merchant, token, amount: 500, madeBy: CALLER, ...texts })
    return fixture.do({ type: 'PayCharge', token, merchant: null, payer: awa, challengeId: null, answer: 'app' }).kind
  }
  const used = (): object => {
    const { paidDay, paidMonth } = fixture.state.rules.counters.usageOf(awa, fixture.engine.query('engine.time', null) as TimeMs)
    return [paidDay, paidMonth]
  }
  assert.deepEqual([pay('one'), pay('two'), used()], ['ok', 'forbidden', [500, 500]])
  fixture.do(deposit({ tag: 'awa' }, 500))
  assert.equal(fixture.do({ type: 'RefundCharge', merchant, token: 'one' }).kind, 'ok')
  assert.deepEqual([fixture.state.accounts.balance(awa), used()], [1500, [0, 0]])
  assert.equal(pay('three'), 'ok')
  await fixture.start()
  assert.deepEqual(used(), [500, 500])
  fixture.loop.advance(40 * DAY_MS)
  assert.equal(fixture.do({ type: 'RefundCharge', merchant, token: 'three' }).kind, 'ok')
  assert.deepEqual(used(), [0, 0], 'a payment of another month gives nothing back')
})
