// Runs inside the virtual machine: the timers of Node.js. The host keeps the time; it knows a timer by its number alone.
import { TIMERS_MAX } from '../limits.ts'
import type { GuestControls, GuestHost } from './host.ts'

type Callback = (...parameters: unknown[]) => unknown

interface Timers extends Pick<GuestControls, 'fire'> {
  readonly setTimeout: (callback: unknown, delayMs?: unknown, ...parameters: unknown[]) => Timeout
  readonly setInterval: (callback: unknown, delayMs?: unknown, ...parameters: unknown[]) => Timeout
  readonly setImmediate: (callback: unknown, ...parameters: unknown[]) => Timeout
  readonly clearTimeout: (timer: unknown) => void
}

/** What Node returns for a timer. A run ends with its result in any case, so a reference changes nothing. */
class Timeout {
  readonly #id: number
  readonly #restart: () => void
  readonly #clear: () => void

  constructor(id: number, restart: () => void, clear: () => void) {
    this.#id = id
    this.#restart = restart
    this.#clear = clear
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  hasRef(): boolean {
    return true
  }

  refresh(): this {
    this.#restart()
    return this
  }

  close(): this {
    this.#clear()
    return this
  }

  [Symbol.toPrimitive](): number {
    return this.#id
  }
}

export function createTimers({ startTimer, stopTimer }: GuestHost): Timers {
  /** Without a prototype, so that look-ups ignore Object.prototype. */
  const waiting = { __proto__: null } as unknown as Record<number, (() => void) | undefined>
  let count = 0
  let last = 0
  const take = (id: number): (() => void) | undefined => {
    const callback = waiting[id]
    if (callback === undefined) return undefined
    delete waiting[id]
    count -= 1
    return callback
  }
  const clear = (id: number): void => {
    if (take(id) !== undefined) stopTimer(id)
  }
  const start = (id: number, delayMs: number, run: () => void): void => {
    if (count >= TIMERS_MAX) throw new RangeError(`more than ${TIMERS_MAX} timers`)
    waiting[id] = run
    count += 1
    startTimer(id, delayMs)
  }
  const timer = (callback: unknown, delay: unknown, parameters: unknown[], isRepeated: boolean): Timeout => {
    if (typeof callback !== 'function') throw new TypeError('a timer needs a function')
    const delayMs = +(delay as number) || 0
    last += 1
    const id = last
    const again = (): void => {
      // Restarts first, so that the function can clear its own timer.
      if (isRepeated) start(id, delayMs, again)
      ;(callback as Callback)(...parameters)
    }
    start(id, delayMs, again)
    return new Timeout(
      id,
      () => {
        if (take(id) !== undefined) start(id, delayMs, again)
      },
      () => clear(id),
    )
  }
  return {
    setTimeout: (callback, delayMs, ...parameters) => timer(callback, delayMs, parameters, false),
    setInterval: (callback, delayMs, ...parameters) => timer(callback, delayMs, parameters, true),
    setImmediate: (callback, ...parameters) => timer(callback, 0, parameters, false),
    clearTimeout(given) {
      if (typeof given === 'number' || typeof given === 'string' || given instanceof Timeout) clear(+(given as number))
    },
    fire(id) {
      take(id)?.()
    },
  }
}
