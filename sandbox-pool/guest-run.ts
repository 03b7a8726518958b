// One run in one virtual machine, with its timers, fetches and deadline. It ends exactly once, with the returned value or an error
// for the author of the code. Its thread (thread-runs.ts) decides when it computes.
import { randomBytes } from 'node:crypto'
import type { SandboxEntry } from '../engine/actor/ports.ts'
import type { ErrorText, GuestHost } from './guest/host.ts'
import { answerCrypto } from './host-crypto.ts'
import { answerIntl } from './host-intl.ts'
import {
  CROSSING_BYTES_MAX,
  FETCH_JSON_BYTES_MAX,
  FETCHES_MAX,
  LOG_INTERVAL_MS,
  RANDOM_BYTES_MAX,
  RUN_WALL_MS,
  TIMERS_MAX,
  VM_HEAP_BYTES,
} from './limits.ts'
import { codeFault, outOfTime, type RunOutcome, TOO_LONG } from './outcome.ts'
import { RunLog } from './run-log.ts'
import type { FromThread, RunTask } from './task.ts'
import { monotonicMs } from './thread-clock.ts'
import { GuestError, type Loaded, readErrorText, type VirtualMachine } from './virtual-machine.ts'

const MEGABYTE = 1024 * 1024
/** Maximum id of a fetch: 32 bits in messages. */
const FETCH_ID_MAX = 2 ** 32 - 1

/** The thread around a run. */
export interface RunThread {
  readonly post: (message: FromThread) => void
  /** Called before each step of the code; `left` is called after it, even if the step threw. */
  readonly entered: (run: GuestRun) => void
  readonly left: (run: GuestRun) => void
  /** Called every few thousand steps of computing code. It may run steps of other runs first. */
  readonly computing: (run: GuestRun) => void
  /** Whether a request of this size may be sent now. */
  readonly maySend: (sizeBytes: number) => boolean
  /** Called once, as the last call. The code may still be on the stack. */
  readonly ended: (run: GuestRun) => void
}

interface Timer {
  readonly dueMs: number
  readonly handle: NodeJS.Timeout
}

export class GuestRun implements GuestHost {
  readonly task: RunTask
  readonly #machine: VirtualMachine
  readonly #thread: RunThread
  readonly #fileName: string
  readonly #timers = new Map<number, Timer>()
  readonly #fetches = new Set<number>()
  /** Steps that arrived while another run had interrupted the code. */
  readonly #deferred: (() => void)[] = []
  readonly #log = new RunLog()
  #fetchCount = 0
  #loggedMs = 0
  #logTimer: NodeJS.Timeout | null = null
  #deadline: NodeJS.Timeout | null = null
  #outcome: RunOutcome | null = null
  #isInside = false

  constructor(machine: VirtualMachine, task: RunTask, thread: RunThread) {
    this.task = task
    this.#machine = machine
    this.#thread = thread
    this.#fileName = `${task.entry}.js`
  }

  get hasEnded(): boolean {
    return this.#outcome !== null
  }

  /** Whether its code is on the stack of the thread. */
  get isInside(): boolean {
    return this.#isInside
  }

  get memoryBytes(): number {
    return this.#machine.memoryBytes
  }

