// Runs inside the virtual machine, never in Node: defines the globals that JavaScript itself lacks, and the control functions of
// the host. It captures all built-ins that it uses before merchant code runs. Only strings and numbers leave the machine.
import { FETCH_BODY_BYTES_MAX, FETCH_JSON_BYTES_MAX } from '../limits.ts'
import { Controller, Signal } from './abort.ts'
import { GuestBlob, GuestFile, GuestFormData } from './blob.ts'
import { completeBuffer } from './buffer.ts'
import { createConsole } from './console.ts'
import { GuestEvent, GuestEventTarget } from './event-target.ts'
import { createFetch, GuestRequest, GuestResponse } from './fetch.ts'
import type { GuestControls, GuestHost } from './host.ts'
import { createIntl } from './intl.ts'
import { createClock, createProcess, requireNothing } from './process.ts'
import { STREAMS } from './streams.ts'
import { createCrypto } from './subtle.ts'
import { describe, textOf } from './text.ts'
import { AnyDecoder } from './text-decoder.ts'
import { createTimers } from './timers.ts'
import { AnyHeaders, completeUrl, Parameters } from './url.ts'

const { parse, stringify } = JSON
const { defineProperty } = Object

/** Runs once: a machine is a copy of one that has the globals. */
export function install(host: GuestHost): GuestControls {
  const timers = createTimers(host)
  const clock = createClock()
  const network = createFetch(host, { bodyBytesMax: FETCH_BODY_BYTES_MAX, jsonLengthMax: FETCH_JSON_BYTES_MAX })
  const { crypto, classes } = createCrypto(host)
  const named: Readonly<Record<string, unknown>> = {
    fetch: network.fetch,
    setTimeout: timers.setTimeout,
    clearTimeout: timers.clearTimeout,
    setInterval: timers.setInterval,
    clearInterval: timers.clearTimeout,
    setImmediate: timers.setImmediate,
    clearImmediate: timers.clearTimeout,
    Event: GuestEvent,
    EventTarget: GuestEventTarget,
    AbortController: Controller,
    AbortSignal: Signal,
    URLSearchParams: Parameters,
    Headers: AnyHeaders,
    Request: GuestRequest,
    Response: GuestResponse,
    Blob: GuestBlob,
    File: GuestFile,
    FormData: GuestFormData,
    TextDecoder: AnyDecoder,
    require: requireNothing,
    ...classes,
    ...STREAMS,
  }
  const module = { exports: {} }
  const plain: Readonly<Record<string, unknown>> = {
    console: createConsole(host.log, clock.nowMs),
    performance: clock.performance,
    process: createProcess(clock.nowMs),
    crypto,
    Buffer: completeBuffer(),
    Intl: createIntl(host),
    global: globalThis,
    // Not in Node.js. Packages look here for crypto before they require it.
    self: globalThis,
    module,
    exports: module.exports,
  }
  completeUrl()
  // Restores class names that the minifier changed.
  for (const name of Object.keys(named)) defineProperty(named[name], 'name', { value: name, configurable: true })
  for (const [name, value] of Object.entries({ ...named, ...plain })) {
    defineProperty(globalThis, name, { value, writable: true, configurable: true, enumerable: false })
  }
  return { start: clock.start, begin: createBegin(host), answer: network.answer, fire: timers.fire, describe }
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
