// Which call of which data file fails, what the clients do meanwhile, and how the server may end.
import { archivePathOf, logPathOf } from '../../../wal/folder/folder.ts'
import { type CallName, ERRORS, type FailingCall, type InjectedError } from './failing-calls.ts'
import type { End } from './process-ends.ts'

const FLUSHED: readonly CallName[] = ['pwrite64', 'pwritev', 'writev', 'fdatasync']

interface Target {
  readonly storeOf: (dataDir: string) => string
  readonly names: readonly CallName[]
  /** What the clients do: payouts until the server is gone, a few payouts and a stop, one payout and nothing, or one and a stop. */
  readonly life: 'pays' | 'pays and stops' | 'waits' | 'stops'
  /** How the server may end. By a signal: LMDB's native code did not survive `process.exit`. */
  readonly ends: readonly End[]
}

export const TARGETS = {
  /** Each payout writes and flushes. */
  log: { storeOf: logPathOf, names: FLUSHED, life: 'pays', ends: ['exit 1', 'a signal'] },
  /** The log's file grows ahead of its pages. Without that the server goes on. */
  growth: { storeOf: logPathOf, names: ['write'], life: 'pays and stops', ends: ['exit 0'] },
  /** The index is stored a second after a payout. */
  index: { storeOf: archivePathOf, names: FLUSHED, life: 'waits', ends: ['exit 1', 'a signal'] },
  /**
   * A stop stores index and snapshot. What was acknowledged is in the log, so the stop is one in order. The other writers wait: their
   * writes are enough to store the index before.
   */
  snapshot: { storeOf: archivePathOf, names: FLUSHED, life: 'stops', ends: ['exit 0', 'a signal'] },
} as const satisfies Record<string, Target>
export type TargetName = keyof typeof TARGETS

/** A number: the place among all calls of the log since a start. */
export type CallPlace = number | Pick<FailingCall, 'name' | 'nth'>

export interface FaultCase {
  readonly target: TargetName
  readonly call: CallPlace
  readonly error: InjectedError
}

/** Each error at each of the calls. */
export function everyError(target: TargetName, calls: readonly CallPlace[]): FaultCase[] {
  return calls.flatMap((call) => ERRORS.map((error) => ({ target, call, error })))
}
