// One simulated cluster from one seed: three nodes, PostgreSQL with a synchronous standby, clients at any node, and faults of all of them.
// The nodes run the sources of production; time, network, PostgreSQL and disks are simulated.
import assert from 'node:assert/strict'
import type { Engine } from '../../../../engine/actor/engine.ts'
import type { Outcome } from '../../../../engine/actor/envelope.ts'
import { replayRecord } from '../../../../engine/actor/turn.ts'
import type { CommandType } from '../../../../engine/domain/command.ts'
import { newState } from '../../../../engine/domain/new-state.ts'
import { START_MS, stateRows } from '../../../support/engine-fixture.ts'
import { assertMoneyAddsUp } from '../../../support/money-sums.ts'
import { Prng } from '../../../support/prng.ts'
import type { Request } from '../../simulate/auditor.ts'
import { Clients } from '../../simulate/clients.ts'
import type { Decisions } from '../../simulate/decisions.ts'
import { settingsOf } from '../../simulate/swarm.ts'
import { ClusterAudit } from './cluster-audit.ts'
import { type Fault, FaultPlan } from './cluster-faults.ts'
import { type ClusterFigures, type ClusterResult, noClusterFigures } from './cluster-figures.ts'
import { SimNetwork } from './sim-client.ts'
import { SimMachine, type SimProcess } from './sim-machine.ts'
import { type NodeWatch, type Running, SimNode } from './sim-node.ts'
import { SimReceiver } from './sim-receiver.ts'
import { SimServer } from './sim-server.ts'
import { SimStreams } from './sim-streams.ts'

const NODES = ['a', 'b', 'c']
const TAKEOVER_MS = 3000
const LOAD_MAX_MS = 30_000
/** Pause of the clients between two operations. */
const PAUSES_MS = [60, 200]
/** Maximum time of a request; then its client does not know what came of it. */
const REQUEST_MAX_MS = 12_000
/** Time in which a cluster without faults answers everything. */
const REST_MAX_MS = 120_000
const STEPS_MAX = 1_000_000

export interface ClusterWorldOptions {
  /** Faults that this world may have; all of them when absent. */
  readonly faults?: readonly Fault[]
}

export class ClusterWorld {
  readonly figures: ClusterFigures = noClusterFigures()
  readonly #prng: Prng
  readonly #machine: SimMachine
  readonly #network: SimNetwork
  readonly #audit = new ClusterAudit()
  readonly #clients: Clients
  readonly #requests: Request[] = []
  #drawn = 0
  readonly #nodes: readonly SimNode[]
  readonly #faults: FaultPlan
  readonly #streams: SimStreams
  readonly #receiver: SimReceiver
  readonly #servers: readonly [SimServer, SimServer]

