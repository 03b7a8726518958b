// A world of three currencies that plays random movements against the model of rules: the engine's answer, its fees and all balances are
// compared after each of them.
import assert from 'node:assert/strict'
import type { Command } from '../../../engine/domain/command.ts'
import { payloadOf } from '../../../engine/domain/record.ts'
import type { LimitNear } from '../../../engine/domain/rules/near-limits.ts'
import type { RuleChange } from '../../../engine/domain/rules/rules-state.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import { rfc3339 } from '../../../engine/kernel/time.ts'
import { payWithdrawal, requestWithdrawal } from '../../support/cash-request-commands.ts'
import { CALLER, deposit, payout } from '../../support/commands.ts'
import type { EngineFixture } from '../../support/engine-fixture.ts'
import type { Prng } from '../../support/prng.ts'
import { drawnFees, drawnLimits } from './rules-draws.ts'
import { type Answer, availableOf, type ModelAccount, type ModelFee, type OpenWithdrawal, RulesModel, type Verdict } from './rules-model.ts'

export const CURRENCIES: readonly [Currency, ...Currency[]] = ['XOF', 'GHS', 'XAF']
const DAY_MS = 86_400_000
const LINES_MAX = 5
/** Charges that may still be refunded. */
const CHARGES_KEPT = 30

export class World {
  readonly prng: Prng
  readonly seen = new Map<string, number>()
  readonly #fixture: EngineFixture
  readonly #model = new RulesModel(() => this.#time().slice(0, 10))
  readonly #merchants: ModelAccount[] = []
  readonly #wallets: ModelAccount[] = []
  readonly #accounts: readonly ModelAccount[]
  /** Withdrawals that were requested, and neither paid nor cancelled. */
  readonly #open: OpenWithdrawal[] = []
  /** Charges that were paid and not refunded, newest last. */
  readonly #paid: string[] = []
  #tokens = 0

  constructor(fixture: EngineFixture, prng: Prng) {
    this.#fixture = fixture
    this.prng = prng
    for (const currency of CURRENCIES) {
      for (const number of [1, 2]) this.#merchants.push(this.#merchant(`Boutique ${currency} ${number}`, currency))
      for (const number of [1, 2, 3, 4]) this.#wallets.push(this.#wallet(`${currency.toLowerCase()}_${number}`, currency))
      this.#setLimits(currency)
      this.#setFees(currency)
    }
    this.#accounts = [...this.#merchants, ...this.#wallets]
  }

  payout(): void {
    const [merchant, wallet] = this.#pair(this.#merchants, this.#wallets)
    const amount = this.#amount()
    const expected = this.#model.payout(merchant, wallet, amount)
    this.#compare(this.#do(payout(merchant.account, wallet.name, amount)), expected)
    if (expected.code === undefined) this.#model.move(merchant, wallet, amount, expected.fee)
  }

