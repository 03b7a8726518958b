// Claim about the ratio of two contenders' rates.
import { ratesOf } from '../interleave.ts'
import type { Measurement } from '../measure.ts'
import type { Bound, Claim } from '../row.ts'
import { formatNumber, ratios, spreadOf } from '../statistics.ts'

export interface RateClaim {
  readonly what: string
  readonly above: readonly Measurement[]
  /** Measurements of the same rounds, or the reason why there are none. */
  readonly below: readonly Measurement[] | { readonly unavailable: string }
  readonly must: Bound
  readonly aim: Bound | null
}

export function rateClaim({ what, above, below, must, aim }: RateClaim): Claim {
  if ('unavailable' in below) return { what, figure: below.unavailable, value: null, must, aim }
  const rates = [ratesOf(above), ratesOf(below)] as const
  const [median, otherMedian] = rates.map((values) => formatNumber(spreadOf(values).median))
  return { what, figure: `${median}/s : ${otherMedian}/s`, value: ratios(...rates), must, aim }
}
