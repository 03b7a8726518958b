// Nodes of a cluster inside the test's process: each with a data folder, a copy of the log and an engine of its own.
import { randomFillSync } from 'node:crypto'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { Engine } from '../../engine/actor/engine.ts'
import { snapshotRows } from '../../engine/actor/snapshot.ts'
import type { NounRegistry } from '../../engine/domain/noun-registry.ts'
import { ClusterNode, type Role } from '../../wal/cluster/cluster-node.ts'
import { joinCluster } from '../../wal/cluster/join-cluster.ts'
import { LocalCopy } from '../../wal/cluster/local-copy.ts'
import { openDataFolder } from '../../wal/folder/open-folder.ts'
import { parsePostgresUrl } from '../../wal/log/postgres-hosts.ts'
import { closeLater, scratchFolder } from './scratch-folder.ts'

export interface TestNodeOptions {
  readonly url: string
  readonly name: string
  readonly dataDir: string
  readonly takeoverAfterMs?: number
  readonly keyCheck?: string
  readonly statementTimeoutMs?: number
  /** The nouns of another release. */
  readonly registry?: NounRegistry
}

export class TestNode {
  readonly node: ClusterNode
  readonly dataDir: string
  readonly engine: Engine
  readonly roles: Role[]
  readonly fatals: Error[]
  readonly #release: () => Promise<void>
  #isStopped = false

  private constructor(parts: Pick<TestNode, 'node' | 'dataDir' | 'engine' | 'roles' | 'fatals'>, release: () => Promise<void>) {
    const { node, dataDir, engine, roles, fatals } = parts
    this.node = node
    this.dataDir = dataDir
    this.engine = engine
    this.roles = roles
    this.fatals = fatals
    this.#release = release
  }

  static async start(options: TestNodeOptions): Promise<TestNode> {
    const { url, name, dataDir, takeoverAfterMs = 60_000, keyCheck = 'key', statementTimeoutMs, registry } = options
    const [fatals, roles]: [Error[], Role[]] = [[], []]
    const postgres = {
      hosts: parsePostgresUrl(url),
      name: { node: name, url: `http://${name}` },
      allowsUnsafe: false,
      onWarning: () => {},
      ...(statementTimeoutMs === undefined ? {} : { statementTimeoutMs }),
    }
    const { logId: copyOf } = await joinCluster(postgres, keyCheck)
    const folder = await openDataFolder({ dataDir, copyOf, onWarning: () => {} })
    const onFatal = (error: Error): void => void fatals.push(error)
    let engine: Engine | null = null
    const copy = new LocalCopy({ log: folder.log, onStored: () => engine?.copied(), onFailure: onFatal })
    const nouns = registry === undefined ? {} : { registry }
    engine = await Engine.follow({ localLog: copy, archive: folder.archive, ...REAL, ...nouns, onFatal }, copy).catch(async (error) => {
      await folder.close()
      throw error
    })
    const node = new ClusterNode({
      postgres,
      takeoverAfterMs,
      copy,
      replica: engine,
      onRole: (role) => roles.push(role),
      onFatal,
      pollMs: 50,
    })
    const started = new TestNode({ node, dataDir, engine, roles, fatals }, () => folder.close())
    try {
      await node.start()
    } catch (error) {
      await started.stop().catch(onFatal)
      throw error
    }
    return started
  }

  rows(): Map<string, string> {
    return new Map(Array.from(snapshotRows(this.engine.state), ({ key, value }): [string, string] => [key, value]).sort())
  }

  /** As SIGTERM does: finishes, hands over, closes. */
  async stop(): Promise<void> {
    if (this.#isStopped) return
    this.#isStopped = true
    await this.node.prepareStop()
    await this.engine.close().catch((error: Error) => void this.fatals.push(error))
    await this.node.stop()
    await this.#release()
  }
}

const REAL = {
  clock: { now: () => Date.now() },
  random: { fill: (target: Uint8Array) => void randomFillSync(target) },
  scheduler: {
    soon: (run: () => void) => void setImmediate(run),
    at: (timeMs: number, run: () => void) => {
      const timer = setTimeout(run, Math.max(0, timeMs - Date.now()))
      return () => clearTimeout(timer)
    },
  },
}

/** Starts nodes that are stopped, last first, when the test ends. A name that comes again has the data folder of before. */
export function nodesOf(test: TestContext, url: string): (name: string, more?: Partial<TestNodeOptions>) => Promise<TestNode> {
  const folder = scratchFolder(test)
  return async (name, more = {}) => {
    const node = await TestNode.start({ url, name, dataDir: join(folder, name), ...more })
    closeLater(test, { close: () => node.stop() })
    return node
  }
}