  constructor(seed: number, options: ClusterWorldOptions = {}) {
    const prng = new Prng(seed)
    this.#prng = prng
    const machine = new SimMachine(prng)
    this.#machine = machine
    this.#network = new SimNetwork(machine, prng)
    this.#network.delayMaxMs = prng.pick([1, 4, 30])
    const { models } = this.#audit.auditor
    this.#clients = new Clients(models, { weights: weightsOf(seed) })
    this.#servers = [new SimServer('first', true, machine, prng), new SimServer('second', false, machine, prng)]
    SimServer.join(...this.#servers)
    const hosts = this.#servers.map((server) => this.#network.hostOf(server))
    this.#receiver = new SimReceiver(machine, prng, models.outboxes)
    const watch: NodeWatch = {
      onWebhook: (request) => this.#receiver.call(request),
      onBatch: (_: SimNode, batch: Parameters<ClusterAudit['takeBatch']>[0]) => this.#audit.takeBatch(batch),
      onRecord: (_: SimNode, record: Parameters<ClusterAudit['auditor']['compareLive']>[0]) => this.#audit.auditor.compareLive(record),
      onRole: (node: SimNode, role: string, epoch: number, decisions: Decisions) => {
        machine.note(`${node.name} ${role} ${epoch}`)
        if (role === 'owning') this.#audit.takeOwner(`${node.name} ${node.starts}`, epoch, decisions)
      },
    }
    this.#nodes = NODES.map((name) => new SimNode(name, machine, prng, hosts, TAKEOVER_MS, watch))
    this.#streams = new SimStreams({ machine, prng, network: this.#network, nodes: this.#nodes })
    this.#faults = new FaultPlan(
      seed,
      { machine, prng, network: this.#network, nodes: this.#nodes, servers: this.#servers, audit: this.#audit },
      options.faults,
    )
  }

  async run(): Promise<ClusterResult> {
    const restore = this.#machine.install()
    try {
      for (const node of this.#nodes) node.start()
      this.#planOperations()
      this.#faults.begin()
      await this.#until(() => this.#machine.nowMs >= LOAD_MAX_MS, LOAD_MAX_MS)
      this.#faults.healAll()
      this.#receiver.isHealed = true
      await this.#answerAll()
      await this.#until(() => this.#receiver.hasAll, REST_MAX_MS)
      this.#receiver.checkAll()
      await this.#compareAll()
      await this.#readStreams()
    } finally {
      restore()
    }
    Object.assign(this.figures, this.#faults.counts, this.#streams.figures, this.#receiver.figures, {
      epochs: this.#audit.epochs,
      records: this.#audit.auditor.sequence,
      steps: this.#machine.steps,
    })
    return { hash: `${this.#machine.traceHash} ${this.#audit.auditor.hash}`, figures: this.figures }
  }

  #planOperations(): void {
    const pauseMs = this.#prng.pick(PAUSES_MS)
    const operate = (): void => {
      if (this.#machine.nowMs >= LOAD_MAX_MS) return
      this.#operate()
      this.#machine.after(this.#prng.below(2 * pauseMs), null, 'client', operate)
    }
    this.#machine.after(0, null, 'client', operate)
  }

  #operate(): void {
    const dice = this.#prng.next()
    if (dice < 0.4) return this.#read(this.#prng.pick(this.#nodes))
    if (dice < 0.55 && this.#requests.length > 0) return this.#write(this.#prng.pick(this.#requests))
    if (dice > 0.94) return this.#addReader()
    const request = this.#clients.draw(this.#prng, this.#drawn++, START_MS + this.#machine.nowMs)
    // Without a key its result would stay unknown.
    if (request.envelope.idempotency === null) return
    this.#requests.push(request)
    this.#audit.auditor.issue(request)
    this.#write(request)
  }

  #addReader(): void {
    const { wallets } = this.#audit.auditor.models.accounts
    if (wallets.length > 0) this.#streams.add(this.#prng.pick(wallets).account)
  }

