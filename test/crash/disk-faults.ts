// Fails one write or flush of a real server's log, by `strace`: an error, or a write that was cut short. The server must stop at once: it
// answers nothing after the failure as done, and after the next start nothing is lost and no failed payout is there.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { logPathOf } from '../../wal/folder/folder.ts'
import { dataFileOf } from '../../wal/lmdb-file.ts'
import { pause } from '../cluster/pause.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'
import { availableOf, openPayoutShop, type PayoutShop, sendPayout } from './payout-shop.ts'
import { Wire } from './wire.ts'

export interface FaultOptions {
  /** Calls of the log's data file, from the first of a start: each fails in three ways. */
  readonly calls: readonly number[]
  readonly program?: string
  readonly onProgress?: (report: FaultReport) => void
}

export interface FaultReport {
  cases: number
  /** By call and error. */
  readonly kinds: Record<string, number>
  /** Place of the failed call among all writes and flushes of the log since the start, over all cases. */
  firstCall: number
  lastCall: number
  failedStarts: number
  /** How the servers ended. */
  readonly ends: Record<string, number>
  acknowledged: number
  slowestExitMs: number
  readonly faults: string[]
}

/** Names of strace's injection: an error, or a result that is less than what was to be written. */
const ERRORS = ['EIO', 'ENOSPC', 'short'] as const
type InjectedError = (typeof ERRORS)[number]
type CallName = 'pwrite64' | 'pwritev' | 'writev' | 'fdatasync'

/** Of a log that is flushed with each payout. */
const CALLS: readonly CallName[] = ['pwrite64', 'pwritev', 'writev', 'fdatasync']
const ONE_THREAD = join(import.meta.dirname, 'one-thread.cjs')
const EXIT_MAX_MS = 10_000
const END_MAX_MS = 10_000
const LOOK_MS = 5
const FAULTS_MAX = 10
const ASKED_AGAIN = 3
const PROGRESS = 30

export async function runDiskFaults({ calls, program, onProgress }: FaultOptions): Promise<FaultReport> {
  // Each payout makes at least one call.
  const run = new FaultRun(program, Math.max(...calls) + 1)
  try {
    await run.open()
    for (const call of calls) {
      for (const error of ERRORS) {
        await run.fail(call, error)
        if (run.report.faults.length >= FAULTS_MAX) return run.report
        if (run.report.cases % PROGRESS === 0) onProgress?.(run.report)
      }
    }
    await run.check()
    return run.report
  } finally {
    await run.remove()
  }
}

interface KnownPayout {
  readonly key: string
  readonly amount: number
  /** The answer; null for a payout whose commit failed. */
  text: string | null
}

class FaultRun {
  readonly report: FaultReport = {
    cases: 0,
    kinds: {},
    firstCall: Number.POSITIVE_INFINITY,
    lastCall: 0,
    failedStarts: 0,
    ends: {},
    acknowledged: 0,
    slowestExitMs: 0,
    faults: [],
  }
  readonly #folder = mkdtempSync(join(tmpdir(), 'cauri-faults-'))
  readonly #dataDir = join(this.#folder, 'data')
  readonly #program: string | undefined
  /** Payouts of one start, at most. */
  readonly #payoutsMax: number
  readonly #payouts: KnownPayout[] = []
  /** Names of the log's calls since a start, in their order. */
  #order: readonly CallName[] = []
  #shop: PayoutShop | null = null
  #server: ServerProcess | null = null
  readonly #onExit = (): void => void this.#server?.kill()

