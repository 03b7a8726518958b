// One run in one virtual machine: timers, fetches and deadlines around the code inside. Ends exactly once, whatever the code
// does, with what it returned or with a sentence for its author.
import type { SandboxEntry } from '../engine/actor/ports.ts'
import type { ErrorText, GuestHost } from './guest/host.ts'
import {
  CROSSING_BYTES_MAX,
  FETCH_JSON_BYTES_MAX,
  FETCHES_MAX,
  LIGHT_RUN_MS,
  LOG_INTERVAL_MS,
  RUN_CPU_MS,
  RUN_WALL_MS,
  TIMERS_MAX,
  VM_HEAP_BYTES,
} from './limits.ts'
import { codeFault, outOfTime, type RunOutcome, TOO_LONG, TOO_MUCH_WORK } from './outcome.ts'
import type { ProcessorPlace } from './processor-places.ts'
import { monotonicMs, RunClock } from './run-clock.ts'
import { RunLog } from './run-log.ts'
import type { FromThread, RunTask, ToThread } from './task.ts'
import { GuestError, type Loaded, readErrorText, type VirtualMachine } from './virtual-machine.ts'

const MEGABYTE = 1024 * 1024
/** As it crosses: 32 bits. */
const FETCH_ID_MAX = 2 ** 32 - 1

export class GuestRun implements GuestHost {
  readonly #machine: VirtualMachine
  readonly #task: RunTask
  readonly #fileName: string
  readonly #clock: RunClock
  readonly #processor: ProcessorPlace
  readonly #endsAtMs: number
  readonly #timers = new Map<number, NodeJS.Timeout>()
  readonly #fetches = new Set<number>()
  #fetchCount = 0
  readonly #log = new RunLog()
  #loggedMs = 0
  #logTimer: NodeJS.Timeout | null = null
  #outcome: RunOutcome | null = null
  #settle: (outcome: RunOutcome) => void = () => {}

  constructor(machine: VirtualMachine, task: RunTask, processor: ProcessorPlace) {
    this.#machine = machine
    this.#task = task
    this.#fileName = `${task.entry}.js`
    this.#clock = new RunClock(task.clock)
    this.#processor = processor
    this.#endsAtMs = monotonicMs() + task.wallMs
  }

