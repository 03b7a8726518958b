// What an API key may still pay, along the lines of one decision. Payouts, batches, turns of disbursements and runs of schedules pass here;
// a key without limits has no allowance. What it has paid today counts, also what it paid before it had limits.
import type { KeyLimits } from '../../contract/api-key.ts'
import type { Amount } from '../../kernel/amount.ts'
import type { Context } from '../decision.ts'
import type { KeySpend } from '../record.ts'
import type { State } from '../state.ts'

export class KeyAllowance {
  readonly #limits: KeyLimits
  /** Days are UTC. */
  #spent: Amount

  constructor(limits: KeyLimits, spent: Amount) {
    this.#limits = limits
    this.#spent = spent
  }

  /** Returns whether the key may pay the amount now. */
  covers(amount: Amount): boolean {
    const { payout_max, day_max } = this.#limits
    return (payout_max === null || amount <= payout_max) && (day_max === null || this.#spent + amount <= day_max)
  }

  /** Counts a paid amount for the lines after it. */
  pay(amount: Amount): void {
    this.#spent += amount
  }
}

/** Returns the allowance of a key, revoked or not; null where it has no limits, or where no key pays. */
export function allowanceOf(
  { merchants: { keyLimits, keyDays } }: State,
  keyId: string | null | undefined,
  { timeMs }: Pick<Context, 'timeMs'>,
): KeyAllowance | null {
  if (keyId === null || keyId === undefined || keyLimits.size === 0) return null
  const row = keyLimits.get(keyId)
  return row === undefined ? null : new KeyAllowance(row.limits, keyDays.spentOn(keyId, timeMs))
}

/** Returns what the record says of the key that pays; null where none does, or nothing is paid. */
export function spendOf(keyId: string | null | undefined, amount: Amount): KeySpend | null {
  return keyId === null || keyId === undefined || amount === 0 ? null : { keyId, amount }
}
