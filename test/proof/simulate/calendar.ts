// Occurrences of something that repeats, by the language's own calendar: written down a second time for the models.

export type Recurrence = 'once' | 'weekly' | 'monthly' | 'yearly'

const WEEK_MS = 7 * 86_400_000

/** Occurrence number `count` after the anchor. A day that a month lacks is that month's last day, in that month only. */
function occurrence(anchorMs: number, recurrence: Recurrence, count: number): number {
  if (recurrence === 'weekly') return anchorMs + count * WEEK_MS
  const anchor = new Date(anchorMs)
  const month = anchor.getUTCMonth() + count * (recurrence === 'monthly' ? 1 : 12)
  const year = anchor.getUTCFullYear()
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate()
  const dayMs = Date.UTC(year, month, Math.min(anchor.getUTCDate(), lastDay))
  return dayMs + (anchorMs - Date.UTC(year, anchor.getUTCMonth(), anchor.getUTCDate()))
}

/** The first occurrence after `afterMs`; null where there is none. */
export function firstAfter(anchorMs: number, recurrence: Recurrence, afterMs: number): number | null {
  if (afterMs < anchorMs) return anchorMs
  if (recurrence === 'once') return null
  let count = recurrence === 'weekly' ? Math.floor((afterMs - anchorMs) / WEEK_MS) : 0
  while (occurrence(anchorMs, recurrence, count) <= afterMs) count++
  return occurrence(anchorMs, recurrence, count)
}
