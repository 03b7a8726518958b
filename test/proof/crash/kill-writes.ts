// Writes of the kill rounds: those of the cluster's rounds, and those of links and checkouts, of cash and of plans, bill refunds and
// redeliveries, and bills whose lookup and fulfillment are hosted code. Every operation that moves money is among them (money-operations.ts).
// Schedules that are due are not: `Schedules` waits for their runs over many kills.

import type { Prng } from '../../support/prng.ts'
import { PIN } from '../../support/wallet-callers.ts'
import type { Wallet } from '../cluster/accounts.ts'
import { between, type Effect, MERCHANT, MoneyWrites, WRITE_KINDS, type WriteKind } from '../cluster/money-writes.ts'
import { CASH_KINDS, CashWrites } from './cash-writes.ts'
import { CHECKOUT_KINDS, CheckoutWrites } from './checkout-writes.ts'
import { HOSTED_PRODUCT, type KillAccounts } from './kill-accounts.ts'
import { type AnswerEffects, keyed, WRITE_AMOUNT_MAX, type KillWrite as WriteOf } from './kill-write.ts'
import { PLANNED_KINDS, PlannedWrites } from './planned-writes.ts'
import type { Told } from './wire.ts'

const BILL_KINDS = ['redelivery', 'bill refund'] as const
const HOSTED_KINDS = ['quote', 'quoted bill'] as const

/** Kinds beside those of the cluster's rounds and hosted code. */
const OTHER_KINDS = [...CHECKOUT_KINDS, ...BILL_KINDS, ...CASH_KINDS, ...PLANNED_KINDS] as const
type OtherKind = (typeof OTHER_KINDS)[number]

export type KillWriteKind = Exclude<WriteKind, 'schedule'> | OtherKind | (typeof HOSTED_KINDS)[number]
/** Every kind of write that the rounds make. */
export const KILL_WRITE_KINDS: readonly KillWriteKind[] = [
  ...WRITE_KINDS.filter((kind) => kind !== 'schedule'),
  ...OTHER_KINDS,
  ...HOSTED_KINDS,
]
export type KillWrite = WriteOf<KillWriteKind>

/** Of the writes without hosted code. */
const OTHER_SHARE = 0.6
/** Of the writes while hosted code runs. */
const HOSTED_SHARE = 0.3
/** Less than the five minutes of a quote. */
const QUOTE_MAX_MS = 3 * 60_000
/** Highest number of a meter, of eleven digits. */
const METERS = 100_000

interface Quote {
  readonly id: string
  readonly amount: number
  readonly payer: Wallet
  readonly payableUntilMs: number
}

interface PaidBill {
  readonly transactionId: string
  readonly amount: number
  /** Tag. */
  readonly payer: string
}

export class KillWrites {
  readonly #accounts: KillAccounts
  readonly #prng: Prng
  readonly #money: MoneyWrites
  readonly #checkout: CheckoutWrites
  readonly #cash: CashWrites
  readonly #planned: PlannedWrites
  readonly #paidBills: PaidBill[] = []
  readonly #redelivered: PaidBill[] = []
  readonly #quotes: Quote[] = []
  /** Transactions of bills whose fulfillment is hosted code. */
  readonly hostedBills: string[] = []
  /** Whether lookups and payments of hosted code are among the writes: each start of a sandbox costs a second. */
  hasHosted = false

  constructor(accounts: KillAccounts, prng: Prng) {
    this.#accounts = accounts
    this.#prng = prng
    this.#money = new MoneyWrites(accounts, prng)
    this.#checkout = new CheckoutWrites(accounts, prng)
    this.#cash = new CashWrites(accounts, prng)
    this.#planned = new PlannedWrites(accounts, prng)
  }

