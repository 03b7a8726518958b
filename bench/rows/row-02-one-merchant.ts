// Row 2: the same payouts, all from one merchant: the worst case for row locks. Row 2b: half of them from one merchant.
import { profilePayouts } from '../cauri/profiled.ts'
import { interleave } from '../interleave.ts'
import { percentilesOf } from '../load/histogram.ts'
import { HOT_GROUP, OTHER_GROUP } from '../load/population.ts'
import type { Measurement } from '../measure.ts'
import { atLeast, atMost, type Claim, type Row, type RowResult } from '../row.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatUs, ratios, spreadOf } from '../statistics.ts'
import { summarize } from '../summary.ts'
import { percentileText } from './latency-point.ts'
import { rateClaim } from './rate-claim.ts'
import { ALL_MERCHANTS } from './row-01-single-payouts.ts'

const ONE_MERCHANT: PayoutWorkload = { ...ALL_MERCHANTS, merchants: 'one' }
const HOT_MERCHANT: PayoutWorkload = { ...ALL_MERCHANTS, merchants: 'hot' }

export const ROW_02: Row = {
  number: 2,
  title: 'single payouts, 256 connections, all from one merchant',
  run,
}

async function run(stand: Stand): Promise<RowResult> {
  const cauri = await stand.cauri.server()
  const postgres = await stand.postgres(ONE_MERCHANT)
  const taken = await interleave(stand.options.repeat, {
    ofAll: () => stand.measurePayouts(cauri, ALL_MERCHANTS),
    ofHot: () => stand.measurePayouts(cauri, HOT_MERCHANT),
    ofOne: () => stand.measurePayouts(cauri, ONE_MERCHANT),
    postgres: 'unavailable' in postgres ? null : () => stand.measurePayouts(postgres.subject, ONE_MERCHANT),
  })
  const against = { above: taken.ofOne }
  const ofPostgres = 'unavailable' in postgres ? postgres : taken.postgres
  return {
    claims: [
      rateClaim({ ...against, what: 'payouts/s of one merchant against those of all', below: taken.ofAll, must: atLeast(0.95), aim: null }),
      rateClaim({ ...against, what: 'payouts/s against P', below: ofPostgres, must: atLeast(30), aim: atLeast(60) }),
      ...hotClaims(taken.ofHot, taken.ofAll),
    ],
    notes: [
      ...summarize('Cauri, one merchant', taken.ofOne),
      ...summarize('Cauri, all merchants', taken.ofAll),
      ...summarize('Cauri, one merchant has half of the connections', taken.ofHot),
      ...[HOT_GROUP, OTHER_GROUP].map((group) => `  ${group}: ${percentileText(percentilesOf(groupOf(taken.ofHot, group)))}`),
      ...('unavailable' in postgres ? [`P: ${postgres.unavailable}`] : [...summarize('P', taken.postgres), postgres.note]),
      ...(stand.options.profile ? await profilePayouts(stand, ONE_MERCHANT) : []),
    ],
    measurements: [...taken.ofOne, ...taken.ofAll, ...taken.ofHot, ...taken.postgres],
  }
}

/** Row 2b: the rate, and what the other merchants notice of the hot one. */
function hotClaims(hot: readonly Measurement[], all: readonly Measurement[]): Claim[] {
  const others = groupOf(hot, OTHER_GROUP).map((latency) => percentilesOf([latency]).p99Us)
  const usual = all.map(({ latency }) => latency.p99Us)
  return [
    rateClaim({ what: '2b: payouts/s with half from one merchant against all', above: hot, below: all, must: atLeast(0.95), aim: null }),
    {
      what: '2b: p99 of the other merchants against all',
      figure: `${formatUs(spreadOf(others).median)} : ${formatUs(spreadOf(usual).median)}`,
      value: ratios(others, usual),
      must: atMost(1.25),
      aim: null,
    },
  ]
}

/** Returns the histograms of one group. */
function groupOf(measurements: readonly Measurement[], group: string): string[] {
  return measurements.map(({ load }) => load.groups[group] ?? '')
}
