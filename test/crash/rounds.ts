// Rounds of kill -9: start the real server on what the last crash left, check everything, load it, kill it at some moment.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Prng } from '../support/prng.ts'
import { launch, type ServerProcess, startServer } from '../support/server-process.ts'
import { checkBooks, checkKeys } from './checks.ts'
import { Load } from './load.ts'
import { type CrashMerchant, openMerchants } from './merchants.ts'
import { Wire } from './wire.ts'

export interface CrashReport {
  readonly rounds: number
  readonly acknowledged: number
  /** Payouts whose answer a kill had cut off. */
  readonly cutOff: number
  readonly killsWhileStarting: number
  /** Rounds that ended by SIGTERM, in the middle of the same load. */
  readonly stops: number
  readonly archivesDeleted: number
}

export interface CrashOptions {
  readonly rounds: number
  readonly seed: number
  readonly onRound?: (text: string) => void
}

const SETTINGS = { NODE_ENV: 'production', LOG_LEVEL: 'info' } as const
/** Answers of a round before the kill, at most. */
const ANSWERS_MAX = 800
const START_MAX_MS = 1500

/** Throws at the first thing that is lost, doubled or different. */
export async function runCrashRounds({ rounds, seed, onRound }: CrashOptions): Promise<CrashReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'cauri-crash-'))
  const run = new CrashRun(dataDir, new Prng(seed))
  try {
    for (let round = 1; round <= rounds; round++) {
      const line = await run.round(round)
      onRound?.(line)
    }
    return await run.finish(rounds)
  } finally {
    await run.remove()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

class CrashRun {
  readonly #dataDir: string
  readonly #prng: Prng
  #server: ServerProcess | null = null
  #merchants: CrashMerchant[] = []
  #acknowledged = 0
  #cutOff = 0
  #killsWhileStarting = 0
  #stops = 0
  #archivesDeleted = 0

  constructor(dataDir: string, prng: Prng) {
    this.#dataDir = dataDir
    this.#prng = prng
  }

  async round(round: number): Promise<string> {
    if (round > 1) await this.#disturb()
    const { server, wire } = await this.#start()
    const recovered = server.lines.find((line) => line.includes('"recovered"')) ?? ''
    if (round === 1) this.#merchants = await openMerchants(wire)
    else await this.#check(wire, round - 1, round % 5 === 0)
    const isStop = this.#prng.chance(0.15)
    const ends: Promise<number | null>[] = []
    const stop = (): void => {
      ends.push(isStop ? server.terminate() : server.kill().then(() => null))
    }
    const load = new Load(wire, this.#merchants, this.#prng, round, 1 + this.#prng.below(ANSWERS_MAX), stop)
    await load.run()
    const [code] = await Promise.all(ends)
    if (isStop) {
      this.#stops++
      assert.equal(code, 0, `a stop under load is a clean one: ${server.errorOutput()}${server.lines.slice(-3).join('\n')}`)
    }
    wire.close()
    this.#server = null
    const unknown = this.#unknown()
    this.#acknowledged += load.acknowledged
    this.#cutOff += unknown
    return `round ${round}: ${isStop ? 'SIGTERM' : 'SIGKILL'} after ${load.acknowledged} answers, ${unknown} cut off; recovered ${/"replayed_records":\d+/.exec(recovered)?.[0] ?? recovered}`
  }

  async finish(rounds: number): Promise<CrashReport> {
    const { server, wire } = await this.#start()
    await this.#check(wire, null, true)
    wire.close()
    assert.equal(await server.terminate(), 0)
    // A clean stop, and everything once more from snapshot and index alone.
    const again = await this.#start()
    await this.#check(again.wire, null, true)
    again.wire.close()
    await again.server.remove()
    this.#server = null
    return {
      rounds,
      acknowledged: this.#acknowledged,
      cutOff: this.#cutOff,
      killsWhileStarting: this.#killsWhileStarting,
      stops: this.#stops,
      archivesDeleted: this.#archivesDeleted,
    }
  }

  async remove(): Promise<void> {
    await this.#server?.remove()
  }

  async #start(): Promise<{ server: ServerProcess; wire: Wire }> {
    const server = await startServer({ dataDir: this.#dataDir, settings: SETTINGS })
    this.#server = server
    return { server, wire: new Wire(server.baseUrl) }
  }

  /** Before some starts: one that is killed on its way, or an archive that was deleted. */
  async #disturb(): Promise<void> {
    if (this.#prng.chance(0.2)) {
      this.#archivesDeleted++
      rmSync(join(this.#dataDir, 'archive'), { recursive: true, force: true })
    }
    if (!this.#prng.chance(0.25)) return
    this.#killsWhileStarting++
    const starting = launch({ dataDir: this.#dataDir, settings: SETTINGS })
    // The moment of the kill is meant to be any: nothing is waited for.
    const timer = setTimeout(() => process.kill(starting.pid, 'SIGKILL'), this.#prng.below(START_MAX_MS))
    await starting.exited
    clearTimeout(timer)
  }

  async #check(wire: Wire, round: number | null, withBooks: boolean): Promise<void> {
    await checkKeys(wire, this.#merchants, round, this.#prng)
    assert.equal(this.#unknown(), 0)
    if (withBooks) await checkBooks(wire, this.#merchants)
  }

  #unknown(): number {
    return this.#merchants.reduce((count, { sent }) => count + [...sent.values()].filter(({ told }) => told === null).length, 0)
  }
}
