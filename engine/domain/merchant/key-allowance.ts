// What an API key may still pay, along the lines of one decision. Payouts, batches and runs of schedules pass here; a key without
// limits has no allowance. What it paid is counted by one event of the record.
import type { KeyLimits } from '../../contract/api-key.ts'
import type { Amount } from '../../kernel/amount.ts'
import { dayOf } from '../../kernel/time.ts'
import { type Context, event } from '../decision.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import type { KeyLimitRow } from './merchant-state.ts'

/** The payload of `api_key.spent`: what the key has paid on the day (UTC), in days since 1970-01-01. */
export interface KeySpent {
  readonly key_id: string
  readonly day: number
  readonly spent: Amount
}

export class KeyAllowance {
  readonly #key: KeyLimitRow
  readonly #day: number
  readonly #before: Amount
  #spent: Amount

  constructor(key: KeyLimitRow, timeMs: number) {
    this.#key = key
    this.#day = dayOf(timeMs)
    this.#before = key.day === this.#day ? key.spent : 0
    this.#spent = this.#before
  }

  /** Returns whether the key may pay the amount now. */
  covers(amount: Amount): boolean {
    const { payout_max, day_max }: KeyLimits = this.#key.limits
    return (payout_max === null || amount <= payout_max) && (day_max === null || this.#spent + amount <= day_max)
  }

  /** Counts a paid amount for the lines after it. */
  pay(amount: Amount): void {
    this.#spent += amount
  }

  /** The event that counts what was paid. It belongs behind all others of the record; none where nothing was paid. */
  events(account: number): readonly StoredEvent[] {
    if (this.#spent === this.#before) return []
    const payload: KeySpent = { key_id: this.#key.key_id, day: this.#day, spent: this.#spent }
    return [event('api_key.spent', 1, account, payload)]
  }
}

/** Returns the allowance of a key, revoked or not; null where it has no limits, or where no key pays. */
export function allowanceOf(
  { merchants: { keyLimits } }: State,
  keyId: string | null | undefined,
  { timeMs }: Pick<Context, 'timeMs'>,
): KeyAllowance | null {
  if (keyId === null || keyId === undefined || keyLimits.size === 0) return null
  const row = keyLimits.get(keyId)
  return row === undefined ? null : new KeyAllowance(row, timeMs)
}
