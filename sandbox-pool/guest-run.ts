// One run in one virtual machine: timers, fetches and the deadline around the code inside. Ends exactly once, whatever the
// code does, with what it returned or with a sentence for its author. Its thread (thread-runs.ts) decides when it computes.
import type { SandboxEntry } from '../engine/actor/ports.ts'
import type { ErrorText, GuestHost } from './guest/host.ts'
import { CROSSING_BYTES_MAX, FETCH_JSON_BYTES_MAX, FETCHES_MAX, LOG_INTERVAL_MS, RUN_WALL_MS, TIMERS_MAX, VM_HEAP_BYTES } from './limits.ts'
import { codeFault, outOfTime, type RunOutcome, TOO_LONG } from './outcome.ts'
import { RunLog } from './run-log.ts'
import type { FromThread, RunTask } from './task.ts'
import { monotonicMs } from './thread-clock.ts'
import { GuestError, type Loaded, readErrorText, type VirtualMachine } from './virtual-machine.ts'

const MEGABYTE = 1024 * 1024
/** As it crosses: 32 bits. */
const FETCH_ID_MAX = 2 ** 32 - 1

/** The thread around a run. */
export interface RunThread {
  readonly post: (message: FromThread) => void
  /** Around each step of the code; `left` comes also when the step threw. */
  readonly entered: (run: GuestRun) => void
  readonly left: (run: GuestRun) => void
  /** Called by code that computes, every few thousand steps of it; may let other runs go first. */
  readonly computing: (run: GuestRun) => void
  /** Whether so many bytes more may cross now. */
  readonly maySend: (sizeBytes: number) => boolean
  /** Once, last; the code may still be inside. */
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
  /** Steps that came while the code was inside, interrupted by another run. */
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

  /** Its code is on the stack of the thread. */
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

  /** Fires the timers that are due, in the order in which they are; for a thread whose event loop waits for another run. */
  fireDue(nowMs: number): void {
    if (this.#isInside || this.#timers.size === 0) return
    const due = [...this.#timers].filter(([, { dueMs }]) => dueMs <= nowMs).sort(([, one], [, other]) => one.dueMs - other.dueMs)
    for (const [id] of due) this.#fire(id)
  }

  /** The first end counts; later ones come from code that runs on after its own. */
  end(outcome: RunOutcome): void {
    if (this.#outcome !== null) return
    this.#outcome = outcome
    if (this.#deadline !== null) clearTimeout(this.#deadline)
    for (const { handle } of this.#timers.values()) clearTimeout(handle)
    this.#timers.clear()
    this.#tellLog()
    this.#thread.post({ type: 'done', run: this.task.run, outcome })
    this.#thread.ended(this)
  }

  dispose(): void {
    this.#machine.dispose()
  }

  /** Every way into the machine leads through here. */
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

  /** Asked by the machine every few thousand steps. */
  #mustStop(): boolean {
    if (this.#outcome !== null) return true
    if (this.#log.hasLines && monotonicMs() - this.#loggedMs >= LOG_INTERVAL_MS) this.#tellLog()
    this.#thread.computing(this)
    if (monotonicMs() >= this.task.endsAtMs) this.end(TOO_LONG)
    return this.hasEnded
  }

  #fire(id: number): void {
    const timer = this.#timers.get(id)
    if (timer === undefined) return
    clearTimeout(timer.handle)
    this.#enter(() => {
      // Taken back meanwhile by a step that was deferred before this one.
      if (this.#timers.delete(id)) this.#machine.fire(id)
    })
  }

  /** GuestHost: from here on everything comes from hostile code. */

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
    // At once where that is not too often: what code said before it hung must not depend on its end.
    if (monotonicMs() - this.#loggedMs >= LOG_INTERVAL_MS) this.#tellLog()
    else this.#logTimer ??= setTimeout(() => this.#tellLog(), LOG_INTERVAL_MS)
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

  #fetchRefusal(request: string): string | null {
    if (this.#fetchCount >= FETCHES_MAX) return `more than ${FETCHES_MAX} in one run`
    const sizeBytes = Buffer.byteLength(request)
    if (request === '' || sizeBytes > FETCH_JSON_BYTES_MAX) return 'the request is too large'
    return this.#thread.maySend(sizeBytes) ? null : 'too much is sent at once: large requests of all runs share a rate'
  }

  #tellLog(): void {
    if (this.#logTimer !== null) clearTimeout(this.#logTimer)
    this.#logTimer = null
    if (!this.#log.hasLines) return
    this.#loggedMs = monotonicMs()
    this.#thread.post({ type: 'log', run: this.task.run, lines: this.#log.take() })
  }

  /** Where memory ran out, the machine may lose the promise that it waits for. */
  #waitsForNothing(): RunOutcome {
    return this.#isFull ? codeFault(withLimit('out of memory')) : neverEnds(this.task.entry)
  }

  /** The machine itself gave up: its native code ran out of memory or of stack. It is thrown away in any case. */
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
    const told = name === '' || name === 'Error' ? message : `${name}: ${message}`
    return codeFault(withLimit(told), lineIn(stack, this.#fileName))
  }
}

function neverEnds(entry: SandboxEntry): RunOutcome {
  return outOfTime(`${entry} never ends: its promise waits for nothing that could happen`)
}

/** Where no memory is left for an error, the machine throws none: null, or a value that was never made. */
function isOutOfWords({ name, message }: ErrorText): boolean {
  return name === '' && (message === 'threw null' || message === 'threw [uninitialized]')
}

function withLimit(message: string): string {
  return message.endsWith('out of memory') ? `${message} (the limit is ${VM_HEAP_BYTES / MEGABYTE} MB)` : message
}

/** Of the innermost frame in the merchant's own file; stacks are written by hostile code too. */
function lineIn(stack: string, fileName: string): number | null {
  const at = stack.indexOf(`${fileName}:`)
  const line = at === -1 ? Number.NaN : Number.parseInt(stack.slice(at + fileName.length + 1), 10)
  return Number.isSafeInteger(line) && line > 0 ? line : null
}
