// Every kind of write that moves money, as one request with an idempotency key, and what its answer says about balances.
import type { BatchReport } from '../../../engine/contract/batch.ts'
import type { Prng } from '../../support/prng.ts'
import { PIN } from '../../support/wallet-callers.ts'
import { type Accounts, PRODUCT, type Wallet } from './accounts.ts'

/** The account that is no wallet. */
export const MERCHANT = 'merchant'

export const WRITE_KINDS = [
  'payout',
  'batch',
  'charge',
  'charge payment',
  'refund',
  'transfer',
  'mandate charge',
  'bill',
  'schedule',
] as const
export type WriteKind = (typeof WRITE_KINDS)[number]

export interface Effect {
  /** Tag of a wallet, or MERCHANT. */
  readonly account: string
  /** Signed. */
  readonly amount: number
  readonly transactionId: string
  /** The balance that the answer says was left. */
  readonly balanceAfter: number | null
}

export interface MoneyWrite {
  readonly kind: WriteKind
  readonly key: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Reads the effects of a successful answer. Throws when the answer says that the money was not moved. */
  readonly effectsOf: (answer: Readonly<Record<string, unknown>>) => readonly Effect[]
}

/** A charge that can be paid, or was paid and can be refunded. */
interface KnownCharge {
  readonly token: string
  readonly amount: number
  readonly payer: Wallet
  readonly payableUntilMs: number
}

/** Less than the thirty minutes of a charge: a fault may hold a payment up for minutes. */
const PAYABLE_MS = 20 * 60 * 1000
const START_IN_MS = { min: 500, range: 5000 } as const
const AMOUNT_MAX = 90
/** Share of payout batches whose record is large enough for a log batch of its own (`LARGE_RECORD_BYTES`): 24 lines with notes of 960 bytes. */
const LARGE_SHARE = 0.3
const LARGE_TIMES = 8
const NOTE = 'é'.repeat(480)

/** Accounts that the writes are of. */
export type WritingAccounts = Pick<Accounts, 'merchantHeaders' | 'wallets' | 'biller' | 'headersOf'>

export class MoneyWrites {
  readonly #accounts: WritingAccounts
  readonly #prng: Prng
  readonly #payable: KnownCharge[] = []
  readonly #refundable: KnownCharge[] = []

  constructor(accounts: WritingAccounts, prng: Prng) {
    this.#accounts = accounts
    this.#prng = prng
  }

  /** Of a random kind that is possible now. */
  next(key: string): MoneyWrite {
    const kind = this.#prng.pick(WEIGHTED_KINDS)
    const known = kind === 'charge payment' ? this.#takePayable() : kind === 'refund' ? this.#refundable.pop() : undefined
    if (kind === 'charge payment' || kind === 'refund') {
      if (known === undefined) return this.#build('charge', key)
      return kind === 'refund' ? this.#refund(key, known) : this.#chargePayment(key, known)
    }
    return this.#build(kind, key)
  }

