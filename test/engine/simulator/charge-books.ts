// Charges in the independent model: what each move of a charge must come to at the time of its record.
import type { CreateCharge } from '../../../engine/domain/charge/charge-decide.ts'
import { ACCOUNT_MAX, accepted, type Books, type Environment, refused, type Verdict, WALLET_MAX } from './books.ts'

interface BookedCharge {
  readonly merchant: number
  readonly amount: number
  readonly customer: string
  readonly webhookUrl: string
  readonly expiresMs: number
  state: 'pending' | 'paid' | 'expired' | 'cancelled' | 'refunded'
  payer: number
}

const VALID_MS = 30 * 60 * 1000
const OVER = {
  paid: 'charge_already_paid',
  refunded: 'charge_already_paid',
  expired: 'charge_expired',
  cancelled: 'charge_cancelled',
} as const

export class ChargeBooks {
  readonly #books: Books
  readonly #charges = new Map<string, BookedCharge>()

  constructor(books: Books) {
    this.#books = books
  }

  /** Tokens of the charges so far. */
  get tokens(): string[] {
    return [...this.#charges.keys()]
  }

  /** A charge that a wallet of the environment may pay, and the tag of the wallet; empty for any. */
  payable(environment: Environment): { readonly token: string; readonly amount: number; readonly customer: string } | undefined {
    for (const [token, { state, merchant, amount, customer }] of [...this.#charges].reverse()) {
      if (state === 'pending' && this.#books.holder(merchant).environment === environment) return { token, amount, customer }
    }
    return undefined
  }

  get pendingCount(): number {
    return [...this.#charges.values()].filter(({ state }) => state === 'pending').length
  }

  /** Where the payment of the charge is sent. */
  webhookUrls(token: string): readonly string[] {
    const { webhookUrl } = this.#charge(token)
    return webhookUrl === '' ? [] : [webhookUrl]
  }

  create({ token, merchant, amount, customerTag: customer, webhookUrl }: CreateCharge, nowMs: number): Verdict {
    const charge: BookedCharge = { merchant, amount, customer, webhookUrl, expiresMs: nowMs + VALID_MS, state: 'pending', payer: -1 }
    this.#charges.set(token, charge)
    return accepted(201, [], this.#customerFrames(charge))
  }

  pay(token: string, payer: number, nowMs: number): Verdict {
    const charge = this.#charge(token)
    const { environment, tag, balance, isBlocked } = this.#books.holder(payer)
    const merchant = this.#books.holder(charge.merchant)
    if (environment !== merchant.environment) return refused(404, 'not_found')
    if (isBlocked) return refused(403, 'wallet_blocked')
    const state = stateAt(charge, nowMs)
    if (state !== 'pending') return refused(409, OVER[state])
    if (charge.customer !== '' && charge.customer !== tag) return refused(403, 'wrong_customer')
    if (balance < charge.amount) return refused(402, 'insufficient_balance')
    if (merchant.balance + charge.amount > ACCOUNT_MAX) return refused(409, 'recipient_limit_exceeded')
    charge.state = 'paid'
    charge.payer = payer
    return accepted(200, [this.#books.move(payer, charge.merchant, charge.amount)], [payer, payer, payer])
  }

  refund(token: string): Verdict {
    const charge = this.#charge(token)
    if (charge.state === 'refunded') return refused(409, 'charge_already_refunded')
    if (charge.state !== 'paid') return refused(409, 'charge_not_paid')
    const { payer, merchant, amount } = charge
    if (this.#books.holder(payer).balance + amount > WALLET_MAX) return refused(409, 'recipient_limit_exceeded')
    if (this.#books.holder(merchant).balance < amount) return refused(409, 'funds_paid_out')
    charge.state = 'refunded'
    return accepted(200, [this.#books.move(merchant, payer, amount)], [payer, payer, payer])
  }

  cancel(token: string, nowMs: number): Verdict {
    const charge = this.#charge(token)
    const state = stateAt(charge, nowMs)
    if (state === 'cancelled') return accepted(200)
    if (state !== 'pending') return refused(409, 'charge_not_pending')
    charge.state = 'cancelled'
    return accepted(200, [], this.#customerFrames(charge))
  }

  /** By its timer: never early, and only while it is pending. */
  expire(token: string, nowMs: number): Verdict {
    const charge = this.#charge(token)
    if (charge.state !== 'pending') throw new Error(`charge ${token} expired when it was ${charge.state}`)
    if (nowMs < charge.expiresMs) throw new Error(`charge ${token} expired ${charge.expiresMs - nowMs} ms early`)
    charge.state = 'expired'
    return accepted(200, [], this.#customerFrames(charge))
  }

  /** Everything is over that should be over by now, as far as timers had the time. */
  overdueAt(nowMs: number): string[] {
    return [...this.#charges].filter(([, charge]) => charge.state === 'pending' && charge.expiresMs < nowMs).map(([token]) => token)
  }

  #charge(token: string): BookedCharge {
    const charge = this.#charges.get(token)
    if (charge === undefined) throw new Error(`the books have no charge ${token}`)
    return charge
  }

  #customerFrames({ customer, merchant }: BookedCharge): number[] {
    const wallet = customer === '' ? undefined : this.#books.walletOf(this.#books.holder(merchant).environment, customer)
    return wallet === undefined ? [] : [wallet]
  }
}

function stateAt({ state, expiresMs }: BookedCharge, nowMs: number): BookedCharge['state'] {
  return state === 'pending' && nowMs >= expiresMs ? 'expired' : state
}
