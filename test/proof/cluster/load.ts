// Clients of one round: writers that send each write with its key to any listed node until the result is known, and a reader of
// balances at each node.
import type { BatchReport } from '../../../engine/contract/batch.ts'
import type { ScheduleRun } from '../../../engine/contract/schedule.ts'
import { Patience } from '../../support/patience.ts'
import type { Prng } from '../../support/prng.ts'
import { type Told, Wire } from '../crash/wire.ts'
import type { Accounts } from './accounts.ts'
import { batchEffects, MERCHANT, type MoneyWrite, type MoneyWrites, type WriteKind } from './money-writes.ts'
import { pause } from './pause.ts'
import { RoundHistory } from './round-history.ts'
import { NODES, type NodeName, type TestedCluster } from './tested-cluster.ts'

const WRITERS = 6
const WRITE_MAX_MS = 12_000
const READ_MAX_MS = 30_000
const RETRY_MS = 50
const READ_PAUSE_MS = 10
/** A result that is unknown for longer is a fault. */
const UNKNOWN_MAX_MS = 180_000
const RUNS_MAX_MS = 120_000
const UNCLEAR_KEPT = 5
const TWICE_AT_ONCE = 0.05

export class Load {
  readonly history = new RoundHistory()
  readonly #cluster: TestedCluster
  readonly #accounts: Accounts
  readonly #writes: MoneyWrites
  readonly #prng: Prng
  readonly #round: number
  readonly #earlyMs: number
  readonly #wires = new Map<NodeName, Wire>()
  readonly #readWires = new Map<NodeName, Wire>()
  readonly #clients: Promise<void>[]
  readonly #schedules: Promise<void>[] = []
  #keys = 0
  #isOver = false

  constructor(parts: {
    readonly cluster: TestedCluster
    readonly accounts: Accounts
    readonly writes: MoneyWrites
    readonly prng: Prng
    readonly round: number
    /** Time by which the ledger's clock may be ahead: schedules run earlier by so much. */
    readonly earlyMs: number
  }) {
    this.#cluster = parts.cluster
    this.#accounts = parts.accounts
    this.#writes = parts.writes
    this.#prng = parts.prng
    this.#round = parts.round
    this.#earlyMs = parts.earlyMs
    for (const name of NODES) {
      this.#wires.set(name, new Wire(this.#cluster.baseUrl(name), WRITE_MAX_MS))
      this.#readWires.set(name, new Wire(this.#cluster.baseUrl(name), READ_MAX_MS))
    }
    this.#clients = [...Array.from({ length: WRITERS }, () => this.#writer()), ...NODES.map((name) => this.#reader(name))]
  }

  /** Resolves when so many more writes are acknowledged from now on. */
  async untilAcknowledged(more: number): Promise<void> {
    const { acknowledged } = this.history
    const count = acknowledged.length + more
    for (const patience = new Patience(UNKNOWN_MAX_MS); acknowledged.length < count; await pause(READ_PAUSE_MS)) {
      if (patience.isOver) throw new Error(`${count - acknowledged.length} of ${more} writes were not acknowledged in time`)
    }
  }

