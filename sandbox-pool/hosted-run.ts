// One run on the server's side, from the request to its single result: deadline, fetches and record. Validates all messages of the
// child about the run.
import type { SandboxEntry, SandboxFault, SandboxFetch, SandboxPurpose } from '../engine/actor/ports.ts'
import { type FetchBroker, fetchFor } from './fetch-broker.ts'
import type { AnswerWire } from './guest/host.ts'
import {
  BEGINNINGS_MAX,
  CROSSING_BYTES_MAX,
  FETCHES_MAX,
  LOG_LENGTH_MAX,
  LOG_LINE_LENGTH_MAX,
  LOG_LINES_MAX,
  REPORT_MARGIN_MS,
  VALUE_DEPTH_MAX,
} from './limits.ts'
import { codeFault, type RunOutcome, TOO_LONG } from './outcome.ts'

export interface HostedRequest {
  readonly merchantId: string
  readonly purpose: SandboxPurpose
  readonly entry: SandboxEntry
  readonly source: string
  /** Null: only checks the source. */
  readonly argument: string | null
  readonly timeoutMs: number
  /** As in the port: asked before the first fetch. */
  readonly allowCall?: () => Promise<boolean>
}

export interface HostedEnd {
  readonly outcome: RunOutcome
  readonly started: boolean
  readonly durationMs: number
  readonly fetches: readonly SandboxFetch[]
  readonly logs: readonly string[]
}

export class HostedRun {
  readonly request: HostedRequest
  readonly #askedMs = performance.now()
  readonly #settle: (end: HostedEnd) => void
  #hasEnded = false
  /** Of its fetches; null before the first, which few runs have: an abort makes an error with its stack. */
  #abort: AbortController | null = null
  readonly #fetches: SandboxFetch[] = []
  #fetchCount = 0
  #logs: string[] = []
  #logLength = 0
  #deadline: NodeJS.Timeout | null = null
  #number: number | null = null
  #startedMs = 0
  #startings = 0
  #beginnings = 0
  /** Whether the first fetch may leave; null before it. */
  #allowed: Promise<boolean> | null = null
  #hasNoEffect = false

  constructor(request: HostedRequest, settle: (end: HostedEnd) => void) {
    this.request = request
    this.#settle = settle
  }