  constructor(program: string | undefined, payoutsMax: number) {
    this.#program = program
    this.#payoutsMax = payoutsMax
    process.once('exit', this.#onExit)
  }

  /** Opens the accounts, and learns the order of the calls from a start without a fault. */
  async open(): Promise<void> {
    const server = await this.#start([])
    const wire = new Wire(server.baseUrl)
    this.#shop = await openPayoutShop(wire)
    wire.close()
    await server.terminate()
    const traced = await this.#start(this.#wrapper([]))
    await this.#payUntilBroken(traced)
    await traced.kill()
    this.#order = (await this.#calls(traced.pid)).map(({ name }) => name)
  }

  async fail(call: number, error: InjectedError): Promise<void> {
    const name = this.#order[call - 1]
    if (name === undefined) throw new Error(`a start has ${this.#order.length} calls, not ${call}`)
    const nth = this.#order.slice(0, call).filter((other) => other === name).length
    const what = name === 'fdatasync' && error === 'short' ? 'error=EDQUOT' : error === 'short' ? 'retval=512' : `error=${error}`
    let server: ServerProcess
    try {
      server = await this.#start(this.#wrapper(['-e', `inject=${name}:${what}:when=${nth}`]))
    } catch {
      this.report.failedStarts++
      this.report.cases++
      return
    }
    await this.#verify(server)
    await this.#payUntilBroken(server)
    await exit(server)
    await server.kill()
    await this.#take(server, `${error} at ${name} ${call}`)
  }

  /** Checks everything once more after a start without a fault. */
  async check(): Promise<void> {
    const server = await this.#start([])
    await this.#verify(server)
    await server.terminate()
  }

  async remove(): Promise<void> {
    await this.#server?.remove()
    this.#server = null
    process.off('exit', this.#onExit)
    rmSync(this.#folder, { recursive: true, force: true })
  }

  async #start(wrapper: readonly string[]): Promise<ServerProcess> {
    rmSync(this.#output, { force: true })
    const program = this.#program === undefined ? {} : { program: this.#program }
    // One thread commits, so that the calls are counted in one order: strace counts the calls of each thread.
    // Production makes no demo data in the first start; development starts no sandbox in the others.
    const NODE_ENV = this.#shop === null ? 'production' : 'development'
    const settings = { NODE_ENV, HTTP_THREADS: '0', NODE_OPTIONS: `--require ${ONE_THREAD}` }
    this.#server = await startServer({ dataDir: this.#dataDir, settings, wrapper, ...program })
    return this.#server
  }

  get #output(): string {
    return join(this.#folder, 'calls')
  }

  #wrapper(injection: readonly string[]): readonly string[] {
    const file = dataFileOf(logPathOf(this.#dataDir))
    const common = ['strace', '-D', '-f', '--seccomp-bpf', '-q', '-ttt', '-P', file, '-s', '0', '-e', 'signal=none', '-o', this.#output]
    return [...common, '-e', `trace=${CALLS.join(',')}`, ...injection]
  }

  /** What was answered before the fault is there, what failed is not, and the balance says the same. */
  async #verify(server: ServerProcess): Promise<void> {
    const wire = new Wire(server.baseUrl)
    const failed = this.#payouts.findLast(({ text }) => text === null)
    try {
      if (failed !== undefined) await this.#pay(wire, failed)
      for (const payout of this.#payouts.filter(({ text }) => text !== null).slice(-ASKED_AGAIN)) await this.#pay(wire, payout)
      const spent = this.#payouts.reduce((sum, { text, amount }) => sum + (text === null ? 0 : amount), 0)
      const [available, expected] = [await availableOf(wire, this.#knownShop), this.#knownShop.deposited - spent]
      if (available !== expected) this.report.faults.push(`the balance is ${available}, not ${expected}`)
    } catch {
      // The failure came: the next start is checked.
    } finally {
      wire.close()
    }
  }

  /** One payout after the other, until the server is gone. */
  async #payUntilBroken(server: ServerProcess): Promise<void> {
    const wire = new Wire(server.baseUrl)
    try {
      for (let count = 0; count < this.#payoutsMax; count++) {
        const payout: KnownPayout = { key: `p-${this.#payouts.length}`, amount: 1 + (count % 9), text: null }
        this.#payouts.push(payout)
        await this.#pay(wire, payout)
      }
    } catch {
      // It is gone.
    } finally {
      wire.close()
    }
  }

  /** Rejects when the connection breaks. */
  async #pay(wire: Wire, payout: KnownPayout): Promise<void> {
    const { status, text, replayed } = await sendPayout(wire, this.#knownShop, payout.key, payout.amount)
    if (status !== 201) throw new Error(`${status} ${text}`)
    if (payout.text === null) {
      if (replayed) this.report.faults.push(`the payout ${payout.key} failed with its commit, and is there`)
      payout.text = text
      this.report.acknowledged++
    } else if (!replayed || payout.text !== text)
      this.report.faults.push(`the payout ${payout.key} was acknowledged, and is lost or different`)
  }

  get #knownShop(): PayoutShop {
    if (this.#shop === null) throw new Error('the accounts are not open')
    return this.#shop
  }

  async #take(server: ServerProcess, label: string): Promise<void> {
    const { report } = this
    const calls = await this.#calls(server.pid)
    report.ends[this.#end] = (report.ends[this.#end] ?? 0) + 1
    // Ended by a signal: the native code of LMDB did not survive `process.exit`. By SIGKILL: it went on, and was killed here.
    if (!/^exited with 1|^killed by SIG(SEGV|ABRT|BUS)/.test(this.#end)) {
      report.faults.push(`${label}: the server ${this.#end}: ${server.lines.slice(-2).join(' ')}`)
    }
    const at = calls.findIndex(({ isInjected }) => isInjected)
    const [injected, end] = [calls[at], calls.at(-1)]
    if (injected === undefined || end === undefined) {
      report.faults.push(`${label}: no call failed`)
      return
    }
    report.cases++
    report.kinds[label.replace(/ \d+$/, '')] = (report.kinds[label.replace(/ \d+$/, '')] ?? 0) + 1
    report.firstCall = Math.min(report.firstCall, at + 1)
    report.lastCall = Math.max(report.lastCall, at + 1)
    report.slowestExitMs = Math.max(report.slowestExitMs, Math.round((this.#endSeconds - injected.seconds) * 1000))
  }

  #endSeconds = 0
  /** How the last process ended. */
  #end = ''

  /** Returns the recorded calls, once the tracer has written its end. */
  async #calls(pid: number): Promise<{ readonly name: CallName; readonly seconds: number; readonly isInjected: boolean }[]> {
    for (const untilMs = performance.now() + END_MAX_MS; ; await pause(LOOK_MS)) {
      const lines = readFileSync(this.#output, 'latin1').split('\n')
      const end = lines.find((line) => line.startsWith(`${pid} `) && /\+\+\+ (exited|killed)/.test(line))
      if (end === undefined && performance.now() < untilMs) continue
      const [, seconds = 'NaN', how = 'has no end'] = /^\d+ +(\d+\.\d+) \+\+\+ (.*) \+\+\+/.exec(end ?? '') ?? []
      this.#endSeconds = Number(seconds)
      this.#end = how
      return lines.flatMap((line) => {
        const [, seconds = '', name = ''] = /^\d+ +(\d+\.\d+) (?:<\.\.\. )?(pwrite64|pwritev|writev|fdatasync)\b/.exec(line) ?? []
        const isEnd = / = -?\d+/.test(line)
        return name === '' || !isEnd ? [] : [{ name: name as CallName, seconds: Number(seconds), isInjected: line.includes('(INJECTED') }]
      })
    }
  }
}

/** Resolves when the server has ended, or after a maximum time. */
async function exit(server: ServerProcess): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, EXIT_MAX_MS)
  })
  await Promise.race([server.exited, late])
  clearTimeout(timer)
}
