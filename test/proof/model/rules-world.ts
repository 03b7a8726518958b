// A world of three currencies that plays random movements against the model of rules: the engine's answer, its fees and all balances are
// compared after each of them.
import assert from 'node:assert/strict'
import { payloadOf } from '../../../engine/domain/record.ts'
import type { LimitNear } from '../../../engine/domain/rules/near-limits.ts'
import type { RuleChange } from '../../../engine/domain/rules/rules-state.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import { countedFees } from '../../../http/api/operator/fee-report.ts'
import { payWithdrawal, requestWithdrawal } from '../../support/cash-request-commands.ts'
import { CALLER, deposit, payout } from '../../support/commands.ts'
import type { EngineFixture } from '../../support/engine-fixture.ts'
import type { Prng } from '../../support/prng.ts'
import { drawnFees, drawnLimits } from './rules-draws.ts'
import { availableOf, type ModelAccount, type OpenWithdrawal, type RulesModel } from './rules-model.ts'
import { Orders } from './rules-orders.ts'
import { CURRENCIES, Stand } from './rules-stand.ts'

const DAY_MS = 86_400_000
const LINES_MAX = 5
/** Charges that may still be refunded. */
const CHARGES_KEPT = 30

export class World {
  readonly prng: Prng
  /** Bills, mandates and disbursements. */
  readonly orders: Orders
  readonly #fixture: EngineFixture
  readonly #stand: Stand
  readonly #model: RulesModel
  readonly #merchants: readonly ModelAccount[]
  readonly #wallets: readonly ModelAccount[]
  /** Withdrawals that were requested, and neither paid nor cancelled. */
  readonly #open: OpenWithdrawal[] = []
  /** Charges that were paid and not refunded, newest last. */
  readonly #paid: string[] = []
  #tokens = 0

