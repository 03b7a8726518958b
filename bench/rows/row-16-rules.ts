// Row 16: what the operator's rules cost rows 1 and 3: limits, and limits with a fee of every payout, against no rules, in one run.
import { addRules } from '../cauri/data-folder.ts'
import { interleave } from '../interleave.ts'
import { BATCH_LINES } from '../load/population.ts'
import type { Measurement, Subject } from '../measure.ts'
import { atMost, type Bound, type Claim, type Row, type RowResult } from '../row.ts'
import type { Stand } from '../stand.ts'
import { ratios, spreadOf } from '../statistics.ts'
import { summarize } from '../summary.ts'
import { costsOf } from './payout-cost.ts'
import { ALL_MERCHANTS } from './row-01-single-payouts.ts'
import { BATCHES } from './row-03-batches.ts'

const PAYOUTS_MUST = atMost(1.03)
const LINES_MUST = atMost(1.05)

/**
 * Eighteen windows, and each compares processor time of the same code: many short rounds show more than few long ones. The archive merges
 * what the windows before wrote for longer than the wait; it has a thread of its own, and the claims count the engine's.
 */
const WINDOW_SECONDS_MAX = 2
const QUIET_SECONDS_MAX = 2

export const ROW_16: Row = {
  number: 16,
  title: `rows 1 and 3 with limits, and with limits and fees, against no rules`,
  run,
}

async function run(stand: Stand): Promise<RowResult> {
  const off = await stand.cauri.start(await stand.cauri.freshFolder())
  const limits = await serverWith(stand, 'limits')
  const fees = await serverWith(stand, 'limits and fees')
  const { repeat: rounds, seconds, quietSeconds } = stand.options
  const windowSeconds = Math.min(seconds, WINDOW_SECONDS_MAX)
  const quiet = { quietSeconds: Math.min(quietSeconds, QUIET_SECONDS_MAX) }
  const payoutsOf = (subject: Subject) => stand.measurePayouts(subject, { ...ALL_MERCHANTS, ...quiet }, windowSeconds)
  const linesOf = (subject: Subject) => stand.measureBatches(subject, { ...BATCHES, ...quiet }, BATCH_LINES, windowSeconds)
  const payouts = await interleave(rounds, { off: () => payoutsOf(off), limits: () => payoutsOf(limits), fees: () => payoutsOf(fees) })
  const lines = await interleave(rounds, { off: () => linesOf(off), limits: () => linesOf(limits), fees: () => linesOf(fees) })
  return {
    claims: [
      costClaim('a payout, limits on against off', [payouts.limits, payouts.off], PAYOUTS_MUST),
      costClaim('a payout, limits and fees on against off', [payouts.fees, payouts.off], PAYOUTS_MUST),
      costClaim(`a batch of ${BATCH_LINES}, limits on against off`, [lines.limits, lines.off], LINES_MUST),
      costClaim(`a batch of ${BATCH_LINES}, limits and fees on against off`, [lines.fees, lines.off], LINES_MUST),
    ],
    notes: [payouts, lines].flatMap((taken) => [
      ...summarize('no rules', taken.off),
      ...summarize('limits', taken.limits),
      ...summarize('limits and fees', taken.fees),
    ]),
    measurements: [payouts, lines].flatMap((taken) => [...taken.off, ...taken.limits, ...taken.fees]),
  }
}

async function serverWith(stand: Stand, what: Parameters<typeof addRules>[1]): Promise<Subject> {
  const dataDir = await stand.cauri.freshFolder()
  await addRules(dataDir, what)
  return stand.cauri.start(dataDir)
}

/** Compares processor time of the engine's thread: on a shared machine it is more reliable than rates. */
function costClaim(what: string, [on, off]: readonly [readonly Measurement[], readonly Measurement[]], must: Bound): Claim {
  const [costs, others] = [costsOf(on), costsOf(off)]
  const [cost, other] = [costs, others].map((values) => spreadOf(values).median.toFixed(1))
  return { what: `CPU of the engine thread ${what}`, figure: `${cost} µs : ${other} µs`, value: ratios(costs, others), must, aim: null }
}
