// Simulated time for real asynchronous code: timers, `performance.now` and everything that arrives come from one queue of events. The
// processes share the queue. A process can be frozen (its events wait) and killed (its events are dropped).
import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { Clock, Scheduler } from '../../../../engine/actor/ports.ts'
import type { Prng } from '../../../support/prng.ts'

const realSetImmediate = setImmediate

interface Event {
  readonly dueMs: number
  /** Random order among events of the same moment. */
  readonly tie: number
  readonly process: SimProcess | null
  readonly label: string
  run: (() => void) | null
}

/** One operating-system process, which ends for good; a restart is another one. */
export class SimProcess {
  readonly name: string
  isDead = false
  isFrozen = false
  readonly held: Event[] = []
  /** What closes its sockets at its end. */
  readonly onExit: (() => void)[] = []

  constructor(name: string) {
    this.name = name
  }
}

interface SimTimer {
  cancel: () => void
}

export class SimMachine {
  readonly #prng: Prng
  readonly #current = new AsyncLocalStorage<SimProcess>()
  readonly #events = new EventHeap()
  readonly #trace = createHash('sha256')
  #nowMs = 0
  steps = 0
  /** First failure of a check that a process made; a promise would lose it. */
  failure: unknown = null

  constructor(prng: Prng) {
    this.#prng = prng
  }

  get nowMs(): number {
    return this.#nowMs
  }

  get traceHash(): string {
    return this.#trace.copy().digest('hex')
  }

  /** Adds to the trace, which is the same in each run of a seed. */
  note(text: string): void {
    this.#trace.update(`${text}\n`)
  }

  /** The process whose code runs now. Throws outside of processes. */
  get process(): SimProcess {
    const process = this.#current.getStore()
    if (process === undefined) throw new Error('no process runs')
    return process
  }

  /** Runs code, and all that it starts, as this process. */
  within<Result>(process: SimProcess, run: () => Result): Result {
    return this.#current.run(process, run)
  }

  /** Plans an event. An event of a process runs as that process. Returns a function that cancels it. */
  after(delayMs: number, process: SimProcess | null, label: string, run: () => void): () => void {
    const event: Event = { dueMs: this.#nowMs + Math.max(0, delayMs), tie: this.#prng.word(), process, label, run }
    this.#events.push(event)
    return () => {
      event.run = null
    }
  }

  kill(process: SimProcess): void {
    if (process.isDead) return
    process.isDead = true
    process.held.length = 0
    for (const run of process.onExit) run()
  }

  freeze(process: SimProcess): void {
    process.isFrozen = true
  }

  thaw(process: SimProcess): void {
    process.isFrozen = false
    for (const event of process.held.splice(0)) this.#events.push({ ...event, dueMs: Math.max(event.dueMs, this.#nowMs) })
  }

  /** Runs the next event and all that follows from it without waiting. Returns the process that ran, null for none. */
  async step(): Promise<SimProcess | null> {
    const event = this.#events.pop()
    if (event === null) throw new Error('a machine with timers always has an event')
    const { process, run } = event
    if (run === null || process?.isDead === true) return null
    if (process?.isFrozen === true) {
      process.held.push(event)
      return null
    }
    this.#nowMs = event.dueMs
    this.steps++
    this.note(`${event.dueMs} ${process?.name ?? ''} ${event.label}`)
    if (process === null) run()
    else this.within(process, run)
    // Promises settle before the next turn of the real event loop.
    await new Promise((resolve) => realSetImmediate(resolve))
    if (this.failure !== null) throw this.failure
    return process
  }

  /** Clock and scheduler of an engine in a process. The wall clocks of processes differ. */
  loopOf(process: SimProcess, wallMs: number): Clock & Scheduler {
    const now = (): number => Math.floor(wallMs + this.#nowMs)
    return {
      now,
      soon: (run) => void this.after(0, process, 'soon', run),
      at: (timeMs, run) => this.after(timeMs - now(), process, 'alarm', run),
    }
  }

  /** Replaces timers and `performance.now` for code of processes. Returns a function that puts the real ones back. */
  install(): () => void {
    const real = { setTimeout, clearTimeout, setInterval, clearInterval }
    const realNow = performance.now.bind(performance)
    const timer = (delayMs: number, isRepeated: boolean, run: () => void): SimTimer => {
      const { process } = this
      const plan = (): (() => void) =>
        this.after(delayMs, process, 'timer', () => {
          if (isRepeated) planned.cancel = plan()
          run()
        })
      const planned = { cancel: plan() }
      return planned
    }
    const isOurs = (): boolean => this.#current.getStore() !== undefined
    const start =
      (isRepeated: boolean, other: typeof setTimeout | typeof setInterval) =>
      (run: (...args: unknown[]) => void, delayMs = 0, ...args: unknown[]) =>
        isOurs() ? timer(delayMs, isRepeated, () => run(...args)) : other(run, delayMs, ...args)
    const clear = (other: typeof clearTimeout) => (found: SimTimer | NodeJS.Timeout | undefined) => {
      if (found !== undefined && 'cancel' in found) found.cancel()
      else other(found)
    }
    Object.assign(globalThis, {
      setTimeout: start(false, real.setTimeout),
      setInterval: start(true, real.setInterval),
      clearTimeout: clear(real.clearTimeout),
      clearInterval: clear(real.clearInterval),
    })
    Object.defineProperty(performance, 'now', { configurable: true, writable: true, value: () => (isOurs() ? this.#nowMs : realNow()) })
    return () => {
      Object.assign(globalThis, real)
      Reflect.deleteProperty(performance, 'now')
    }
  }
}

/** Binary heap by time. */
class EventHeap {
  readonly #events: Event[] = []

  push(event: Event): void {
    const events = this.#events
    let at = events.push(event) - 1
    while (at > 0) {
      const above = (at - 1) >> 1
      if (!isBefore(event, events[above] as Event)) break
      events[at] = events[above] as Event
      at = above
    }
    events[at] = event
  }

  pop(): Event | null {
    const events = this.#events
    const first = events[0]
    const last = events.pop()
    if (first === undefined || last === undefined) return null
    if (events.length === 0) return first
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      if (below >= events.length) break
      if (below + 1 < events.length && isBefore(events[below + 1] as Event, events[below] as Event)) below++
      if (!isBefore(events[below] as Event, last)) break
      events[at] = events[below] as Event
      at = below
    }
    events[at] = last
    return first
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.dueMs === other.dueMs ? one.tie < other.tie : one.dueMs < other.dueMs
}
