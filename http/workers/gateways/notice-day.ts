// Figures of one day of an account for its daily summary, read in slices so that other requests run in between.
import type { AccountNumber, EngineApi, QueryAnswer, TransactionType } from '../../../engine/api.ts'
import type { Position } from '../../../engine/kernel/position.ts'
import { rfc3339, type TimeMs } from '../../../engine/kernel/time.ts'
import { offsetMs, type TimeZone, utcName } from '../../../engine/kernel/time-zone.ts'
import { fairWork } from '../../server/fair-work.ts'
import type { SaidDay } from '../../text/notice-day-words.ts'
import { FAILURES_COUNTED_MAX, NOTICE_SLICE_COST, NOTICE_TRANSACTIONS_PER_SLICE } from './gateway-limits.ts'

const DAY_MS: TimeMs = 86_400_000
const TAKINGS: ReadonlySet<TransactionType> = new Set(['charge', 'bill', 'mandate'])

export async function dayOf(engine: Pick<EngineApi, 'query'>, account: AccountNumber, dayMs: TimeMs, zone: TimeZone): Promise<SaidDay> {
  const sums = { takings: 0, takingsCount: 0, refunds: 0, payouts: 0, payoutsCount: 0 }
  const toMs = dayMs + DAY_MS
  for (let below: Position | null | undefined = null; below !== undefined; ) {
    const limit = NOTICE_TRANSACTIONS_PER_SLICE
    const page: QueryAnswer<'transactions.movements'> = engine.query('transactions.movements', {
      account,
      fromMs: dayMs,
      toMs,
      below,
      limit,
    })
    for (const { type, amount } of page.movements) {
      if (TAKINGS.has(type)) {
        sums.takings += amount
        sums.takingsCount++
      } else if (type === 'refund') {
        sums.refunds -= amount
      } else if (type === 'payout') {
        sums.payouts -= amount
        sums.payoutsCount++
      }
    }
    below = page.next ?? undefined
    await fairWork.turn(account, NOTICE_SLICE_COST)
  }
  const window = { created_from: rfc3339(dayMs), created_to: rfc3339(toMs) }
  const failed = engine.query('payouts.list', { account, query: { state: 'failed', limit: FAILURES_COUNTED_MAX, ...window } })
  const currency = engine.query('accounts.currency', { account })
  return {
    dayMs: dayMs + offsetMs(zone),
    utcName: utcName(zone),
    currency,
    ...sums,
    failedPayouts: failed?.rows.length ?? 0,
    areAllFailures: failed?.nextCursor === null,
  }
}
