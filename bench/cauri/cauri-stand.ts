// Cauri's part of the test stand: the initial data folder, copies of it, and the servers on them. The initial folder is never opened
// again, so that all copies are equal.
import { randomBytes } from 'node:crypto'
import { constants, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { MerchantKeys } from '../load/population.ts'
import { type CauriServer, startCauri } from './cauri-server.ts'
import { ClusterStand } from './cluster-stand.ts'
import { fillDataFolder } from './data-folder.ts'
import { openSessions } from './sessions.ts'

export interface CauriStandOptions {
  /** Folder for all written data. The caller removes it. */
  readonly folder: string
  readonly projectFolder: string
  readonly merchants: readonly MerchantKeys[]
  readonly wallets: number
  readonly nodeFlags: readonly string[]
}

export interface StartOptions {
  readonly profileFolder?: string
  readonly isInspected?: true
  readonly httpThreads?: number
  readonly traceFile?: string
  /** RATE_LIMIT_LIVE; 0 when absent: no limit. */
  readonly rateLimit?: number
  /** Behind those of the run. */
  readonly nodeFlags?: readonly string[]
}

export class CauriStand {
  readonly #options: CauriStandOptions
  readonly #masterKey = randomBytes(32)
  readonly #started: CauriServer[] = []
  #filled: Promise<string> | null = null
  #shared: Promise<CauriServer> | null = null
  #copies = 0

  constructor(options: CauriStandOptions) {
    this.#options = options
  }

  /** Returns the server that all load rows share, on its own folder. */
  server(): Promise<CauriServer> {
    this.#shared ??= this.freshFolder().then((dataDir) => this.start(dataDir))
    return this.#shared
  }

  /**
   * Starts PostgreSQL with a synchronous standby that holds the log of the initial folder. The caller closes it. Two folders are ready
   * for its nodes: `cluster-first` and `cluster-second`.
   */
  async cluster(): Promise<ClusterStand> {
    const { folder, projectFolder } = this.#options
    const dataDir = await this.freshFolder()
    const cluster = await ClusterStand.start({ folder: join(folder, 'cluster'), dataDir, masterKey: this.#masterKey, projectFolder })
    for (const name of ['cluster-first', 'cluster-second']) cpSync(dataDir, join(folder, name), { recursive: true })
    return cluster
  }

  /** Returns a copy of the initial folder: all merchants and wallets, no payouts, a current snapshot. */
  async freshFolder(): Promise<string> {
    this.#filled ??= this.#fill()
    return this.copyOf(await this.#filled)
  }

  /** Returns a fresh folder with this number of signed-in wallets, and an access token of each, valid for an hour. */
  async folderWithSessions(count: number): Promise<{ readonly dataDir: string; readonly tokens: readonly string[] }> {
    const dataDir = await this.freshFolder()
    return { dataDir, tokens: await openSessions({ dataDir, masterKey: this.#masterKey, count }) }
  }

  /** Returns a new folder with this number of wallets. */
  async folderOf(wallets: number): Promise<string> {
    const { folder, merchants } = this.#options
    const dataDir = join(folder, `wallets-${++this.#copies}`)
    await fillDataFolder({ dataDir, masterKey: this.#masterKey, merchants, wallets })
    return dataDir
  }

  /** Copies a folder that no process has open, without the marker of a clean stop: a server starts as after a crash. */
  copyOf(dataDir: string): string {
    const copy = join(this.#options.folder, `copy-${++this.#copies}`)
    cpSync(dataDir, copy, { recursive: true, mode: constants.COPYFILE_FICLONE })
    return copy
  }

  /** Starts a server. The caller stops it, or the stand does when it closes. */
  async start(dataDir: string, more: StartOptions = {}): Promise<CauriServer> {
    const { projectFolder, nodeFlags } = this.#options
    const { profileFolder = null, isInspected = false, httpThreads = 0, traceFile = null, rateLimit = 0 } = more
    const masterKey = this.#masterKey
    const flags = [...nodeFlags, ...(more.nodeFlags ?? [])]
    const process = { projectFolder, profileFolder, isInspected, httpThreads, traceFile, nodeFlags: flags, rateLimit }
    const server = await startCauri({ dataDir, masterKey, ...process })
    this.#started.push(server)
    return server
  }

  remove(dataDir: string): void {
    rmSync(dataDir, { recursive: true, force: true })
  }

  async close(): Promise<void> {
    for (const server of this.#started) await server.stop()
  }

  async #fill(): Promise<string> {
    const { folder, merchants, wallets } = this.#options
    const dataDir = join(folder, 'filled')
    await fillDataFolder({ dataDir, masterKey: this.#masterKey, merchants, wallets })
    return dataDir
  }
}
