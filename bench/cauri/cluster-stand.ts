// Nodes of a cluster for the bench: the log of a filled data folder, moved to PostgreSQL with a synchronous standby, and the servers
// around it.
import { randomBytes } from 'node:crypto'
import { processEntry } from '../../engine/kernel/script-entry.ts'
import { copyBetween } from '../../wal/tools/copy-between.ts'
import { readPlace } from '../../wal/tools/log-place.ts'
import type { Subject } from '../measure.ts'
import { freePort } from '../process/free-port.ts'
import { type ServerProcess, startServer } from '../process/server-process.ts'
import { type PostgresPair, startPostgresPair } from '../rivals/postgres-pair.ts'
import { HEAP_FLAGS, MALLOC_VARIABLES, PROGRAM } from './cauri-server.ts'

const ROLE_DEADLINE_MS = 60_000
const ROLE_POLL_MS = 20

export interface ClusterStandOptions {
  /** Folder for the PostgreSQL servers. */
  readonly folder: string
  /** Filled folder. Its log is moved to PostgreSQL; it is then a node's copy. */
  readonly dataDir: string
  readonly masterKey: Uint8Array
  readonly projectFolder: string
}

export interface ClusterNode extends Subject {
  readonly name: string
  readonly dataDir: string
  /** SIGKILL. */
  kill(): void
  /** SIGTERM: hands the log over. */
  stop(): Promise<void>
}

export class ClusterStand {
  readonly #options: ClusterStandOptions
  readonly #pair: PostgresPair
  readonly #secret = randomBytes(32)
  readonly #started: ServerProcess[] = []

  private constructor(options: ClusterStandOptions, pair: PostgresPair) {
    this.#options = options
    this.#pair = pair
  }

  /** Throws RivalUnavailable where PostgreSQL is not installed. */
  static async start(options: ClusterStandOptions): Promise<ClusterStand> {
    const pair = await startPostgresPair(options.folder)
    try {
      await copyBetween({ from: readPlace(options.dataDir), to: readPlace(pair.url), program: 'log-copy', moves: true })
      return new ClusterStand(options, pair)
    } catch (error) {
      await pair.stop()
      throw error
    }
  }

  get url(): string {
    return this.#pair.url
  }

  /** Starts a node. A folder that is a copy of the log is continued, an empty one is filled from PostgreSQL. */
  async node(name: string, dataDir: string): Promise<ClusterNode> {
    const port = await freePort()
    const server = await startServer({
      name: `node ${name}`,
      args: [...HEAP_FLAGS, ...processEntry(PROGRAM)],
      cwd: this.#options.projectFolder,
      env: {
        ...MALLOC_VARIABLES,
        NODE_ENV: 'production',
        HOST: '127.0.0.1',
        PORT: String(port),
        DATA_DIR: dataDir,
        MASTER_KEY: Buffer.from(this.#options.masterKey).toString('base64'),
        RATE_LIMIT_LIVE: '0',
        RATE_LIMIT_TEST: '0',
        WAL: 'postgres',
        WAL_POSTGRES_URL: this.#pair.url,
        NODE_URL: `http://127.0.0.1:${port}`,
        NODE_NAME: name,
        CLUSTER_SECRET: this.#secret.toString('base64'),
      },
    })
    this.#started.push(server)
    const { pid, lastLines } = server
    const stop = async (): Promise<void> => void (await server.stop())
    return { name, dataDir, port: server.port, pids: [pid], lastLines, kill: () => void process.kill(pid, 'SIGKILL'), stop }
  }

  async close(): Promise<void> {
    for (const server of this.#started) await server.stop()
    await this.#pair.stop()
  }
}

/** Resolves when the node has the role. */
export async function awaitRole(node: ClusterNode, role: 'owner' | 'follower'): Promise<void> {
  for (const endMs = performance.now() + ROLE_DEADLINE_MS; performance.now() < endMs; ) {
    const answer = await fetch(`http://127.0.0.1:${node.port}/healthz`)
    const health = (await answer.json()) as { role?: string; lag_ms?: number }
    if (health.role === role && answer.status === 200) return
    await new Promise((resolve) => setTimeout(resolve, ROLE_POLL_MS))
  }
  throw new Error(`node ${node.name} did not become ${role}:\n${node.lastLines.join('\n')}`)
}
