// One simulated node: the real engine and the real `ClusterNode` in a process of simulated time. A supervisor starts it again when it
// ends. Its disk survives the process; the archive is derived and
// starts empty.
import assert from 'node:assert/strict'
import { Engine } from '../../../../engine/actor/engine.ts'
import type { Clock, Scheduler } from '../../../../engine/actor/ports.ts'
import { engineApi } from '../../../../engine/api.ts'
import type { LogRecord } from '../../../../engine/domain/record.ts'
import { StreamHub } from '../../../../http/api/stream/wallet-hub.ts'
import type { OutboundRequest } from '../../../../http/outbound/outbound-calls.ts'
import type { OutboundOutcome } from '../../../../http/outbound/outcome.ts'
import { WebhookDeliverer } from '../../../../http/workers/webhooks/deliverer.ts'
import { ClusterNode, type Role } from '../../../../wal/cluster/cluster-node.ts'
import { joinCluster } from '../../../../wal/cluster/join-cluster.ts'
import { LocalCopy } from '../../../../wal/cluster/local-copy.ts'
import { LogError } from '../../../../wal/log/log-error.ts'
import type { PostgresBatch } from '../../../../wal/log/postgres-batches.ts'
import type { PostgresHosts } from '../../../../wal/log/postgres-hosts.ts'
import { START_MS } from '../../../support/engine-fixture.ts'
import { MemoryArchive } from '../../../support/memory-archive.ts'
import type { Prng } from '../../../support/prng.ts'
import { Decisions } from '../../simulate/decisions.ts'
import { SimDisk } from './sim-disk.ts'
import { type SimMachine, SimProcess } from './sim-machine.ts'

const RESTART_MS = 1000
/** A node that does not stop in order is killed. */
const STOP_MAX_MS = 15_000
const DELIVERIES_END_MS = 1000
/** Maximum difference of two wall clocks. */
const SKEW_MAX_MS = 60_000
/** States of PostgreSQL and lost ownership: the supervisor starts the node again. Any other error is a finding. */
const EXPECTED: ReadonlySet<string> = new Set(['stale_epoch', 'log_unreachable', 'log_unsafe', 'log_closed'])

export interface NodeWatch {
  onBatch(node: SimNode, batch: PostgresBatch): void
  onRecord(node: SimNode, record: LogRecord): void
  /** `decisions`: what the node's process decides. */
  onRole(node: SimNode, role: Role, epoch: number, decisions: Decisions): void
  onWebhook(request: OutboundRequest): Promise<OutboundOutcome>
}

/** What runs in one process. */
export interface Running {
  readonly process: SimProcess
  readonly engine: Engine
  readonly node: ClusterNode
  readonly hub: StreamHub
  readonly deliverer: WebhookDeliverer
}

export class SimNode {
  readonly name: string
  readonly #machine: SimMachine
  readonly #prng: Prng
  readonly #hosts: PostgresHosts
  readonly #takeoverAfterMs: number
  readonly #watch: NodeWatch
  readonly #disk = new SimDisk()
  /** The last process, which may have ended. */
  process: SimProcess
  running: Running | null = null
  starts = 0

  constructor(name: string, machine: SimMachine, prng: Prng, hosts: PostgresHosts, takeoverAfterMs: number, watch: NodeWatch) {
    this.name = name
    this.#machine = machine
    this.#prng = prng
    this.#hosts = hosts
    this.#takeoverAfterMs = takeoverAfterMs
    this.#watch = watch
    this.process = new SimProcess(name)
    this.process.isDead = true
  }

  get url(): string {
    return `http://${this.name}`
  }

  get role(): Role | null {
    return this.running?.node.role ?? null
  }

