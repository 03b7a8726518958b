// Messages between server and child: a kind, a run, a number and a text in UTF-8 that is not escaped again. The server validates
// every message of the child and kills the child after an invalid one.
import type { SandboxEntry, SandboxFault, SandboxPurpose } from '../engine/actor/ports.ts'
import { LAYER_NAMES, type SandboxLayers } from './layers.ts'
import {
  CROSSING_BYTES_MAX,
  ERROR_LENGTH_MAX,
  FAILURE_BYTES_MAX,
  FETCH_JSON_BYTES_MAX,
  LOG_JSON_BYTES_MAX,
  LOG_LENGTH_MAX,
  LOG_LINE_LENGTH_MAX,
  LOG_LINES_MAX,
  READY_BYTES_MAX,
} from './limits.ts'
import type { RunOutcome } from './outcome.ts'

export type ToChild =
  | {
      readonly type: 'run'
      readonly run: number
      readonly merchant: string
      readonly purpose: SandboxPurpose
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
  /** Sent before the code is loaded, and again at each restart of the run. */
  | { readonly type: 'begun'; readonly run: number }
  /** `request`: JSON text of a FetchWire, not validated. */
  | { readonly type: 'fetch'; readonly run: number; readonly id: number; readonly request: string }
  /** At most `LOG_LINES_MAX` lines in all messages of a run, and one line that the rest is left out. */
  | { readonly type: 'log'; readonly run: number; readonly lines: readonly string[] }
  /** Last message of a run: the child has released it. */
  | { readonly type: 'done'; readonly run: number; readonly outcome: RunOutcome }

/** First byte of a message. */
const KINDS = ['run', 'cancel', 'answer', 'ping', 'ready', 'pong', 'begun', 'fetch', 'log', 'value', 'failure'] as const
type Kind = (typeof KINDS)[number]

/** Size of the header: kind, run and number. The text follows. */
export const MESSAGE_HEAD_BYTES = 9

interface Parts {
  readonly kind: Kind
  readonly run: number
  readonly number: number
  readonly text: string
}

export function toChildBytes(message: ToChild): Buffer {
  switch (message.type) {
    case 'run': {
      const { run, ...task } = message
      return bytesOf({ kind: 'run', run, number: 0, text: JSON.stringify(task) })
    }
    case 'cancel':
      return bytesOf({ kind: 'cancel', run: message.run, number: 0, text: '' })
    case 'answer':
      return bytesOf({ kind: 'answer', run: message.run, number: message.id, text: message.answer })
    case 'ping':
      return bytesOf({ kind: 'ping', run: 0, number: 0, text: '' })
  }
}

/** Reads a message of the server, which is trusted: an invalid message is a bug. */
export function readToChild(bytes: Buffer): ToChild {
  const { kind, run, number: id, text } = partsOf(bytes)
  switch (kind) {
    case 'run':
      return { ...(JSON.parse(text) as Omit<ToChild & { type: 'run' }, 'run'>), run }
    case 'cancel':
      return { type: 'cancel', run }
    case 'answer':
      return { type: 'answer', run, id, answer: text }
    case 'ping':
      return { type: 'ping' }
    default:
      throw new Error(`the server never says ${kind}`)
  }
}

export function fromChildBytes(message: FromChild): Buffer {
  switch (message.type) {
    case 'ready':
      return bytesOf({ kind: 'ready', run: 0, number: 0, text: JSON.stringify(message.layers) })
    case 'pong':
      return bytesOf({ kind: 'pong', run: 0, number: 0, text: '' })
    case 'begun':
      return bytesOf({ kind: 'begun', run: message.run, number: 0, text: '' })
    case 'fetch':
      return bytesOf({ kind: 'fetch', run: message.run, number: message.id, text: message.request })
    case 'log':
      return bytesOf({ kind: 'log', run: message.run, number: 0, text: JSON.stringify(message.lines) })
    case 'done':
      return doneBytes(message.run, message.outcome)
  }
}

function doneBytes(run: number, outcome: RunOutcome): Buffer {
  if (outcome.ok) return bytesOf({ kind: 'value', run, number: 0, text: outcome.value })
  const { fault, message, line } = outcome
  return bytesOf({ kind: 'failure', run, number: 0, text: JSON.stringify({ fault, message, line }) })
}

/** Maximum text by kind. The child does not send kinds that are missing here. */
const TEXT_BYTES_MAX: Readonly<Partial<Record<Kind, number>>> = {
  ready: READY_BYTES_MAX,
  pong: 0,
  begun: 0,
  fetch: FETCH_JSON_BYTES_MAX,
  log: LOG_JSON_BYTES_MAX,
  value: CROSSING_BYTES_MAX,
  failure: FAILURE_BYTES_MAX,
}

/** Reads a message of the child. Returns null for an invalid one. */
export function readFromChild(bytes: Buffer): FromChild | null {
  const bytesMax = bytes.length < MESSAGE_HEAD_BYTES ? undefined : TEXT_BYTES_MAX[KINDS[bytes.readUInt8()] as Kind]
  if (bytesMax === undefined || bytes.length - MESSAGE_HEAD_BYTES > bytesMax) return null
  const { kind, run, number: id, text } = partsOf(bytes)
  switch (kind) {
    case 'ready':
      return readReady(text)
    case 'pong':
      return { type: 'pong' }
    case 'begun':
      return { type: 'begun', run }
    case 'fetch':
      return { type: 'fetch', run, id, request: text }
    case 'log':
      return readLog(run, text)
    case 'value':
      return { type: 'done', run, outcome: { ok: true, value: text } }
    case 'failure':
      return readFailure(run, text)
    default:
      return null
  }
}

function readReady(text: string): FromChild | null {
  const layers = jsonIn(text)
  return isRecord(layers) && LAYER_NAMES.every((name) => typeof layers[name] === 'boolean')
    ? { type: 'ready', layers: layers as unknown as SandboxLayers }
    : null
}

function readLog(run: number, text: string): FromChild | null {
  const lines = jsonIn(text)
  if (!Array.isArray(lines) || lines.length === 0 || lines.length > LOG_LINES_MAX + 1) return null
  if (!lines.every((line): line is string => typeof line === 'string' && line.length <= LOG_LINE_LENGTH_MAX)) return null
  const length = lines.reduce((sum, line) => sum + line.length, 0)
  return length > LOG_LENGTH_MAX + LOG_LINE_LENGTH_MAX ? null : { type: 'log', run, lines }
}

const FAULTS = ['code', 'timeout', 'busy', 'unavailable'] as const satisfies SandboxFault[]

function readFailure(run: number, text: string): FromChild | null {
  const failure = jsonIn(text)
  if (!isRecord(failure)) return null
  const { message, line } = failure
  const fault = FAULTS.find((known) => known === failure.fault)
  if (fault === undefined || typeof message !== 'string' || message.length > 3 * ERROR_LENGTH_MAX) return null
  if (line !== null && !Number.isSafeInteger(line)) return null
  return { type: 'done', run, outcome: { ok: false, fault, message, line: line as number | null } }
}

function bytesOf({ kind, run, number, text }: Parts): Buffer {
  const bytes = Buffer.allocUnsafe(MESSAGE_HEAD_BYTES + Buffer.byteLength(text))
  bytes.writeUInt8(KINDS.indexOf(kind))
  bytes.writeUInt32LE(run, 1)
  bytes.writeUInt32LE(number, 5)
  bytes.write(text, MESSAGE_HEAD_BYTES)
  return bytes
}

function partsOf(bytes: Buffer): Parts {
  const kind = KINDS[bytes.readUInt8()] as Kind
  return { kind, run: bytes.readUInt32LE(1), number: bytes.readUInt32LE(5), text: bytes.toString('utf8', MESSAGE_HEAD_BYTES) }
}

/** Returns the parsed JSON; undefined for invalid JSON. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    // The caller kills the child.
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
