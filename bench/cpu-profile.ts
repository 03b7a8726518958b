// Reads a V8 CPU profile (.cpuprofile, Chrome DevTools Protocol `Profiler.Profile`) and returns the self times of functions. It only
// reads files.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROJECT_URL = new URL('..', import.meta.url).href

export interface CallFrame {
  readonly functionName: string
  readonly url: string
  /** First line of the function, counted from 0. */
  readonly lineNumber: number
  readonly columnNumber: number
}

interface ProfileNode {
  readonly id: number
  readonly callFrame: CallFrame
  readonly children?: readonly number[]
}

export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  /** Microseconds of the monotonic clock of `process.hrtime`. */
  readonly startTime: number
  /** Id of the node that was running, sample by sample. */
  readonly samples: readonly number[]
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[]
}

const FIELDS = ['nodes', 'startTime', 'samples', 'timeDeltas'] as const satisfies readonly (keyof CpuProfile)[]

export interface FunctionTime {
  /** `name file`, with V8's own states in parentheses. The file is the source. The compiler may add a number to the name. */
  readonly place: string
  readonly selfMs: number
  /** Share of the window. */
  readonly share: number
}

/** An interval of the monotonic clock, in microseconds. */
export interface Window {
  readonly fromUs: number
  readonly toUs: number
}

/** Returns the names of the profile's nodes by their ids, as in `FunctionTime`. */
export function placeNames(profile: CpuProfile): Map<number, string> {
  const sources = new Sources()
  return new Map(profile.nodes.map((node) => [node.id, describe(node.callFrame, sources)]))
}

/** Returns the self times of the samples within the window, most expensive function first. */
export function selfTimes(profile: CpuProfile, { fromUs, toUs }: Window): FunctionTime[] {
  const placeOf = placeNames(profile)
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

/** Returns the profile of a process's main thread in `folder`. Node gives that thread the number 0. */
export function readMainThreadProfile(folder: string, pid: number): CpuProfile {
  const names = profileNames(folder)
  const name = names.find((candidate) => candidate.includes(`.${pid}.0.`))
  if (name === undefined) throw new Error(`no profile of process ${pid} among ${names.join(', ') || 'no files'}`)
  return readProfile(folder, name)
}

/** Returns the profiles of a process's worker threads by their names, as profile-threads.js names the files. */
export function readWorkerProfiles(folder: string, pid: number): Map<string, CpuProfile> {
  const start = `${pid}.`
  const names = profileNames(folder).filter((name) => name.startsWith(start))
  return new Map(names.map((name) => [name.slice(start.length, -ENDING.length), readProfile(folder, name)]))
}

const ENDING = '.cpuprofile'

function profileNames(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.endsWith(ENDING))
}

function readProfile(folder: string, name: string): CpuProfile {
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

/** Returns the names of functions, as in `FunctionTime`. */
export function describeFrames(frames: readonly CallFrame[]): string[] {
  const sources = new Sources()
  return frames.map((frame) => describe(frame, sources))
}

function describe(callFrame: CallFrame, sources: Sources): string {
  const { functionName } = callFrame
  const name = functionName === '' ? '(anonymous)' : functionName
  const url = sources.of(callFrame)
  const file = url.startsWith(PROJECT_URL) ? url.slice(PROJECT_URL.length) : url
  return file === '' ? name : `${name} ${file}`
}

/** Sources of compiled functions, by the source maps beside their files. */
class Sources {
  readonly #maps = new Map<string, SourceMap | null>()

  /** Returns the URL of the source, or of the frame if it was not compiled. */
  of({ url, lineNumber, columnNumber }: CallFrame): string {
    const entry = this.#mapOf(url)?.findEntry(lineNumber, columnNumber)
    return entry !== undefined && 'originalSource' in entry ? new URL(entry.originalSource, url).href : url
  }

  #mapOf(url: string): SourceMap | null {
    let map = this.#maps.get(url)
    if (map === undefined) {
      map = url.startsWith('file:') ? readMap(`${fileURLToPath(url)}.map`) : null
      this.#maps.set(url, map)
    }
    return map
  }
}

function readMap(path: string): SourceMap | null {
  return existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload) : null
}
