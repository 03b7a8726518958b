// What one round's clients sent and saw, and the checks that need nothing else.
import { type BalanceOperation, balanceContradiction } from './balance-history.ts'
import { type KeyAttempt, keyContradiction } from './key-history.ts'
import type { Effect, MoneyWrite } from './money-writes.ts'

/** The change of an account's balance by one write, and the time in which it happened. */
export interface Change {
  readonly account: string
  /** Of all its transactions: a batch changes a balance at one moment. */
  readonly amount: number
  readonly transactionIds: readonly string[]
  readonly balanceAfter: number | null
  readonly startMs: number
  readonly endMs: number
}

export interface Reading {
  readonly account: string
  readonly node: string
  readonly balance: number
  readonly startMs: number
  readonly endMs: number
}

/** A write with a known result. */
export interface AcknowledgedWrite {
  readonly write: MoneyWrite
  readonly body: string
  readonly isReplay: boolean
  /** Of the first attempt. */
  readonly startMs: number
  readonly endMs: number
}

export interface UnknownCounts {
  /** Requests without a clear answer. */
  attempts: number
  /** Writes with such a request that had been executed by it. */
  executed: number
  /** Writes with such a request that a later one executed. */
  notExecuted: number
}

/** Maximum time in which an answer that the log had confirmed arrives. */
const UNDER_WAY_MAX_MS = 2000

export class RoundHistory {
  readonly changes: Change[] = []
  readonly readings: Reading[] = []
  readonly acknowledged: AcknowledgedWrite[] = []
  readonly attempts = new Map<string, KeyAttempt[]>()
  readonly unknown: UnknownCounts = { attempts: 0, executed: 0, notExecuted: 0 }
  /** Clear answers that no fault explains, in words. */
  readonly refusals: string[] = []
  /** First texts of unclear answers. */
  readonly unclear: string[] = []

  addAttempt(key: string, attempt: KeyAttempt): void {
    const before = this.attempts.get(key)
    if (before === undefined) this.attempts.set(key, [attempt])
    else before.push(attempt)
  }

  addEffects(effects: readonly Effect[], startMs: number, endMs: number): void {
    for (const account of new Set(effects.map((effect) => effect.account))) {
      const own = effects.filter((effect) => effect.account === account)
      const amount = own.reduce((sum, effect) => sum + effect.amount, 0)
      const transactionIds = own.map(({ transactionId }) => transactionId)
      this.changes.push({ account, amount, transactionIds, balanceAfter: own.at(-1)?.balanceAfter ?? null, startMs, endMs })
    }
  }

  /** Returns everything that no order of the operations explains, per account and per key. */
  contradictions(initial: ReadonlyMap<string, number>): string[] {
    const found: string[] = []
    for (const [account, balance] of initial) {
      const contradiction = balanceContradiction(balance, this.#operationsOf(account))
      if (contradiction !== null) found.push(`balance of ${account}: ${contradiction}`)
    }
    for (const [key, attempts] of this.attempts) {
      const contradiction = keyContradiction(key, attempts)
      if (contradiction !== null) found.push(contradiction)
    }
    return found
  }

  /** Returns the balances after all changes. */
  balancesAfter(initial: ReadonlyMap<string, number>): Map<string, number> {
    const balances = new Map(initial)
    for (const { account, amount } of this.changes) balances.set(account, (balances.get(account) ?? 0) + amount)
    return balances
  }

  /** Writes that were executed within the time: sent in it and acknowledged in it, or acknowledged when those before must have been. */
  executedWithin(fromMs: number, toMs: number): readonly AcknowledgedWrite[] {
    return this.acknowledged.filter(({ startMs, endMs, isReplay }) => {
      return endMs <= toMs && (startMs >= fromMs || (!isReplay && endMs >= fromMs + UNDER_WAY_MAX_MS))
    })
  }

  /** Longest time without an acknowledged write. */
  get longestPauseMs(): number {
    const ends = this.acknowledged.map(({ endMs }) => endMs).sort((one, other) => one - other)
    return Math.round(ends.reduce((longest, endMs, at) => Math.max(longest, endMs - (ends[at - 1] ?? endMs)), 0))
  }

  /** Time from then to the answer of the first write that was sent after it; null when none was acknowledged. */
  goesOnAfterMs(fromMs: number): number | null {
    const ends = this.acknowledged.filter(({ startMs }) => startMs >= fromMs).map(({ endMs }) => endMs)
    return ends.length === 0 ? null : Math.round(ends.reduce((first, endMs) => Math.min(first, endMs)) - fromMs)
  }

  #operationsOf(account: string): BalanceOperation[] {
    const readings = this.readings.filter((reading) => reading.account === account)
    const changes = this.changes.filter((change) => change.account === account)
    return [
      ...readings.map((reading): BalanceOperation => ({ kind: 'reading', ...reading })),
      ...changes.map((change): BalanceOperation => ({ kind: 'change', ...change })),
    ]
  }
}
