// Tunes the rivals P and P2 for one workload: measures short windows with several pool sizes and takes the fastest. The best size depends on disk,
// cores and row contention.
import type { Measurement, Subject } from '../measure.ts'
import { formatNumber } from '../statistics.ts'
import type { PostgresMode, PostgresRival } from './postgres-rival.ts'

/** Pool sizes to try. Group commit profits from many connections; payouts of one merchant wait for one row lock and need few. */
const POOL_SIZES: Readonly<Record<PostgresMode, readonly number[]>> = {
  single: [8, 16, 32, 64],
  // Groups of one merchant wait for each other.
  grouped: [1, 2, 4],
}

export interface TunedPostgres {
  readonly subject: Subject
  /** Text with the tried sizes and the selected one. */
  readonly note: string
}

/** Selects the pool size. `trial` measures one short window. A given `poolSize` is used without trials. */
export async function tunePostgres(
  rival: PostgresRival,
  mode: PostgresMode,
  poolSize: number | null,
  trial: (subject: Subject) => Promise<Measurement>,
): Promise<TunedPostgres> {
  const sizes = POOL_SIZES[mode]
  if (poolSize !== null) {
    // An asked size is that of single payouts. Groups take the middle one.
    const size = mode === 'single' ? poolSize : (sizes[1] as number)
    const subject = await rival.serve(size, mode)
    return { subject, note: `${subject.name} has a pool of ${size} connections, without trials` }
  }
  const trials: { readonly size: number; readonly perSecond: number }[] = []
  for (const size of sizes) {
    const { perSecond } = await trial(await rival.serve(size, mode))
    trials.push({ size, perSecond })
  }
  const best = trials.reduce((first, second) => (second.perSecond > first.perSecond ? second : first))
  const tried = trials.map(({ size, perSecond }) => `${size}: ${formatNumber(perSecond)}/s`).join(', ')
  const subject = await rival.serve(best.size, mode)
  return {
    subject,
    note: `${subject.name} has a pool of ${best.size} connections, the best of one short window each: ${tried}`,
  }
}
