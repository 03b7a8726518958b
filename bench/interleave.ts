// Interleaved measurement (A/B/B/A): every round measures each contender once, so that changes of the machine affect all equally. Each
// round begins with the next contender, so that none is always the first.
import type { Measurement } from './measure.ts'

/** Returns measurements by contender, one per round; none for a contender that is null. */
export async function interleave<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, (() => Promise<Measurement>) | null>>,
): Promise<Record<Name, Measurement[]>> {
  const names = Object.keys(contenders) as Name[]
  const taken = Object.fromEntries(names.map((name) => [name, [] as Measurement[]])) as Record<Name, Measurement[]>
  const measured = names.filter((name) => contenders[name] !== null)
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < measured.length; turn++) {
      const name = measured[(round + turn) % measured.length] as Name
      const measureOnce = contenders[name]
      if (measureOnce !== null) taken[name].push(await measureOnce())
    }
  }
  return taken
}

export function ratesOf(measurements: readonly Measurement[]): number[] {
  return measurements.map(({ perSecond }) => perSecond)
}
