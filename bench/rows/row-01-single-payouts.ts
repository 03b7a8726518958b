// Row 1: single payouts over HTTP from a hundred merchants to a hundred thousand wallets, each durable before its 201.
import { interleave } from '../interleave.ts'
import { payoutPlan, WALLETS } from '../load/population.ts'
import { runWrk, wrkVersion } from '../load/wrk.ts'
import type { Subject } from '../measure.ts'
import { waitUntilQuiet } from '../quiet.ts'
import type { Row, RowResult } from '../row.ts'
import type { Stand } from '../stand.ts'
import { formatNumber } from '../statistics.ts'
import { summarize } from '../summary.ts'

const WORKLOAD = { connections: 256, merchants: 'all', ratePerSecond: null } as const

export const ROW_01: Row = {
  number: 1,
  title: 'single payouts, 256 connections, 100 merchants, 100 000 wallets',
  run,
}

async function run(stand: Stand): Promise<RowResult> {
  const noOp = await stand.noOp()
  const postgres = await stand.postgres()
  const taken = await interleave(stand.options.repeat, {
    noOp: () => stand.measurePayouts(noOp, WORKLOAD),
    postgres: 'unavailable' in postgres ? null : () => stand.measurePayouts(postgres, WORKLOAD),
  })
  return {
    claims: [],
    notes: [
      ...summarize('N', taken.noOp),
      ...('unavailable' in postgres ? [`P: ${postgres.unavailable}`] : summarize('P', taken.postgres)),
      ...(stand.options.wrk ? [await askWrk(stand, noOp)] : []),
    ],
    measurements: [...taken.noOp, ...taken.postgres],
  }
}

/** The same requests from another generator, as a check that ours does not set the ceiling. */
async function askWrk(stand: Stand, subject: Subject): Promise<string> {
  const version = wrkVersion()
  if (version === null) return 'wrk: not installed (apt-get install wrk)'
  await waitUntilQuiet(stand.options.quietSeconds * 1000)
  const { seconds } = stand.options
  const plan = payoutPlan({ ...WORKLOAD, port: subject.port, seconds, seed: 1, merchants: stand.merchants, wallets: WALLETS })
  const { perSecond, failures } = await runWrk(plan, stand.folder)
  return `${subject.name} by wrk ${version}: ${formatNumber(perSecond)}/s, ${failures} failures`
}
