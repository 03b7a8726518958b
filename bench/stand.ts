// The test stand: a temporary folder on a real disk, the servers under test, and measurements on them. It starts servers on demand and
// ends all that it started.
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CauriStand } from './cauri/cauri-stand.ts'
import { isInMemory } from './limits/disk.ts'
import type { LoadPlan, OpenLoop } from './load/plan.ts'
import {
  BATCH_LINES,
  batchPlan,
  hotMerchantPlan,
  inventMerchantKeys,
  MERCHANTS,
  type MerchantKeys,
  type PayoutLoad,
  payoutPlan,
  planOf,
  WALLETS,
} from './load/population.ts'
import { type Measurement, measure, type Subject } from './measure.ts'
import type { BenchOptions } from './options.ts'
import { waitUntilQuiet } from './quiet.ts'
import { startNoOpRival } from './rivals/no-op-rival.ts'
import { RivalUnavailable } from './rivals/postgres-cluster.ts'
import { type PostgresMode, PostgresRival } from './rivals/postgres-rival.ts'
import { type TunedPostgres, tunePostgres } from './rivals/tuned-postgres.ts'
import type { UrlRival } from './rivals/url-rival.ts'
import { formatNumber, formatUs } from './statistics.ts'

const TRIAL_SECONDS_MAX = 2
const PROJECT_FOLDER = fileURLToPath(new URL('..', import.meta.url))

/** Reason why a subject cannot run on this machine. */
export interface Unavailable {
  readonly unavailable: string
}

export interface PayoutWorkload {
  readonly connections: number
  /** `all`: connections are spread over all merchants; `one`: every payout comes from the same one; `hot`: every second one does. */
  readonly merchants: 'all' | 'one' | 'hot'
  /** Rate of an open loop; null: closed loop. */
  readonly ratePerSecond: number | null
  /** Default: a generator that sleeps, and requests that wait for a free connection. */
  readonly openLoop?: Partial<OpenLoop>
  /** Default: the option's. 0: does not wait for an idle machine, because another load is part of the workload. */
  readonly quietSeconds?: number
  /** Number of wallets. Default: the usual number. */
  readonly wallets?: number
}

export class Stand {
  readonly options: BenchOptions
  readonly folder: string
  readonly projectFolder = PROJECT_FOLDER
  /** Merchants, with the same keys for every subject. */
  readonly merchants: readonly MerchantKeys[] = inventMerchantKeys(MERCHANTS)
  readonly cauri: CauriStand
  readonly #stops: (() => Promise<void>)[] = []
  readonly #removeFolder = (): void => rmSync(this.folder, { recursive: true, force: true })
  #noOp: Promise<Subject> | null = null
  #postgres: Promise<PostgresRival | Unavailable> | null = null
  /** Servers that have been under load. */
  readonly #warm = new WeakSet<Subject>()
  #seed = 0

  constructor(options: BenchOptions) {
    this.options = options
    this.folder = makeFolder(options.folder)
    process.once('exit', this.#removeFolder)
    const { folder, merchants } = this
    this.cauri = new CauriStand({ folder, projectFolder: PROJECT_FOLDER, merchants, wallets: WALLETS, nodeFlags: options.nodeFlags })
    this.#stops.push(() => this.cauri.close())
  }

  /** Returns rival N. */
  noOp(): Promise<Subject> {
    this.#noOp ??= this.#started(startNoOpRival(PROJECT_FOLDER))
    return this.#noOp
  }

  /** Returns rival P or P2, tuned for the workload. Stops the one of this mode that was tuned before. */
  async postgres(workload: PayoutWorkload, mode: PostgresMode = 'single'): Promise<TunedPostgres | Unavailable> {
    const rival = await this.#postgresRival()
    if ('unavailable' in rival) return rival
    const { seconds, poolSize } = this.options
    const trialSeconds = Math.min(seconds, TRIAL_SECONDS_MAX)
    return tunePostgres(rival, mode, poolSize, (subject) => this.measurePayouts(subject, workload, trialSeconds))
  }

  /** Returns rival P with this pool size; null where it cannot run. */
  async servePostgres(poolSize: number): Promise<Subject | null> {
    const rival = await this.#postgresRival()
    return 'unavailable' in rival ? null : rival.serve(poolSize)
  }

  #postgresRival(): Promise<PostgresRival | Unavailable> {
    this.#postgres ??= this.#startPostgres()
    return this.#postgres
  }

