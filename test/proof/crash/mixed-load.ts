// The writers of the kill rounds beside another load, with accounts of their own. What they saw is checked in sections: a search for an
// order of some thousand operations stays short.

import type { Prng } from '../../support/prng.ts'
import type { KeyAttempt } from '../cluster/key-history.ts'
import type { KillAccounts } from './kill-accounts.ts'
import { KillLoad } from './kill-load.ts'
import { KillWrites } from './kill-writes.ts'
import { CLOCK_STEP_MS, type LifeEnd } from './known-payouts.ts'
import { balancesOf, ledgerFaults, trialBalance } from './ledger-checks.ts'
import { ServerSlot } from './server-slot.ts'

const WRITERS = 3
const FAULTS_SHOWN = 5

interface Section {
  readonly load: KillLoad
  readonly balances: ReadonlyMap<string, number>
  readonly transactions: number
}

export class MixedLoad {
  readonly slot = new ServerSlot()
  readonly kinds = new Set<string>()
  readonly #accounts: KillAccounts
  readonly #prng: Prng
  /** By start whose log failed: when its last flush that succeeded began. */
  readonly #flushedMs = new Map<string, number>()
  #section: Section | null = null
  #sections = 0
  acknowledged = 0

  constructor(accounts: KillAccounts, prng: Prng) {
    this.#accounts = accounts
    this.#prng = prng
  }

  /** Starts the clients of a section. A server is in the slot, and nothing writes. */
  async begin(): Promise<void> {
    const { wire } = await this.slot.current()
    const balances = await balancesOf(wire, this.#accounts)
    const { transactions } = await trialBalance(wire)
    const writes = new KillWrites(this.#accounts, this.#prng)
    const [slot, accounts, prng, keys] = [this.slot, this.#accounts, this.#prng, `${++this.#sections}-`]
    const load = new KillLoad({ slot, accounts, writes, prng, writers: WRITERS, keys })
    this.#section = { load, balances, transactions }
  }

  /**
   * Ends the clients when each has the result of its last write. Returns what no order of the operations explains, and what differs in
   * balances and ledger. The server in the slot must not fail. `otherTransactions`: those of the other load in this section.
   */
  async end(otherTransactions: number): Promise<readonly string[]> {
    const { load, balances, transactions } = this.#current
    await load.finish()
    await load.askAgain()
    const expected = {
      balances: load.history.balancesAfter(balances),
      transactions: transactions + load.transactions.size + otherTransactions,
    }
    const { wire } = await this.slot.current()
    const found = await ledgerFaults(wire, this.#accounts, expected, 'after the mixed load')
    this.acknowledged += load.acknowledged
    for (const kind of load.counts.keys()) this.kinds.add(kind)
    this.#section = null
    return [
      ...found,
      ...this.#ghosts(load.history.attempts),
      ...load.history.contradictions(balances),
      ...load.history.refusals.slice(0, FAULTS_SHOWN),
    ]
  }

  /** Takes the failure of the log in a start. Returns the keys that it executed and answered though they were sent after the failure. */
  endLife(start: string, { failedMs, flushedMs }: LifeEnd): readonly string[] {
    const toTimeOfDayMs = Date.now() - performance.now()
    this.#flushedMs.set(start, flushedMs + CLOCK_STEP_MS - toTimeOfDayMs)
    return [...this.#current.load.history.attempts].flatMap(([key, attempts]) => {
      const isLate = attempts.some(({ node, body, isReplay, startMs }) => {
        return node === start && body !== null && !isReplay && startMs + toTimeOfDayMs > failedMs + CLOCK_STEP_MS
      })
      return isLate ? [key] : []
    })
  }

  /** Returns the keys that were there though each request before was sent after the last flush that succeeded: their commits failed. */
  #ghosts(attempts: ReadonlyMap<string, readonly KeyAttempt[]>): string[] {
    return [...attempts].flatMap(([key, all]) => {
      const first = all.findIndex(({ body }) => body !== null)
      if (all[first]?.isReplay !== true) return []
      const isPossible = all.slice(0, first).some(({ node, startMs }) => startMs <= (this.#flushedMs.get(node) ?? Number.POSITIVE_INFINITY))
      return isPossible ? [] : [`the write ${key} failed with its commit, and is there`]
    })
  }

  get #current(): Section {
    if (this.#section === null) throw new Error('no section has begun')
    return this.#section
  }
}
