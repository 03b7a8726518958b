// Writes of the kill rounds: those of the cluster's rounds, and payment links, bill refunds and redeliveries, top-ups and withdrawals, and
// bills whose lookup and fulfillment are hosted code.
// Schedules are not among them: `Schedules` waits for their runs over many kills.
import { OPERATOR, type Wallet } from '../cluster/accounts.ts'
import { between, type Effect, MERCHANT, MoneyWrites, WRITE_KINDS, type WriteKind } from '../cluster/money-writes.ts'
import type { Prng } from '../support/prng.ts'
import { PIN } from '../support/wallet-callers.ts'
import { HOSTED_PRODUCT, type KillAccounts } from './kill-accounts.ts'
import type { Told } from './wire.ts'

const CASH_KINDS = [
  'link charge',
  'link payment',
  'redelivery',
  'bill refund',
  'top-up',
  'top-up confirmation',
  'withdrawal',
  'withdrawal payment',
  'withdrawal refusal',
  'withdrawal cancellation',
] as const
type CashKind = (typeof CASH_KINDS)[number]

const HOSTED_KINDS = ['quote', 'quoted bill'] as const

export type KillWriteKind = Exclude<WriteKind, 'schedule'> | CashKind | (typeof HOSTED_KINDS)[number]
/** Every kind of write that the rounds make. */
export const KILL_WRITE_KINDS: readonly KillWriteKind[] = [
  ...WRITE_KINDS.filter((kind) => kind !== 'schedule'),
  ...CASH_KINDS,
  ...HOSTED_KINDS,
]

export interface KillWrite {
  readonly kind: KillWriteKind
  /** Null for a form without an idempotency key, which moves no money and is sent once. */
  readonly key: string | null
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Reads the effects of a successful answer. Throws when the answer says that the money was not moved. */
  readonly effectsOf: (told: Told) => readonly Effect[]
}

/** Ids of effects that are no transactions: a hold changes what is available. */
export const HOLD_PREFIX = 'hold '

const AMOUNT_MAX = 90
const CASH_SHARE = 0.45
/** Of the writes while hosted code runs. */
const HOSTED_SHARE = 0.3
/** Less than the five minutes of a quote. */
const QUOTE_MAX_MS = 3 * 60_000
/** Highest number of a meter, of eleven digits. */
const METERS = 100_000
const DESTINATION = { kind: 'bank', name: 'Boutique Awa', account: 'SN08SN0100152000048500003035' }

