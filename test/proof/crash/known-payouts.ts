// Payouts of a server whose disk fails, one after the other: what was answered must stay, and what failed must not be there.

import type { ServerProcess } from '../../support/server-process.ts'
import { pause } from '../cluster/pause.ts'
import { availableOf, type PayoutShop, sendPayout } from './payout-shop.ts'
import { endsInTime } from './server-slot.ts'
import { Wire } from './wire.ts'

interface KnownPayout {
  readonly key: string
  readonly amount: number
  /** The answer; null for a payout without one. */
  text: string | null
  /** Time of day of its last request, and the start that it went to. */
  sentMs: number
  life: number
  /** Other clients write too: it can have been in a commit that succeeded, and its answer was lost when the process ended. */
  mayBeThere: boolean
}

interface Counted {
  acknowledged: number
  readings: number
  /** Payouts that failed with their commit, and were not there at the next start. */
  absent: number
  readonly faults: string[]
}

/** Times of day of the log's calls. */
export interface LifeEnd {
  readonly failedMs: number
  /** Start of the last flush that succeeded before: a payout that was sent after it is in no commit that succeeded. */
  readonly flushedMs: number
}

const ASKED_AGAIN = 3
/** The trace and the clients read the same clock, the clients in whole milliseconds. */
export const CLOCK_STEP_MS = 1

export class KnownPayouts {
  readonly #shop: PayoutShop
  readonly #report: Counted
  readonly #payouts: KnownPayout[] = []
  /** Lowest balance that this start has shown. */
  #lowest = Number.POSITIVE_INFINITY
  #life = 0

  constructor(shop: PayoutShop, report: Counted) {
    this.#shop = shop
    this.#report = report
  }

  /** Each has one transaction once all were answered. */
  get count(): number {
    return this.#payouts.length
  }

  /** What was answered before is there, what failed is not, and the balance says the same. */
  async verify(server: ServerProcess): Promise<void> {
    this.#life++
    this.#lowest = Number.POSITIVE_INFINITY
    const wire = new Wire(server.baseUrl)
    const unanswered = this.#payouts.filter(({ text }) => text === null)
    const answered = this.#payouts.filter(({ text }) => text !== null).slice(-ASKED_AGAIN)
    try {
      for (const payout of [...unanswered, ...answered]) await this.#pay(wire, payout)
      const [available, expected] = [await availableOf(wire, this.#shop), this.#expected]
      if (available !== expected) this.#report.faults.push(`the balance is ${available}, not ${expected}`)
    } catch (error) {
      // The failure came: the next start is checked.
      await this.#mustEnd(server, error)
    } finally {
      wire.close()
    }
  }

  /** One payout after the other, at most so many, until the server is gone. Returns whether one failed. */
  async payUntilBroken(server: ServerProcess, countMax: number): Promise<boolean> {
    const wire = new Wire(server.baseUrl)
    try {
      for (let count = 0; count < countMax; count++) {
        const key = `p-${this.#payouts.length}`
        const payout = { key, amount: 1 + (count % 9), text: null, sentMs: 0, life: this.#life, mayBeThere: false }
        this.#payouts.push(payout)
        await this.#pay(wire, payout)
      }
      return false
    } catch (error) {
      await this.#mustEnd(server, error)
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
    } catch (error) {
      await this.#mustEnd(server, error)
    } finally {
      wire.close()
    }
  }

  /** Compares what this start has answered with the time of its failure. Null when the log did not fail. */
  endLife(end: LifeEnd | null): void {
    const own = this.#payouts.filter(({ life }) => life === this.#life)
    for (const payout of own) payout.mayBeThere ||= end === null || payout.sentMs <= end.flushedMs + CLOCK_STEP_MS
    const lowest = this.#expected - sumOf(this.#payouts.filter(({ text, mayBeThere }) => text === null && mayBeThere))
    if (this.#lowest < lowest) {
      this.#report.faults.push(`the balance was shown as ${this.#lowest}, with a payout that failed: ${lowest} is right`)
    }
    if (end === null) return
    for (const { key, text, sentMs } of own) {
      if (text !== null && sentMs > end.failedMs + CLOCK_STEP_MS)
        this.#report.faults.push(`the payout ${key} was sent after the failure, and answered`)
    }
  }

  get #expected(): number {
    return this.#shop.deposited - sumOf(this.#payouts.filter(({ text }) => text !== null))
  }

  /** Rejects when the connection breaks. */
  async #pay(wire: Wire, payout: KnownPayout): Promise<void> {
    const { text: before, mayBeThere } = payout
    const isAgain = payout.life !== this.#life
    if (before === null) [payout.sentMs, payout.life] = [Date.now(), this.#life]
    const { status, text, replayed } = await sendPayout(wire, this.#shop, payout.key, payout.amount)
    if (status !== 201) throw new Error(`${status} ${text}`)
    if (before === null) {
      payout.text = text
      this.#report.acknowledged++
      if (!isAgain || mayBeThere) return
      if (replayed) this.#report.faults.push(`the payout ${payout.key} failed with its commit, and is there`)
      else this.#report.absent++
    } else if (!replayed || before !== text) this.#report.faults.push(`the payout ${payout.key} was acknowledged, and is lost or different`)
  }

  /** A request fails only when the server ends. */
  async #mustEnd(server: ServerProcess, error: unknown): Promise<void> {
    if (!(await endsInTime(server))) this.#report.faults.push(`a request failed while the server ran: ${(error as Error).message}`)
  }
}

function sumOf(payouts: readonly KnownPayout[]): number {
  return payouts.reduce((sum, { amount }) => sum + amount, 0)
}
