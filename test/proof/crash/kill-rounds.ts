// Rounds of kill -9 of the real server under every write that moves money. Each round ends in the middle of fifty requests with one key.
// The histories of all rounds of a data folder are checked for linearizability, and balances and ledger against what was acknowledged.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BillPayment } from '../../../engine/contract/bill.ts'
import { Patience, withPatience } from '../../support/patience.ts'
import { Prng } from '../../support/prng.ts'
import { launch, type ServerProcess, startServer } from '../../support/server-process.ts'
import { pause } from '../cluster/pause.ts'
import { Disbursements } from './disbursements.ts'
import { DUPLICATES } from './key-floods.ts'
import { KILL_SETTINGS, KillAccounts } from './kill-accounts.ts'
import { KillLoad } from './kill-load.ts'
import { type KillReport, newReport } from './kill-report.ts'
import { KillWrites } from './kill-writes.ts'
import { balancesOf, type Expected, ledgerFaults, readJson, trialBalance } from './ledger-checks.ts'
import { mailboxSettings } from './mailbox.ts'
import { Schedules } from './schedules.ts'
import { ServerSlot } from './server-slot.ts'
import type { Wire } from './wire.ts'

export interface KillOptions {
  readonly rounds: number
  readonly seed: number
  /** Clients that write beside the keys that are sent many times. Default: eight. */
  readonly writers?: number
  /** Keys of a round that fifty clients send at once. Default: one. */
  readonly keysPerRound?: number
  readonly onFolder?: (report: KillReport) => void
}

const FOLDER_ROUNDS = 20
const WRITERS = 8
/** Rounds from one disbursement to the next. */
const DISBURSED_EVERY = 3
/** Rounds of which one has hosted code among its writes. */
const HOSTED_EVERY = 4
const FULFILLMENT_MAX_MS = 60_000
const INTERRUPTED = 'The service stopped while the code was running.'
const LOOK_MS = 20
/** Answers of a round before the kill, at most. */
const ANSWERS_MAX = 50
const ANSWERS_WAIT_MS = 60_000
const START_MAX_MS = 800
const FAULTS_SHOWN = 10
const THREADS = ['1', '2', '0'] as const

/** Runs the rounds, and stops at the end of the first folder with a fault. */
export async function runKillRounds(options: KillOptions): Promise<KillReport> {
  const { rounds, seed, onFolder } = options
  const report = newReport()
  const prng = new Prng(seed)
  while (report.rounds < rounds && report.faults.length === 0) {
    const folder = new KillFolder(report, prng, options)
    try {
      await folder.run(Math.min(FOLDER_ROUNDS, rounds - report.rounds))
    } finally {
      await folder.remove()
    }
    onFolder?.(report)
  }
  return report
}

class KillFolder {
  readonly #dataDir = mkdtempSync(join(tmpdir(), 'cauri-crash-'))
  readonly #report: KillReport
  readonly #prng: Prng
  readonly #writers: number
  readonly #keysPerRound: number
  readonly #slot = new ServerSlot()
  #server: ServerProcess | null = null
  readonly #onExit = (): void => void this.#server?.kill()

