// A/B/A/B: every round measures each contender once, so that what the machine does over time hits all of them alike.
import type { Measurement } from './measure.ts'

/** Measurements by contender, one a round; of a contender that is null, none. */
export async function interleave<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, (() => Promise<Measurement>) | null>>,
): Promise<Record<Name, Measurement[]>> {
  const names = Object.keys(contenders) as Name[]
  const taken = Object.fromEntries(names.map((name) => [name, [] as Measurement[]])) as Record<Name, Measurement[]>
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const measureOnce = contenders[name]
      if (measureOnce !== null) taken[name].push(await measureOnce())
    }
  }
  return taken
}

export function ratesOf(measurements: readonly Measurement[]): number[] {
  return measurements.map(({ perSecond }) => perSecond)
}
