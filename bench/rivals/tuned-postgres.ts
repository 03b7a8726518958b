// Tunes rival P for one workload: measures short windows with several pool sizes and takes the fastest. The best size depends on disk,
// cores and row contention.
import type { Measurement, Subject } from '../measure.ts'
import { formatNumber } from '../statistics.ts'
import type { PostgresRival } from './postgres-rival.ts'

/** Pool sizes to try. Group commit profits from many connections; payouts of one merchant wait for one row lock and need few. */
export const POOL_SIZES = [8, 16, 32, 64] as const

export interface TunedPostgres {
  readonly subject: Subject
  /** Text with the tried sizes and the selected one. */
  readonly note: string
}

/** Selects the pool size. `trial` measures one short window. A given `poolSize` is used without trials. */
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
