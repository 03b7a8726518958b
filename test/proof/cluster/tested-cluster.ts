// A primary and its synchronous standby, three nodes, and TCP proxies between each node and each PostgreSQL server. A node that has
// ended is started again, as by a supervisor; an end that no fault explains is recorded.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../bench/process/free-port.ts'
import { nodeSettings } from '../../support/cluster-servers.ts'
import { Patience } from '../../support/patience.ts'
import { newDatabase, type PostgresServer, startPair, startStandby } from '../../support/postgres.ts'
import { type ServerOptions, type ServerProcess, startServer } from '../../support/server-process.ts'
import { TcpProxy } from '../../support/tcp-proxy.ts'
import { hasWantedEnd, lastOutput } from './node-ends.ts'
import { pause } from './pause.ts'

export const NODES = ['a', 'b', 'c'] as const
export type NodeName = (typeof NODES)[number]

/** Texts of failed starts that are tried again: no PostgreSQL takes writes at this time. */
const WANTED_START_FAILURES = /log_unreachable|No PostgreSQL server|Another node owns the log now|ECONNRESET|Connection terminated|timeout/i
const SHIFTED_CLOCK = fileURLToPath(new URL('../../support/shifted-clock.js', import.meta.url))
const OWNER_MAX_MS = 180_000
const RESTART_PAUSE_MS = 200

export interface NodeHealth {
  readonly role: string
  readonly epoch: number
  readonly sequence: number
}

interface Node {
  readonly port: number
  /** To the two places of PostgreSQL servers. */
  readonly proxies: readonly [TcpProxy, TcpProxy]
  /** NODE_URL of the node. */
  readonly entry: TcpProxy
  server: ServerProcess | null
  /** Clients send requests to it. */
  isListed: boolean
  /** Ended by the test. */
  isEnding: boolean
  /** Stays down when it has ended. */
  isHeld: boolean
  starting: Promise<void> | null
}

export interface TestedClusterOptions {
  readonly settings?: Readonly<Record<string, string>>
  /** A bundled server to start instead of the usual one. */
  readonly program?: string
}

export class TestedCluster {
  readonly #folder = mkdtempSync(join(tmpdir(), 'cauri-rounds-'))
  readonly #options: TestedClusterOptions
  readonly #database: string
  readonly #nodes = new Map<NodeName, Node>()
  /** Place 0 and 1 of WAL_POSTGRES_URL. */
  readonly #places: [PostgresServer, PostgresServer]
  #primaryPlace: 0 | 1 = 0
  #isClosed = false
  /** What no fault explains. */
  readonly unexpected: string[] = []
  /** Credentials of the reads that faults make; set when the accounts are open. */
  readHeaders: Readonly<Record<string, string>> = {}
  readonly #onExit = (): void => {
    for (const { server } of this.#nodes.values()) if (server !== null) process.kill(server.pid, 'SIGKILL')
  }

