// Outcomes of a run, the same in the thread, the child and the server.
import type { SandboxFault } from '../engine/actor/ports.ts'

export interface RunFailure {
  readonly ok: false
  readonly fault: SandboxFault
  /** English text for the merchant's developers. It never contains a path of this machine. */
  readonly message: string
  /** Line in the merchant's source, from 1. */
  readonly line: number | null
}

export type RunOutcome = { readonly ok: true; readonly value: string } | RunFailure

export function codeFault(message: string, line: number | null = null): RunFailure {
  return { ok: false, fault: 'code', message, line }
}

export function unavailable(message: string): RunFailure {
  return { ok: false, fault: 'unavailable', message, line: null }
}

/** Outcome for a lack of capacity: the code did not run. */
export function busy(message: string): RunFailure {
  return { ok: false, fault: 'busy', message, line: null }
}

/** Outcome without an answer in time, also when no answer is possible any more. */
export function outOfTime(message: string): RunFailure {
  return { ok: false, fault: 'timeout', message, line: null }
}

/** Outcome of the child for a timeout. hosted-run.ts adds the duration. */
export const TOO_LONG = outOfTime('took too long')
