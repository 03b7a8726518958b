// Row 4 under the stall tracer: the same workloads on a separate server with the tracer, a CPU profile and perf. The table has the causes
// of all stalls of the engine's thread and of all slow commits.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { archivePathOf, logPathOf } from '../../wal/folder/folder.ts'
import { readMainThreadProfile, type Window } from '../cpu-profile.ts'
import type { Measurement, Subject } from '../measure.ts'
import type { PayoutWorkload, Stand } from '../stand.ts'
import { formatNumber, formatUs, spreadOf } from '../statistics.ts'
import { type Cause, causesOf, type Evidence } from './causes.ts'
import { type DiskCall, DiskRecording, openFilesIn } from './disk-calls.ts'
import { ProfileStacks } from './profile-stacks.ts'
import type { Collection, TraceFile } from './trace-file.ts'

/** Shortest stall in the table. */
const FROM_MS = 3
const LONGEST = 5

export interface TracedWorkload {
  readonly name: string
  readonly workload: PayoutWorkload
  /** Another load on the server while the workload is measured. The returned function ends it. */
  beside?(server: Subject): () => Promise<unknown>
}

/** Returns the table of causes as lines of text. The probes slow the server, so its latencies are not figures of the row. */
export async function tracePayouts(stand: Stand, workloads: readonly TracedWorkload[]): Promise<string[]> {
  const dataDir = await stand.cauri.freshFolder()
  const folder = join(stand.folder, 'trace')
  const traceFile = join(stand.folder, 'trace.json')
  const server = await stand.cauri.start(dataDir, { profileFolder: folder, traceFile })
  const [pid] = server.pids
  const warmup = workloads[0]
  if (warmup !== undefined) await stand.measurePayouts(server, warmup.workload)
  const recording = await DiskRecording.start(pid, stand.folder)
  const taken: { readonly name: string; readonly measurement: Measurement }[] = []
  for (const { name, workload, beside } of workloads) {
    const end = beside?.(server)
    taken.push({ name, measurement: await stand.measurePayouts(server, workload) })
    await end?.()
  }
  const files = { log: openFilesIn(pid, logPathOf(dataDir)), others: openFilesIn(pid, archivePathOf(dataDir)) }
  const calls = recording === null ? null : await recording.stop()
  await server.stop()
  const within = (of: Set<number>): DiskCall[] => (calls ?? []).filter(({ file }) => of.has(file))
  const evidence: Evidence = {
    trace: JSON.parse(readFileSync(traceFile, 'utf8')) as TraceFile,
    stacks: new ProfileStacks(readMainThreadProfile(folder, pid)),
    disk: calls === null ? null : { log: within(files.log), others: within(files.others) },
  }
  stand.cauri.remove(dataDir)
  return [
    `Stalls of the engine's thread and commits above ${FROM_MS} ms under the tracer${calls === null ? ', without perf: the disk is not told apart' : ''}:`,
    ...taken.flatMap(({ name, measurement }) => [
      ...describeCauses(name, measurement, causesOf(evidence, measurement.window, FROM_MS)),
      ...describeCollections(evidence.trace.collections, measurement.window),
    ]),
  ]
}

function describeCauses(name: string, { perSecond, latency, window }: Measurement, causes: readonly Cause[]): string[] {
  const groups = new Map<string, Cause[]>()
  for (const cause of causes) {
    const key = `${cause.kind === 'loop' ? 'event loop' : 'commit    '}  ${cause.cause}`
    groups.set(key, [...(groups.get(key) ?? []), cause])
  }
  const rows = [...groups].sort(([, one], [, other]) => totalMs(other) - totalMs(one))
  return [
    `  ${name}: ${formatNumber(perSecond)}/s, p99 ${formatUs(latency.p99Us)}, max ${formatUs(latency.maxUs)}, in ${formatNumber((window.toUs - window.fromUs) / 1e6)} s`,
    ...(rows.length === 0 ? ['    none'] : ['    count  median ms  longest ms  total ms  most CPU ms  where       cause']),
    ...rows.map(([key, of]) => describeGroup(key, of)),
    ...longest(causes, window),
  ]
}

function describeGroup(key: string, causes: readonly Cause[]): string {
  const { median, max } = spreadOf(causes.map(lengthMs))
  const cell = (text: string, width: number): string => text.padStart(width)
  return `    ${cell(String(causes.length), 5)}  ${cell(median.toFixed(1), 9)}  ${cell(max.toFixed(1), 10)}  ${cell(totalMs(causes).toFixed(0), 8)}  ${cell(mostCpu(causes), 11)}  ${key}`
}

/** Returns the pauses of the garbage collector by kind, short ones included. They depend on the size of V8's semi-spaces. */
function describeCollections(collections: readonly Collection[], { fromUs, toUs }: Window): string[] {
  const within = collections.filter((one) => one.fromUs >= fromUs && one.toUs <= toUs)
  return [...new Set(within.map(({ kind }) => kind))].map((kind) => {
    const lengths = within.filter((one) => one.kind === kind).map((one) => one.toUs - one.fromUs)
    const { median, max } = spreadOf(lengths)
    const share = lengths.reduce((sum, us) => sum + us, 0) / (toUs - fromUs)
    return `    ${kind}: ${lengths.length} times, median ${formatUs(median)}, longest ${formatUs(max)}, ${(share * 100).toFixed(2)} % of the time`
  })
}

/** Returns the most processor time of one stall, which other processes do not lengthen. */
function mostCpu(causes: readonly Cause[]): string {
  const known = causes.map(({ cpuUs }) => cpuUs).filter((value) => value !== null)
  return known.length === 0 ? '–' : (Math.max(...known) / 1000).toFixed(1)
}

function longest(causes: readonly Cause[], { fromUs }: Window): string[] {
  const sorted = [...causes].sort((one, other) => lengthMs(other) - lengthMs(one)).slice(0, LONGEST)
  return sorted.map(
    (one) =>
      `    at ${((one.fromUs - fromUs) / 1e6).toFixed(3)} s, ${lengthMs(one).toFixed(1)} ms, ${one.kind === 'loop' ? 'event loop' : 'commit'}: ${one.cause}`,
  )
}

function lengthMs({ fromUs, toUs }: Cause): number {
  return (toUs - fromUs) / 1000
}

function totalMs(causes: readonly Cause[]): number {
  return causes.reduce((sum, cause) => sum + lengthMs(cause), 0)
}
