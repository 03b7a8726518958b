// One run as the server sees it, from the request to the one result: its deadline, its fetches, its record. Whatever comes
// from the child for it is checked here.
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
  /** Null: a check of the source. */
  readonly argument: string | null
  readonly timeoutMs: number
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
  readonly #ended = new AbortController()
  readonly #fetches: SandboxFetch[] = []
  #fetchCount = 0
  #logs: string[] = []
  #logLength = 0
  #deadline: NodeJS.Timeout | null = null
  #number: number | null = null
  #startedMs = 0
  #startings = 0
  #beginnings = 0

  constructor(request: HostedRequest, settle: (end: HostedEnd) => void) {
    this.request = request
    this.#settle = settle
  }

  get merchantId(): string {
    return this.request.merchantId
  }

  get hasEnded(): boolean {
    return this.#ended.signal.aborted
  }

  /** The caller's clock runs from the request on, not from the start of the run. */
  startDeadline(onTimeout: () => void): void {
    this.#deadline = setTimeout(onTimeout, this.#remainingMs())
  }

  /** In the child; null while it waits. */
  get number(): number | null {
    return this.#number
  }

  /** How often it was given to a child. */
  get startings(): number {
    return this.#startings
  }

  /** From here on its code may have an effect. */
  get hasBegun(): boolean {
    return this.#beginnings > 0
  }

  /** It is given to the child. */
  start(number: number): void {
    this.#number = number
    this.#startedMs = performance.now()
    this.#startings += 1
  }

  /** Its code begins, perhaps anew, as if nothing had been before. False when it can't be so often. */
  begin(): boolean {
    this.#beginnings += 1
    this.#fetchCount = 0
    this.#logs = []
    this.#logLength = 0
    return this.#beginnings <= BEGINNINGS_MAX
  }

  /** Since it was given to the child. */
  takenSeconds(): number {
    return (performance.now() - this.#startedMs) / 1_000
  }

  /** What the run itself gets, so that it can still report. */
  wallMs(): number {
    return Math.max(1, Math.round(this.#remainingMs() - REPORT_MARGIN_MS))
  }

  /** Null when the child asks for more than any run of ours can. */
  fetch(requestText: string, broker: FetchBroker, onUnexpected: (error: unknown) => void): Promise<AnswerWire> | null {
    this.#fetchCount += 1
    if (this.#fetchCount > FETCHES_MAX) return null
    if (this.request.argument === null) return Promise.resolve({ error: 'nothing is fetched while the source is checked' })
    return this.#fetch(requestText, broker, onUnexpected)
  }

  /** False when there are more lines than a run of ours can say: run-log.ts ends each log before. */
  log(lines: readonly string[]): boolean {
    this.#logs.push(...lines)
    this.#logLength += lines.reduce((sum, line) => sum + line.length, 0)
    return this.#logs.length <= LOG_LINES_MAX + 1 && this.#logLength <= LOG_LENGTH_MAX + LOG_LINE_LENGTH_MAX
  }

  end(outcome: RunOutcome): void {
    if (this.hasEnded) return
    this.#ended.abort()
    if (this.#deadline !== null) clearTimeout(this.#deadline)
    const durationMs = Math.round(performance.now() - this.#askedMs)
    this.#settle({ outcome: this.#checked(outcome), started: this.hasBegun, durationMs, fetches: this.#fetches, logs: this.#logs })
  }

  fail(fault: SandboxFault, message: string): void {
    this.end({ ok: false, fault, message, line: null })
  }

  async #fetch(requestText: string, broker: FetchBroker, onUnexpected: (error: unknown) => void): Promise<AnswerWire> {
    const way = { broker, withinMs: Math.max(1, Math.round(this.#remainingMs())), signal: this.#ended.signal, onUnexpected }
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
    // Nobody waits for source that is only looked at: that it spins or never ends is what is wrong with it.
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
    // The machine writes JSON; only code that has tampered with it gets here.
    return 'returned something that is no JSON'
  }
}

/** Of brackets and braces outside of strings. */
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
