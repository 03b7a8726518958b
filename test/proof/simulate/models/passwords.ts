// Wrong passwords and codes of members in the model: they are counted by address, and the last of a few locks.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { type Entry, eventsOf, sameRows } from '../entry.ts'

interface ModelCount {
  readonly failures: number
  readonly locks: number
  readonly untilMs: number
  readonly expiresMs: number
}

interface Counted {
  readonly key: string
  readonly failures: number
  readonly locks: number
  readonly locked_until_ms: number
  readonly expires_at_ms: number
}

/** What the engine's limits are meant to be, written down a second time. */
const [GUESSES, LOCK_MS, DAY_MS] = [10, 15 * 60_000, 86_400_000]
const UNTRIED: ModelCount = { failures: 0, locks: 0, untilMs: 0, expiresMs: 0 }

export class PasswordsModel {
  readonly #counts = new Map<string, ModelCount>()

  of(key: string, nowMs: number): ModelCount {
    const count = this.#counts.get(key)
    return count !== undefined && count.expiresMs > nowMs ? count : UNTRIED
  }

  isLocked(key: string, nowMs: number): boolean {
    return this.of(key, nowMs).untilMs > nowMs
  }

  /** Whether one more wrong one locks. */
  isLast(key: string, nowMs: number): boolean {
    return this.of(key, nowMs).failures + 1 >= GUESSES
  }

  audit(entry: Entry): void {
    const { timeMs } = entry.record
    for (const { payload } of eventsOf<Counted>(entry, 'password.counted')) {
      const { key, failures, locks, locked_until_ms, expires_at_ms } = payload
      const found = { failures, locks, untilMs: locked_until_ms, expiresMs: expires_at_ms }
      const isRight = failures === 0 && locks === 0
      assert.equal(this.isLocked(key, timeMs) && !isRight, false, 'nothing is guessed while the address is locked')
      assert.deepEqual(found, isRight ? UNTRIED : this.#after(key, timeMs), `guesses of ${key}`)
      if (entry.decided !== null) assert.equal(isRight, entry.decided.code === null, 'a right password begins again, and no wrong one')
      if (isRight) this.#counts.delete(key)
      else this.#counts.set(key, found)
    }
  }

  forget(nowMs: number): void {
    for (const [key, { expiresMs }] of this.#counts) if (expiresMs <= nowMs) this.#counts.delete(key)
  }

  compare({ dashboard }: State): void {
    sameRows(
      Array.from(dashboard.passwordCounts.values(), ({ key, failures, locks, locked_until_ms: untilMs }) =>
        [key, failures, locks, untilMs].join(' '),
      ),
      Array.from(this.#counts, ([key, { failures, locks, untilMs }]) => [key, failures, locks, untilMs].join(' ')),
      'wrong passwords',
    )
  }

  /** One wrong password more: each lock is twice as long as the one before, up to a day. */
  #after(key: string, nowMs: number): ModelCount {
    const { failures, locks } = this.of(key, nowMs)
    if (!this.isLast(key, nowMs)) return { failures: failures + 1, locks, untilMs: 0, expiresMs: nowMs + DAY_MS }
    const lockMs = Math.min(LOCK_MS * 2 ** locks, DAY_MS)
    return { failures: 0, locks: locks + 1, untilMs: nowMs + lockMs, expiresMs: nowMs + lockMs + DAY_MS }
  }
}