  /** Of a random kind that is possible now. */
  next(key: string): KillWrite {
    if (this.hasHosted && this.#prng.chance(HOSTED_SHARE)) return this.#hosted(key)
    if (this.#prng.chance(OTHER_SHARE)) return this.#other(this.#prng.pick(OTHER_KINDS), key)
    for (;;) {
      const { kind, effectsOf, ...write } = this.#money.next(key)
      if (kind === 'schedule') continue
      const { amount } = JSON.parse(write.body) as { amount: number }
      const read = (told: Told): readonly Effect[] => {
        const answer = JSON.parse(told.text) as Readonly<Record<string, unknown>>
        const effects = effectsOf(answer)
        const payer = effects[0]?.account ?? ''
        if (kind === 'bill') this.#paidBills.push({ transactionId: String(answer.transaction_id), amount, payer })
        return effects
      }
      return { ...write, kind, effectsOf: read }
    }
  }

  payout(key: string): KillWrite {
    const [wallet] = this.#accounts.wallets
    const [tag, amount] = [wallet?.tag ?? '', 1 + this.#prng.below(WRITE_AMOUNT_MAX)]
    return this.#byMerchant('payout', key, '/v1/biz/payouts', { recipient: tag, amount, reference: key }, ({ transaction_id }) => {
      return between(MERCHANT, tag, amount, String(transaction_id))
    })
  }

  #other(kind: OtherKind, key: string): KillWrite {
    if (kind === 'redelivery') return this.#redelivery(key)
    if (kind === 'bill refund') return this.#billRefund(key)
    if (isOneOf(CHECKOUT_KINDS, kind)) return this.#checkout.next(kind, key)
    return isOneOf(CASH_KINDS, kind) ? this.#cash.next(kind, key) : this.#planned.next(kind, key)
  }

  /** The oldest quote that can be paid, or a new one. */
  #hosted(key: string): KillWrite {
    for (let quote = this.#quotes.shift(); quote !== undefined; quote = this.#quotes.shift()) {
      if (performance.now() < quote.payableUntilMs) return this.#quotedBill(key, quote)
    }
    const payer = this.#prng.pick(this.#accounts.wallets)
    const form_values = { compteur: String(this.#prng.below(METERS)).padStart(11, '0') }
    return keyed('quote', key, this.#hostedPath('quote'), this.#accounts.headersOf(payer), { form_values }, ({ id, amount }) => {
      const payableUntilMs = performance.now() + QUOTE_MAX_MS
      this.#quotes.push({ id: String(id), amount: Number(amount), payer, payableUntilMs })
      return []
    })
  }

  #quotedBill(key: string, { id, amount, payer }: Quote): KillWrite {
    const body = { quote_id: id, pin: PIN }
    return keyed(
      'quoted bill',
      key,
      this.#hostedPath('pay'),
      this.#accounts.headersOf(payer),
      body,
      ({ transaction_id, balance_after }) => {
        this.hostedBills.push(String(transaction_id))
        return between(payer.tag, MERCHANT, amount, String(transaction_id), Number(balance_after))
      },
    )
  }

  #hostedPath(verb: 'quote' | 'pay'): string {
    return `/v1/me/directory/${this.#accounts.biller}/products/${HOSTED_PRODUCT}/${verb}`
  }

  #redelivery(key: string): KillWrite {
    const bill = this.#paidBills.pop()
    if (bill === undefined) return this.payout(key)
    return this.#byMerchant('redelivery', key, `/v1/biz/bill-payments/${bill.transactionId}/redeliver`, { force: true }, () => {
      this.#redelivered.push(bill)
      return []
    })
  }

  #billRefund(key: string): KillWrite {
    const bill = this.#redelivered.pop()
    if (bill === undefined) return this.#redelivery(key)
    return this.#byMerchant('bill refund', key, `/v1/biz/bill-payments/${bill.transactionId}/refund`, {}, (answer) => {
      return between(MERCHANT, bill.payer, bill.amount, String(answer.refund_transaction_id))
    })
  }

  #byMerchant(kind: KillWriteKind, key: string, path: string, body: object, effectsOf: AnswerEffects): KillWrite {
    return keyed(kind, key, path, this.#accounts.merchantHeaders, body, effectsOf)
  }
}

function isOneOf<Kind extends string>(kinds: readonly Kind[], kind: string): kind is Kind {
  return (kinds as readonly string[]).includes(kind)
}
