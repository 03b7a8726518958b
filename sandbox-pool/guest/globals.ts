// Runs inside the virtual machine, never in Node: defines the globals that JavaScript itself lacks, and the control functions of
// the host. It captures all built-ins that it uses before merchant code runs. Only strings and numbers leave the machine.
import { FETCH_BODY_BYTES_MAX, FETCH_JSON_BYTES_MAX, LOG_LINE_LENGTH_MAX, TIMERS_MAX } from '../limits.ts'
import { Controller, Signal } from './abort.ts'
import { createFetch } from './fetch.ts'
import type { GuestControls, GuestHost } from './host.ts'
import { describe, show, textOf } from './text.ts'
import { AnyHeaders, completeUrl, Parameters } from './url.ts'

const { parse, stringify } = JSON
const { defineProperty } = Object

export function install(host: GuestHost): GuestControls {
  const timers = createTimers(host)
  const network = createFetch(host, { bodyBytesMax: FETCH_BODY_BYTES_MAX, jsonLengthMax: FETCH_JSON_BYTES_MAX })
  const globals: Readonly<Record<string, unknown>> = {
    fetch: network.fetch,
    setTimeout: timers.setTimeout,
    clearTimeout: timers.clearTimeout,
    setInterval: timers.setInterval,
    clearInterval: timers.clearTimeout,
    AbortController: Controller,
    AbortSignal: Signal,
    console: createConsole(host.log),
    URLSearchParams: Parameters,
    Headers: AnyHeaders,
  }
  completeUrl()
  for (const name of Object.keys(globals)) {
    // Restores class names that the minifier changed.
    if (name !== 'console') defineProperty(globals[name], 'name', { value: name, configurable: true })
    defineProperty(globalThis, name, { value: globals[name], writable: true, configurable: true, enumerable: false })
  }
  const module = { exports: {} }
  const forCommonJs = { module, exports: module.exports }
  for (const [name, value] of Object.entries(forCommonJs)) {
    defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })
  }
  leaveHashesOnly()
  return { begin: createBegin(host), answer: network.answer, fire: timers.fire, describe }
}

/** Uses `await`, because a call of `then` would look up a property that merchant code may have replaced. */
function createBegin({ done, failed, missing }: GuestHost): GuestControls['begin'] {
  return async (loaded, moduleExport, argument) => {
    try {
      const entry = moduleExport === null ? loaded : functionOf((await loaded) as Record<string, unknown>, moduleExport)
      if (typeof entry !== 'function') return missing()
      if (argument === null) return done('null')
      const value: unknown = await entry(parse(argument))
      done(jsonOf(value))
    } catch (error) {
      failed(describe(error))
    }
  }
}

/** Returns the export of that name, the default export, or the member of that name in the default export. */
function functionOf(exported: Record<string, unknown>, name: string): unknown {
  if (typeof exported[name] === 'function') return exported[name]
  const byDefault = exported.default
  return typeof byDefault === 'object' && byDefault !== null ? (byDefault as Record<string, unknown>)[name] : byDefault
}

function jsonOf(value: unknown): string {
  try {
    return stringify(value) ?? 'null'
  } catch (error) {
    throw new TypeError(`what it returned is no JSON: ${textOf(() => (error as Error).message)}`)
  }
}

interface Timers extends Pick<GuestControls, 'fire'> {
  readonly setTimeout: (callback: unknown, delayMs?: unknown, ...parameters: unknown[]) => number
  readonly setInterval: (callback: unknown, delayMs?: unknown, ...parameters: unknown[]) => number
  readonly clearTimeout: (id: unknown) => void
}

function createTimers({ startTimer, stopTimer }: GuestHost): Timers {
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
  const start = (id: number, delayMs: unknown, run: () => void): number => {
    if (count >= TIMERS_MAX) throw new RangeError(`more than ${TIMERS_MAX} timers`)
    waiting[id] = run
    count += 1
    startTimer(id, +(delayMs as number) || 0)
    return id
  }
  const checked = (callback: unknown): ((...parameters: unknown[]) => unknown) => {
    if (typeof callback !== 'function') throw new TypeError('a timer needs a function')
    return callback as (...parameters: unknown[]) => unknown
  }
  return {
    setTimeout(callback, delayMs, ...parameters) {
      const run = checked(callback)
      last += 1
      return start(last, delayMs, () => run(...parameters))
    },
    setInterval(callback, delayMs, ...parameters) {
      const run = checked(callback)
      last += 1
      const id = last
      const again = (): void => {
        // Restarts first, so that the function can clear its own timer.
        start(id, delayMs, again)
        run(...parameters)
      }
      return start(id, delayMs, again)
    },
    clearTimeout(id) {
      if (typeof id === 'number' && take(id) !== undefined) stopTimer(id)
    },
    fire(id) {
      take(id)?.()
    },
  }
}

function createConsole(log: (line: string) => void): Readonly<Record<string, (...values: unknown[]) => void>> {
  const writer =
    (prefix: string) =>
    (...values: unknown[]): void => {
      let line = prefix
      for (let index = 0; index < values.length && line.length <= LOG_LINE_LENGTH_MAX; index++) {
        line += (index === 0 ? '' : ' ') + show(values[index])
      }
      log(line)
    }
  return { log: writer(''), info: writer(''), debug: writer(''), warn: writer('warning: '), error: writer('error: ') }
}

const HASHES = ['constructor', 'digest', 'importKey', 'sign', 'verify']

/** Removes ciphers and key derivation: native code that the documented API does not include. */
function leaveHashesOnly(): void {
  const prototype = Object.getPrototypeOf(globalThis.crypto.subtle) as Record<string, unknown>
  for (const name of Object.getOwnPropertyNames(prototype)) if (!HASHES.includes(name)) delete prototype[name]
}
