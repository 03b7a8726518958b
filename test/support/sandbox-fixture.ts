// A sandbox for tests, with a broker that answers what the test says and words for the usual questions.
import assert from 'node:assert/strict'
import type { SandboxEntry, SandboxFailure, SandboxPurpose, SandboxResult } from '../../engine/actor/ports.ts'
import type { FetchBroker, FetchRequest } from '../../sandbox-pool/fetch-broker.ts'
import { RUN_WALL_MS } from '../../sandbox-pool/limits.ts'
import { type OpenSandbox, openSandbox } from '../../sandbox-pool/sandbox.ts'
import type { SandboxEvent } from '../../sandbox-pool/supervisor.ts'
import { Patience } from './patience.ts'

/** Runs that a busy machine may not end within their time, before one that ends. */
const BUSY_RUNS_MAX = 5

export interface RunOptions {
  readonly merchantId?: string
  readonly purpose?: SandboxPurpose
  readonly entry?: SandboxEntry
  readonly argument?: unknown
  readonly timeoutMs?: number
}

export interface Stand {
  readonly sandbox: OpenSandbox
  readonly events: readonly SandboxEvent[]
  /** What the broker was asked. */
  readonly requests: readonly FetchRequest[]
  run(source: string, options?: RunOptions): Promise<SandboxResult>
  /** A run that is short on an idle machine: one that took too long is repeated. */
  untimed(source: string, options?: RunOptions): Promise<SandboxResult>
  /** The function's result; fails the test when the run failed. A run that took too long is repeated while the cores do not idle. */
  value(source: string, options?: RunOptions): Promise<unknown>
  failure(source: string, options?: RunOptions): Promise<SandboxFailure>
  /** A failure of code that ends by itself, repeated as by `value`. */
  ownFailure(source: string, options?: RunOptions): Promise<SandboxFailure>
  /** Process ids of the children that were ready so far, newest last. */
  pids(): number[]
}

export const echoBroker: FetchBroker = (request) =>
  Promise.resolve({ status: 200, headers: [['content-type', 'application/json']], body: JSON.stringify({ ...request, withinMs: null }) })

export function openStand({ threads = 4, broker = echoBroker }: { readonly threads?: number; readonly broker?: FetchBroker } = {}): Stand {
  const events: SandboxEvent[] = []
  const requests: FetchRequest[] = []
  const sandbox = openSandbox({
    threads,
    onEvent: (event) => events.push(event),
    fetchBroker: (request, signal) => {
      requests.push(request)
      return broker(request, signal)
    },
  })
  const once = (source: string, options: RunOptions): Promise<SandboxResult> => {
    const { merchantId = 'm', purpose = 'live', entry = 'lookup', argument = {}, timeoutMs = RUN_WALL_MS } = options
    return sandbox.run({ merchantId, purpose, entry, source, argument: JSON.stringify(argument), timeoutMs })
  }
  /** A machine that does much beside may start no run within its time. Tests of time give their own. */
  const run = async (source: string, options: RunOptions = {}): Promise<SandboxResult> => {
    const patience = new Patience(10 * RUN_WALL_MS)
    for (;;) {
      const result = await once(source, options)
      if (result.ok || options.timeoutMs !== undefined || result.fault !== 'timeout' || result.started || patience.isOver) return result
    }
  }
  const untimed = async (source: string, options: RunOptions = {}): Promise<SandboxResult> => {
    let result = await run(source, options)
    for (let again = 0; again < BUSY_RUNS_MAX && !result.ok && result.fault === 'timeout'; again++) result = await run(source, options)
    return result
  }
  const ended = async (source: string, options: RunOptions = {}): Promise<SandboxResult> => {
    const patience = new Patience(BUSY_RUNS_MAX * RUN_WALL_MS)
    for (;;) {
      const result = await run(source, options)
      if (result.ok || result.fault !== 'timeout' || patience.isOver) return result
    }
  }
  const failed = (result: SandboxResult): SandboxFailure => {
    assert.ok(!result.ok, `it should have failed, but answered ${result.ok ? result.value : ''}`)
    return result
  }
  return {
    sandbox,
    events,
    requests,
    run,
    untimed,
    async value(source, options) {
      const result = await ended(source, options)
      assert.ok(result.ok, result.ok ? '' : `${result.fault}: ${result.error} ${result.logs.join('\n')}`)
      return JSON.parse(result.value)
    },
    failure: async (source, options) => failed(await run(source, options)),
    ownFailure: async (source, options) => failed(await ended(source, options)),
    pids: () => events.flatMap((event) => (event.type === 'ready' ? [event.pid] : [])),
  }
}

/** Waits for what happens soon. Throws after an idle minute, so that a test fails instead of waiting until its process is ended. */
export async function until(condition: () => boolean): Promise<void> {
  const patience = new Patience(60_000)
  while (!condition()) {
    if (patience.isOver) throw new Error(`this did not become true within a minute: ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    // ESRCH: there is no such process any more.
    return false
  }
}
