// How often properties are tried: as often as a test says, or so many times as often in `npm run fuzz -- --properties <times>`.
import fc from 'fast-check'

/** Names the factor, and the seed of fast-check. */
export const PROPERTY_RUNS = 'CAURI_PROPERTY_RUNS'
export const PROPERTY_SEED = 'CAURI_PROPERTY_SEED'

/** Of fast-check. */
const USUAL_RUNS = 100

const factor = Number(process.env[PROPERTY_RUNS] ?? 1)
const seed = process.env[PROPERTY_SEED]
if (factor !== 1) fc.configureGlobal({ numRuns: USUAL_RUNS * factor, ...(seed === undefined ? {} : { seed: Number(seed) }) })

export function runs(count: number): number {
  return count * factor
}