  #write(request: Request): void {
    this.figures.writes++
    const since = this.#audit.shown
    const deadlineMs = this.#machine.nowMs + REQUEST_MAX_MS
    this.#arrive(this.#prng.pick(this.#nodes), 1, (running) => this.#writeAt(running, request, since, deadlineMs))
  }

  /** The request reaches a node that runs, and perhaps the owner by way of it. Otherwise there is no answer. */
  #arrive(node: SimNode, hops: number, serve: (running: Running) => void): void {
    this.#machine.after(this.#network.delayMs(), node.process, 'request', () => {
      const { running } = node
      if (running === null) return
      const { role, owner } = running.node
      if (role === 'owning' || hops === 0) return serve(running)
      const next = this.#nodes.find(({ url }) => url === owner?.url)
      if (next !== undefined && next !== node) this.#arrive(next, 0, serve)
    })
  }

  /** As the server does: the answer waits for a proof of the ownership that began after the request arrived. */
  #writeAt({ process, engine, node }: Running, request: Request, since: number, deadlineMs: number): void {
    const { proof } = node
    if (node.role !== 'owning' || proof === null) return
    // A node that lost the ownership may not know the caller yet, or what the request names. The server then refuses it.
    if (!this.#audit.isKnownTo(engine, request.envelope.command)) return
    const mark = proof.mark()
    engine.submit(request.envelope, {
      settle: (outcome) => {
        const sequence = engine.durableSequence
        const answer = (): void => this.#reply(process, () => this.#takeOutcome(request, outcome, since, sequence, deadlineMs))
        proof.whenProven(mark).then(answer, () => {})
      },
    })
  }

  #takeOutcome(request: Request, outcome: Outcome, since: number, sequence: number, deadlineMs: number): void {
    if (this.#machine.nowMs > deadlineMs) return
    this.#audit.takeAnswer(since, sequence, `the answer to ${request.envelope.command.type}`)
    this.#audit.takeOutcome(request, outcome)
    if (request.outcome === null) this.figures.acknowledged++
    request.outcome ??= outcome
    if (outcome.replayed) this.figures.replayed++
  }

  #read(at: SimNode): void {
    this.figures.reads++
    const since = this.#audit.shown
    this.#machine.after(this.#network.delayMs(), at.process, 'read', () => {
      const { running } = at
      if (running === null) return
      const { process, engine, node } = running
      const read = (): void => {
        if (node.role === 'handed over' || node.role === 'stopped') return
        const sequence = engine.lastSequence
        const balances = balancesOf(engine)
        engine.whenDurable(() => this.#reply(process, () => this.#takeRead(at, since, sequence, balances)))
      }
      node.barrier().then(read, () => {})
    })
  }

  #takeRead(at: SimNode, since: number, sequence: number, balances: readonly number[]): void {
    this.figures.readsAnswered++
    this.#audit.takeAnswer(since, sequence, `a read at ${at.name}`)
    this.#audit.takeBalances(sequence, balances)
  }

  /** Sends an answer to its client, unless the process has ended. */
  #reply(process: SimProcess, take: () => void): void {
    if (process.isDead || process.isFrozen) return
    this.#machine.after(this.#network.delayMs(), null, 'answer', take)
  }

  /** Without faults each request gets its answer, by the same keys. */
  async #answerAll(): Promise<void> {
    const isOpen = ({ outcome }: Request): boolean => outcome === null
    let nextMs = 0
    await this.#until(() => {
      const open = this.#requests.filter(isOpen)
      if (open.length > 0 && this.#machine.nowMs >= nextMs) {
        nextMs = this.#machine.nowMs + 500
        for (const request of open.slice(0, 50)) this.#write(request)
      }
      return open.length === 0
    }, REST_MAX_MS)
  }

  /** All nodes, the log and a replay of it are the same. */
  async #compareAll(): Promise<void> {
    // By process: one that ends meanwhile, fenced, never answers, and its node is asked again.
    const asked = new Map<SimNode, SimNode['running']>()
    const answered = new Set<SimNode['running']>()
    const compare = async (node: SimNode): Promise<void> => {
      const { running } = node
      assert.ok(running !== null)
      await running.node.barrier()
      answered.add(running)
    }
    await this.#until(() => {
      for (const node of this.#nodes) {
        if (node.running === null || asked.get(node) === node.running) continue
        asked.set(node, node.running)
        this.#machine.within(node.process, () => compare(node).catch(() => asked.delete(node)))
      }
      const sequences = this.#nodes.map(({ running }) => running?.engine.lastSequence)
      const areAll = this.#nodes.every(({ running }) => answered.has(running))
      return areAll && sequences.every((sequence) => sequence === this.#audit.auditor.sequence)
    }, REST_MAX_MS)
    const replayed = newState()
    for (const record of this.#audit.auditor.records) replayRecord(replayed, record)
    const expected = stateRows(replayed)
    for (const { name, running } of this.#nodes) {
      assert.ok(running !== null)
      this.#audit.auditor.models.compare(running.engine.state)
      assert.deepEqual(stateRows(running.engine.state), expected, `node ${name} has what a replay gives`)
    }
    this.#audit.checkServer(this.#faults.primary)
  }

  /** Nothing is missing in any stream. */
  #readStreams(): Promise<void> {
    const { accounts } = this.#audit.auditor.models
    return this.#until(() => this.#streams.haveAll((account) => accounts.account(account).frames), REST_MAX_MS)
  }

  async #until(isDone: () => boolean, withinMs: number): Promise<void> {
    const endMs = this.#machine.nowMs + withinMs + 1
    for (let steps = 0; !isDone(); steps++) {
      assert.ok(this.#machine.nowMs <= endMs && steps < STEPS_MAX, `the cluster comes to rest within ${withinMs} ms`)
      const process = await this.#machine.step()
      const ran = process === null ? undefined : this.#nodes.find((node) => node.process === process)
      if (ran?.running != null) assertMoneyAddsUp(ran.running.engine.state)
    }
  }
}

function balancesOf({ state }: Engine): readonly number[] {
  return Array.from({ length: state.accounts.count }, (_, account) => state.accounts.balance(account))
}

/** Commands that the nodes of this simulation submit themselves. */
const OWN: ReadonlySet<CommandType> = new Set(['RecordDeliveries'])
/** Share of all weights that is added to commands that move money, write to streams and call webhooks. */
const MORE: Readonly<Partial<Record<CommandType, number>>> = {
  ...{ CreateTestWallet: 0.06, Deposit: 0.2, CreatePayout: 0.2, CreateBatch: 0.06, CreateTransfer: 0.2 },
  ...{ CreateCharge: 0.1, PayCharge: 0.1, CreateEndpoint: 0.06 },
}

function weightsOf(seed: number): ReadonlyMap<CommandType, number> {
  const weights = new Map([...settingsOf(seed).weights].filter(([type]) => !OWN.has(type)))
  const sum = [...weights.values()].reduce((total, weight) => total + weight, 0)
  for (const [type, share] of Object.entries(MORE) as [CommandType, number][]) weights.set(type, (weights.get(type) ?? 0) + share * sum)
  return weights
}