  constructor(report: KillReport, prng: Prng, { writers = WRITERS, keysPerRound = 1 }: KillOptions) {
    this.#report = report
    this.#prng = prng
    this.#writers = writers
    this.#keysPerRound = keysPerRound
    process.once('exit', this.#onExit)
  }

  async run(rounds: number): Promise<void> {
    // Production makes no demo data; later starts in development start the sandbox for the first run of hosted code.
    const { server, wire } = await this.#start({ NODE_ENV: 'production', ...(await mailboxSettings()) })
    const accounts = await KillAccounts.open(server.baseUrl)
    const initial = await balancesOf(wire, accounts)
    const { transactions } = await trialBalance(wire)
    const writes = new KillWrites(accounts, this.#prng)
    const load = new KillLoad({ slot: this.#slot, accounts, writes, prng: this.#prng, writers: this.#writers })
    const schedules = new Schedules(this.#slot, accounts.planner, this.#prng)
    const disbursements = new Disbursements(this.#slot, accounts.planner, this.#prng)
    for (let round = 0; round < rounds; round++) {
      writes.hasHosted = round % HOSTED_EVERY === 1
      if (this.#writers > 0 && round % DISBURSED_EVERY === 0) disbursements.add()
      await this.#round(load, schedules)
    }
    await load.finish()
    await disbursements.check()
    await schedules.check(disbursements.amount)
    this.#report.disbursements += disbursements.runs
    this.#report.faults.push(...disbursements.faults)
    await this.#checkFulfillments(accounts, writes.hostedBills)
    await load.askAgain()
    const expected = {
      balances: load.history.balancesAfter(initial),
      transactions: transactions + load.transactions.size + schedules.transactions + disbursements.transactions,
    }
    await this.#check(accounts, expected, 'after the last kill')
    await this.#stop()
    // Once more from the snapshot of a clean stop.
    await this.#start()
    await load.askAgain()
    await this.#check(accounts, expected, 'after a clean stop')
    this.#take(load, schedules, [...load.history.contradictions(initial), ...load.floods.faults()])
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
    if (this.#writers > 0) {
      schedules.add()
      await inTime(load.untilAcknowledged(1 + this.#prng.below(ANSWERS_MAX)), () => load.history.refusals)
    }
    const floods = Array.from({ length: this.#keysPerRound }, () => load.flood(1 + this.#prng.below(DUPLICATES)))
    await Promise.race(floods.map(({ answered }) => answered))
    this.#slot.down()
    await server.kill()
    await Promise.all(floods.map(({ all }) => all))
    wire.close()
    await this.#disturb()
    await this.#start()
    for (const { write } of floods) await load.floodAgain(write)
    await load.askAgain()
    this.#report.rounds++
    this.#report.duplicatedKeys += floods.length
  }

  /** The hosted code of each paid bill has succeeded, or a kill has interrupted it: then a redelivery succeeds. */
  async #checkFulfillments({ merchantHeaders }: KillAccounts, transactionIds: readonly string[]): Promise<void> {
    const { wire } = await this.#slot.current()
    for (const id of transactionIds) {
      const path = `/v1/biz/bill-payments/${id}`
      let fulfillment = await endedFulfillment(wire, path, merchantHeaders)
      if (fulfillment.state === 'failed' && fulfillment.error === INTERRUPTED) {
        this.#report.interruptedFulfillments++
        await wire.send('POST', `${path}/redeliver`, { ...merchantHeaders, 'idempotency-key': `again ${id}` }, '{}')
        fulfillment = await endedFulfillment(wire, path, merchantHeaders)
      }
      if (fulfillment.state === 'succeeded') this.#report.fulfillments++
      else this.#report.faults.push(`the fulfillment of the bill ${id} is ${JSON.stringify(fulfillment)}`)
    }
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
    return { dataDir: this.#dataDir, settings: { ...KILL_SETTINGS, ...settings } }
  }

  async #check(accounts: KillAccounts, expected: Expected, when: string): Promise<void> {
    const { wire } = await this.#slot.current()
    this.#report.faults.push(...(await ledgerFaults(wire, accounts, expected, when)))
  }

  #take({ history, acknowledged, counts, operations, floods }: KillLoad, schedules: Schedules, contradictions: readonly string[]): void {
    const report = this.#report
    report.folders++
    report.acknowledged += acknowledged
    report.readings += history.readings.length
    report.scheduleRuns += schedules.runs
    report.duplicates += floods.duplicates
    for (const [operation, count] of operations) report.operations[operation] = (report.operations[operation] ?? 0) + count
    for (const [kind, count] of counts) report.kinds[kind] = (report.kinds[kind] ?? 0) + count
    for (const name of ['attempts', 'executed', 'notExecuted'] as const) report.unknown[name] += history.unknown[name]
    report.faults.push(...contradictions, ...schedules.faults, ...history.refusals.slice(0, FAULTS_SHOWN))
  }
}

async function endedFulfillment(wire: Wire, path: string, headers: Readonly<Record<string, string>>): Promise<BillPayment['fulfillment']> {
  for (const patience = new Patience(FULFILLMENT_MAX_MS); ; await pause(LOOK_MS)) {
    const { fulfillment } = await readJson<BillPayment>(wire, path, headers)
    if (fulfillment.state !== 'pending' || patience.isOver) return fulfillment
  }
}

/** Rejects when the writes are not acknowledged in time. */
async function inTime(reached: Promise<void>, refusals: () => readonly string[]): Promise<void> {
  if ((await withPatience(ANSWERS_WAIT_MS, reached)) === 'late')
    throw new Error(`no answers within ${ANSWERS_WAIT_MS} ms: ${refusals().slice(0, FAULTS_SHOWN).join('; ')}`)
}
