// A row of the bench: a workload, its measured figures, and the claims of the design about them.
import type { Measurement } from './measure.ts'
import type { Plot } from './report/plot.ts'
import type { Stand } from './stand.ts'
import type { Spread } from './statistics.ts'

export interface Row {
  readonly number: number
  readonly title: string
  run(stand: Stand): Promise<RowResult>
}

export interface Bound {
  readonly kind: 'at-least' | 'at-most'
  readonly value: number
}

export interface Claim {
  /** Name of the claim with the unit of its value: `payouts/s against N`. */
  readonly what: string
  /** Figures that the value comes from, ready to print. */
  readonly figure: string
  /** Null if it could not be measured here; `figure` then has the reason. */
  readonly value: Spread | null
  readonly must: Bound
  readonly aim: Bound | null
}

export interface RowResult {
  readonly claims: readonly Claim[]
  /** Further lines, ready to print. */
  readonly notes: readonly string[]
  /** All load measurements of all repeats. */
  readonly measurements: readonly Measurement[]
  /** Plots of the report. */
  readonly plots?: readonly Plot[]
}

export type Verdict = 'aim' | 'pass' | 'FAIL' | 'not measured'

export function verdictOf(claim: Claim): Verdict {
  if (claim.value === null) return 'not measured'
  if (!holds(claim.must, claim.value.median)) return 'FAIL'
  return claim.aim !== null && holds(claim.aim, claim.value.median) ? 'aim' : 'pass'
}

export function atLeast(value: number): Bound {
  return { kind: 'at-least', value }
}

export function atMost(value: number): Bound {
  return { kind: 'at-most', value }
}

function holds(bound: Bound, value: number): boolean {
  return bound.kind === 'at-least' ? value >= bound.value : value <= bound.value
}
