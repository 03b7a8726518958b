// Rounds of faults against three real nodes over PostgreSQL: clients move money by every kind of write, a fault strikes, and after it
// everything that was acknowledged is held against every node.
import { machineSeconds } from '../../../bench/process/cpu-time.ts'
import { CLOCK_DIFFERENCE_MAX_MS } from '../../../http/server/server-limits.ts'
import { Prng } from '../../support/prng.ts'
import { ACCOUNT_SETTINGS, Accounts } from './accounts.ts'
import { CLOCK_FAULTS, FAULT_NAMES, FAULTS, type Fault, type Struck } from './faults.ts'
import { Load } from './load.ts'
import { MERCHANT, MoneyWrites } from './money-writes.ts'
import { pause } from './pause.ts'
import { balancesAt, fulfillmentFaults, nodeFaults, OwedEvents, trialBalanceAt } from './round-checks.ts'
import type { RoundHistory, UnknownCounts } from './round-history.ts'
import { TestedCluster } from './tested-cluster.ts'
import { WalletStreams } from './wallet-streams.ts'

export interface RoundReport {
  readonly round: number
  readonly fault: Fault
  /** Writes. */
  readonly acknowledged: number
  readonly readings: number
  readonly unknown: UnknownCounts
  /** Longest time in which no write was acknowledged. */
  readonly pauseMs: number
  /** From the fault to the answer of the first write that was sent after it. */
  readonly goesOnMs: number | null
  /** Fulfillments that a fault ended in the middle: code that had started does not run again. */
  readonly failedFulfillments: number
  /** Webhook events that have not arrived yet, of this round and of those before it. */
  readonly owedEvents: number
  /** Times that a stream was continued at another node, since the first round. */
  readonly streamReconnections: number
  readonly unclear: readonly string[]
  /** What an operator could read while the fault lasted. */
  readonly shown: readonly string[]
  /** What must never be. */
  readonly faults: readonly string[]
  /** Limits of time that were exceeded, and errors that clients saw in a handover. */
  readonly exceeded: readonly string[]
  /** Of those, what other load on the machine does not explain. */
  readonly late: readonly string[]
  /** Less than IDLE_CORES were busy before and after the round. */
  readonly isIdle: boolean
}

export interface RoundsOptions {
  readonly seed: number
  /** A bundled server to start instead of the usual one. */
  readonly program?: string
}

const WRITES_BEFORE = 20
const WRITES_AFTER = 20
const AFTER_MS = 500
const EVENTS_MAX_MS = 15_000
const REFUSALS_SHOWN = 5
const IDLE_SAMPLE_MS = 500
/** Three nodes and two servers without requests use a quarter of a core. */
const IDLE_CORES = 0.6

export class Rounds {
  readonly #cluster: TestedCluster
  readonly #accounts: Accounts
  readonly #streams: WalletStreams
  readonly #writes: MoneyWrites
  readonly #prng: Prng
  readonly #owed = new OwedEvents()
  #balances: ReadonlyMap<string, number>
  #transactions: number
  #round = 0
  /** The ledger's time never goes back: until then it may be ahead of a clock that was wrong. */
  #aheadUntilMs = Number.NEGATIVE_INFINITY
  readonly #due: Fault[] = []

  private constructor(
    parts: { readonly cluster: TestedCluster; readonly accounts: Accounts; readonly streams: WalletStreams; readonly prng: Prng },
    start: { readonly balances: ReadonlyMap<string, number>; readonly transactions: number },
  ) {
    this.#cluster = parts.cluster
    this.#accounts = parts.accounts
    this.#streams = parts.streams
    this.#prng = parts.prng
    this.#writes = new MoneyWrites(parts.accounts, parts.prng)
    this.#balances = start.balances
    this.#transactions = start.transactions
  }

  static async open({ seed, program }: RoundsOptions): Promise<Rounds> {
    const cluster = await TestedCluster.start({ settings: ACCOUNT_SETTINGS, ...(program === undefined ? {} : { program }) })
    let accounts: Accounts | null = null
    try {
      // The accounts are opened through a follower.
      accounts = await Accounts.open(cluster.baseUrl('b'))
      cluster.readHeaders = accounts.merchantHeaders
      const prng = new Prng(seed)
      const streams = await WalletStreams.open(cluster, accounts, prng)
      const balances = await balancesAt(cluster.baseUrl('c'), accounts)
      const { transactions } = (await trialBalanceAt(cluster.baseUrl('c'))).body
      return new Rounds({ cluster, accounts, streams, prng }, { balances, transactions })
    } catch (error) {
      await cluster.remove()
      await accounts?.close()
      throw error
    }
  }

  /** The next fault by the seed: all faults in a random order, then again. */
  nextFault(): Fault {
    if (this.#due.length === 0) {
      const rest = [...FAULT_NAMES]
      while (rest.length > 0) this.#due.push(...rest.splice(this.#prng.below(rest.length), 1))
    }
    return this.#due.pop() as Fault
  }

