// Fails one write or flush of a real server's data files, by `strace`: an error, or a write that was cut short. The server must stop within a
// second, answers no write that was sent after the failure, and shows no payout that failed. The next start has lost nothing.
import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { archivePathOf, logPathOf } from '../../wal/folder/folder.ts'
import { LOG_MAP_BYTES } from '../../wal/limits.ts'
import { dataFileOf, usedBytes } from '../../wal/lmdb-file.ts'
import { openLmdbStore } from '../../wal/lmdb-store.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { type CallName, ERRORS, type FailingCall, type InjectedError, readCalls, tracerCommand } from './failing-calls.ts'
import { KnownPayouts } from './known-payouts.ts'
import { openPayoutShop, sendPayout } from './payout-shop.ts'
import { Wire } from './wire.ts'

const FLUSHED: readonly CallName[] = ['pwrite64', 'pwritev', 'writev', 'fdatasync']

interface Target {
  readonly storeOf: (dataDir: string) => string
  readonly names: readonly CallName[]
  /** What the clients do: payouts until the server is gone, a few payouts and a stop, one payout and nothing, or one and a stop. */
  readonly life: 'pays' | 'pays and stops' | 'waits' | 'stops'
  /** How the server may end. By a signal: LMDB's native code did not survive `process.exit`. */
  readonly ends: readonly End[]
}

type End = 'exit 0' | 'exit 1' | 'a signal'

const TARGETS = {
  /** Each payout writes and flushes. */
  log: { storeOf: logPathOf, names: FLUSHED, life: 'pays', ends: ['exit 1', 'a signal'] },
  /** The log's file grows ahead of its pages. Without that the server goes on. */
  growth: { storeOf: logPathOf, names: ['write'], life: 'pays and stops', ends: ['exit 0'] },
  /** The index is stored a second after a payout. */
  index: { storeOf: archivePathOf, names: FLUSHED, life: 'waits', ends: ['exit 1', 'a signal'] },
  /** A stop stores index and snapshot. What was acknowledged is in the log, so the stop is one in order. */
  snapshot: { storeOf: archivePathOf, names: FLUSHED, life: 'stops', ends: ['exit 0', 'a signal'] },
} as const satisfies Record<string, Target>
export type TargetName = keyof typeof TARGETS

/** A number: the place among all calls of the log since a start. */
export type CallPlace = number | Pick<FailingCall, 'name' | 'nth'>

export interface FaultCase {
  readonly target: TargetName
  readonly call: CallPlace
  readonly error: InjectedError
}

export interface FaultOptions {
  readonly cases: readonly FaultCase[]
  readonly onProgress?: (report: FaultReport) => void
}

export interface FaultReport {
  cases: number
  /** By target, call and error. */
  readonly kinds: Record<string, number>
  failedStarts: number
  /** How the servers ended. */
  readonly ends: Record<string, number>
  acknowledged: number
  readings: number
  /** From the failed call to the end of the process. */
  slowestExitMs: number
  readonly faults: string[]
}

const ONE_THREAD = join(import.meta.dirname, 'one-thread.cjs')
const EXIT_MAX_MS = 1000
const WAIT_MAX_MS = 60_000
/** From this size on the log grows ahead of its pages. */
const PAYOUTS_BEFORE = 700
const NOTE = 'é'.repeat(480)
const GROWTH_PAYOUTS = 5
const READ_PAUSE_MS = 5
const FAULTS_MAX = 10
const PROGRESS = 30

/** Each error at each of the calls. */
export function everyError(target: TargetName, calls: readonly CallPlace[]): FaultCase[] {
  return calls.flatMap((call) => ERRORS.map((error) => ({ target, call, error })))
}

export async function runDiskFaults({ cases, onProgress }: FaultOptions): Promise<FaultReport> {
  const callsMax = Math.max(...cases.map(({ call }) => (typeof call === 'number' ? call : 0)))
  const run = new FaultRun(callsMax)
  try {
    await run.open()
    for (const one of cases) {
      await run.fail(one)
      if (run.report.faults.length >= FAULTS_MAX) return run.report
      if (run.report.cases % PROGRESS === 0) onProgress?.(run.report)
    }
    await run.check()
    return run.report
  } finally {
    await run.remove()
  }
}

class FaultRun {
  readonly report: FaultReport = {
    cases: 0,
    kinds: {},
    failedStarts: 0,
    ends: {},
    acknowledged: 0,
    readings: 0,
    slowestExitMs: 0,
    faults: [],
  }
  readonly #folder = mkdtempSync(join(tmpdir(), 'cauri-faults-'))
  readonly #dataDir = join(this.#folder, 'data')
  readonly #output = join(this.#folder, 'calls')
  readonly #callsMax: number
  /** Names of the log's calls since a start, in their order. */
  #order: readonly CallName[] = []
  #payouts: KnownPayouts | null = null
  #server: ServerProcess | null = null
  readonly #onExit = (): void => void this.#server?.kill()

