// Runs inside the virtual machine: `process`, `performance` and `require` as far as a function needs them. There is no process, no
// precise clock and no module.

interface Clock {
  /** Milliseconds since the start of the run. */
  readonly nowMs: () => number
  /** Called once, when the run starts. The machine is older. */
  readonly start: () => void
  readonly performance: object
}

const { now: dateNow } = Date

export function createClock(): Clock {
  let originMs = 0
  let lastMs = 0
  const nowMs = (): number => {
    // The system clock may be set back.
    lastMs = Math.max(lastMs, dateNow() - originMs)
    return lastMs
  }
  return {
    nowMs,
    start() {
      originMs = dateNow()
    },
    performance: {
      now: nowMs,
      get timeOrigin() {
        return originMs
      },
      toJSON: () => ({ timeOrigin: originMs }),
    },
  }
}

const NANOSECONDS_PER_MS = 1_000_000
const MS_PER_SECOND = 1_000

export function createProcess(nowMs: () => number): object {
  const hrtime = (since: readonly [number, number] = [0, 0]): [number, number] => {
    const ns = (nowMs() - since[0] * MS_PER_SECOND) * NANOSECONDS_PER_MS - since[1]
    const seconds = Math.floor(ns / NANOSECONDS_PER_MS / MS_PER_SECOND)
    return [seconds, ns - seconds * MS_PER_SECOND * NANOSECONDS_PER_MS]
  }
  hrtime.bigint = (): bigint => BigInt(nowMs()) * BigInt(NANOSECONDS_PER_MS)
  return {
    env: {},
    argv: [],
    hrtime,
    uptime: () => nowMs() / MS_PER_SECOND,
    nextTick(callback: (...given: unknown[]) => void, ...given: unknown[]) {
      queueMicrotask(() => callback(...given))
    },
  }
}

const REQUIRED_LENGTH_MAX = 100
const INSTEAD: Readonly<Record<string, string>> = {
  crypto: 'crypto.subtle, crypto.randomUUID() and crypto.getRandomValues()',
  buffer: 'the global Buffer',
  url: 'the globals URL and URLSearchParams',
  util: 'the globals TextEncoder and TextDecoder',
  timers: 'the global setTimeout',
  perf_hooks: 'the global performance',
  http: 'the global fetch',
  https: 'the global fetch',
  axios: 'the global fetch',
  'node-fetch': 'the global fetch',
  undici: 'the global fetch',
}

/** Has the code of Node's error, so that code which looks for an optional module continues. */
export function requireNothing(name: unknown): never {
  const text = `${name}`.slice(0, REQUIRED_LENGTH_MAX)
  const instead = INSTEAD[text.replace(/^node:/, '')]
  const error = new Error(`nothing can be required here: '${text}'${instead === undefined ? '' : `; use ${instead}`}`)
  throw Object.assign(error, { code: 'MODULE_NOT_FOUND' })
}