  /** Runs the code until it waits or ends. */
  begin(): void {
    this.#deadline = setTimeout(() => this.end(TOO_LONG), Math.max(0, this.task.endsAtMs - monotonicMs()))
    this.#machine.bind(this, () => this.#mustStop())
    this.#thread.post({ type: 'begun', run: this.task.run })
    this.#enter(() => {
      const { source, entry, argument } = this.task
      const loaded: Loaded = this.#machine.load(source, this.#fileName, entry)
      this.#machine.begin(loaded, argument)
    })
  }

  answer(id: number, answer: string): void {
    this.#enter(() => {
      if (this.#fetches.delete(id)) this.#machine.answer(id, answer)
    })
  }

  /** Fires due timers in order of time, for a thread whose event loop waits for another run. */
  fireDue(nowMs: number): void {
    if (this.#isInside || this.#timers.size === 0) return
    const due = [...this.#timers].filter(([, { dueMs }]) => dueMs <= nowMs).sort(([, one], [, other]) => one.dueMs - other.dueMs)
    for (const [id] of due) this.#fire(id)
  }

  /** Ends the run. Only the first end counts: code may continue after its own end. */
  end(outcome: RunOutcome): void {
    if (this.#outcome !== null) return
    this.#outcome = outcome
    if (this.#deadline !== null) clearTimeout(this.#deadline)
    for (const { handle } of this.#timers.values()) clearTimeout(handle)
    this.#timers.clear()
    this.#sendLog()
    this.#thread.post({ type: 'done', run: this.task.run, outcome })
    this.#thread.ended(this)
  }

  dispose(): void {
    this.#machine.dispose()
  }

  /** Enters the machine for one step. All calls into the machine use it. */
  #enter(step: () => void): void {
    if (this.#outcome !== null) return
    if (this.#isInside) {
      this.#deferred.push(step)
      return
    }
    this.#isInside = true
    this.#thread.entered(this)
    try {
      this.#steps(step)
    } catch (error) {
      this.end(this.#outcomeOf(error))
    } finally {
      this.#isInside = false
      this.#thread.left(this)
    }
    if (this.#timers.size === 0 && this.#fetches.size === 0) this.end(this.#waitsForNothing())
  }

  #steps(first: () => void): void {
    for (let step: (() => void) | undefined = first; step !== undefined; step = this.#deferred.shift()) {
      if (this.#outcome !== null) return
      step()
      this.#machine.runJobs()
    }
  }

  /** Interrupt handler: the machine calls it every few thousand steps. */
  #mustStop(): boolean {
    if (this.#outcome !== null) return true
    if (this.#log.hasLines && monotonicMs() - this.#loggedMs >= LOG_INTERVAL_MS) this.#sendLog()
    this.#thread.computing(this)
    if (monotonicMs() >= this.task.endsAtMs) this.end(TOO_LONG)
    return this.hasEnded
  }

  #fire(id: number): void {
    const timer = this.#timers.get(id)
    if (timer === undefined) return
    clearTimeout(timer.handle)
    this.#enter(() => {
      // A step that was deferred before this one may have cleared the timer.
      if (this.#timers.delete(id)) this.#machine.fire(id)
    })
  }

  /** GuestHost: all input of the following methods comes from hostile code. */

  done(value: string): void {
    const isTooLarge = value === '' || Buffer.byteLength(value) > CROSSING_BYTES_MAX
    this.end(isTooLarge ? codeFault(`returned more than ${CROSSING_BYTES_MAX / 1024} KB of JSON`) : { ok: true, value })
  }

  failed(error: string): void {
    this.end(this.#outcomeOf(new GuestError(readErrorText(error))))
  }

  missing(): void {
    const { entry } = this.task
    this.end(codeFault(`there is no function ${entry}: declare it in a script, or export it from a module`))
  }

  log(line: string): void {
    if (this.#outcome !== null) return
    this.#log.add(line)
    // Sent immediately within the rate limit, so that the log of code that hangs is not lost.
    if (monotonicMs() - this.#loggedMs >= LOG_INTERVAL_MS) this.#sendLog()
    else this.#logTimer ??= setTimeout(() => this.#sendLog(), LOG_INTERVAL_MS)
  }

  fetch(id: number, request: string): void {
    if (this.#outcome !== null) return
    if (!Number.isInteger(id) || id < 1 || id > FETCH_ID_MAX || this.#fetches.has(id)) return this.end(codeFault('fetch was tampered with'))
    const refusal = this.#fetchRefusal(request)
    this.#fetchCount += 1
    this.#fetches.add(id)
    if (refusal === null) this.#thread.post({ type: 'fetch', run: this.task.run, id, request })
    else setImmediate(() => this.answer(id, JSON.stringify({ error: refusal })))
  }

  startTimer(id: number, delayMs: number): void {
    this.stopTimer(id)
    if (this.#outcome !== null || this.#timers.size >= TIMERS_MAX) return
    const afterMs = Math.min(Math.max(delayMs, 0), 2 * RUN_WALL_MS)
    this.#timers.set(id, { dueMs: monotonicMs() + afterMs, handle: setTimeout(() => this.#fire(id), afterMs) })
  }

  stopTimer(id: number): void {
    clearTimeout(this.#timers.get(id)?.handle)
    this.#timers.delete(id)
  }

  intl(question: string): string {
    return this.#computed(() => answerIntl(question))
  }

  crypto(request: string): string {
    return this.#computed(() => answerCrypto(request))
  }

  random(sizeBytes: number): string {
    const isValid = Number.isInteger(sizeBytes) && sizeBytes >= 0 && sizeBytes <= RANDOM_BYTES_MAX
    return isValid ? randomBytes(sizeBytes).toString('base64') : ''
  }

  /** Computes for the code, and checks afterwards whether it may continue: the machine cannot be interrupted meanwhile. */
  #computed(compute: () => string): string {
    if (this.#outcome !== null) return ''
    const answer = compute()
    this.#mustStop()
    return answer
  }

  #fetchRefusal(request: string): string | null {
    if (this.#fetchCount >= FETCHES_MAX) return `more than ${FETCHES_MAX} in one run`
    const sizeBytes = Buffer.byteLength(request)
    if (request === '' || sizeBytes > FETCH_JSON_BYTES_MAX) return 'the request is too large'
    return this.#thread.maySend(sizeBytes) ? null : 'too much is sent at once: large requests of all runs share a rate'
  }

  #sendLog(): void {
    if (this.#logTimer !== null) clearTimeout(this.#logTimer)
    this.#logTimer = null
    if (!this.#log.hasLines) return
    this.#loggedMs = monotonicMs()
    this.#thread.post({ type: 'log', run: this.task.run, lines: this.#log.take() })
  }

  /** Outcome of a run that waits for nothing: after memory ran out, the machine may have lost the promise. */
  #waitsForNothing(): RunOutcome {
    return this.#isFull ? codeFault(withLimit('out of memory')) : neverEnds(this.task.entry)
  }

  /** Outcome when the machine's native code ran out of memory or stack. The machine is discarded in any case. */
  #brokenMachine(error: unknown): RunOutcome {
    return codeFault(error instanceof RangeError || !this.#isFull ? 'recursion too deep' : withLimit('out of memory'))
  }

  get #isFull(): boolean {
    return this.#machine.memoryBytes >= VM_HEAP_BYTES
  }

  #outcomeOf(error: unknown): RunOutcome {
    if (!(error instanceof GuestError)) return this.#brokenMachine(error)
    const { name, message, stack } = error.text
    if (isOutOfWords(error.text) && this.#isFull) return codeFault(withLimit('out of memory'))
    const text = name === '' || name === 'Error' ? message : `${name}: ${message}`
    return codeFault(withLimit(text), lineIn(stack, this.#fileName))
  }
}

function neverEnds(entry: SandboxEntry): RunOutcome {
  return outOfTime(`${entry} never ends: its promise waits for nothing that could happen`)
}

/** Without memory for an error object the machine throws null or an undefined value. */
function isOutOfWords({ name, message }: ErrorText): boolean {
  return name === '' && (message === 'threw null' || message === 'threw [uninitialized]')
}

function withLimit(message: string): string {
  return message.endsWith('out of memory') ? `${message} (the limit is ${VM_HEAP_BYTES / MEGABYTE} MB)` : message
}

/** Returns the line of the innermost frame in the merchant's file. Hostile code can forge stacks. */
function lineIn(stack: string, fileName: string): number | null {
  const at = stack.indexOf(`${fileName}:`)
  const line = at === -1 ? Number.NaN : Number.parseInt(stack.slice(at + fileName.length + 1), 10)
  return Number.isSafeInteger(line) && line > 0 ? line : null
}
