// Rival P at its best for one workload: short windows with pools of several sizes, then the size that did most. What is
// best depends on the machine's disk and cores and on how much the payouts wait for each other's rows.
import type { Measurement, Subject } from '../measure.ts'
import { formatNumber } from '../statistics.ts'
import type { PostgresRival } from './postgres-rival.ts'

/** PostgreSQL's group commit wants many; payouts of one merchant, which wait for one row, want few. */
export const POOL_SIZES = [8, 16, 32, 64] as const

export interface TunedPostgres {
  readonly subject: Subject
  /** What was tried and what was taken, for the reader. */
  readonly note: string
}

/** `trial` measures one short window. With `poolSize` given nothing is tried. */
export async function tunePostgres(
  rival: PostgresRival,
  poolSize: number | null,
  trial: (subject: Subject) => Promise<Measurement>,
): Promise<TunedPostgres> {
  if (poolSize !== null) return { subject: await rival.serve(poolSize), note: `P has a pool of ${poolSize} connections, as asked for` }
  const trials: { readonly size: number; readonly perSecond: number }[] = []
  for (const size of POOL_SIZES) {
    const { perSecond } = await trial(await rival.serve(size))
    trials.push({ size, perSecond })
  }
  const best = trials.reduce((first, second) => (second.perSecond > first.perSecond ? second : first))
  const tried = trials.map(({ size, perSecond }) => `${size}: ${formatNumber(perSecond)}/s`).join(', ')
  return {
    subject: await rival.serve(best.size),
    note: `P has a pool of ${best.size} connections, the best of one short window each: ${tried}`,
  }
}
