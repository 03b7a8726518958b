// Payouts of a server whose disk fails: what was answered must stay, and what failed must not be there.
import { pause } from '../cluster/pause.ts'
import type { ServerProcess } from '../support/server-process.ts'
import { availableOf, type PayoutShop, sendPayout } from './payout-shop.ts'
import { Wire } from './wire.ts'

interface KnownPayout {
  readonly key: string
  readonly amount: number
  /** The answer; null for a payout whose commit failed. */
  text: string | null
  /** Time of day of its first request. */
  readonly sentMs: number
}

interface Counted {
  acknowledged: number
  readings: number
  readonly faults: string[]
}

const ASKED_AGAIN = 3
/** The trace and the clients read the same clock, the clients in whole milliseconds. */
const CLOCK_STEP_MS = 1

export class KnownPayouts {
  readonly #shop: PayoutShop
  readonly #report: Counted
  readonly #payouts: KnownPayout[] = []
  /** Lowest balance that this start has shown. */
  #lowest = Number.POSITIVE_INFINITY
  /** Payouts before this start. */
  #earlier = 0

  constructor(shop: PayoutShop, report: Counted) {
    this.#shop = shop
    this.#report = report
  }

  /** What was answered before is there, what failed is not, and the balance says the same. */
  async verify(server: ServerProcess): Promise<void> {
    this.#earlier = this.#payouts.length
    this.#lowest = Number.POSITIVE_INFINITY
    const wire = new Wire(server.baseUrl)
    const failed = this.#payouts.filter(({ text }) => text === null)
    const answered = this.#payouts.filter(({ text }) => text !== null).slice(-ASKED_AGAIN)
    try {
      for (const payout of [...failed, ...answered]) await this.#pay(wire, payout)
      const [available, expected] = [await availableOf(wire, this.#shop), this.#expected]
      if (available !== expected) this.#report.faults.push(`the balance is ${available}, not ${expected}`)
    } catch {
      // The failure came: the next start is checked.
    } finally {
      wire.close()
    }
  }

  /** One payout after the other, at most so many, until the server is gone. Returns whether one failed. */
  async payUntilBroken(server: ServerProcess, countMax: number): Promise<boolean> {
    const wire = new Wire(server.baseUrl)
    try {
      for (let count = 0; count < countMax; count++) {
        const payout: KnownPayout = { key: `p-${this.#payouts.length}`, amount: 1 + (count % 9), text: null, sentMs: Date.now() }
        this.#payouts.push(payout)
        await this.#pay(wire, payout)
      }
      return false
    } catch {
      return true
    } finally {
      wire.close()
    }
  }

  /** Reads the balance again and again, until the server is gone. */
  async readUntilBroken(server: ServerProcess, pauseMs: number): Promise<void> {
    const wire = new Wire(server.baseUrl)
    try {
      for (;;) {
        this.#lowest = Math.min(this.#lowest, await availableOf(wire, this.#shop))
        this.#report.readings++
        await pause(pauseMs)
      }
    } catch {
      // It is gone.
    } finally {
      wire.close()
    }
  }

  /** Compares what this start has answered with the time of its failure; null when the server goes on after it. */
  endLife(failedMs: number | null): void {
    if (this.#lowest < this.#expected) {
      this.#report.faults.push(`the balance was shown as ${this.#lowest}, with a payout that failed: ${this.#expected} is right`)
    }
    if (failedMs === null) return
    for (const { key, text, sentMs } of this.#payouts.slice(this.#earlier)) {
      if (text !== null && sentMs > failedMs + CLOCK_STEP_MS)
        this.#report.faults.push(`the payout ${key} was sent after the failure, and answered`)
    }
  }

  get #expected(): number {
    return this.#shop.deposited - this.#payouts.reduce((sum, { text, amount }) => sum + (text === null ? 0 : amount), 0)
  }

  /** Rejects when the connection breaks. */
  async #pay(wire: Wire, payout: KnownPayout): Promise<void> {
    const { status, text, replayed } = await sendPayout(wire, this.#shop, payout.key, payout.amount)
    if (status !== 201) throw new Error(`${status} ${text}`)
    if (payout.text === null) {
      if (replayed) this.#report.faults.push(`the payout ${payout.key} failed with its commit, and is there`)
      payout.text = text
      this.#report.acknowledged++
    } else if (!replayed || payout.text !== text)
      this.#report.faults.push(`the payout ${payout.key} was acknowledged, and is lost or different`)
  }
}
