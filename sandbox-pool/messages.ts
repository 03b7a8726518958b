// What passes between the server and the child, a line of JSON each. The server believes nothing of what it reads here: every
// line is checked, and one that is not as it should be ends the child.
import type { SandboxEntry, SandboxFault } from '../engine/actor/ports.ts'
import { LAYER_NAMES, type SandboxLayers } from './layers.ts'
import {
  CROSSING_BYTES_MAX,
  ERROR_LENGTH_MAX,
  FETCH_JSON_LENGTH_MAX,
  LOG_LENGTH_MAX,
  LOG_LINE_LENGTH_MAX,
  LOG_LINES_MAX,
} from './limits.ts'
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
  /** The thread is free again. */
  | { readonly type: 'done'; readonly run: number; readonly outcome: RunOutcome; readonly logs: readonly string[] }

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

function readDone({ run, outcome, logs }: Record<string, unknown>): FromChild | null {
  const known = readOutcome(outcome)
  if (!isNumber(run) || known === null || !isLog(logs)) return null
  return { type: 'done', run, outcome: known, logs }
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

function isLog(logs: unknown): logs is readonly string[] {
  if (!Array.isArray(logs) || logs.length > LOG_LINES_MAX + 1) return false
  let length = 0
  for (const line of logs as unknown[]) {
    if (!isText(line, LOG_LINE_LENGTH_MAX)) return false
    length += line.length
  }
  return length <= LOG_LENGTH_MAX + LOG_LINE_LENGTH_MAX
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