  /** The newest charge. When that one is too old, so are all others. */
  #takePayable(): KnownCharge | undefined {
    const known = this.#payable.pop()
    if (known === undefined || performance.now() < known.payableUntilMs) return known
    this.#payable.length = 0
    return undefined
  }

  #build(kind: Exclude<WriteKind, 'charge payment' | 'refund'>, key: string): MoneyWrite {
    const wallet = this.#prng.pick(this.#accounts.wallets)
    const amount = 1 + this.#prng.below(AMOUNT_MAX)
    switch (kind) {
      case 'payout':
        return this.#byMerchant(kind, key, '/v1/biz/payouts', { recipient: wallet.tag, amount, reference: key }, (answer) => {
          return between(MERCHANT, wallet.tag, amount, paidTransaction(answer))
        })
      case 'batch':
        return this.#batch(key)
      case 'charge':
        return this.#byMerchant(kind, key, '/v1/biz/charges', { amount, reference: key }, ({ token }) => {
          this.#payable.push({ token: String(token), amount, payer: wallet, payableUntilMs: performance.now() + PAYABLE_MS })
          return []
        })
      case 'transfer':
        return this.#transfer(key, wallet, amount)
      case 'mandate charge':
        return this.#byMerchant(kind, key, `/v1/biz/mandates/${wallet.mandateId}/charges`, { amount }, (answer) => {
          return between(wallet.tag, MERCHANT, amount, paidTransaction(answer))
        })
      case 'bill':
        return this.#bill(key, wallet, amount + 100)
      case 'schedule':
        return this.#schedule(key)
    }
  }

  #batch(key: string): MoneyWrite {
    const items = this.#prng.chance(LARGE_SHARE) ? this.#noted(LARGE_TIMES) : this.#lines()
    return this.#byMerchant('batch', key, '/v1/biz/payouts/batch', { items, reference: key }, (answer) => {
      return batchEffects(answer as unknown as BatchReport)
    })
  }

  /** Its effects come with its run, which the caller waits for. */
  #schedule(key: string): MoneyWrite {
    const start_at = new Date(Date.now() + START_IN_MS.min + this.#prng.below(START_IN_MS.range)).toISOString()
    const body = { recurrence: 'once', start_at, items: this.#lines(), reference: key }
    return this.#byMerchant('schedule', key, '/v1/biz/payout-schedules', body, () => [])
  }

  #lines(): { readonly recipient: string; readonly amount: number }[] {
    return this.#accounts.wallets.slice(1).map(({ tag }) => ({ recipient: tag, amount: 1 + this.#prng.below(AMOUNT_MAX) }))
  }

  /** The lines of every wallet so many times, with long notes. */
  #noted(times: number): readonly object[] {
    return Array.from({ length: times }, () => this.#lines().map((line) => ({ ...line, note: NOTE }))).flat()
  }

  #transfer(key: string, sender: Wallet, amount: number): MoneyWrite {
    const recipient = this.#prng.pick(this.#accounts.wallets.filter((wallet) => wallet !== sender))
    return this.#byWallet('transfer', key, sender, '/v1/me/transfers', { recipient: recipient.tag, amount, pin: PIN }, (answer) => {
      return between(sender.tag, recipient.tag, amount, String(answer.transaction_id), Number(answer.balance_after))
    })
  }

  #chargePayment(key: string, known: KnownCharge): MoneyWrite {
    const { token, amount, payer } = known
    return this.#byWallet('charge payment', key, payer, `/v1/me/charges/${token}/pay`, { pin: PIN }, (answer) => {
      this.#refundable.push(known)
      return between(payer.tag, MERCHANT, amount, String(answer.transaction_id), Number(answer.balance_after))
    })
  }

  #refund(key: string, { token, amount, payer }: KnownCharge): MoneyWrite {
    return this.#byMerchant('refund', key, `/v1/biz/charges/${token}/refund`, {}, (answer) => {
      return between(MERCHANT, payer.tag, amount, String(answer.refund_transaction_id))
    })
  }

  #bill(key: string, payer: Wallet, amount: number): MoneyWrite {
    const path = `/v1/me/directory/${this.#accounts.biller}/products/${PRODUCT}/pay`
    return this.#byWallet('bill', key, payer, path, { amount, pin: PIN }, (answer) => {
      return between(payer.tag, MERCHANT, amount, String(answer.transaction_id), Number(answer.balance_after))
    })
  }

  #byMerchant(kind: WriteKind, key: string, path: string, body: object, effectsOf: MoneyWrite['effectsOf']): MoneyWrite {
    return { kind, key, path, headers: this.#accounts.merchantHeaders, body: JSON.stringify(body), effectsOf }
  }

  #byWallet(kind: WriteKind, key: string, wallet: Wallet, path: string, body: object, effectsOf: MoneyWrite['effectsOf']): MoneyWrite {
    return { kind, key, path, headers: this.#accounts.headersOf(wallet), body: JSON.stringify(body), effectsOf }
  }
}

/** Requests with a PIN are rarer: each costs a slow hash. */
const WEIGHTED_KINDS: readonly WriteKind[] = [
  ...Array.from({ length: 12 }, () => 'payout' as const),
  ...Array.from({ length: 3 }, () => 'batch' as const),
  ...Array.from({ length: 4 }, () => 'mandate charge' as const),
  ...Array.from({ length: 2 }, () => 'charge' as const),
  ...Array.from({ length: 2 }, () => 'charge payment' as const),
  ...(['refund', 'transfer', 'transfer', 'bill', 'schedule'] as const),
]

export function between(from: string, to: string, amount: number, transactionId: string, balanceAfter: number | null = null): Effect[] {
  return [
    { account: from, amount: -amount, transactionId, balanceAfter },
    { account: to, amount, transactionId, balanceAfter: null },
  ]
}

function paidTransaction({ state, transaction_id }: Readonly<Record<string, unknown>>): string {
  if (state !== 'paid') throw new Error(`the state is ${String(state)}`)
  return String(transaction_id)
}

export function batchEffects({ items }: BatchReport): Effect[] {
  return items.flatMap(({ recipient, amount, state, transaction_id }) => {
    if (state !== 'paid') throw new Error(`a line of a batch is ${state}`)
    return between(MERCHANT, String(recipient), Number(amount), String(transaction_id))
  })
}