  constructor(fixture: EngineFixture, prng: Prng) {
    this.#fixture = fixture
    this.prng = prng
    this.#stand = new Stand(fixture, prng)
    this.#model = this.#stand.model
    this.#merchants = this.#stand.merchants
    this.#wallets = this.#stand.wallets
    this.orders = new Orders(this.#stand)
    for (const currency of CURRENCIES) {
      this.#setLimits(currency)
      this.#setFees(currency)
    }
  }

  get seen(): ReadonlyMap<string, number> {
    return this.#stand.seen
  }

  payout(): void {
    const [merchant, wallet] = this.#stand.pair(this.#merchants, this.#wallets)
    const amount = this.#stand.amount()
    const expected = this.#model.payout(merchant, wallet, amount)
    this.#stand.compare(this.#stand.do(payout(merchant.account, wallet.name, amount)), expected)
    if (expected.code === undefined) this.#model.move(merchant, wallet, amount, expected.fee)
  }

  batch(): void {
    const merchant = this.prng.pick(this.#merchants)
    const lines = Array.from({ length: 1 + this.prng.below(LINES_MAX) }, () => ({
      wallet: this.#stand.pair([merchant], this.#wallets)[1],
      amount: this.#stand.amount(),
    }))
    const sent = lines.map(({ wallet, amount }) => ({ recipient: wallet.name, amount, reference: '', note: '', fault: null }))
    const { items = [] } = this.#stand.do({ type: 'CreateBatch', merchant: merchant.account, lines: sent, reference: '', scheduleId: null })
    for (const [index, { wallet, amount }] of lines.entries()) {
      const expected = this.#model.payout(merchant, wallet, amount)
      this.#stand.compare(items[index] ?? {}, expected)
      if (expected.code === undefined) this.#model.move(merchant, wallet, amount, expected.fee)
    }
  }

  transfer(): void {
    const [sender, recipient] = this.#stand.pair(this.#wallets, this.#wallets)
    if (sender === recipient) return
    const amount = this.#stand.amount()
    const expected = this.#model.transfer(sender, recipient, amount)
    const command = { type: 'CreateTransfer', sender: sender.account, recipient: recipient.name, amount, note: '' } as const
    this.#stand.compare(this.#stand.do(command), expected)
    if (expected.code === undefined) this.#model.move(sender, recipient, amount, expected.fee)
  }

  charge(): void {
    const [payer, merchant] = this.#stand.pair(this.#wallets, this.#merchants)
    const amount = this.#stand.amount()
    const token = `charge-${++this.#tokens}`
    const texts = { reference: '', description: '', customerTag: '', metadata: {}, checkoutUrl: '', redirectUrl: '', webhookUrl: '' }
    const { code } = this.#stand.do({ type: 'CreateCharge', merchant: merchant.account, token, amount, madeBy: CALLER, ...texts })
    const max = this.#model.chargeMax(merchant)
    assert.equal(code, max !== null && amount > max ? 'limit_exceeded' : undefined)
    if (code !== undefined) return
    const expected = this.#model.payment('charge', payer, merchant, amount)
    const paid = { type: 'PayCharge', token, merchant: null, payer: payer.account, challengeId: null, answer: 'app' } as const
    this.#stand.compare(this.#stand.do(paid), expected, payer)
    if (expected.code !== undefined) return
    this.#model.pay(token, payer, merchant, amount, expected.fee)
    if (this.#paid.push(token) > CHARGES_KEPT) this.#paid.shift()
  }

  refund(): void {
    const token = this.#paid.at(this.prng.below(this.#paid.length))
    const payment = this.#model.payments.get(token ?? '')
    if (token === undefined || payment === undefined) return
    const expected = this.#model.refund(payment)
    const { code } = this.#stand.do({ type: 'RefundCharge', merchant: payment.merchant.account, token })
    assert.equal(code, expected.code)
    this.#stand.see(expected.code ?? 'refund')
    if (expected.code === undefined) this.#model.giveBack(token, payment, expected.fee)
  }

  withdrawal(): void {
    if (this.#open.length > 0 && this.prng.chance(0.6)) return this.#endWithdrawal()
    const merchant = this.prng.pick(this.#merchants)
    const amount = this.#stand.amount()
    const fee = this.#model.fee('withdrawal', merchant, merchant, amount)
    const taken = amount + (fee?.amount ?? 0)
    const isShort = availableOf(merchant) < taken
    const { code, id = '', fee: shown } = this.#stand.do(requestWithdrawal(merchant.account, amount))
    assert.equal(code, isShort ? 'insufficient_balance' : undefined)
    if (isShort) return
    assert.equal(shown, fee?.amount ?? 0)
    merchant.held += taken
    this.#open.push({ id, merchant, amount, fee, taken })
  }

  deposit(): void {
    const account = this.prng.pick(this.prng.chance(0.7) ? this.#merchants : this.#wallets)
    const amount = this.#stand.amount() * (account.kind === 'merchant' ? 20 : 1)
    const expected = this.#model.deposit(account, amount)
    const target = account.kind === 'merchant' ? { merchantId: account.name } : { tag: account.name }
    assert.equal(this.#stand.do(deposit(target, amount)).code, expected.code)
    if (expected.code === undefined) this.#model.move(null, account, amount, null)
  }

  rules(): void {
    const currency = this.prng.pick(CURRENCIES)
    const [merchant, wallet] = [this.prng.pick(this.#merchants), this.prng.pick(this.#wallets)]
    const change = this.prng.below(5)
    if (change === 0) this.#setLimits(currency)
    else if (change === 1) this.#setFees(currency)
    else if (change === 2) this.#setTier(wallet)
    else if (change === 3) this.#setPlan(merchant)
    else this.#setOwn(merchant)
  }

  /** Some hours, or up to a week: months end, leap days and years too. */
  passTime(): void {
    const month = this.#stand.time().slice(0, 7)
    this.#fixture.loop.advance(this.prng.chance(0.5) ? this.prng.below(DAY_MS) : this.prng.below(7) * DAY_MS)
    this.#fixture.settle()
    this.orders.follow()
    if (this.#stand.time().slice(0, 7) !== month) this.#stand.see('month')
  }

  async restart(): Promise<void> {
    await this.#fixture.start()
    this.orders.follow()
    this.#stand.see('restart')
  }

  compareBalances(): void {
    // A turn that is due at once comes with the command that asks for it.
    this.orders.follow()
    const { accounts } = this.#fixture.state
    for (const { account, balance, held, name } of [...this.#merchants, ...this.#wallets]) {
      if (accounts.balance(account) === balance && accounts.held(account) === held && balance >= held) continue
      assert.deepEqual([accounts.balance(account), accounts.held(account)], [balance, held], name)
      assert.fail(`${name} is not covered: ${balance} with ${held} held`)
    }
    for (const currency of CURRENCIES) {
      assert.equal(accounts.balance(accounts.own('fee', 'test', currency)), this.#model.taken.get(currency) ?? 0)
    }
  }

  compareNotices(): void {
    const notices = this.#fixture.records.flatMap(({ events }) => events.filter(({ type }) => type === 'limit.near'))
    const got = notices.map((notice) => {
      const { limit, used } = payloadOf<LimitNear>(notice)
      return `${notice.account} ${limit} ${used}`
    })
    assert.deepEqual(got.sort(), [...this.#stand.noted, ...this.#model.notices()].sort())
    this.#stand.noted.length = 0
    for (const _ of got) this.#stand.see('limit.near')
    // The records of the fixture are for tests that read them.
    this.#fixture.records.length = 0
  }

  compareTrialBalances(): void {
    for (const currency of CURRENCIES) {
      const { balanced, accounts } = this.#fixture.engine.query('ledger.trialBalance', { environment: 'test', currency })
      assert.ok(balanced, currency)
      assert.equal(
        accounts.reduce((sum, { credit, debit }) => sum + credit - debit, 0),
        0,
        currency,
      )
    }
  }

  /** The operator's report by plan, kind, merchant and day is that of the model, and sums to the fee account. */
  async compareReports(): Promise<void> {
    const { engine, state } = this.#fixture
    const toMs = engine.query('engine.time', null) + 1
    for (const currency of CURRENCIES) {
      for (const isByDay of [false, true]) {
        const report = await countedFees(engine, { environment: 'test', currency, fromMs: 0, toMs, isByDay })
        assert.ok(report !== null)
        const rows = report.rows.map(
          ({ day = null, plan, on, merchant_id, count, amount }) => `${JSON.stringify([day, plan, on, merchant_id])} ${count} ${amount}`,
        )
        assert.deepEqual(rows.sort(), this.#model.report(currency, isByDay))
        assert.equal(report.amount, state.accounts.balance(state.accounts.own('fee', 'test', currency)))
        for (const _ of rows) this.#stand.see('row of a report')
      }
    }
  }

  /** Takes what its request held, also where the rules have changed since. */
  #endWithdrawal(): void {
    const withdrawal = this.#open.shift()
    assert.ok(withdrawal !== undefined)
    const { id, merchant, amount, fee, taken } = withdrawal
    merchant.held -= taken
    if (this.prng.chance(0.3)) {
      this.#stand.do({ type: 'CancelWithdrawal', merchant: merchant.account, id })
      return
    }
    this.#stand.do(payWithdrawal(id))
    merchant.balance -= amount
    if (fee !== null) this.#model.take(fee)
    this.#stand.see('withdrawal')
  }

  #change(change: RuleChange): void {
    const { code } = this.#stand.do({ type: 'ChangeRules', change })
    assert.equal(code, undefined, JSON.stringify(change))
    this.#stand.see(change.kind)
  }

  #setLimits(currency: Currency): void {
    const rules = drawnLimits(this.prng)
    this.#change({ kind: 'limit_rules', environment: 'test', currency, rules })
    this.#model.limits.set(currency, rules)
  }

  #setFees(currency: Currency): void {
    const rules = drawnFees(this.prng)
    this.#change({ kind: 'fee_rules', environment: 'test', currency, rules })
    this.#model.fees.set(currency, rules)
  }

  #setTier(wallet: ModelAccount): void {
    const names = this.#model.limits.get(wallet.currency)?.wallet_tiers.map(({ name }) => name) ?? []
    const tier = this.prng.pick([null, ...names])
    this.#change({ kind: 'wallet_tier', environment: 'test', tag: wallet.name, tier, reason: 'Vue' })
    wallet.given = tier
  }

  #setPlan(merchant: ModelAccount): void {
    const names = this.#model.fees.get(merchant.currency)?.plans.map(({ name }) => name) ?? []
    const plan = this.prng.pick([null, ...names])
    this.#change({ kind: 'fee_plan', environment: 'test', merchant_id: merchant.name, plan })
    merchant.given = plan
  }

  #setOwn(merchant: ModelAccount): void {
    const payout_max = this.prng.chance(0.5) ? null : 1000 + this.prng.below(60_000)
    const balance_max = this.prng.chance(0.5) ? null : 100_000 + this.prng.below(9_000_000)
    this.#change({ kind: 'merchant_limits', environment: 'test', merchant_id: merchant.name, limits: { payout_max, balance_max } })
    merchant.own = { payout_max, balance_max }
  }
}