  async run(): Promise<RunOutcome> {
    const { port, wallMs } = this.#task
    const deadline = setTimeout(() => this.#end(TOO_LONG), wallMs)
    port.on('message', ({ id, answer }: ToThread) => this.#takeAnswer(id, answer))
    try {
      return await new Promise((resolve) => {
        this.#settle = resolve
        this.#clock.start()
        this.#machine.bind(this, () => this.#mustStop())
        this.#enter(() => this.#begin())
      })
    } finally {
      clearTimeout(deadline)
      this.#tellLog()
      for (const timer of this.#timers.values()) clearTimeout(timer)
      port.close()
    }
  }

  #begin(): void {
    const { source, entry, argument } = this.#task
    const loaded: Loaded = this.#machine.load(source, this.#fileName, entry)
    this.#machine.begin(loaded, argument)
  }

  /** Every way into the machine leads through here. */
  #enter(step: () => void): void {
    if (this.#outcome !== null) return
    this.#clock.enter()
    try {
      step()
      this.#machine.runJobs()
    } catch (error) {
      this.#end(this.#outcomeOf(error))
    } finally {
      this.#clock.leave()
      this.#processor.leave()
    }
    if (this.#timers.size === 0 && this.#fetches.size === 0) this.#end(neverEnds(this.#task.entry))
  }

  /** The first end counts; later ones come from code that runs on after its own. */
  #end(outcome: RunOutcome): void {
    if (this.#outcome !== null) return
    this.#outcome = outcome
    this.#settle(outcome)
  }

  /** Asked by the machine every few thousand steps. */
  #mustStop(): boolean {
    if (this.#outcome !== null) return true
    if (this.#log.hasLines && monotonicMs() - this.#loggedMs >= LOG_INTERVAL_MS) this.#tellLog()
    if (this.#clock.insideMs() > LIGHT_RUN_MS && this.#processor.isDue) this.#waitForPlace()
    if (monotonicMs() >= this.#endsAtMs) this.#end(TOO_LONG)
    else if (this.#clock.hasUsed(RUN_CPU_MS)) this.#end(TOO_MUCH_WORK)
    return this.#outcome !== null
  }

  /** Time in which others compute is not its own. */
  #waitForPlace(): void {
    this.#tellLog()
    this.#clock.leave()
    this.#processor.take(this.#endsAtMs)
    this.#clock.enter()
  }

  #takeAnswer(id: number, answer: string): void {
    if (this.#fetches.delete(id)) this.#enter(() => this.#machine.answer(id, answer))
  }

  /** GuestHost: from here on everything comes from hostile code. */

  done(value: string): void {
    const isTooLarge = value === '' || Buffer.byteLength(value) > CROSSING_BYTES_MAX
    this.#end(isTooLarge ? codeFault(`returned more than ${CROSSING_BYTES_MAX / 1024} KB of JSON`) : { ok: true, value })
  }

  failed(error: string): void {
    this.#end(this.#outcomeOf(new GuestError(readErrorText(error))))
  }

  missing(): void {
    const { entry } = this.#task
    this.#end(codeFault(`there is no function ${entry}: declare it in a script, or export it from a module`))
  }

  log(line: string): void {
    this.#log.add(line)
    // At once where that is not too often: what code said before it hung must not depend on its end.
    if (monotonicMs() - this.#loggedMs >= LOG_INTERVAL_MS) this.#tellLog()
    else this.#logTimer ??= setTimeout(() => this.#tellLog(), LOG_INTERVAL_MS)
  }

  fetch(id: number, request: string): void {
    if (!Number.isInteger(id) || id < 1 || id > FETCH_ID_MAX || this.#fetches.has(id))
      return this.#end(codeFault('fetch was tampered with'))
    const refusal = this.#fetchRefusal(request)
    this.#fetchCount += 1
    this.#fetches.add(id)
    if (refusal === null) this.#tell({ type: 'fetch', id, request })
    else setImmediate(() => this.#takeAnswer(id, JSON.stringify({ error: refusal })))
  }

  startTimer(id: number, delayMs: number): void {
    this.stopTimer(id)
    if (this.#timers.size >= TIMERS_MAX) return
    const callback = (): void => {
      this.#timers.delete(id)
      this.#enter(() => this.#machine.fire(id))
    }
    this.#timers.set(id, setTimeout(callback, Math.min(Math.max(delayMs, 0), 2 * RUN_WALL_MS)))
  }

  stopTimer(id: number): void {
    clearTimeout(this.#timers.get(id))
    this.#timers.delete(id)
  }

  #fetchRefusal(request: string): string | null {
    if (this.#fetchCount >= FETCHES_MAX) return `more than ${FETCHES_MAX} in one run`
    if (request === '' || Buffer.byteLength(request) > FETCH_JSON_BYTES_MAX) return 'the request is too large'
    return null
  }

  #tellLog(): void {
    if (this.#logTimer !== null) clearTimeout(this.#logTimer)
    this.#logTimer = null
    if (!this.#log.hasLines) return
    this.#loggedMs = monotonicMs()
    this.#tell({ type: 'log', lines: this.#log.take() })
  }

  #tell(message: FromThread): void {
    this.#task.port.postMessage(message)
  }

  #outcomeOf(error: unknown): RunOutcome {
    if (!(error instanceof GuestError)) return brokenMachine(error)
    const { name, message, stack } = error.text
    if (isOutOfWords(error.text) && this.#machine.memoryBytes >= VM_HEAP_BYTES) return codeFault(withLimit('out of memory'))
    const told = name === '' || name === 'Error' ? message : `${name}: ${message}`
    return codeFault(withLimit(told), lineIn(stack, this.#fileName))
  }
}

function neverEnds(entry: SandboxEntry): RunOutcome {
  return outOfTime(`${entry} never ends: its promise waits for nothing that could happen`)
}

/** The machine itself gave up: its native code ran out of memory or of stack. It is thrown away in any case. */
function brokenMachine(error: unknown): RunOutcome {
  const isStack = error instanceof RangeError
  return codeFault(isStack ? 'recursion too deep' : withLimit('out of memory'))
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