  batch(): void {
    const merchant = this.prng.pick(this.#merchants)
    const lines = Array.from({ length: 1 + this.prng.below(LINES_MAX) }, () => ({
      wallet: this.#pair([merchant], this.#wallets)[1],
      amount: this.#amount(),
    }))
    const sent = lines.map(({ wallet, amount }) => ({ recipient: wallet.name, amount, reference: '', note: '', fault: null }))
    const { items = [] } = this.#do({ type: 'CreateBatch', merchant: merchant.account, lines: sent, reference: '', scheduleId: null })
    for (const [index, { wallet, amount }] of lines.entries()) {
      const expected = this.#model.payout(merchant, wallet, amount)
      this.#compare(items[index] ?? {}, expected)
      if (expected.code === undefined) this.#model.move(merchant, wallet, amount, expected.fee)
    }
  }

  transfer(): void {
    const [sender, recipient] = this.#pair(this.#wallets, this.#wallets)
    if (sender === recipient) return
    const amount = this.#amount()
    const expected = this.#model.transfer(sender, recipient, amount)
    const command = { type: 'CreateTransfer', sender: sender.account, recipient: recipient.name, amount, note: '' } as const
    this.#compare(this.#do(command), expected)
    if (expected.code === undefined) this.#model.move(sender, recipient, amount, expected.fee)
  }

  charge(): void {
    const [payer, merchant] = this.#pair(this.#wallets, this.#merchants)
    const amount = this.#amount()
    const token = `charge-${++this.#tokens}`
    const texts = { reference: '', description: '', customerTag: '', metadata: {}, checkoutUrl: '', redirectUrl: '', webhookUrl: '' }
    const { code } = this.#do({ type: 'CreateCharge', merchant: merchant.account, token, amount, madeBy: CALLER, ...texts })
    const max = this.#model.chargeMax(merchant)
    assert.equal(code, max !== null && amount > max ? 'limit_exceeded' : undefined)
    if (code !== undefined) return
    const expected = this.#model.charge(payer, merchant, amount)
    const paid = { type: 'PayCharge', token, merchant: null, payer: payer.account, challengeId: null, answer: 'app' } as const
    this.#compare(this.#do(paid), expected, payer)
    if (expected.code !== undefined) return
    this.#model.pay(token, payer, merchant, amount, expected.fee)
    if (this.#paid.push(token) > CHARGES_KEPT) this.#paid.shift()
  }

  refund(): void {
    const token = this.#paid.at(this.prng.below(this.#paid.length))
    const payment = this.#model.payments.get(token ?? '')
    if (token === undefined || payment === undefined) return
    const expected = this.#model.refund(payment)
    const { code } = this.#do({ type: 'RefundCharge', merchant: payment.merchant.account, token })
    assert.equal(code, expected.code)
    this.#see(expected.code ?? 'refund')
    if (expected.code === undefined) this.#model.giveBack(token, payment, expected.fee)
  }

  withdrawal(): void {
    if (this.#open.length > 0 && this.prng.chance(0.6)) return this.#endWithdrawal()
    const merchant = this.prng.pick(this.#merchants)
    const amount = this.#amount()
    const fee = this.#model.fee('withdrawal', merchant, merchant, amount)
    const taken = amount + (fee?.amount ?? 0)
    const isShort = availableOf(merchant) < taken
    const { code, id = '', fee: shown } = this.#do(requestWithdrawal(merchant.account, amount))
    assert.equal(code, isShort ? 'insufficient_balance' : undefined)
    if (isShort) return
    assert.equal(shown, fee?.amount ?? 0)
    merchant.held += taken
    this.#open.push({ id, merchant, amount, fee, taken })
  }

  deposit(): void {
    const account = this.prng.pick(this.prng.chance(0.7) ? this.#merchants : this.#wallets)
    const amount = this.#amount() * (account.kind === 'merchant' ? 20 : 1)
    const expected = this.#model.deposit(account, amount)
    const target = account.kind === 'merchant' ? { merchantId: account.name } : { tag: account.name }
    assert.equal(this.#do(deposit(target, amount)).code, expected.code)
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
    const month = this.#time().slice(0, 7)
    this.#fixture.loop.advance(this.prng.chance(0.5) ? this.prng.below(DAY_MS) : this.prng.below(7) * DAY_MS)
    this.#fixture.settle()
    if (this.#time().slice(0, 7) !== month) this.#see('month')
  }

  async restart(): Promise<void> {
    await this.#fixture.start()
    this.#see('restart')
  }

  compareBalances(): void {
    const { accounts } = this.#fixture.state
    for (const { account, balance, held, name } of this.#accounts) {
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
    assert.deepEqual(got.sort(), this.#model.notices())
    for (const _ of got) this.#see('limit.near')
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

  #time(): string {
    return rfc3339(this.#fixture.engine.query('engine.time', null))
  }

  #amount(): number {
    return 1 + this.prng.below(this.prng.chance(0.2) ? 60_000 : 9000)
  }

  /** Takes what its request held, also where the rules have changed since. */
  #endWithdrawal(): void {
    const withdrawal = this.#open.shift()
    assert.ok(withdrawal !== undefined)
    const { id, merchant, amount, fee, taken } = withdrawal
    merchant.held -= taken
    if (this.prng.chance(0.3)) {
      this.#do({ type: 'CancelWithdrawal', merchant: merchant.account, id })
      return
    }
    this.#do(payWithdrawal(id))
    merchant.balance -= amount
    if (fee !== null) this.#model.take(fee)
    this.#see('withdrawal')
  }

  /** Mostly of one currency. */
  #pair(from: readonly ModelAccount[], to: readonly ModelAccount[]): [ModelAccount, ModelAccount] {
    const payer = this.prng.pick(from)
    const same = to.filter(({ currency }) => currency === payer.currency)
    return [payer, this.prng.pick(this.prng.chance(0.03) ? to : same)]
  }

  #do(command: Command): Answer {
    return JSON.parse(this.#fixture.do(command).body) as Answer
  }

  /** `shownTo`: the answer has the fee of that account alone. */
  #compare({ code, failure_code = code, fee }: Answer, expected: Verdict, shownTo: ModelAccount | null = null): void {
    assert.equal(failure_code, expected.code)
    this.#see(expected.code ?? 'made')
    if (expected.code !== undefined) return
    const shown: ModelFee | null = shownTo !== null && expected.fee?.bearer !== shownTo ? null : expected.fee
    assert.equal(fee, shown?.amount ?? 0, 'the fee of the answer')
    if (expected.fee !== null) this.#see('fee')
  }

  #see(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1)
  }

  #change(change: RuleChange): void {
    const { code } = this.#do({ type: 'ChangeRules', change })
    assert.equal(code, undefined, JSON.stringify(change))
    this.#see(change.kind)
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
    const tier = this.prng.pick([null, 'basic', 'verified'])
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

  #merchant(name: string, currency: Currency): ModelAccount {
    const { id = '' } = this.#do({ type: 'CreateMerchant', name, email: `${name.replaceAll(' ', '')}@example.com`, currency })
    const account = this.#fixture.state.merchants.merchants.get(id)?.accounts.test
    assert.ok(account !== undefined)
    return { kind: 'merchant', account, currency, name: id, balance: 0, held: 0, given: null, own: {} }
  }

  #wallet(tag: string, currency: Currency): ModelAccount {
    this.#do({ type: 'CreateTestWallet', tag, currency })
    const account = this.#fixture.state.wallets.byTag('test', tag)?.account
    assert.ok(account !== undefined)
    return { kind: 'wallet', account, currency, name: tag, balance: 0, held: 0, given: null, own: {} }
  }
}
