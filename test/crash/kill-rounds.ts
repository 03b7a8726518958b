// Rounds of kill -9 of the real server under every write that moves money. Each round ends in the middle of fifty requests with one key.
// The histories of all rounds of a data folder are checked for linearizability, and balances and ledger against what was acknowledged.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OPERATOR } from '../cluster/accounts.ts'
import { MERCHANT } from '../cluster/money-writes.ts'
import { Prng } from '../support/prng.ts'
import { launch, type ServerProcess, startServer } from '../support/server-process.ts'
import { KillAccounts } from './kill-accounts.ts'
import { DUPLICATES, KillLoad } from './kill-load.ts'
import { KillWrites } from './kill-writes.ts'
import { Schedules } from './schedules.ts'
import { ServerSlot } from './server-slot.ts'
import type { Wire } from './wire.ts'

export interface KillOptions {
  readonly rounds: number
  readonly seed: number
  /** A bundled server to start instead of the usual one. */
  readonly program?: string
  readonly onFolder?: (report: KillReport) => void
}

export interface KillReport {
  rounds: number
  /** Data folders, each with its own accounts. */
  folders: number
  acknowledged: number
  /** Acknowledged writes by kind. */
  readonly kinds: Record<string, number>
  /** Requests without an answer, and what had become of their writes. */
  readonly unknown: { attempts: number; executed: number; notExecuted: number }
  readings: number
  scheduleRuns: number
  /** Keys that fifty clients sent at once around a kill, and their answers after it. */
  duplicatedKeys: number
  duplicates: number
  killsWhileStarting: number
  archivesDeleted: number
  /** Starts by HTTP threads. */
  readonly threads: Record<string, number>
  /** What must never be. */
  readonly faults: string[]
}

const FOLDER_ROUNDS = 20
/** Answers of a round before the kill, at most. */
const ANSWERS_MAX = 50
const ANSWERS_WAIT_MS = 60_000
const START_MAX_MS = 800
const FAULTS_SHOWN = 10
const THREADS = ['1', '2', '0'] as const

/** Runs the rounds, and stops at the end of the first folder with a fault. */
export async function runKillRounds({ rounds, seed, program, onFolder }: KillOptions): Promise<KillReport> {
  const report = newReport()
  const prng = new Prng(seed)
  while (report.rounds < rounds && report.faults.length === 0) {
    const folder = new KillFolder(report, prng, program)
    try {
      await folder.run(Math.min(FOLDER_ROUNDS, rounds - report.rounds))
    } finally {
      await folder.remove()
    }
    onFolder?.(report)
  }
  return report
}

interface TrialBalance {
  readonly balanced: boolean
  readonly transactions: number
}

