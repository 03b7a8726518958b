// What passes between the child's main thread and its worker threads: one task a run, and a port for what happens meanwhile.
import type { MessagePort } from 'node:worker_threads'
import type { SandboxEntry } from '../engine/actor/ports.ts'

export interface RunTask {
  readonly entry: SandboxEntry
  readonly source: string
  /** Null: load the source and look for the function, call nothing. */
  readonly argument: string | null
  readonly wallMs: number
  /** See run-clock.ts. */
  readonly clock: SharedArrayBuffer
  readonly port: MessagePort
}

export type FromThread =
  | { readonly type: 'log'; readonly lines: readonly string[] }
  /** JSON text of a FetchWire. */
  | { readonly type: 'fetch'; readonly id: number; readonly request: string }

/** JSON text of an AnswerWire. */
export interface ToThread {
  readonly id: number
  readonly answer: string
}
