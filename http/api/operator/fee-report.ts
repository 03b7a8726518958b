// The report of fees: sums of a period, read in slices so that other requests run in between.
import { AUDIT_ACCOUNT, type EngineApi, type QueryAnswer } from '../../../engine/api.ts'
import type { FeeReport, FeeReportRow } from '../../../engine/contract/fees.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import type { Position } from '../../../engine/kernel/position.ts'
import { rfc3339, type TimeMs } from '../../../engine/kernel/time.ts'
import { FEES_PER_SLICE, FEES_REPORTED_MAX, SLICE_COST } from '../../lists/list-limits.ts'
import { fairWork } from '../../server/fair-work.ts'

interface Period {
  readonly environment: Environment
  readonly currency: Currency
  readonly fromMs: TimeMs
  readonly toMs: TimeMs
  readonly isByDay: boolean
}

/** Returns null for a period with too many fees. */
export async function countedFees(engine: Pick<EngineApi, 'query'>, period: Period): Promise<FeeReport | null> {
  const { isByDay, ...range } = period
  const { environment, currency, fromMs, toMs } = range
  const rows = new Map<string, FeeReportRow>()
  let below: Position | null = null
  for (let read = 0; read < FEES_REPORTED_MAX; read += FEES_PER_SLICE) {
    const page: QueryAnswer<'fees.moves'> = engine.query('fees.moves', { ...range, below, limit: FEES_PER_SLICE })
    for (const move of page.moves) add(rows, move, isByDay)
    if (page.next === null) {
      const sorted = Array.from(rows.entries(), ([key, row]) => ({ key, row })).sort((one, other) => (one.key < other.key ? -1 : 1))
      const amount = sorted.reduce((sum, { row }) => sum + row.amount, 0)
      return { from: rfc3339(fromMs), to: rfc3339(toMs), environment, currency, amount, rows: sorted.map(({ row }) => row) }
    }
    below = page.next
    await fairWork.turn(AUDIT_ACCOUNT, SLICE_COST)
  }
  return null
}

function add(rows: Map<string, FeeReportRow>, move: QueryAnswer<'fees.moves'>['moves'][number], isByDay: boolean): void {
  const { plan, on, merchant_id, amount, atMs } = move
  const day = isByDay ? { day: rfc3339(atMs).slice(0, 10) } : {}
  const key = JSON.stringify([day.day, plan, on, merchant_id])
  const before = rows.get(key) ?? { plan, on, merchant_id, ...day, count: 0, amount: 0 }
  rows.set(key, { ...before, count: before.count + (amount > 0 ? 1 : 0), amount: before.amount + amount })
}