class KillFolder {
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'cauri-crash-'))
  readonly #report: KillReport
  readonly #prng: Prng
  readonly #program: string | undefined
  readonly #slot = new ServerSlot()
  #server: ServerProcess | null = null
  readonly #onExit = (): void => void this.#server?.kill()

  constructor(report: KillReport, prng: Prng, program: string | undefined) {
    this.#report = report
    this.#prng = prng
    this.#program = program
    process.once('exit', this.#onExit)
  }

  async run(rounds: number): Promise<void> {
    // Production makes no demo data; later starts in development do not start the sandbox, which no write here needs.
    const { server, wire } = await this.#start({ NODE_ENV: 'production' })
    const accounts = await KillAccounts.open(server.baseUrl)
    const initial = await balancesOf(wire, accounts)
    const { transactions } = await trialBalance(wire)
    const writes = new KillWrites(accounts, this.#prng)
    const load = new KillLoad({ slot: this.#slot, accounts, writes, prng: this.#prng })
    const schedules = new Schedules(this.#slot, accounts.planner, this.#prng)
    for (let round = 0; round < rounds; round++) await this.#round(load, schedules)
    await load.finish()
    await schedules.check()
    await load.askAgain()
    const expected = {
      balances: load.history.balancesAfter(initial),
      transactions: transactions + load.transactions.size + schedules.transactions,
    }
    await this.#check(accounts, expected, 'after the last kill')
    await this.#stop()
    // Once more from the snapshot of a clean stop.
    await this.#start()
    await load.askAgain()
    await this.#check(accounts, expected, 'after a clean stop')
    this.#take(load, schedules, [...load.history.contradictions(initial), ...load.floodFaults()])
  }

  async remove(): Promise<void> {
    this.#slot.down()?.wire.close()
    await this.#server?.remove()
    this.#server = null
    process.off('exit', this.#onExit)
    rmSync(this.#dataDir, { recursive: true, force: true })
  }

  async #round(load: KillLoad, schedules: Schedules): Promise<void> {
    const { server, wire } = await this.#slot.current()
    schedules.add()
    await inTime(load.untilAcknowledged(1 + this.#prng.below(ANSWERS_MAX)), () => load.history.refusals)
    const flood = load.flood(1 + this.#prng.below(DUPLICATES))
    await flood.answered
    this.#slot.down()
    await server.kill()
    await flood.all
    wire.close()
    await this.#disturb()
    await this.#start()
    await load.floodAgain(flood.write)
    await load.askAgain()
    this.#report.rounds++
    this.#report.duplicatedKeys++
  }

  async #start(settings: Readonly<Record<string, string>> = {}): Promise<{ readonly server: ServerProcess; readonly wire: Wire }> {
    const threads = this.#prng.pick(THREADS)
    this.#server = await startServer(this.#options({ HTTP_THREADS: threads, ...settings }))
    this.#report.threads[threads] = (this.#report.threads[threads] ?? 0) + 1
    return this.#slot.up(this.#server)
  }

  async #stop(): Promise<void> {
    const running = this.#slot.down()
    const code = await running?.server.terminate()
    running?.wire.close()
    if (code !== 0) this.#report.faults.push(`a stop in order ended with ${code}: ${running?.server.errorOutput()}`)
  }

  /** Before some starts: one that is killed on its way, or an archive that is deleted. */
  async #disturb(): Promise<void> {
    if (this.#prng.chance(0.1)) {
      this.#report.archivesDeleted++
      rmSync(join(this.#dataDir, 'archive'), { recursive: true, force: true })
    }
    if (!this.#prng.chance(0.1)) return
    this.#report.killsWhileStarting++
    const starting = launch(this.#options({}))
    // The kill comes at any moment of the start: nothing is waited for.
    const timer = setTimeout(() => void starting.kill(), this.#prng.below(START_MAX_MS))
    await starting.line('listening').catch(() => {
      // It was killed before.
    })
    clearTimeout(timer)
    await starting.kill()
  }

  #options(settings: Readonly<Record<string, string>>): Parameters<typeof launch>[0] & object {
    return { dataDir: this.#dataDir, settings, ...(this.#program === undefined ? {} : { program: this.#program }) }
  }

  async #check(
    accounts: KillAccounts,
    expected: { readonly balances: ReadonlyMap<string, number>; readonly transactions: number },
    when: string,
  ): Promise<void> {
    const { wire } = await this.#slot.current()
    const { faults } = this.#report
    const balances = await balancesOf(wire, accounts)
    for (const [account, balance] of expected.balances) {
      if (balances.get(account) !== balance) faults.push(`${account} has ${balances.get(account)}, not ${balance}, ${when}`)
    }
    const { balanced, transactions } = await trialBalance(wire)
    if (!balanced) faults.push(`the ledger is not balanced ${when}`)
    if (transactions !== expected.transactions) {
      faults.push(`the ledger has ${transactions} transactions, not ${expected.transactions}, ${when}`)
    }
  }

  #take({ history, acknowledged, counts, duplicates }: KillLoad, schedules: Schedules, contradictions: readonly string[]): void {
    const report = this.#report
    report.folders++
    report.acknowledged += acknowledged
    report.readings += history.readings.length
    report.scheduleRuns += schedules.runs
    report.duplicates += duplicates
    for (const [kind, count] of counts) report.kinds[kind] = (report.kinds[kind] ?? 0) + count
    for (const name of ['attempts', 'executed', 'notExecuted'] as const) report.unknown[name] += history.unknown[name]
    report.faults.push(...contradictions, ...schedules.faults, ...history.refusals.slice(0, FAULTS_SHOWN))
  }
}

function newReport(): KillReport {
  return {
    rounds: 0,
    folders: 0,
    acknowledged: 0,
    kinds: {},
    unknown: { attempts: 0, executed: 0, notExecuted: 0 },
    readings: 0,
    scheduleRuns: 0,
    duplicatedKeys: 0,
    duplicates: 0,
    killsWhileStarting: 0,
    archivesDeleted: 0,
    threads: {},
    faults: [],
  }
}

async function balancesOf(wire: Wire, accounts: KillAccounts): Promise<Map<string, number>> {
  const available = async (path: string, headers: Readonly<Record<string, string>>): Promise<number> =>
    (await read<{ available: number }>(wire, path, headers)).available
  const balances = new Map([[MERCHANT, await available('/v1/biz/balance', accounts.merchantHeaders)]])
  for (const wallet of accounts.wallets) balances.set(wallet.tag, await available('/v1/me/balance', accounts.headersOf(wallet)))
  return balances
}

function trialBalance(wire: Wire): Promise<TrialBalance> {
  return read(wire, '/v1/operator/ledger/trial-balance?environment=test', OPERATOR)
}

async function read<Body>(wire: Wire, path: string, headers: Readonly<Record<string, string>>): Promise<Body> {
  const { status, text } = await wire.send('GET', path, headers)
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  return JSON.parse(text) as Body
}

/** Rejects when the writes are not acknowledged in time. */
async function inTime(reached: Promise<void>, refusals: () => readonly string[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new Error(`no answers within ${ANSWERS_WAIT_MS} ms: ${refusals().slice(0, FAULTS_SHOWN).join('; ')}`))
    timer = setTimeout(fail, ANSWERS_WAIT_MS)
  })
  try {
    await Promise.race([reached, late])
  } finally {
    clearTimeout(timer)
  }
}