  constructor(callsMax: number) {
    this.#callsMax = callsMax
    process.once('exit', this.#onExit)
  }

  /** Opens the accounts, and learns the order of the log's calls from a start without a fault. */
  async open(): Promise<void> {
    const server = await this.#start([])
    const wire = new Wire(server.baseUrl)
    const shop = await openPayoutShop(wire)
    const before = Array.from({ length: PAYOUTS_BEFORE }, (_, index) => sendPayout(wire, shop, `b-${index}`, 1, NOTE))
    for (const { status, text } of await Promise.all(before)) if (status !== 201) throw new Error(`a payout: ${status} ${text}`)
    this.#payouts = new KnownPayouts({ ...shop, deposited: shop.deposited - PAYOUTS_BEFORE }, this.report)
    wire.close()
    await server.terminate()
    const traced = await this.#start(this.#tracer('log', null))
    await this.#known.payUntilBroken(traced, this.#payoutsMax)
    this.#order = (await readCalls(this.#output, ({ length }) => length >= this.#callsMax)).map(({ name }) => name)
    await traced.kill()
  }

  async fail({ target, call, error }: FaultCase): Promise<void> {
    const { name, nth } = typeof call === 'number' ? this.#callOf(call) : call
    const label = `${error} at ${name} ${typeof call === 'number' ? call : nth} of the ${target}`
    if (target === 'growth') this.#cutGrowth()
    let server: ServerProcess
    try {
      server = await this.#start(this.#tracer(target, { name, nth, error }))
    } catch {
      this.report.failedStarts++
      this.report.cases++
      return
    }
    await this.#known.verify(server)
    const { life } = TARGETS[target]
    const readings = this.#known.readUntilBroken(server, READ_PAUSE_MS)
    const count = life === 'pays' ? this.#payoutsMax : life === 'pays and stops' ? GROWTH_PAYOUTS : 1
    const hasFailed = await this.#known.payUntilBroken(server, count)
    if (target === 'growth' && hasFailed) this.report.faults.push(`${label}: a payout was not answered`)
    const end = await endOf(server, life === 'stops' || life === 'pays and stops')
    await server.kill()
    await readings
    await this.#take(end, target, label, server)
  }

  /** Checks everything once more after a start without a fault. */
  async check(): Promise<void> {
    const server = await this.#start([])
    await this.#known.verify(server)
    await server.terminate()
  }

  async remove(): Promise<void> {
    await this.#server?.remove()
    this.#server = null
    process.off('exit', this.#onExit)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Each payout makes at least one call. */
  get #payoutsMax(): number {
    return this.#callsMax + 1
  }

  #callOf(place: number): Pick<FailingCall, 'name' | 'nth'> {
    const name = this.#order[place - 1]
    if (name === undefined) throw new Error(`a start has ${this.#order.length} calls of the log, not ${place}`)
    return { name, nth: this.#order.slice(0, place).filter((other) => other === name).length }
  }

  /** The file has grown in earlier starts: the next one grows it again. */
  #cutGrowth(): void {
    const path = logPathOf(this.#dataDir)
    const store = openLmdbStore({ path, mapBytes: LOG_MAP_BYTES, readOnly: true })
    truncateSync(dataFileOf(path), usedBytes(store))
    void store.close()
  }

  async #start(wrapper: readonly string[]): Promise<ServerProcess> {
    rmSync(this.#output, { force: true })
    // One thread commits, so that the calls are counted in one order: strace counts the calls of each thread.
    // Production makes no demo data in the first start; development starts no sandbox in the others.
    const NODE_ENV = this.#payouts === null ? 'production' : 'development'
    const settings = { NODE_ENV, HTTP_THREADS: '0', NODE_OPTIONS: `--require ${ONE_THREAD}` }
    this.#server = await startServer({ dataDir: this.#dataDir, settings, wrapper })
    return this.#server
  }

  #tracer(target: TargetName, failing: FailingCall | null): readonly string[] {
    const { storeOf, names } = TARGETS[target]
    return tracerCommand(this.#output, dataFileOf(storeOf(this.#dataDir)), names, failing)
  }

  get #known(): KnownPayouts {
    if (this.#payouts === null) throw new Error('the accounts are not open')
    return this.#payouts
  }

  async #take({ end, atMs }: Ended, target: TargetName, label: string, server: ServerProcess): Promise<void> {
    const { report } = this
    report.ends[end] = (report.ends[end] ?? 0) + 1
    if (!TARGETS[target].ends.some((one) => one === end)) {
      report.faults.push(`${label}: the server ended by ${end}: ${server.lines.slice(-2).join(' ')}`)
    }
    const calls = await readCalls(this.#output, (some) => some.some(({ isInjected }) => isInjected))
    const injected = calls.find(({ isInjected }) => isInjected)
    if (injected === undefined) {
      report.faults.push(`${label}: no call failed`)
      return
    }
    report.cases++
    report.kinds[label.replace(/ \d+ /, ' ')] = (report.kinds[label.replace(/ \d+ /, ' ')] ?? 0) + 1
    this.#known.endLife(target === 'growth' ? null : injected.seconds * 1000)
    if (target === 'growth') return
    const exitMs = Math.round(atMs - injected.seconds * 1000)
    report.slowestExitMs = Math.max(report.slowestExitMs, exitMs)
    const maxMs = EXIT_MAX_MS * busyness()
    if (exitMs > maxMs) report.faults.push(`${label}: the server ended ${exitMs} ms after the failure, more than ${Math.round(maxMs)}`)
  }
}

interface Ended {
  readonly end: End | 'nothing'
  /** Time of day. */
  readonly atMs: number
}

/** Runnable processes per processor, at least one: a server that gets a tenth of a processor needs ten times as long to end. */
function busyness(): number {
  return Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
}

/** Resolves when the server has ended, or after a maximum time. */
async function endOf(server: ServerProcess, isStopped: boolean): Promise<Ended> {
  if (isStopped) void server.terminate()
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, WAIT_MAX_MS, 'late')
  })
  const code = await Promise.race([server.exited, late])
  const atMs = Date.now()
  clearTimeout(timer)
  if (code === 'late') return { end: 'nothing', atMs }
  return { end: code === 0 ? 'exit 0' : code === 1 ? 'exit 1' : 'a signal', atMs }
}