  get merchantId(): string {
    return this.request.merchantId
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Starts the deadline, which counts from the request and not from the start of the run. */
  startDeadline(onTimeout: () => void): void {
    this.#deadline = setTimeout(onTimeout, this.#remainingMs())
  }

  /** Number of the run in the child; null while it waits. */
  get number(): number | null {
    return this.#number
  }

  /** Number of times that it was sent to a child. */
  get startings(): number {
    return this.#startings
  }

  /** Whether its code has begun and may have had an effect. */
  get hasBegun(): boolean {
    return this.#beginnings > 0
  }

  /** Marks the run as sent to the child. */
  start(number: number): void {
    this.#number = number
    this.#startedMs = performance.now()
    this.#startings += 1
  }

  /** Marks that its code begins or restarts, and resets its fetches and log. Returns false after too many beginnings. */
  begin(): boolean {
    this.#beginnings += 1
    this.#fetchCount = 0
    this.#logs = []
    this.#logLength = 0
    return this.#beginnings <= BEGINNINGS_MAX
  }

  /** Returns the seconds since it was sent to the child. */
  takenSeconds(): number {
    return (performance.now() - this.#startedMs) / 1_000
  }

  /** Returns the time limit in the child: shorter than the deadline, so that the run can still report. */
  wallMs(): number {
    return Math.max(1, Math.round(this.#remainingMs() - REPORT_MARGIN_MS))
  }

  /** Performs a fetch. Returns null for more fetches than an honest child sends. */
  fetch(requestText: string, broker: FetchBroker, onUnexpected: (error: unknown) => void): Promise<AnswerWire> | null {
    this.#fetchCount += 1
    if (this.#fetchCount > FETCHES_MAX) return null
    if (this.request.argument === null) return Promise.resolve({ error: 'nothing is fetched while the source is checked' })
    return this.#fetch(requestText, broker, onUnexpected)
  }

  /** Adds log lines. Returns false for more lines than an honest child sends: run-log.ts limits them. */
  log(lines: readonly string[]): boolean {
    this.#logs.push(...lines)
    this.#logLength += lines.reduce((sum, line) => sum + line.length, 0)
    return this.#logs.length <= LOG_LINES_MAX + 1 && this.#logLength <= LOG_LENGTH_MAX + LOG_LINE_LENGTH_MAX
  }

  end(outcome: RunOutcome): void {
    if (this.hasEnded) return
    this.#hasEnded = true
    this.#abort?.abort()
    if (this.#deadline !== null) clearTimeout(this.#deadline)
    const durationMs = Math.round(performance.now() - this.#askedMs)
    this.#settle({
      outcome: this.#checked(outcome),
      started: this.hasBegun && !this.#hasNoEffect,
      durationMs,
      fetches: this.#fetches,
      logs: this.#logs,
    })
  }

  fail(fault: SandboxFault, message: string): void {
    this.end({ ok: false, fault, message, line: null })
  }

  /** Whether it has ended because its first fetch was not allowed. */
  get wasRefused(): boolean {
    return this.hasEnded && this.#hasNoEffect
  }

  /** Ends a run that has had no effect outside as one that may run again. Returns false for any other. */
  giveBack(message: string): boolean {
    if (this.request.allowCall === undefined || this.#allowed !== null) return false
    this.#hasNoEffect = true
    this.fail('unavailable', message)
    return true
  }

  async #mayCall(): Promise<boolean> {
    const { allowCall } = this.request
    if (allowCall === undefined) return true
    this.#allowed ??= allowCall()
    if (await this.#allowed) return true
    this.#hasNoEffect = true
    this.fail('unavailable', 'the code may not call')
    return false
  }

  async #fetch(requestText: string, broker: FetchBroker, onUnexpected: (error: unknown) => void): Promise<AnswerWire> {
    if (!(await this.#mayCall())) return { error: 'the run has ended' }
    this.#abort ??= new AbortController()
    // The end may stand in the same bytes as the call.
    if (this.#hasEnded) this.#abort.abort()
    const way = { broker, withinMs: Math.max(1, Math.round(this.#remainingMs())), signal: this.#abort.signal, onUnexpected }
    const { answer, record } = await fetchFor(requestText, way)
    if (!this.hasEnded) this.#fetches.push(record)
    return answer
  }

  #checked(outcome: RunOutcome): RunOutcome {
    if (outcome.ok) {
      const flaw = flawOf(outcome.value)
      return flaw === null ? outcome : codeFault(flaw)
    }
    if (outcome.message === TOO_LONG.message) return { ...outcome, message: this.#lateMessage() }
    // In a check of the source, a timeout is an error of the code.
    return outcome.fault === 'timeout' && this.request.argument === null ? codeFault(outcome.message) : outcome
  }

  #lateMessage(): string {
    const seconds = this.request.timeoutMs / 1_000
    return this.hasBegun ? `took longer than ${seconds} s` : `no sandbox was free for ${seconds} s`
  }

  #remainingMs(): number {
    return Math.max(0, this.request.timeoutMs - (performance.now() - this.#askedMs))
  }
}

function flawOf(value: string): string | null {
  if (Buffer.byteLength(value) > CROSSING_BYTES_MAX) return `returned more than ${CROSSING_BYTES_MAX / 1024} KB of JSON`
  if (depthOf(value) > VALUE_DEPTH_MAX) return `returned JSON that is nested more than ${VALUE_DEPTH_MAX} deep`
  try {
    JSON.parse(value)
    return null
  } catch {
    // The machine writes JSON. Only code that has modified it causes this.
    return 'returned something that is no JSON'
  }
}

/** Returns the nesting depth of brackets and braces outside of strings. */
function depthOf(json: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let index = 0; index < json.length; index++) {
    const character = json[index]
    if (inString) {
      if (character === '\\') index += 1
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth)
    else if (character === ']' || character === '}') depth -= 1
  }
  return deepest
}