  /** Measures the server of `--rival-url` with its own request. */
  measureRival(rival: UrlRival, workload: PayoutWorkload): Promise<Measurement> {
    return this.#measure(rival, workload, this.options.seconds, (load) => planOf(load, rival.requests))
  }

  /** Measures one closed- or open-loop window of single payouts. */
  measurePayouts(subject: Subject, workload: PayoutWorkload, seconds = this.options.seconds): Promise<Measurement> {
    return this.#measure(subject, workload, seconds, workload.merchants === 'hot' ? hotMerchantPlan : payoutPlan)
  }

  /** Measures one window of payout batches. The rate counts batches. */
  measureBatches(
    subject: Subject,
    workload: PayoutWorkload,
    lines: number = BATCH_LINES,
    seconds = this.options.seconds,
  ): Promise<Measurement> {
    return this.#measure(subject, workload, seconds, (load) => batchPlan(load, lines))
  }

  async #measure(
    subject: Subject,
    workload: PayoutWorkload,
    seconds: number,
    planOf: (load: PayoutLoad) => LoadPlan,
  ): Promise<Measurement> {
    const { quietSeconds = this.options.quietSeconds } = workload
    const quiet = quietSeconds === 0 || (await waitUntilQuiet(quietSeconds * 1000))
    const plan = planOf({
      ...(subject.host === undefined ? {} : { host: subject.host }),
      port: subject.port,
      connections: workload.connections,
      seconds,
      ratePerSecond: workload.ratePerSecond,
      ...(workload.openLoop === undefined ? {} : { openLoop: workload.openLoop }),
      isFirst: !this.#warm.has(subject),
      seed: ++this.#seed,
      merchants: workload.merchants === 'one' ? this.merchants.slice(0, 1) : this.merchants,
      wallets: workload.wallets ?? WALLETS,
    })
    this.#warm.add(subject)
    const measurement = await measure(subject, plan)
    console.error(`  ${describeMeasurement(measurement)}${quiet ? '' : ', machine was busy before'}`)
    return measurement
  }

  async close(): Promise<void> {
    for (const stop of this.#stops.reverse()) await stop()
    this.#stops.length = 0
    this.#removeFolder()
    process.off('exit', this.#removeFolder)
  }

  async #startPostgres(): Promise<PostgresRival | Unavailable> {
    const folder = join(this.folder, 'postgres')
    const size = { folder, merchants: this.merchants, wallets: WALLETS, projectFolder: PROJECT_FOLDER }
    try {
      return await this.#started(PostgresRival.start(size))
    } catch (error) {
      if (error instanceof RivalUnavailable) return { unavailable: error.message }
      throw error
    }
  }

  async #started<Started extends { stop(): Promise<void> }>(starting: Promise<Started>): Promise<Started> {
    const subject = await starting
    this.#stops.push(() => subject.stop())
    return subject
  }
}

export function describeMeasurement(measurement: Measurement): string {
  const { subject, perSecond, latency, serverCores, serverMainThreadCores, generatorCores, otherCores, stolenCores } = measurement
  const cores = (value: number | null): string => (value === null ? '?' : value.toFixed(2))
  return [
    `${subject} ${formatNumber(perSecond)}/s`,
    `p50 ${formatUs(latency.p50Us)}`,
    `p99 ${formatUs(latency.p99Us)}`,
    `cores: server ${cores(serverCores)} (main thread ${cores(serverMainThreadCores)}), generator ${cores(generatorCores)}, others ${cores(otherCores)}, stolen by the host ${cores(stolenCores)}`,
  ].join(', ')
}

function makeFolder(wanted: string | null): string {
  const candidates = wanted === null ? [tmpdir(), join(PROJECT_FOLDER, 'bench', 'results')] : [wanted]
  for (const parent of candidates) {
    mkdirSync(parent, { recursive: true })
    if (isInMemory(parent)) continue
    const folder = mkdtempSync(join(parent, 'cauri-bench-'))
    // PostgreSQL may run as another user, which needs search permission.
    chmodSync(folder, 0o711)
    return folder
  }
  throw new Error(`no folder on a real disk among ${candidates.join(', ')}: choose one with --dir`)
}