  async run(fault: Fault): Promise<RoundReport> {
    const { accounts, cluster, prng, writes } = { accounts: this.#accounts, cluster: this.#cluster, prng: this.#prng, writes: this.#writes }
    this.#round++
    await cluster.untilAllAnswer()
    await accounts.keepSignedIn(cluster.baseUrl('a'))
    const hasClockFault = CLOCK_FAULTS.has(fault)
    const earlyMs = hasClockFault || performance.now() < this.#aheadUntilMs ? CLOCK_DIFFERENCE_MAX_MS : 0
    const wasIdle = await isMachineIdle()
    const load = new Load({
      cluster,
      accounts,
      writes,
      prng,
      round: this.#round,
      earlyMs,
    })
    await load.untilAcknowledged(WRITES_BEFORE)
    const struck: Struck = await FAULTS[fault](cluster, prng)
    if (hasClockFault) this.#aheadUntilMs = performance.now() + CLOCK_DIFFERENCE_MAX_MS
    await cluster.untilAllAnswer()
    await load.untilAcknowledged(WRITES_AFTER)
    await pause(AFTER_MS)
    const history = await load.finish()
    await cluster.untilAllAnswer()
    const report = await this.#report(fault, struck, history)
    const isIdle = wasIdle && (await isMachineIdle())
    return { ...report, isIdle, late: isIdle ? report.late : [] }
  }

  async close(): Promise<void> {
    await this.#streams.close()
    await this.#cluster.remove()
    await this.#accounts.close()
  }

  async #report(fault: Fault, struck: Struck, history: RoundHistory): Promise<Omit<RoundReport, 'isIdle'>> {
    const cluster = this.#cluster
    const found = history.contradictions(this.#balances)
    const { balances, transactions } = { balances: history.balancesAfter(this.#balances), transactions: transactionsOf(history) }
    const expected = { balances, transactions: this.#transactions + transactions.size }
    found.push(...(await nodeFaults(cluster, this.#accounts, expected)))
    found.push(...(await this.#streams.faultsOf(byWallet(history))))
    const bills = history.acknowledged.filter(({ write }) => write.kind === 'bill')
    const { faults, failed } = await fulfillmentFaults(cluster, this.#accounts, bills)
    this.#owed.add(history.acknowledged)
    const owed = await this.#owed.outstanding(this.#accounts, EVENTS_MAX_MS)
    found.push(...faults, ...silenceFaults(struck, history), ...history.refusals.slice(0, REFUSALS_SHOWN), ...cluster.unexpected.splice(0))
    // The next round starts from what the nodes hold, so that one fault is reported once.
    this.#balances = await balancesAt(cluster.baseUrl('a'), this.#accounts)
    this.#transactions = (await trialBalanceAt(cluster.baseUrl('a'))).body.transactions
    const goesOnMs = history.goesOnAfterMs(struck.atMs)
    return {
      round: this.#round,
      fault,
      acknowledged: history.acknowledged.length,
      readings: history.readings.length,
      unknown: history.unknown,
      pauseMs: history.longestPauseMs,
      goesOnMs,
      failedFulfillments: failed,
      owedEvents: owed.length,
      streamReconnections: this.#streams.reconnections,
      unclear: history.unclear,
      shown: struck.shown ?? [],
      faults: found,
      ...exceeded(struck, history, goesOnMs),
    }
  }
}

function transactionsOf({ changes }: RoundHistory): ReadonlySet<string> {
  return new Set(changes.flatMap(({ transactionIds }) => transactionIds))
}

function byWallet({ changes }: RoundHistory): Map<string, Set<string>> {
  const transactions = new Map<string, Set<string>>()
  for (const { account, transactionIds } of changes) {
    if (account === MERCHANT) continue
    transactions.set(account, new Set([...(transactions.get(account) ?? []), ...transactionIds]))
  }
  return transactions
}

function silenceFaults({ silence }: Struck, history: RoundHistory): string[] {
  if (silence === undefined) return []
  return history
    .executedWithin(silence.fromMs, silence.toMs)
    .slice(0, REFUSALS_SHOWN)
    .map(({ write }) => `${write.kind} ${write.key} was acknowledged while no standby could confirm it`)
}

function exceeded(struck: Struck, history: RoundHistory, goesOnMs: number | null): Pick<RoundReport, 'exceeded' | 'late'> {
  const { goesOnWithinMs, hasNoErrors, isBound } = struck
  const found: string[] = []
  const late: string[] = []
  if (goesOnWithinMs !== null && (goesOnMs === null || goesOnMs > goesOnWithinMs)) {
    found.push(`writes went on after ${goesOnMs} ms, not within ${goesOnWithinMs}`)
    if (isBound === true) late.push(...found)
  }
  if (goesOnWithinMs !== null && history.longestPauseMs > goesOnWithinMs) {
    found.push(`no write was acknowledged for ${history.longestPauseMs} ms, more than ${goesOnWithinMs}`)
  }
  if (hasNoErrors === true && history.unknown.attempts > 0) late.push(`clients saw ${history.unknown.attempts} errors`)
  return { exceeded: [...new Set([...found, ...late])], late }
}

async function isMachineIdle(): Promise<boolean> {
  const before = machineSeconds()
  const startMs = performance.now()
  await pause(IDLE_SAMPLE_MS)
  const after = machineSeconds()
  if (before === null || after === null) return true
  return (after.busy - before.busy) / ((performance.now() - startMs) / 1000) < IDLE_CORES
}
