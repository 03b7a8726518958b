// Whether a merchant has paid an amount to a recipient within the last 72 hours: from the table of new records and, once for each
// merchant, from its newest payouts in the log, which may be older than this process.
import type { PaidAmount } from '../domain/payout/paid-amount.ts'
import { payoutsIndexKeys } from '../domain/payout/payout-index-keys.ts'
import type { Payout } from '../domain/payout/payout-state.ts'
import { RECENT_PAYOUTS_READ_MAX, RECENTLY_PAID_MS, RecentPayouts } from '../domain/payout/recent-payouts.ts'
import { type LogRecord, payloadOf } from '../domain/record.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import type { Page, PageRequest } from './history-page.ts'
import type { Hit } from './index-hit.ts'

export class RecentPayoutReads {
  readonly #payouts = new RecentPayouts()
  readonly #page: (request: PageRequest) => Page

  constructor(page: (request: PageRequest) => Page) {
    this.#page = page
  }

  add(record: LogRecord): void {
    this.#payouts.addRecord(record)
  }

  has(paid: PaidAmount, nowMs: TimeMs): boolean {
    const sinceMs = nowMs - RECENTLY_PAID_MS
    if (this.#payouts.isNew(paid.merchant)) this.#readPayouts(paid.merchant, sinceMs)
    return this.#payouts.has(paid, sinceMs)
  }

  #readPayouts(merchant: AccountNumber, createdFromMs: TimeMs): void {
    const indexKeys = payoutsIndexKeys(merchant, { state: 'paid' })
    const keep = ({ event }: Hit): boolean => event.type === 'payout.paid' && event.account === merchant
    for (const { event, timeMs } of this.#page({ indexKeys, limit: RECENT_PAYOUTS_READ_MAX, createdFromMs, keep }).hits) {
      const { recipient, amount } = payloadOf<Payout>(event)
      this.#payouts.add({ merchant, recipient, amount }, timeMs)
    }
  }
}
