// Summary of several measurements of one subject as text.
import { percentilesOf } from './load/histogram.ts'
import type { Measurement } from './measure.ts'
import { formatNumber, formatSpread, formatUs, spreadOf } from './statistics.ts'

/** Above this the generator may be the limit instead of the server. */
const GENERATOR_CORES_MAX = 0.9
const OTHER_CORES_MAX = 0.15

/** Returns median and range of the rate, percentiles of all repeats together, busy cores, and reasons for doubt. */
export function summarize(name: string, measurements: readonly Measurement[]): string[] {
  const latency = percentilesOf(measurements.map(({ load }) => load.latency))
  const rate = formatSpread(spreadOf(measurements.map(({ perSecond }) => perSecond)))
  const generator = medianCores(measurements.map(({ generatorCores }) => generatorCores))
  const others = medianCores(measurements.map(({ otherCores }) => otherCores))
  const stolen = medianCores(measurements.map(({ stolenCores }) => stolenCores))
  const server = medianCores(measurements.map(({ serverCores }) => serverCores))
  const main = medianCores(measurements.map(({ serverMainThreadCores }) => serverMainThreadCores))
  const perRequestUs = spreadOf(measurements.map(({ load }) => (load.cpuSeconds * 1e6) / load.done)).median
  return [
    `${name}: ${rate}/s; p50 ${formatUs(latency.p50Us)}, p99 ${formatUs(latency.p99Us)}, p99.9 ${formatUs(latency.p999Us)}, max ${formatUs(latency.maxUs)}`,
    `  cores: server ${cores(server)} (main thread ${cores(main)}), generator ${cores(generator)} (${perRequestUs.toFixed(1)} µs a request), others ${cores(others)}, stolen by the host ${cores(stolen)}`,
    ...(generator !== null && generator > GENERATOR_CORES_MAX
      ? ['  caution: the generator itself was nearly a full core: the server may be faster']
      : []),
    ...doubts(measurements),
  ]
}

/** Returns reasons for doubt about the figures, for any measurement. */
export function doubts(measurements: readonly Measurement[]): string[] {
  const found: string[] = []
  const others = medianCores(measurements.map(({ otherCores }) => otherCores))
  const stolen = medianCores(measurements.map(({ stolenCores }) => stolenCores))
  if (others !== null && others > OTHER_CORES_MAX) found.push('other processes took part of the machine: repeat on an idle one')
  if (stolen !== null && stolen > OTHER_CORES_MAX) found.push('the host kept part of the processor back')
  const unfinished = measurements.reduce((sum, { load }) => sum + load.unfinished, 0)
  if (unfinished > 0) found.push(`${formatNumber(unfinished)} requests that were due had no answer seconds later`)
  const refused = measurements.reduce((sum, { load }) => sum + refusedOf(load.statuses, load.done), 0)
  if (refused > 0)
    found.push(
      `${formatNumber(refused)} answers were not what was expected: ${JSON.stringify(measurements.map(({ load }) => load.statuses))}`,
    )
  return found.map((doubt) => `  caution: ${doubt}`)
}

function refusedOf(statuses: Readonly<Record<string, number>>, done: number): number {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0) - done
}

function medianCores(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : spreadOf(known).median
}

function cores(value: number | null): string {
  return value === null ? '?' : value.toFixed(2)
}
