// What all plays of the model share: the engine, the model, the accounts of three currencies, and the comparison of an answer with what the
// model expects.
import assert from 'node:assert/strict'
import type { Command } from '../../../engine/domain/command.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import { rfc3339 } from '../../../engine/kernel/time.ts'
import type { EngineFixture } from '../../support/engine-fixture.ts'
import type { Prng } from '../../support/prng.ts'
import { type Answer, type ModelAccount, type ModelFee, RulesModel, type Verdict } from './rules-model.ts'

export const CURRENCIES: readonly [Currency, ...Currency[]] = ['XOF', 'GHS', 'XAF']

export class Stand {
  readonly fixture: EngineFixture
  readonly prng: Prng
  readonly model = new RulesModel(() => this.time().slice(0, 10))
  readonly seen = new Map<string, number>()
  readonly merchants: ModelAccount[] = []
  readonly wallets: ModelAccount[] = []
  /** Notices that the model expects of records of the play that are compared one by one. */
  readonly noted: string[] = []

  constructor(fixture: EngineFixture, prng: Prng) {
    this.fixture = fixture
    this.prng = prng
    for (const currency of CURRENCIES) {
      for (const number of [1, 2]) this.merchants.push(this.#merchant(`Boutique ${currency} ${number}`, currency))
      for (const number of [1, 2, 3, 4]) this.wallets.push(this.#wallet(`${currency.toLowerCase()}_${number}`, currency))
    }
  }

  time(): string {
    return rfc3339(this.fixture.engine.query('engine.time', null))
  }

  amount(): number {
    return 1 + this.prng.below(this.prng.chance(0.2) ? 60_000 : 9000)
  }

  /** Mostly of one currency. */
  pair(from: readonly ModelAccount[], to: readonly ModelAccount[]): [ModelAccount, ModelAccount] {
    const payer = this.prng.pick(from)
    const same = to.filter(({ currency }) => currency === payer.currency)
    return [payer, this.prng.pick(this.prng.chance(0.03) ? to : same)]
  }

  do(command: Command): Answer {
    return JSON.parse(this.fixture.do(command).body) as Answer
  }

  /** `shownTo`: the answer has the fee of that account alone. */
  compare({ code, failure_code = code, fee }: Answer, expected: Verdict, shownTo: ModelAccount | null = null): void {
    assert.equal(failure_code, expected.code)
    this.see(expected.code ?? 'made')
    if (expected.code !== undefined) return
    const shown: ModelFee | null = shownTo !== null && expected.fee?.bearer !== shownTo ? null : expected.fee
    assert.equal(fee, shown?.amount ?? 0, 'the fee of the answer')
    if (expected.fee !== null) this.see('fee')
  }

  see(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1)
  }

  #merchant(name: string, currency: Currency): ModelAccount {
    const { id = '' } = this.do({ type: 'CreateMerchant', name, email: `${name.replaceAll(' ', '')}@example.com`, currency })
    const account = this.fixture.state.merchants.merchants.get(id)?.accounts.test
    assert.ok(account !== undefined)
    return { kind: 'merchant', account, currency, name: id, balance: 0, held: 0, given: null, own: {} }
  }

  #wallet(tag: string, currency: Currency): ModelAccount {
    this.do({ type: 'CreateTestWallet', tag, currency })
    const account = this.fixture.state.wallets.byTag('test', tag)?.account
    assert.ok(account !== undefined)
    return { kind: 'wallet', account, currency, name: tag, balance: 0, held: 0, given: null, own: {} }
  }
}
