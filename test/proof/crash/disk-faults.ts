// Fails one write or flush of a real server's data files, by `strace`: an error, or a write that was cut short. The server must stop within a
// second, answers no write that was sent after the failure, and shows no payout that failed. The next start has lost nothing. Beside the
// payouts that are known one by one the writers of the kill rounds make every other kind of write.
import { mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { logPathOf } from '../../../wal/folder/folder.ts'
import { LOG_MAP_BYTES } from '../../../wal/limits.ts'
import { dataFileOf, usedBytes } from '../../../wal/lmdb-file.ts'
import { openLmdbStore } from '../../../wal/lmdb-store.ts'
import { withPatience } from '../../support/patience.ts'
import { Prng } from '../../support/prng.ts'
import { launch, type ServerProcess, startServer } from '../../support/server-process.ts'
import { type CallName, type FailingCall, readCalls, type TracedCall, tracerCommand } from './failing-calls.ts'
import { type FaultCase, TARGETS, type TargetName } from './fault-cases.ts'
import { type FaultReport, newFaultReport } from './fault-report.ts'
import { KILL_SETTINGS, KillAccounts } from './kill-accounts.ts'
import { KnownPayouts, type LifeEnd } from './known-payouts.ts'
import { mailboxSettings } from './mailbox.ts'
import { MixedLoad } from './mixed-load.ts'
import { openPayoutShop, sendPayout } from './payout-shop.ts'
import { busyness, type Ended, endOf } from './process-ends.ts'
import { Wire } from './wire.ts'

export interface FaultOptions {
  readonly cases: readonly FaultCase[]
  readonly onProgress?: (report: FaultReport) => void
}

const ONE_THREAD = join(import.meta.dirname, 'one-thread.cjs')
const EXIT_MAX_MS = 1000
const START_MAX_MS = 60_000
/** From this size on the log grows ahead of its pages. */
const PAYOUTS_BEFORE = 700
const NOTE = 'é'.repeat(480)
const GROWTH_PAYOUTS = 5
const READ_PAUSE_MS = 5
const FAULTS_MAX = 10
const PROGRESS = 30
/** HTTP threads of the starts in turn. Three errors follow each other, so each meets each number. */
const THREADS = ['1', '0', '2', '0'] as const
/** Cases after which the history of the other writers is checked. */
const SECTION_CASES = 20
const SEED = 1

export async function runDiskFaults({ cases, onProgress }: FaultOptions): Promise<FaultReport> {
  const callsMax = Math.max(...cases.map(({ call }) => (typeof call === 'number' ? call : 0)))
  const run = new FaultRun(callsMax)
  try {
    await run.open()
    for (const one of cases) {
      await run.fail(one)
      if (run.report.cases % SECTION_CASES === 0) await run.checkSection()
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
  readonly report = newFaultReport()
  readonly #folder = mkdtempSync(join(tmpdir(), 'cauri-faults-'))
  readonly #dataDir = join(this.#folder, 'data')
  readonly #output = join(this.#folder, 'calls')
  readonly #callsMax: number
  /** Names of the log's calls since a start, in their order. */
  #order: readonly CallName[] = []
  #payouts: KnownPayouts | null = null
  #mixed: MixedLoad | null = null
  /** Known payouts before this section. */
  #countBefore = 0
  #starts = 0
  #mailbox: Readonly<Record<string, string>> = {}
  #server: Pick<ServerProcess, 'kill' | 'remove'> | null = null
  readonly #onExit = (): void => void this.#server?.kill()

  constructor(callsMax: number) {
    this.#callsMax = callsMax
    process.once('exit', this.#onExit)
  }

  /** Opens the accounts, and learns the order of the log's calls from a start without a fault. */
  async open(): Promise<void> {
    this.#mailbox = await mailboxSettings()
    const server = await this.#startSound([])
    const wire = new Wire(server.baseUrl)
    const shop = await openPayoutShop(wire)
    const accounts = await KillAccounts.open(server.baseUrl)
    const before = Array.from({ length: PAYOUTS_BEFORE }, (_, index) => sendPayout(wire, shop, `b-${index}`, 1, NOTE))
    for (const { status, text } of await Promise.all(before)) if (status !== 201) throw new Error(`a payout: ${status} ${text}`)
    this.#payouts = new KnownPayouts({ ...shop, deposited: shop.deposited - PAYOUTS_BEFORE }, this.report)
    this.#mixed = new MixedLoad(accounts, new Prng(SEED))
    wire.close()
    await server.terminate()
    const traced = await this.#startSound(this.#tracer('log', null))
    this.#others.slot.up(traced, true)
    await this.#others.begin()
    await this.#known.payUntilBroken(traced, this.#payoutsMax)
    this.#order = (await readCalls(this.#output, ({ length }) => length >= this.#callsMax)).map(({ name }) => name)
    this.#others.slot.down()
    await traced.kill()
  }

  async fail({ target, call, error }: FaultCase): Promise<void> {
    const { name, nth } = typeof call === 'number' ? this.#callOf(call) : call
    const label = `${error} at ${name} ${typeof call === 'number' ? call : nth} of the ${target}`
    if (target === 'growth') this.#cutGrowth()
    // A start stores at once what an earlier failure has left of the index: then the call would fail before the stop.
    if (TARGETS[target].life === 'stops') await this.#stopInOrder(await this.#startSound([]))
    const server = await this.#start(this.#tracer(target, { name, nth, error }))
    if (!('baseUrl' in server)) {
      this.report.failedStarts++
      const end = await endOf(server, false)
      await server.kill()
      return this.#take(end, { target, label, server, start: null })
    }
    const { life } = TARGETS[target]
    const start = life === 'stops' ? 'no others' : this.#others.slot.up(server, true).name
    await this.#known.verify(server)
    const readings = this.#known.readUntilBroken(server, READ_PAUSE_MS)
    const count = life === 'pays' ? this.#payoutsMax : life === 'pays and stops' ? GROWTH_PAYOUTS : 1
    const hasFailed = await this.#known.payUntilBroken(server, count)
    if (target === 'growth' && hasFailed) this.report.faults.push(`${label}: a payout was not answered`)
    const end = await endOf(server, life === 'stops' || life === 'pays and stops')
    await server.kill()
    await readings
    await this.#take(end, { target, label, server, start })
  }

  /** Checks everything after a start without a fault, and begins the next section. */
  async checkSection(): Promise<void> {
    await this.#checkAll(() => this.#others.begin())
  }

  /** Checks everything once more after a start without a fault. */
  async check(): Promise<void> {
    await this.#checkAll(() => Promise.resolve())
  }

  async #checkAll(next: () => Promise<void>): Promise<void> {
    const { report } = this
    const server = await this.#startSound([])
    this.#others.slot.up(server, true)
    await this.#known.verify(server)
    report.faults.push(...(await this.#others.end(this.#known.count - this.#countBefore)))
    this.#countBefore = this.#known.count
    report.mixed = this.#others.acknowledged
    report.mixedKinds = this.#others.kinds.size
    await next()
    await this.#stopInOrder(server)
  }

  async #stopInOrder(server: ServerProcess): Promise<void> {
    const code = await server.terminate()
    if (code !== 0) this.report.faults.push(`a stop in order ended with ${code}: ${server.errorOutput()}`)
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

  /** Returns a server that listens, or one that ended before. Rejects when it does neither in time. */
  async #start(wrapper: readonly string[]): Promise<ServerProcess | ReturnType<typeof launch>> {
    const server = launch(this.#options(wrapper))
    this.#server = server
    const listening = server.line('listening').then(
      (line) => JSON.parse(line) as { port: number },
      () => null,
    )
    const started = await withPatience(START_MAX_MS, listening)
    if (started === 'late') throw new Error(`a start neither listened nor ended: ${server.errorOutput()}`)
    return started === null ? server : { ...server, port: started.port, baseUrl: `http://127.0.0.1:${started.port}` }
  }

  /** Without a fault. */
  async #startSound(wrapper: readonly string[]): Promise<ServerProcess> {
    const server = await startServer(this.#options(wrapper))
    this.#server = server
    return server
  }

  #options(wrapper: readonly string[]): Parameters<typeof launch>[0] & object {
    rmSync(this.#output, { force: true })
    // One thread commits, so that the calls are counted in one order: strace counts the calls of each thread.
    // Production makes no demo data in the first start; development starts no sandbox in the others.
    const NODE_ENV = this.#payouts === null ? 'production' : 'development'
    const HTTP_THREADS = THREADS[this.#starts++ % THREADS.length] ?? '0'
    this.report.threads[HTTP_THREADS] = (this.report.threads[HTTP_THREADS] ?? 0) + 1
    const settings = { ...KILL_SETTINGS, ...this.#mailbox, NODE_ENV, HTTP_THREADS, NODE_OPTIONS: `--require ${ONE_THREAD}` }
    return { dataDir: this.#dataDir, settings, wrapper }
  }

  #tracer(target: TargetName, failing: FailingCall | null): readonly string[] {
    const { storeOf, names } = TARGETS[target]
    return tracerCommand(this.#output, dataFileOf(storeOf(this.#dataDir)), names, failing)
  }

  get #known(): KnownPayouts {
    if (this.#payouts === null) throw new Error('the accounts are not open')
    return this.#payouts
  }

  get #others(): MixedLoad {
    if (this.#mixed === null) throw new Error('the accounts are not open')
    return this.#mixed
  }

  async #take({ end, atMs }: Ended, { target, label, server, start }: Life): Promise<void> {
    const { report } = this
    report.ends[end] = (report.ends[end] ?? 0) + 1
    // What a start has to store is written before the stop: then it is a failure of the index.
    const place = target === 'snapshot' && !server.lines.some((line) => line.includes('"stopping"')) ? 'index' : target
    if (!TARGETS[place].ends.some((one) => one === end)) {
      report.faults.push(`${label}: the server ended by ${end}: ${server.lines.slice(-2).join(' ')}`)
    }
    const calls = await readCalls(this.#output, (some) => some.some(({ isInjected }) => isInjected))
    const injected = calls.find(({ isInjected }) => isInjected)
    if (injected === undefined) {
      report.faults.push(`${label}: no call failed`)
      return
    }
    report.cases++
    const kind = label.replace(/ \d+ of the \w+$/, ` of the ${place}`)
    report.kinds[kind] = (report.kinds[kind] ?? 0) + 1
    const failedMs = injected.seconds * 1000
    if (start !== null) this.#checkAnswers(target, label, start, { failedMs, flushedMs: lastFlushMs(calls, injected) })
    if (target === 'growth') return
    const exitMs = Math.round(atMs - failedMs)
    report.slowestExitMs = Math.max(report.slowestExitMs, exitMs)
    const maxMs = EXIT_MAX_MS * busyness()
    if (exitMs > maxMs) report.faults.push(`${label}: the server ended ${exitMs} ms after the failure, more than ${Math.round(maxMs)}`)
  }

  /** A server whose log grows no further, or whose archive fails, still answers what is in its log. */
  #checkAnswers(target: TargetName, label: string, start: string, end: LifeEnd): void {
    this.#known.endLife(target === 'log' ? end : null)
    if (target !== 'log') return
    for (const key of this.#others.endLife(start, end)) {
      this.report.faults.push(`${label}: the write ${key} was sent after the failure, and answered`)
    }
  }
}

interface Life {
  readonly target: TargetName
  readonly label: string
  readonly server: Pick<ServerProcess, 'lines'>
  /** Name in the histories; null when it did not listen. */
  readonly start: string | null
}

/** Returns the time of day of the last flush that succeeded before the call; infinitely early without one. */
function lastFlushMs(calls: readonly TracedCall[], failed: TracedCall): number {
  const flushes = calls.slice(0, calls.indexOf(failed)).filter(({ name }) => name === 'fdatasync')
  return (flushes.at(-1)?.seconds ?? Number.NEGATIVE_INFINITY) * 1000
}
