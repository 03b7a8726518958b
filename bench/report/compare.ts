// Two runs side by side, claim by claim. A difference counts only when the ranges of the repeats do not touch.
import type { Bound } from '../row.ts'
import { formatNumber, formatSpread, formatUs, type Spread } from '../statistics.ts'
import type { BenchResult } from './bench-result.ts'

/** Relative difference of a machine's own limit from which the runs were on unequal machines. */
const UNEQUAL = 0.15

export type Change = 'better' | 'worse' | 'noise' | 'one repeat' | 'not in both'

export interface Comparison {
  readonly row: number
  readonly what: string
  readonly before: Spread | null
  readonly after: Spread | null
  /** Relative change of the median; null without both values. */
  readonly difference: number | null
  readonly change: Change
}

export function compareRuns(before: BenchResult, after: BenchResult): Comparison[] {
  const keyOf = (row: number, what: string): string => `${row} ${what}`
  const earlier = new Map(before.rows.flatMap(({ number, claims }) => claims.map((claim) => [keyOf(number, claim.what), claim] as const)))
  return after.rows.flatMap(({ number, claims }) =>
    claims.map(({ what, value, must }): Comparison => {
      const old = earlier.get(keyOf(number, what))?.value ?? null
      if (old === null || value === null) return { row: number, what, before: old, after: value, difference: null, change: 'not in both' }
      const difference = value.median / old.median - 1
      const isRepeated = before.options.repeat > 1 && after.options.repeat > 1
      return { row: number, what, before: old, after: value, difference, change: changeOf(old, value, must, isRepeated) }
    }),
  )
}

function changeOf(before: Spread, after: Spread, must: Bound, isRepeated: boolean): Change {
  if (before.min <= after.max && after.min <= before.max) return isRepeated || before.median === after.median ? 'noise' : 'one repeat'
  if (!isRepeated) return 'one repeat'
  return after.median > before.median === (must.kind === 'at-least') ? 'better' : 'worse'
}

export function formatComparison(before: BenchResult, after: BenchResult): string {
  const compared = compareRuns(before, after)
  const wide = Math.max(10, ...compared.map(({ what }) => what.length))
  return [
    `Compared with the run of ${before.date}${before.limits.machine.commit === null ? '' : `, commit ${before.limits.machine.commit}`}:`,
    ...machineDoubts(before, after).map((doubt) => `  caution: ${doubt}`),
    ...compared.map(({ row, what, before: old, after: value, difference, change }) => {
      const [first, second] = [old, value].map((spread) => (spread === null ? '–' : formatSpread(spread)).padEnd(24))
      return `  ${String(row).padStart(2)}  ${what.padEnd(wide)}  ${first}  ${second}  ${percentOf(difference).padStart(8)}  ${change}`
    }),
    'noise: the ranges of the repeats touch; one repeat: a single repeat has no range, take --repeat 3 or more',
  ].join('\n')
}

export function percentOf(difference: number | null): string {
  return difference === null ? '–' : `${difference >= 0 ? '+' : ''}${(difference * 100).toFixed(1)} %`
}

/** Returns the machine's own limits that differ: the rows then compare two machines, not two programs. */
export function machineDoubts(before: BenchResult, after: BenchResult): string[] {
  const doubts: string[] = []
  const [old, now] = [before.limits, after.limits]
  if (old.machine.processor !== now.machine.processor || old.machine.cores !== now.machine.cores) {
    doubts.push(`other processor: ${old.machine.cores} × ${old.machine.processor}, now ${now.machine.cores} × ${now.machine.processor}`)
  }
  if (differs(old.loopback.perSecond, now.loopback.perSecond)) {
    doubts.push(`loopback ${formatNumber(old.loopback.perSecond)}/s, now ${formatNumber(now.loopback.perSecond)}/s`)
  }
  for (const [index, { bytes, latency }] of now.flush.entries()) {
    const other = old.flush[index]
    if (other === undefined || other.bytes !== bytes || !differs(other.latency.p50Us, latency.p50Us)) continue
    doubts.push(`F of ${formatNumber(bytes)} bytes ${formatUs(other.latency.p50Us)}, now ${formatUs(latency.p50Us)}`)
  }
  return doubts
}

function differs(before: number, after: number): boolean {
  return Math.abs(after / before - 1) > UNEQUAL
}