  private constructor(options: TestedClusterOptions, places: [PostgresServer, PostgresServer], database: string) {
    this.#options = options
    this.#places = places
    this.#database = database
    process.once('exit', this.#onExit)
  }

  static async start(options: TestedClusterOptions = {}): Promise<TestedCluster> {
    const pair = await startPair()
    const cluster = new TestedCluster(options, [pair.primary, pair.standby], await newDatabase(pair.primary))
    try {
      for (const name of NODES) await cluster.#add(name)
      await cluster.#start('a')
      await Promise.all([cluster.#start('b'), cluster.#start('c')])
      return cluster
    } catch (error) {
      await cluster.remove()
      throw error
    }
  }

  get primary(): PostgresServer {
    return this.#places[this.#primaryPlace]
  }

  get standby(): PostgresServer {
    return this.#places[this.standbyPlace]
  }

  /** Nodes that clients send requests to. */
  get listed(): readonly NodeName[] {
    return NODES.filter((name) => this.#node(name).isListed)
  }

  baseUrl(name: NodeName): string {
    return `http://127.0.0.1:${this.#node(name).port}`
  }

  proxies(name: NodeName): readonly TcpProxy[] {
    return this.#node(name).proxies
  }

  /** What other nodes reach the node through. */
  entry(name: NodeName): TcpProxy {
    return this.#node(name).entry
  }

  /** Sets the wall clock of the node's machine, now and at later starts. */
  setClock(name: NodeName, aheadMs: number): void {
    writeFileSync(this.#clockFile(name), String(aheadMs))
  }

  /** Settings of a further process beside the node of this name. */
  async strayOptions(name: NodeName, settings: Readonly<Record<string, string>>): Promise<ServerOptions> {
    const options = this.#optionsOf(name, this.#node(name))
    const all = { ...options.settings, PORT: String(await freePort()), ...settings }
    return { ...options, dataDir: join(this.#folder, 'stray'), settings: all }
  }

  async health(name: NodeName): Promise<NodeHealth | null> {
    try {
      const answer = await fetch(`${this.baseUrl(name)}/healthz`, { signal: AbortSignal.timeout(2000) })
      return answer.status === 200 ? ((await answer.json()) as NodeHealth) : null
    } catch {
      return null
    }
  }

  /** The owner, once there is one. With two that say so, the one of the newer epoch. */
  async owner(): Promise<NodeName> {
    for (const patience = new Patience(OWNER_MAX_MS); ; ) {
      const healths = await Promise.all(NODES.map(async (name) => ({ name, health: await this.health(name) })))
      const owners = healths.filter(({ health }) => health?.role === 'owner')
      owners.sort((one, other) => (other.health?.epoch ?? 0) - (one.health?.epoch ?? 0))
      if (owners[0] !== undefined) return owners[0].name
      if (patience.isOver) throw new Error(`no owner after ${OWNER_MAX_MS} ms`)
      await pause(RESTART_PAUSE_MS)
    }
  }

  /** SIGKILL. Unless it is held, it is started again. */
  async kill(name: NodeName, isHeld = false): Promise<void> {
    const node = this.#node(name)
    node.isEnding = true
    node.isHeld = isHeld
    await node.server?.kill()
  }

  /** SIGTERM, after clients stopped sending requests to it. Resolves with the exit code; the node stays down until `restart`. */
  async terminate(name: NodeName): Promise<number | null> {
    const node = this.#node(name)
    node.isListed = false
    node.isEnding = true
    node.isHeld = true
    const { server } = node
    const code = (await server?.terminate()) ?? null
    if (code !== 0 && server !== null) this.unexpected.push(`${name} stopped in order with code ${code}: ${lastOutput(server)}`)
    return code
  }

  /** SIGSTOP. Clients stop sending requests to it, as a load balancer would see to. */
  freeze(name: NodeName): void {
    const node = this.#node(name)
    node.isListed = false
    if (node.server !== null) process.kill(node.server.pid, 'SIGSTOP')
  }

  /** SIGCONT. Clients send requests to it at once, before it can know that it was away. */
  resume(name: NodeName): void {
    const node = this.#node(name)
    node.isListed = node.server !== null
    if (node.server !== null) process.kill(node.server.pid, 'SIGCONT')
  }

  /** Starts a node that was held. */
  async restart(name: NodeName): Promise<void> {
    const node = this.#node(name)
    node.isHeld = false
    await (node.starting ?? (node.server === null ? this.#start(name) : null))
  }

  /** Resolves when all nodes answer with what they know to be current. */
  async untilAllAnswer(): Promise<void> {
    for (const patience = new Patience(OWNER_MAX_MS); ; ) {
      await this.owner()
      const healths = await Promise.all(NODES.map((name) => this.health(name)))
      if (healths.every((health) => health !== null)) return
      if (patience.isOver) throw new Error(`not all nodes answer after ${OWNER_MAX_MS} ms: ${JSON.stringify(healths)}`)
      await pause(RESTART_PAUSE_MS)
    }
  }

  /** The primary's machine fails, its standby is promoted, and a new standby is made of it, after `alone`. */
  async failOver(alone: () => Promise<void> = async () => {}): Promise<void> {
    const lost = this.primary
    await lost.kill()
    await this.standby.promote()
    this.#primaryPlace = this.standbyPlace
    await lost.remove()
    await alone()
    const standby = await startStandby(this.primary)
    this.#places[this.standbyPlace] = standby
    for (const { proxies } of this.#nodes.values()) proxies[this.standbyPlace].targetPort = standby.port
  }

  async remove(): Promise<void> {
    this.#isClosed = true
    process.off('exit', this.#onExit)
    for (const node of this.#nodes.values()) {
      await node.starting
      await node.server?.remove()
      for (const proxy of [...node.proxies, node.entry]) await proxy.close()
    }
    for (const server of this.#places) await server.remove()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #clockFile(name: NodeName): string {
    return join(this.#folder, `${name}.clock`)
  }

  get standbyPlace(): 0 | 1 {
    return this.#primaryPlace === 0 ? 1 : 0
  }

  #node(name: NodeName): Node {
    const node = this.#nodes.get(name)
    if (node === undefined) throw new Error(`no node ${name}`)
    return node
  }

  async #add(name: NodeName): Promise<void> {
    const [first, second] = this.#places
    const proxies = [await TcpProxy.start(first.port), await TcpProxy.start(second.port)] as const
    const state = { isListed: false, isEnding: false, isHeld: false, server: null, starting: null }
    const port = await freePort()
    this.#nodes.set(name, { port, proxies, entry: await TcpProxy.start(port), ...state })
  }

  #start(name: NodeName): Promise<void> {
    const node = this.#node(name)
    node.starting = this.#startUntilUp(name, node).finally(() => {
      node.starting = null
    })
    return node.starting
  }

  async #startUntilUp(name: NodeName, node: Node): Promise<void> {
    while (!this.#isClosed) {
      try {
        const server = await startServer(this.#optionsOf(name, node))
        node.server = server
        node.isEnding = false
        node.isListed = true
        void server.exited.then((code) => this.#afterEnd(name, node, server, code))
        return
      } catch (error) {
        const { message } = error as Error
        if (!WANTED_START_FAILURES.test(message)) this.unexpected.push(`${name} did not start: ${message.slice(-2000)}`)
        await pause(RESTART_PAUSE_MS)
      }
    }
  }

  #optionsOf(name: NodeName, { port, proxies, entry }: Node): ServerOptions {
    const hosts = proxies.map((proxy) => `127.0.0.1:${proxy.port}`).join(',')
    const url = this.primary.url(this.#database).replace(/@[^/]+\//, `@${hosts}/`)
    const own = { NODE_URL: `http://127.0.0.1:${entry.port}`, TEST_CLOCK_FILE: this.#clockFile(name) }
    const settings = { ...nodeSettings(name, port, url), ...this.#options.settings, ...own }
    const { program } = this.#options
    return {
      dataDir: join(this.#folder, name),
      settings,
      nodeFlags: ['--import', SHIFTED_CLOCK],
      ...(program === undefined ? {} : { program }),
    }
  }

  async #afterEnd(name: NodeName, node: Node, server: ServerProcess, code: number | null): Promise<void> {
    node.isListed = false
    node.server = null
    const isWanted = node.isEnding || (await hasWantedEnd(server))
    if (!isWanted) this.unexpected.push(`${name} ended with ${code}: ${lastOutput(server)}`)
    if (!node.isHeld && !this.#isClosed) void this.#start(name)
  }
}
