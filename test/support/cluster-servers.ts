// Real servers that are the nodes of one cluster: three processes over one PostgreSQL with a synchronous standby.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../bench/process/free-port.ts'
import { eventuallyAsync } from './eventually.ts'
import { type ServerProcess, startServer } from './server-process.ts'

const CLUSTER_SECRET = Buffer.from('a cluster secret of the tests 32').toString('base64')

/** Settings of a node that listens on the port. */
export function nodeSettings(name: string, port: number, postgresUrl: string): Readonly<Record<string, string>> {
  return {
    PORT: String(port),
    WAL: 'postgres',
    WAL_POSTGRES_URL: postgresUrl,
    NODE_URL: `http://127.0.0.1:${port}`,
    NODE_NAME: name,
    CLUSTER_SECRET,
    BASE_URL: 'http://127.0.0.1:8080',
  }
}

export interface NodeHealth {
  readonly role: string
  readonly epoch: number
  readonly sequence: number
  readonly lag_ms: number
}

export class ClusterServers {
  readonly #postgresUrl: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'cauri-cluster-'))
  readonly #ports = new Map<string, number>()
  readonly nodes = new Map<string, ServerProcess>()

  constructor(postgresUrl: string) {
    this.#postgresUrl = postgresUrl
  }

  /** A name that comes again has the port and the data folder of before. */
  async start(name: string, settings: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
    const port = this.#ports.get(name) ?? (await freePort())
    this.#ports.set(name, port)
    const server = await startServer({
      dataDir: join(this.#folder, name),
      settings: { ...nodeSettings(name, port, this.#postgresUrl), ...settings },
    })
    this.nodes.set(name, server)
    return server
  }

  node(name: string): ServerProcess {
    const server = this.nodes.get(name)
    if (server === undefined) throw new Error(`no node ${name}`)
    return server
  }

  async health(name: string): Promise<NodeHealth | null> {
    const answer = await fetch(`${this.node(name).baseUrl}/healthz`)
    const text = await answer.text()
    return answer.status === 200 ? (JSON.parse(text) as NodeHealth) : null
  }

  becomesOwner(name: string): Promise<void> {
    return eventuallyAsync(async () => (await this.health(name))?.role === 'owner', `${name} to own the log`)
  }

  async remove(): Promise<void> {
    for (const server of this.nodes.values()) await server.remove()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
