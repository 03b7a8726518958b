// Names the cause of each stall of the event loop and of each slow commit. Pure: it compares intervals.
import type { Window } from '../cpu-profile.ts'
import type { DiskCall } from './disk-calls.ts'
import type { ProfileStacks } from './profile-stacks.ts'
import type { Collection, LoopStall, TraceFile } from './trace-file.ts'

/** Share of an interval from which a part of it is its cause. */
const CAUSE_SHARE = 0.5

export interface Cause extends Window {
  readonly kind: 'loop' | 'commit'
  readonly cause: string
  /** Processor time of the main thread in a stall of the loop: what remains of it on an idle machine. Null for a commit. */
  readonly cpuUs: number | null
}

export interface Evidence {
  readonly trace: TraceFile
  /** Null: the profile is not at hand. */
  readonly stacks: Pick<ProfileStacks, 'mainWork'> | null
  /** Null: perf is not at hand. */
  readonly disk: { readonly log: readonly DiskCall[]; readonly others: readonly DiskCall[] } | null
}

/** Returns the causes of all stalls and commits of at least `fromMs` that end within the window. */
export function causesOf(evidence: Evidence, window: Window, fromMs: number): Cause[] {
  const { stalls, commits } = evidence.trace
  const counts = (one: Window): boolean => lengthUs(one) >= fromMs * 1000 && one.toUs >= window.fromUs && one.toUs <= window.toUs
  return [
    ...stalls
      .filter(counts)
      .map((stall): Cause => ({ ...spanOf(stall), kind: 'loop', cause: loopCause(stall, evidence), cpuUs: stall.cpuUs })),
    ...commits
      .filter(counts)
      .map((commit): Cause => ({ ...spanOf(commit), kind: 'commit', cause: commitCause(commit, evidence), cpuUs: null })),
  ]
}

function loopCause(stall: LoopStall, { trace, stacks }: Evidence): string {
  const length = lengthUs(stall)
  const { cpuUs, queuedUs } = stall
  if (queuedUs !== null && queuedUs >= length * CAUSE_SHARE) return 'no core was free for the thread'
  const collected = longestShare(stall, trace.collections)
  if (collected !== null && collected.share >= CAUSE_SHARE) return `garbage collection: ${collected.kind}`
  const work = stacks?.mainWork(stall)?.work ?? 'not profiled'
  const isBlocked = cpuUs !== null && queuedUs !== null && length - cpuUs - queuedUs >= length * CAUSE_SHARE
  return isBlocked ? `the thread was blocked in the kernel: ${work}` : work
}

function longestShare(window: Window, collections: readonly Collection[]): { readonly kind: string; readonly share: number } | null {
  const byKind = new Map<string, number>()
  for (const one of collections) {
    const us = overlapUs(window, one)
    if (us > 0) byKind.set(one.kind, (byKind.get(one.kind) ?? 0) + us)
  }
  const [most] = [...byKind].sort(([, one], [, other]) => other - one)
  return most === undefined ? null : { kind: most[0], share: most[1] / lengthUs(window) }
}

/**
 * A commit has four parts: until its first write (libuv's queue, LMDB's lock), its writes and syncs, the pauses between them, and
 * the way of its callback back to the loop. The longest part is the cause.
 */
function commitCause(commit: Window, evidence: Evidence): string {
  const { disk, trace } = evidence
  const late = lateCallback(commit, evidence)
  if (disk === null) return late ?? 'disk, LMDB or libuv (perf would tell)'
  const calls = disk.log.filter((call) => call.fromUs >= commit.fromUs && call.toUs <= commit.toUs)
  const [first] = calls
  const last = calls.at(-1)
  if (first === undefined || last === undefined) return late ?? 'no write of the log was recorded'
  const synced = sum(calls.filter(({ call }) => call === 'fdatasync').map(lengthUs))
  const written = sum(calls.filter(({ call }) => call === 'pwrite64').map(lengthUs))
  const startUs = Math.min(...calls.map(({ fromUs }) => fromUs)) - commit.fromUs
  const backUs = commit.toUs - last.toUs
  const betweenUs = Math.max(0, lengthUs(commit) - startUs - backUs - synced - written)
  const beside = sum(disk.others.map((call) => overlapUs(call, commit))) >= (synced + written) * CAUSE_SHARE
  const neighbour = beside ? ', while the archive wrote' : ''
  const collected = longestShare({ fromUs: last.toUs, toUs: commit.toUs }, trace.collections)
  const parts: readonly (readonly [string, number])[] = [
    ['before the first write: libuv or LMDB had no thread yet', startUs],
    [`disk: fdatasync of the pages${neighbour}`, synced],
    [`disk: write of the pages and the meta page${neighbour}`, written],
    ['between the writes: LMDB or no core', betweenUs],
    [late ?? (collected === null ? 'callback: the loop woke late' : `callback: garbage collection (${collected.kind})`), backUs],
  ]
  return parts.reduce((most, part) => (part[1] > most[1] ? part : most))[0]
}

/** Returns the cause of the stall that held the callback of a commit back; null when the loop did not stall. */
function lateCallback(commit: Window, evidence: Evidence): string | null {
  const stall = evidence.trace.stalls.find((one) => one.fromUs < commit.toUs && one.toUs >= commit.toUs)
  const before = stall ?? evidence.trace.stalls.find((one) => overlapUs(one, commit) >= lengthUs(commit) * CAUSE_SHARE)
  return before === undefined ? null : `callback: the loop stalled (${loopCause(before, evidence)})`
}

function overlapUs(one: Window, other: Window): number {
  return Math.max(0, Math.min(one.toUs, other.toUs) - Math.max(one.fromUs, other.fromUs))
}

function lengthUs({ fromUs, toUs }: Window): number {
  return toUs - fromUs
}

function spanOf({ fromUs, toUs }: Window): Window {
  return { fromUs, toUs }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
