// Runs inside the virtual machine, never in Node: gives merchant code the globals that JavaScript itself lacks and the host
// its few handles. Everything it relies on is captured before merchant code exists, and only strings and numbers leave.
import { FETCH_BODY_BYTES_MAX, FETCH_JSON_LENGTH_MAX, LOG_LINE_LENGTH_MAX, TIMERS_MAX } from '../limits.ts'
import { createFetch } from './fetch.ts'
import type { GuestControls, GuestHost } from './host.ts'
import { describe, show, textOf } from './text.ts'
import { AnyHeaders, completeUrl, Parameters } from './url.ts'

const { parse, stringify } = JSON
const { defineProperty } = Object

export function install(host: GuestHost): GuestControls {
  const timers = createTimers(host)
  const network = createFetch(host, { bodyBytesMax: FETCH_BODY_BYTES_MAX, jsonLengthMax: FETCH_JSON_LENGTH_MAX })
  const globals: Readonly<Record<string, unknown>> = {
    fetch: network.fetch,
    setTimeout: timers.setTimeout,
    clearTimeout: timers.clearTimeout,
    console: createConsole(host.log),
    URLSearchParams: Parameters,
    Headers: AnyHeaders,
  }
  completeUrl()
  for (const name of Object.keys(globals)) {
    // Classes are named as they are called, whatever the compiler made of them.
    if (name !== 'console') defineProperty(globals[name], 'name', { value: name, configurable: true })
    defineProperty(globalThis, name, { value: globals[name], writable: true, configurable: true, enumerable: false })
  }
  leaveHashesOnly()
  return { begin: createBegin(host), answer: network.answer, fire: timers.fire, describe }
}

/** `await` looks nothing up that merchant code could have replaced; `then` would. */
function createBegin({ done, failed, missing }: GuestHost): GuestControls['begin'] {
  return async (loaded, moduleExport, argument) => {
    try {
      const entry = moduleExport === null ? loaded : ((await loaded) as Record<string, unknown>)[moduleExport]
      if (typeof entry !== 'function') return missing()
      if (argument === null) return done('null')
      const value: unknown = await entry(parse(argument))
      done(jsonOf(value))
    } catch (error) {
      failed(describe(error))
    }
  }
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
  readonly clearTimeout: (id: unknown) => void
}

function createTimers({ startTimer, stopTimer }: GuestHost): Timers {
  /** No prototype, so that nothing on Object.prototype is ever met. */
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
  return {
    setTimeout(callback, delayMs, ...parameters) {
      if (typeof callback !== 'function') throw new TypeError('setTimeout needs a function')
      if (count >= TIMERS_MAX) throw new RangeError(`more than ${TIMERS_MAX} timers`)
      last += 1
      waiting[last] = () => callback(...parameters)
      count += 1
      startTimer(last, +(delayMs as number) || 0)
      return last
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

/** Ciphers and key derivation are native code that merchants were not promised. */
function leaveHashesOnly(): void {
  const prototype = Object.getPrototypeOf(globalThis.crypto.subtle) as Record<string, unknown>
  for (const name of Object.getOwnPropertyNames(prototype)) if (!HASHES.includes(name)) delete prototype[name]
}
