// Row 2: the same payouts, all from one merchant: where rows are locked this is the worst case.
import { interleave } from '../interleave.ts'
import type { Row, RowResult } from '../row.ts'
import type { Stand } from '../stand.ts'
import { summarize } from '../summary.ts'

const WORKLOAD = { connections: 256, merchants: 'one', ratePerSecond: null } as const

export const ROW_02: Row = {
  number: 2,
  title: 'single payouts, 256 connections, all from one merchant',
  run,
}

async function run(stand: Stand): Promise<RowResult> {
  const postgres = await stand.postgres()
  if ('unavailable' in postgres) return { claims: [], notes: [`P: ${postgres.unavailable}`], measurements: [] }
  const taken = await interleave(stand.options.repeat, { postgres: () => stand.measurePayouts(postgres, WORKLOAD) })
  return { claims: [], notes: summarize('P', taken.postgres), measurements: taken.postgres }
}
