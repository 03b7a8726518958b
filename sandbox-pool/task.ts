// Messages between the child's main thread and a worker thread: one long task of the pool for each thread, and a port for its runs.
import type { MessagePort } from 'node:worker_threads'
import type { SandboxEntry, SandboxPurpose } from '../engine/actor/ports.ts'
import type { RunOutcome } from './outcome.ts'

/** Task of a thread. It ends when the port closes. */
export interface ThreadTask {
  /** Class of all its runs, which determines its priority. */
  readonly purpose: SandboxPurpose
  readonly port: MessagePort
  /** See thread-clock.ts. */
  readonly clock: SharedArrayBuffer
}

export interface RunTask {
  readonly run: number
  readonly merchant: string
  /** Live customers take a processor place before all others. */
  readonly isLive: boolean
  readonly entry: SandboxEntry
  readonly source: string
  /** Null: only loads the source and checks that the function exists. */
  readonly argument: string | null
  /** Deadline on the monotonic clock. */
  readonly endsAtMs: number
}

export type ToThread =
  | { readonly type: 'run'; readonly task: RunTask }
  /** JSON text of an AnswerWire. */
  | { readonly type: 'answer'; readonly run: number; readonly id: number; readonly answer: string }
  | { readonly type: 'cancel'; readonly run: number }
  /** Memory is short: ends the run that holds most of it. */
  | { readonly type: 'evict' }

export type FromThread =
  /** Sent before the code is loaded. */
  | { readonly type: 'begun'; readonly run: number }
  | { readonly type: 'log'; readonly run: number; readonly lines: readonly string[] }
  /** JSON text of a FetchWire. */
  | { readonly type: 'fetch'; readonly run: number; readonly id: number; readonly request: string }
  /** The code of the run computed for long; the thread has a lower priority from now on. */
  | { readonly type: 'lowered'; readonly run: number }
  /** Last message of a run. */
  | { readonly type: 'done'; readonly run: number; readonly outcome: RunOutcome }
