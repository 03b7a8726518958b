// Reads a V8 CPU profile (.cpuprofile, Chrome DevTools Protocol `Profiler.Profile`) and says which functions the time
// went to themselves. It only reads files.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PROJECT_URL = new URL('..', import.meta.url).href

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string }
}

export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  /** Microseconds of the monotonic clock, the one of `process.hrtime`. */
  readonly startTime: number
  /** Id of the node that was running, sample by sample. */
  readonly samples: readonly number[]
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[]
}

const FIELDS = ['nodes', 'startTime', 'samples', 'timeDeltas'] as const satisfies readonly (keyof CpuProfile)[]

export interface FunctionTime {
  /** `name file`; V8's own states stand in parentheses. Lines would be those of the compiled text, which nobody reads. */
  readonly place: string
  readonly selfMs: number
  /** Of the window. */
  readonly share: number
}

/** A stretch of the monotonic clock, in microseconds. */
export interface Window {
  readonly fromUs: number
  readonly toUs: number
}

/** Of the samples within the window, most expensive function first. */
export function selfTimes(profile: CpuProfile, { fromUs, toUs }: Window): FunctionTime[] {
  const placeOf = new Map(profile.nodes.map((node) => [node.id, describe(node)]))
  const microseconds = new Map<string, number>()
  let total = 0
  let timeUs = profile.startTime
  for (const [index, id] of profile.samples.entries()) {
    const place = placeOf.get(id)
    if (place === undefined) throw new Error(`the profile has a sample of an unknown node ${id}`)
    const delta = profile.timeDeltas[index] ?? 0
    timeUs += delta
    if (timeUs < fromUs || timeUs > toUs) continue
    microseconds.set(place, (microseconds.get(place) ?? 0) + delta)
    total += delta
  }
  return Array.from(microseconds, ([place, us]) => ({ place, selfMs: us / 1000, share: us / total })).sort((a, b) => b.selfMs - a.selfMs)
}

/** The profile of a process's main thread among those that it left in `folder`: Node numbers that thread 0. */
export function readMainThreadProfile(folder: string, pid: number): CpuProfile {
  const names = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  const name = names.find((candidate) => candidate.includes(`.${pid}.0.`))
  if (name === undefined) throw new Error(`no profile of process ${pid} among ${names.join(', ') || 'no files'}`)
  const parsed: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'))
  if (typeof parsed !== 'object' || parsed === null || !FIELDS.every((field) => field in parsed))
    throw new Error(`${name} is not a CPU profile`)
  return parsed as CpuProfile
}

export function formatTopFunctions(times: readonly FunctionTime[], count: number): string[] {
  return times
    .slice(0, count)
    .map(({ place, selfMs, share }) => `${(share * 100).toFixed(1).padStart(5)} %  ${selfMs.toFixed(0).padStart(7)} ms  ${place}`)
}

function describe({ callFrame }: ProfileNode): string {
  const { functionName, url } = callFrame
  const name = functionName === '' ? '(anonymous)' : functionName
  const file = url.startsWith(PROJECT_URL) ? url.slice(PROJECT_URL.length) : url
  return file === '' ? name : `${name} ${file}`
}
