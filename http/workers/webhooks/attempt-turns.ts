// When an attempt may begin. Those of accounts that send much take turns of paced work; the first in a while of any other account begins at
// once, so that its receiver does not wait for the pauses that others cause.
import type { AccountNumber } from '../../../engine/api.ts'
import type { FairWork } from '../../server/fair-work.ts'
import { AT_ONCE_MAX, AT_ONCE_WINDOW_MS, ATTEMPT_COST } from './webhook-limits.ts'

export class AttemptTurns {
  readonly #work: Pick<FairWork, 'add'>
  /** Monotonic, in milliseconds. */
  readonly #nowMs: () => number
  /** Accounts with an attempt at once in this window of time, and in the one before it. */
  #recent = new Set<AccountNumber>()
  #before = new Set<AccountNumber>()
  #sinceMs = Number.NEGATIVE_INFINITY

  constructor(work: Pick<FairWork, 'add'>, nowMs: () => number = () => performance.now()) {
    this.#work = work
    this.#nowMs = nowMs
  }

  /** Runs the piece now or when it is the account's turn. */
  begin(account: AccountNumber, run: () => void): void {
    if (this.#takeAtOnce(account)) run()
    else this.#work.add(account, ATTEMPT_COST, run)
  }

  #takeAtOnce(account: AccountNumber): boolean {
    const nowMs = this.#nowMs()
    const elapsedMs = nowMs - this.#sinceMs
    if (elapsedMs >= AT_ONCE_WINDOW_MS) {
      this.#before = elapsedMs >= 2 * AT_ONCE_WINDOW_MS ? new Set() : this.#recent
      this.#recent = new Set()
      this.#sinceMs = nowMs
    }
    if (this.#recent.size >= AT_ONCE_MAX || this.#recent.has(account) || this.#before.has(account)) return false
    this.#recent.add(account)
    return true
  }
}