  start(): void {
    if (!this.process.isDead) return
    this.starts++
    const process = new SimProcess(this.name)
    this.process = process
    this.#machine.after(0, process, 'starts', () => {
      this.#run(process).catch((error: unknown) => this.#exit(process, error))
    })
  }

  kill(): void {
    this.running = null
    this.#machine.kill(this.process)
    this.#machine.after(RESTART_MS, null, `${this.name} restarts`, () => this.start())
  }

  /** As SIGTERM does: hands over and ends. */
  stop(): void {
    const { running, process } = this
    if (running === null || process.isFrozen) return this.kill()
    const { engine, node, deliverer } = running
    const stop = async (): Promise<void> => {
      await deliverer.stop(DELIVERIES_END_MS)
      await node.prepareStop()
      await engine.close()
      await node.stop()
    }
    this.#machine.within(process, () =>
      stop()
        .then(() => this.#exit(process, null))
        .catch((error: unknown) => this.#exit(process, error)),
    )
    this.#machine.after(STOP_MAX_MS, null, `${this.name} is killed`, () => {
      if (this.process === process && !process.isDead) this.kill()
    })
  }

  async #run(process: SimProcess): Promise<void> {
    const [machine, watch] = [this.#machine, this.#watch]
    const name = { node: this.name, url: this.url }
    const postgres = { hosts: this.#hosts, name, allowsUnsafe: false, onWarning: (text: string) => machine.note(text) }
    const joined = await joinCluster(postgres, 'key').catch((error: Error) => error)
    // Without PostgreSQL a node does not start. Its supervisor tries again.
    if (joined instanceof Error) return this.#exit(process, new LogError('log_unreachable', joined.message))
    const loop = machine.loopOf(process, START_MS + this.#prng.below(SKEW_MAX_MS))
    const onFatal = (error: Error): void => this.#exit(process, error)
    const archive = new MemoryArchive({ soon: (run) => loop.soon(run) })
    const decisions = new Decisions()
    const { registry } = decisions
    let engine: Engine | null = null
    const copy = new WatchedCopy(
      { log: this.#disk.openedBy(process, machine, this.#prng), onStored: () => engine?.copied(), onFailure: onFatal },
      (batch) => this.#checked(() => watch.onBatch(this, batch)),
    )
    const onRecord = (record: LogRecord): void => this.#checked(() => watch.onRecord(this, record))
    const world = { clock: loop, scheduler: loop, random: this.#prng }
    engine = await Engine.follow({ localLog: copy, archive, ...world, registry, onFatal, onRecord }, copy)
    const deliverer = this.#openDeliverer(engine, loop, () => this.role === 'owning')
    const node: ClusterNode = new ClusterNode({
      postgres,
      takeoverAfterMs: this.#takeoverAfterMs,
      copy,
      replica: engine,
      onRole: (role) =>
        this.#checked(() => {
          watch.onRole(this, role, node.epoch, decisions)
          if (role === 'owning') deliverer.start()
        }),
      onFatal,
    })
    this.running = { process, engine, node, hub: this.#openHub(engine, loop), deliverer }
    await node.start()
  }

  /** Without heartbeats, which would be most events of a simulation. */
  #openHub(engine: Engine, loop: Clock & Scheduler): StreamHub {
    const onFailure = (error: unknown): void => {
      this.#machine.failure ??= error
    }
    const scheduler: Scheduler = { soon: loop.soon, at: () => () => {} }
    const hub = new StreamHub({ engine: engineApi(engine), clock: loop, scheduler, onFailure })
    engine.subscribe((record) => this.#checked(() => hub.record(record)))
    return hub
  }

  /** The owner delivers webhooks. */
  #openDeliverer(engine: Engine, loop: Clock & Scheduler, isOwner: () => boolean): WebhookDeliverer {
    const deliverer = new WebhookDeliverer({
      engine: engineApi(engine),
      outbound: { call: (request) => this.#watch.onWebhook(request) },
      secrets: { signing: () => ['secret'] },
      canWrite: () => true,
      clock: loop,
      scheduler: loop,
      random: () => this.#prng.next(),
      turns: { begin: (_account, run) => run() },
      onBug: (error) => {
        this.#machine.failure ??= error
      },
    })
    engine.subscribe((record) => this.#checked(() => (isOwner() ? deliverer.record(record) : undefined)))
    return deliverer
  }

  /** The process ends; null for an end in order. */
  #exit(process: SimProcess, error: unknown): void {
    if (process.isDead) return
    if (error !== null && !(error instanceof LogError && EXPECTED.has(error.code))) this.#machine.failure ??= error
    this.#machine.note(`${this.name} exits: ${error instanceof Error ? error.message : 'in order'}`)
    assert.equal(process, this.process)
    this.kill()
  }

  #checked(check: () => void): void {
    try {
      check()
    } catch (error) {
      this.#machine.failure ??= error
    }
  }
}

/** Shows each batch that this node takes for acknowledged, before its engine does anything with it. */
class WatchedCopy extends LocalCopy {
  readonly #onBatch: (batch: PostgresBatch) => void

  constructor(options: ConstructorParameters<typeof LocalCopy>[0], onBatch: (batch: PostgresBatch) => void) {
    super(options)
    this.#onBatch = onBatch
  }

  override put(batch: PostgresBatch): void {
    this.#onBatch(batch)
    super.put(batch)
  }
}