interface Requested {
  readonly id: string
  readonly amount: number
}

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
  readonly #linkCharges: { readonly token: string; readonly amount: number }[] = []
  readonly #paidBills: PaidBill[] = []
  readonly #redelivered: PaidBill[] = []
  readonly #topUps: Requested[] = []
  readonly #withdrawals: Requested[] = []
  readonly #quotes: Quote[] = []
  /** Transactions of bills whose fulfillment is hosted code. */
  readonly hostedBills: string[] = []
  /** Whether lookups and payments of hosted code are among the writes: each start of a sandbox costs a second. */
  hasHosted = false

  constructor(accounts: KillAccounts, prng: Prng) {
    this.#accounts = accounts
    this.#prng = prng
    this.#money = new MoneyWrites(accounts, prng)
  }

  /** Of a random kind that is possible now. */
  next(key: string): KillWrite {
    if (this.hasHosted && this.#prng.chance(HOSTED_SHARE)) return this.#hosted(key)
    if (this.#prng.chance(CASH_SHARE)) return this.#cash(this.#prng.pick(CASH_KINDS), key)
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
    const [tag, amount] = [wallet?.tag ?? '', 1 + this.#prng.below(AMOUNT_MAX)]
    return this.#byMerchant('payout', key, '/v1/biz/payouts', { recipient: tag, amount, reference: key }, ({ transaction_id }) => {
      return between(MERCHANT, tag, amount, String(transaction_id))
    })
  }

  #cash(kind: CashKind, key: string): KillWrite {
    const amount = 1 + this.#prng.below(AMOUNT_MAX)
    switch (kind) {
      case 'link charge':
        return this.#linkCharge(amount)
      case 'link payment':
        return this.#linkPayment(key, amount)
      case 'redelivery':
        return this.#redelivery(key)
      case 'bill refund':
        return this.#billRefund(key)
      case 'top-up':
        return this.#topUp(key, amount)
      case 'top-up confirmation':
        return this.#topUpConfirmation(key, amount)
      case 'withdrawal':
        return this.#withdrawal(key, amount)
      case 'withdrawal payment':
      case 'withdrawal refusal':
      case 'withdrawal cancellation':
        return this.#withdrawalEnd(kind, key, amount)
    }
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

  #linkCharge(amount: number): KillWrite {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const effectsOf = ({ location }: Told): readonly Effect[] => {
      const token = location.slice(location.lastIndexOf('/') + 1)
      if (token !== '') this.#linkCharges.push({ token, amount })
      return []
    }
    return { kind: 'link charge', key: null, path: this.#prng.pick(this.#accounts.links), headers, body: `amount=${amount}`, effectsOf }
  }

  #linkPayment(key: string, newAmount: number): KillWrite {
    const known = this.#linkCharges.pop()
    if (known === undefined) return this.#linkCharge(newAmount)
    const payer = this.#prng.pick(this.#accounts.wallets)
    const { token, amount } = known
    const effectsOf = (told: Told): readonly Effect[] => {
      const { transaction_id, balance_after } = JSON.parse(told.text) as { transaction_id: string; balance_after: number }
      return between(payer.tag, MERCHANT, amount, transaction_id, balance_after)
    }
    const body = JSON.stringify({ pin: PIN })
    return { kind: 'link payment', key, path: `/v1/me/charges/${token}/pay`, headers: this.#accounts.headersOf(payer), body, effectsOf }
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

  #topUp(key: string, amount: number): KillWrite {
    return this.#byMerchant('top-up', key, '/v1/biz/top-ups', { amount, reference: key }, ({ id }) => {
      this.#topUps.push({ id: String(id), amount })
      return []
    })
  }

  #topUpConfirmation(key: string, newAmount: number): KillWrite {
    const known = this.#topUps.pop()
    if (known === undefined) return this.#topUp(key, newAmount)
    const path = `/v1/operator/top-ups/${known.id}/confirm`
    return this.#byOperator('top-up confirmation', key, path, { amount: known.amount, reference: key }, ({ transaction_id }) => {
      return [effect(MERCHANT, known.amount, transaction_id)]
    })
  }

  #withdrawal(key: string, amount: number): KillWrite {
    return this.#byMerchant('withdrawal', key, '/v1/biz/withdrawals', { amount, destination: DESTINATION, reference: key }, ({ id }) => {
      this.#withdrawals.push({ id: String(id), amount })
      return [effect(MERCHANT, -amount, `${HOLD_PREFIX}${String(id)}`)]
    })
  }

  #withdrawalEnd(kind: 'withdrawal payment' | 'withdrawal refusal' | 'withdrawal cancellation', key: string, newAmount: number): KillWrite {
    const known = this.#withdrawals.pop()
    if (known === undefined) return this.#withdrawal(key, newAmount)
    const released = (): readonly Effect[] => [effect(MERCHANT, known.amount, `${HOLD_PREFIX}${known.id} released`)]
    if (kind === 'withdrawal cancellation') return this.#byMerchant(kind, key, `/v1/biz/withdrawals/${known.id}/cancel`, {}, released)
    const path = `/v1/operator/withdrawals/${known.id}`
    if (kind === 'withdrawal refusal') return this.#byOperator(kind, key, `${path}/refuse`, { reason: 'Compte inconnu.' }, released)
    return this.#byOperator(kind, key, `${path}/pay`, { reference: key }, ({ transaction_id }) => [effect(MERCHANT, 0, transaction_id)])
  }

  #byMerchant(kind: KillWriteKind, key: string, path: string, body: object, effectsOf: AnswerEffects): KillWrite {
    return keyed(kind, key, path, this.#accounts.merchantHeaders, body, effectsOf)
  }

  #byOperator(kind: KillWriteKind, key: string, path: string, body: object, effectsOf: AnswerEffects): KillWrite {
    return keyed(kind, key, path, OPERATOR, body, effectsOf)
  }
}

type AnswerEffects = (answer: Readonly<Record<string, unknown>>) => readonly Effect[]

function keyed(
  kind: KillWriteKind,
  key: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: object,
  effectsOf: AnswerEffects,
): KillWrite {
  const read = ({ text }: Told): readonly Effect[] => effectsOf(JSON.parse(text) as Readonly<Record<string, unknown>>)
  return { kind, key, path, headers, body: JSON.stringify(body), effectsOf: read }
}

function effect(account: string, amount: number, transactionId: unknown): Effect {
  return { account, amount, transactionId: String(transactionId), balanceAfter: null }
}
