// Writes of the kill rounds around charges of payment links: they are paid in the app, on the web with code and PIN, or by a test helper.

import type { Prng } from '../../support/prng.ts'
import { PIN, TEST_OTP } from '../../support/wallet-callers.ts'
import { between, type Effect, MERCHANT } from '../cluster/money-writes.ts'
import type { KillAccounts } from './kill-accounts.ts'
import { type KillWrite, keyed, WRITE_AMOUNT_MAX } from './kill-write.ts'
import type { Told } from './wire.ts'

export const CHECKOUT_KINDS = ['link charge', 'link payment', 'test charge payment', 'checkout code', 'checkout payment'] as const
export type CheckoutKind = (typeof CHECKOUT_KINDS)[number]

/** Less than the five minutes of a code. */
const CODE_MAX_MS = 3 * 60_000
/** Codes of one wallet that are not used yet. Of more than five open ones the server drops the oldest. */
const CODES_MAX = 4

interface LinkCharge {
  readonly token: string
  readonly amount: number
}

interface SentCode extends LinkCharge {
  readonly challengeId: string
  readonly tag: string
  readonly payableUntilMs: number
}

export class CheckoutWrites {
  readonly #accounts: KillAccounts
  readonly #prng: Prng
  readonly #charges: LinkCharge[] = []
  readonly #codes: SentCode[] = []
  /** Codes by tag that were asked for and not used. */
  readonly #openCodes = new Map<string, number>()

  constructor(accounts: KillAccounts, prng: Prng) {
    this.#accounts = accounts
    this.#prng = prng
  }

  /** Of the kind, or of one that must come before it. */
  next(kind: CheckoutKind, key: string): KillWrite<CheckoutKind> {
    if (kind === 'checkout payment') {
      const code = this.#takeCode()
      if (code !== undefined) return this.#payment(key, code)
    }
    const charge = kind === 'link charge' ? undefined : this.#charges.pop()
    if (charge === undefined) return this.#linkCharge()
    switch (kind) {
      case 'link payment':
        return this.#linkPayment(key, charge)
      case 'test charge payment':
        return this.#testPayment(key, charge)
      default:
        return this.#code(key, charge)
    }
  }

  #linkCharge(): KillWrite<CheckoutKind> {
    const amount = 1 + this.#prng.below(WRITE_AMOUNT_MAX)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const effectsOf = ({ location }: Told): readonly Effect[] => {
      const token = location.slice(location.lastIndexOf('/') + 1)
      if (token !== '') this.#charges.push({ token, amount })
      return []
    }
    return { kind: 'link charge', key: null, path: this.#prng.pick(this.#accounts.links), headers, body: `amount=${amount}`, effectsOf }
  }

  #linkPayment(key: string, { token, amount }: LinkCharge): KillWrite<CheckoutKind> {
    const payer = this.#prng.pick(this.#accounts.wallets)
    const headers = this.#accounts.headersOf(payer)
    return keyed('link payment', key, `/v1/me/charges/${token}/pay`, headers, { pin: PIN }, ({ transaction_id, balance_after }) => {
      return between(payer.tag, MERCHANT, amount, String(transaction_id), Number(balance_after))
    })
  }

  #testPayment(key: string, { token, amount }: LinkCharge): KillWrite<CheckoutKind> {
    const { tag } = this.#prng.pick(this.#accounts.wallets)
    const path = `/v1/biz/test/charges/${token}/pay`
    return keyed('test charge payment', key, path, this.#accounts.merchantHeaders, { payer_tag: tag }, ({ state, transaction_id }) => {
      if (state !== 'paid') throw new Error(`the charge is ${String(state)}`)
      return between(tag, MERCHANT, amount, String(transaction_id))
    })
  }

  #code(key: string, charge: LinkCharge): KillWrite<CheckoutKind> {
    const wallets = this.#accounts.wallets.filter(({ tag }) => (this.#openCodes.get(tag) ?? 0) < CODES_MAX)
    if (wallets.length === 0) return this.#linkPayment(key, charge)
    const { tag } = this.#prng.pick(wallets)
    this.#count(tag, 1)
    return keyed('checkout code', key, `/v1/biz/checkout/${charge.token}/otp`, {}, { identifier: `@${tag}` }, ({ challenge_id }) => {
      this.#codes.push({ ...charge, challengeId: String(challenge_id), tag, payableUntilMs: performance.now() + CODE_MAX_MS })
      return []
    })
  }

  /** The answer names no transaction, and a charge is paid once: its token stands for it. */
  #payment(key: string, { token, amount, challengeId: challenge_id, tag }: SentCode): KillWrite<CheckoutKind> {
    const body = { challenge_id, identifier: `@${tag}`, otp: TEST_OTP, pin: PIN }
    return keyed('checkout payment', key, `/v1/biz/checkout/${token}/pay`, {}, body, ({ state }) => {
      if (state !== 'paid') throw new Error(`the checkout is ${String(state)}`)
      this.#count(tag, -1)
      return between(tag, MERCHANT, amount, `checkout ${token}`)
    })
  }

  /** The oldest code that is still good. */
  #takeCode(): SentCode | undefined {
    for (let code = this.#codes.shift(); code !== undefined; code = this.#codes.shift()) {
      if (performance.now() < code.payableUntilMs) return code
      this.#count(code.tag, -1)
    }
    return undefined
  }

  #count(tag: string, change: number): void {
    this.#openCodes.set(tag, (this.#openCodes.get(tag) ?? 0) + change)
  }
}
