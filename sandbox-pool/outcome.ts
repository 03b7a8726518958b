// How a run can end, the same in the thread, in the child and in the server.
import type { SandboxFault } from '../engine/actor/ports.ts'

export interface RunFailure {
  readonly ok: false
  readonly fault: SandboxFault
  /** English, for the merchant's developers; no path of this machine is ever in it. */
  readonly message: string
  /** In the merchant's source, from 1. */
  readonly line: number | null
}

export type RunOutcome = { readonly ok: true; readonly value: string } | RunFailure

export function codeFault(message: string, line: number | null = null): RunFailure {
  return { ok: false, fault: 'code', message, line }
}

export function unavailable(message: string): RunFailure {
  return { ok: false, fault: 'unavailable', message, line: null }
}

/** There was no room; nothing of the code was run. */
export function busy(message: string): RunFailure {
  return { ok: false, fault: 'busy', message, line: null }
}

/** No answer in time, or none that could ever come: for whoever waits it is the same. */
export function outOfTime(message: string): RunFailure {
  return { ok: false, fault: 'timeout', message, line: null }
}

/** How long is known where the caller is; see hosted-run.ts. */
export const TOO_LONG = outOfTime('took too long')