  /** Ends the clients when each has the result of its last write, waits for the runs of schedules, and asks for all keys again. */
  async finish(): Promise<RoundHistory> {
    this.#isOver = true
    await Promise.all(this.#clients)
    await Promise.all(this.#schedules)
    const again = this.history.acknowledged.values()
    const askAgain = async (): Promise<void> => {
      for (const { write } of again) await this.#attempt(this.#anyNode(), write)
    }
    await Promise.all(Array.from({ length: WRITERS }, askAgain))
    for (const wire of [...this.#wires.values(), ...this.#readWires.values()]) wire.close()
    return this.history
  }

  async #writer(): Promise<void> {
    while (!this.#isOver) {
      const write = this.#writes.next(`r${this.#round}-${this.#keys++}`)
      if (this.#prng.chance(TWICE_AT_ONCE)) await Promise.all([this.#untilKnown(write), this.#attempt(this.#anyNode(), write)])
      else await this.#untilKnown(write)
    }
  }

  async #reader(name: NodeName): Promise<void> {
    for (let count = 0; !this.#isOver; count++) {
      const wallet = this.#accounts.wallets[count % (this.#accounts.wallets.length + 1)]
      const startMs = performance.now()
      const told = await (wallet === undefined
        ? this.#get(name, '/v1/biz/balance', this.#accounts.merchantHeaders)
        : this.#get(name, '/v1/me/balance', this.#accounts.headersOf(wallet)))
      const endMs = performance.now()
      if (told?.status === 200) {
        const { available } = JSON.parse(told.text) as { available: number }
        this.history.readings.push({ account: wallet?.tag ?? MERCHANT, node: name, balance: available, startMs, endMs })
      } else if (told !== null && told.status !== 503) {
        this.history.refusals.push(`a balance at ${name}: ${told.status} ${told.text}`)
      }
      await pause(READ_PAUSE_MS)
    }
  }

  async #untilKnown(write: MoneyWrite): Promise<void> {
    const startMs = performance.now()
    const patience = new Patience(UNKNOWN_MAX_MS)
    for (let unclear = 0; ; unclear++) {
      const told = await this.#attempt(this.#anyNode(), write)
      if (told !== null) {
        if (unclear > 0) this.history.unknown[told.replayed ? 'executed' : 'notExecuted']++
        if (told.status < 300) this.#acknowledge(write, told, startMs)
        return
      }
      if (patience.isOver) {
        this.history.refusals.push(`the result of ${write.kind} ${write.key} is unknown after ${UNKNOWN_MAX_MS} ms`)
        return
      }
      await pause(RETRY_MS)
    }
  }

  /** Null without a clear answer. */
  async #attempt(node: NodeName, { kind, key, path, headers, body }: MoneyWrite): Promise<Told | null> {
    const startMs = performance.now()
    const told = await (this.#wires.get(node) as Wire)
      .send('POST', path, { ...headers, 'idempotency-key': key }, body)
      .catch((error: Error) => this.#unclear(`${node}: ${error.message}`))
    if (told === null || told.status === 503) {
      if (told !== null) this.#unclear(`${node}: 503`)
      this.history.unknown.attempts++
      this.history.addAttempt(key, { node, startMs, endMs: Number.POSITIVE_INFINITY, body: null, isReplay: false })
      return null
    }
    if (told.status < 300)
      this.history.addAttempt(key, { node, startMs, endMs: performance.now(), body: told.text, isReplay: told.replayed })
    else if (!isTooLate(kind, told)) this.history.refusals.push(`${kind} ${key} at ${node}: ${told.status} ${told.text}`)
    return told
  }

  #unclear(text: string): null {
    if (this.history.unclear.length < UNCLEAR_KEPT) this.history.unclear.push(text)
    return null
  }

  #acknowledge(write: MoneyWrite, { text, replayed }: Told, startMs: number): void {
    const endMs = performance.now()
    this.history.acknowledged.push({ write, body: text, isReplay: replayed, startMs, endMs })
    const answer = JSON.parse(text) as Record<string, unknown>
    try {
      this.history.addEffects(write.effectsOf(answer), startMs, endMs)
    } catch (error) {
      this.history.refusals.push(`${write.kind} ${write.key}: ${(error as Error).message}`)
    }
    if (write.kind === 'schedule') this.#schedules.push(this.#awaitRun(String(answer.id), Date.parse(String(answer.start_at))))
  }

  /** The run of a schedule that is due once: its payouts happened after its time and before the run was seen. */
  async #awaitRun(id: string, dueMs: number): Promise<void> {
    const dueAtMs = dueMs - performance.timeOrigin
    const startMs = dueAtMs - this.#earlyMs
    const headers = this.#accounts.merchantHeaders
    await pause(Math.max(0, dueAtMs - performance.now()))
    for (const patience = new Patience(RUNS_MAX_MS); !patience.isOver; await pause(RETRY_MS)) {
      const told = await this.#get(this.#anyNode(), `/v1/biz/payout-schedules/${id}/runs`, headers)
      const runs = told?.status === 200 ? (JSON.parse(told.text) as { data: ScheduleRun[] }).data : []
      const [run] = runs
      if (run === undefined) continue
      const report = await this.#get(this.#anyNode(), `/v1/biz/payouts/batch/${run.batch_id}`, headers)
      if (report?.status !== 200) continue
      if (runs.length > 1) this.history.refusals.push(`the schedule ${id} ran ${runs.length} times`)
      this.history.addEffects(batchEffects(JSON.parse(report.text) as BatchReport), startMs, performance.now())
      return
    }
    this.history.refusals.push(`the schedule ${id} did not run within ${RUNS_MAX_MS} ms`)
  }

  async #get(node: NodeName, path: string, headers: Readonly<Record<string, string>>): Promise<Told | null> {
    return (this.#readWires.get(node) as Wire).send('GET', path, headers).catch(() => null)
  }

  #anyNode(): NodeName {
    const { listed } = this.#cluster
    return this.#prng.pick(listed.length > 0 ? listed : NODES)
  }
}

/** A schedule whose time had come before any request with its key was executed. */
function isTooLate(kind: WriteKind, { status, text }: Told): boolean {
  return kind === 'schedule' && status === 400 && text.includes('invalid_start_at')
}
