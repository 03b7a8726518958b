// Merchants that pay as fast as they can until the server is gone: unique keys, now and then one of them twice.
import type { Prng } from '../support/prng.ts'
import { type CrashMerchant, NOBODY, type SentPayout, sendPayout, WALLETS } from './merchants.ts'
import type { Told, Wire } from './wire.ts'

const CONNECTIONS = 24

export class Load {
  acknowledged = 0
  readonly #wire: Wire
  readonly #merchants: readonly CrashMerchant[]
  readonly #prng: Prng
  readonly #round: number
  readonly #stopAt: number
  readonly #stop: () => void
  #counter = 0
  #isOver = false

  /** Calls `stop` once, when so many answers have come; what is under way then is cut off. */
  constructor(wire: Wire, merchants: readonly CrashMerchant[], prng: Prng, round: number, stopAt: number, stop: () => void) {
    this.#wire = wire
    this.#merchants = merchants
    this.#prng = prng
    this.#round = round
    this.#stopAt = stopAt
    this.#stop = stop
  }

  /** Resolves when every connection is broken. Rejects when an answer is not what it must be. */
  async run(): Promise<void> {
    await Promise.all(Array.from({ length: CONNECTIONS }, () => this.#connection()))
  }

  async #connection(): Promise<void> {
    while (!this.#isOver) {
      const merchant = this.#prng.pick(this.#merchants)
      const again = this.#prng.chance(0.1) ? this.#oneOf(merchant) : undefined
      const told = await this.#trySend(merchant, again ?? this.#fresh(merchant))
      // 503: the server is stopping and rejects new requests.
      if (told === null || (told.status === 503 && this.#isOver)) return
      this.acknowledged++
      if (this.acknowledged === this.#stopAt) {
        this.#isOver = true
        this.#stop()
      }
    }
  }

  /** Null when the connection broke, as it must after the kill. */
  async #trySend(merchant: CrashMerchant, payout: SentPayout): Promise<Told | null> {
    try {
      return await sendPayout(this.#wire, merchant, payout)
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      const isBroken = code === 'ECONNRESET' || code === 'ECONNREFUSED' || code === 'EPIPE' || message === 'the answer broke off'
      if (isBroken && this.#isOver) return null
      throw error
    }
  }

  #fresh({ sent }: CrashMerchant): SentPayout {
    const key = `r${this.#round}-${this.#counter++}`
    const recipient = this.#prng.pick([WALLETS[0], WALLETS[0], WALLETS[1], WALLETS[1], WALLETS[2], NOBODY])
    const body = JSON.stringify({
      recipient: `@${recipient}`,
      amount: 1 + this.#prng.below(100),
      reference: key,
      note: 'é'.repeat(this.#prng.below(80)),
    })
    const payout: SentPayout = { key, body, told: null }
    sent.set(key, payout)
    return payout
  }

  #oneOf({ sent }: CrashMerchant): SentPayout | undefined {
    const keys = [...sent.keys()]
    const key = keys[this.#prng.below(keys.length)]
    return key === undefined ? undefined : sent.get(key)
  }
}
