// What passes between the server and the child, a line of JSON each. The server believes nothing of what it reads here: every
// line is checked, and one that is not as it should be ends the child.
import type { SandboxEntry, SandboxFault } from '../engine/actor/ports.ts'
import { LAYER_NAMES, type SandboxLayers } from './layers.ts'
import { CROSSING_BYTES_MAX, ERROR_LENGTH_MAX, FETCH_JSON_LENGTH_MAX, LOG_LINE_LENGTH_MAX } from './limits.ts'
import type { RunOutcome } from './outcome.ts'

export type ToChild =
  | {
      readonly type: 'run'
      readonly run: number
      readonly entry: SandboxEntry
      readonly source: string
      readonly argument: string | null
      readonly wallMs: number
    }
  | { readonly type: 'cancel'; readonly run: number }
  /** `answer`: JSON text of an AnswerWire. */
  | { readonly type: 'answer'; readonly run: number; readonly id: number; readonly answer: string }
  | { readonly type: 'ping' }

export type FromChild =
  | { readonly type: 'ready'; readonly layers: SandboxLayers }
  | { readonly type: 'pong' }
  /** `request`: JSON text of a FetchWire, unread. */
  | { readonly type: 'fetch'; readonly run: number; readonly id: number; readonly request: string }
  /** As soon as the code says it: what it said before its time was over must not depend on a last word. */
  | { readonly type: 'log'; readonly run: number; readonly line: string }
  /** The thread is free again. */
  | { readonly type: 'done'; readonly run: number; readonly outcome: RunOutcome }

/** Null when the line is no message. */
export function readFromChild(line: string): FromChild | null {
  let message: unknown
  try {
    message = JSON.parse(line)
  } catch {
    // The caller ends the child.
    return null
  }
  if (!isRecord(message)) return null
  switch (message.type) {
    case 'ready':
      return isLayers(message.layers) ? { type: 'ready', layers: message.layers } : null
    case 'pong':
      return { type: 'pong' }
    case 'fetch':
      return readFetch(message)
    case 'log':
      return readLog(message)
    case 'done':
      return readDone(message)
    default:
      return null
  }
}

function readFetch({ run, id, request }: Record<string, unknown>): FromChild | null {
  if (!isNumber(run) || !isNumber(id) || !isText(request, FETCH_JSON_LENGTH_MAX)) return null
  return { type: 'fetch', run, id, request }
}

function readLog({ run, line }: Record<string, unknown>): FromChild | null {
  return isNumber(run) && isText(line, LOG_LINE_LENGTH_MAX) ? { type: 'log', run, line } : null
}

function readDone({ run, outcome }: Record<string, unknown>): FromChild | null {
  const known = readOutcome(outcome)
  return isNumber(run) && known !== null ? { type: 'done', run, outcome: known } : null
}

const FAULTS = ['code', 'timeout', 'unavailable'] as const satisfies SandboxFault[]

function readOutcome(outcome: unknown): RunOutcome | null {
  if (!isRecord(outcome)) return null
  if (outcome.ok === true) return isText(outcome.value, CROSSING_BYTES_MAX) ? { ok: true, value: outcome.value } : null
  const { message, line } = outcome
  const fault = FAULTS.find((known) => known === outcome.fault)
  if (fault === undefined || !isText(message, 3 * ERROR_LENGTH_MAX) || !(line === null || isNumber(line))) return null
  return { ok: false, fault, message, line }
}

function isLayers(layers: unknown): layers is SandboxLayers {
  return isRecord(layers) && LAYER_NAMES.every((name) => typeof layers[name] === 'boolean')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function isText(value: unknown, lengthMax: number): value is string {
  return typeof value === 'string' && value.length <= lengthMax
}
