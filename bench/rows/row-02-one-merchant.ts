// Row 2: the same payouts, all from one merchant: the worst case for row locks.
import { profilePayouts } from '../cauri/profiled.ts'
import { interleave } from '../interleave.ts'
import { atLeast, type Row, type RowResult } from '../row.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { summarize } from '../summary.ts'
import { rateClaim } from './rate-claim.ts'
import { ALL_MERCHANTS } from './row-01-single-payouts.ts'

const ONE_MERCHANT: PayoutWorkload = { ...ALL_MERCHANTS, merchants: 'one' }

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
    ofOne: () => stand.measurePayouts(cauri, ONE_MERCHANT),
    postgres: 'unavailable' in postgres ? null : () => stand.measurePayouts(postgres.subject, ONE_MERCHANT),
  })
  const against = { above: taken.ofOne }
  const ofPostgres = 'unavailable' in postgres ? postgres : taken.postgres
  return {
    claims: [
      rateClaim({ ...against, what: 'payouts/s of one merchant against those of all', below: taken.ofAll, must: atLeast(0.95), aim: null }),
      rateClaim({ ...against, what: 'payouts/s against P', below: ofPostgres, must: atLeast(30), aim: atLeast(60) }),
    ],
    notes: [
      ...summarize('Cauri, one merchant', taken.ofOne),
      ...summarize('Cauri, all merchants', taken.ofAll),
      ...('unavailable' in postgres ? [`P: ${postgres.unavailable}`] : [...summarize('P', taken.postgres), postgres.note]),
      ...(stand.options.profile ? await profilePayouts(stand, ONE_MERCHANT) : []),
    ],
    measurements: [...taken.ofOne, ...taken.ofAll, ...taken.postgres],
  }
}
