// One attack from start to end: a server of its own, honest traffic alone, then honest traffic beside the attacker's process.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { cpuSecondsOf, machineSeconds } from '../../../bench/process/cpu-time.ts'
import { processEntry } from '../../../engine/kernel/script-entry.ts'
import { LOCALHOST_CERTIFICATE } from '../../support/receiver.ts'
import { startServer } from '../../support/server-process.ts'
import { startFlags, startVariables } from '../../support/start-flags.ts'
import type { Attack, AttackFigures } from './attack.ts'
import { HonestTraffic } from './honest-traffic.ts'
import type { KindReport } from './samples.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const ATTACKER = new URL('./attacker.ts', import.meta.url)
const LATENCY_RATIO_MAX = 2
const PREPARE_MAX_MS = 240_000
/** Attackers that check their work at the end wait up to 60 s for it. */
const STOP_MAX_MS = 90_000

export interface AttackReport {
  readonly kinds: readonly KindReport[]
  readonly figures: AttackFigures
  /** Null where there is no /proc. */
  readonly processor: ProcessorShares | null
}

/** Cores that each side used on average while honest traffic ran: one is a whole core. */
export interface ProcessorShares {
  readonly server: number
  readonly attacker: number
  readonly honest: number
  /** Everything else on the machine: it should be nothing. */
  readonly others: number
}

/** Lengths of the three phases: a baseline on cold code would hide a delay. */
export interface AttackLengths {
  readonly warmUpSeconds: number
  readonly baselineSeconds: number
  /** Beside the attack. */
  readonly seconds: number
}

export interface AttackSetting extends AttackLengths {
  readonly httpThreads: number
  /** Lookups and bill payments a second of honest callers. */
  readonly billsPerSecond: number
}

export async function runAttack(attack: Attack, setting: AttackSetting): Promise<AttackReport> {
  const { kinds, figures, processor } = await runInTurn([attack], setting)
  return { kinds, figures: figures[0] ?? {}, processor }
}

/** Honest traffic of all phases, and the figures of each attack. */
export interface TurnsReport {
  readonly kinds: readonly KindReport[]
  readonly figures: readonly AttackFigures[]
  /** Beside the last attack. */
  readonly processor: ProcessorShares | null
}

/** Several attacks on one server, each `seconds` long after the one before. Their settings must agree. */
export async function runInTurn(attacks: readonly Attack[], setting: AttackSetting): Promise<TurnsReport> {
  const { warmUpSeconds, baselineSeconds, seconds, httpThreads } = setting
  const settings = Object.assign(
    {
      ...{ ...startVariables(), PROXY_HOPS: '1', OUTBOUND_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: LOCALHOST_CERTIFICATE },
      HTTP_THREADS: String(httpThreads),
    },
    ...attacks.map((attack) => attack.settings),
  )
  const server = await startServer({ settings, nodeFlags: startFlags() })
  try {
    const signsIn = attacks.some(({ hasHonestLogins }) => hasHonestLogins === true)
    const traffic = await HonestTraffic.open(server.baseUrl, { signsIn, billsPerSecond: setting.billsPerSecond })
    try {
      const attacker = Attacker.start(server.baseUrl)
      try {
        const figures: AttackFigures[] = []
        let processor: ProcessorShares | null = null
        for (const attack of attacks) {
          await attacker.prepare(attack.name)
          if (figures.length === 0) {
            await traffic.run('warm-up', warmUpSeconds * 1000)
            await traffic.run('baseline', baselineSeconds * 1000)
          }
          attacker.go()
          processor = await processorShares({ server: server.pid, attacker: attacker.pid }, () => traffic.run('attack', seconds * 1000))
          figures.push(await attacker.stop())
        }
        return { kinds: await traffic.finish(), figures, processor }
      } finally {
        attacker.kill()
      }
    } finally {
      await traffic.close()
    }
  } finally {
    await server.remove()
  }
}

/** What honest traffic lost, and what the attacker's figures say; empty when all is well. */
export function lossesOf(attack: Attack, { kinds, figures }: AttackReport): string[] {
  const losses = kinds.flatMap(({ kind, lost }) => (lost.length === 0 ? [] : [`${kind}: ${lost.length} lost, first: ${lost[0]}`]))
  const missing = kinds.flatMap(({ kind, count }) => (count.baseline + count.attack === 0 ? [`${kind}: nothing was done`] : []))
  return [...losses, ...missing, ...(attack.judge?.(figures) ?? [])]
}

/** The kinds of honest work whose ratio is above the maximum, by the median of the rounds. */
export function delaysOf(rounds: readonly AttackReport[]): string[] {
  const kinds = rounds[0]?.kinds.map(({ kind }) => kind) ?? []
  return kinds.flatMap((kind) => {
    const reports = rounds.flatMap((round) => round.kinds.filter((report) => report.kind === kind))
    const worst = Math.max(median(reports.map(({ p50Ratio }) => p50Ratio)), median(reports.map(({ p99Ratio }) => p99Ratio)))
    return worst > LATENCY_RATIO_MAX ? [`${kind}: ${worst.toFixed(1)} times as slow as before the attack`] : []
  })
}

/** The upper one of an even number. */
function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** Runs the work and returns what each side used meanwhile. */
async function processorShares(pids: { readonly server: number; readonly attacker: number }, work: () => Promise<void>) {
  const read = (): number[] | null => {
    const machine = machineSeconds()
    const [server, attacker] = [cpuSecondsOf([pids.server]), cpuSecondsOf([pids.attacker])]
    if (machine === null || server === null || attacker === null) return null
    const { user, system } = process.cpuUsage()
    return [server, attacker, (user + system) / 1e6, machine.busy]
  }
  const before = read()
  const startMs = performance.now()
  await work()
  const seconds = (performance.now() - startMs) / 1000
  const after = read()
  if (before === null || after === null) return null
  const [server = 0, attacker = 0, honest = 0, all = 0] = after.map((value, index) => (value - (before[index] ?? 0)) / seconds)
  return { server, attacker, honest, others: Math.max(0, all - server - attacker - honest) }
}

class Attacker {
  readonly #child: ChildProcess
  readonly #lines: string[] = []

  private constructor(child: ChildProcess) {
    this.#child = child
    if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', (line) => this.#lines.push(line))
  }

  static start(baseUrl: string): Attacker {
    const child = spawn(process.execPath, [...processEntry(ATTACKER), baseUrl], {
      cwd: ROOT,
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, NODE_EXTRA_CA_CERTS: LOCALHOST_CERTIFICATE },
    })
    return new Attacker(child)
  }

  get pid(): number {
    return this.#child.pid ?? -1
  }

  async prepare(name: string): Promise<void> {
    assert.equal(await this.#answer(`prepare ${name}`, PREPARE_MAX_MS), 'ready')
  }

  go(): void {
    this.#child.stdin?.write('go\n')
  }

  async stop(): Promise<AttackFigures> {
    return JSON.parse(await this.#answer('stop', STOP_MAX_MS)) as AttackFigures
  }

  kill(): void {
    if (this.#child.exitCode === null) this.#child.kill('SIGKILL')
  }

  /** Sends a command and returns the next line of the process. */
  async #answer(command: string, timeMs: number): Promise<string> {
    const before = this.#lines.length
    this.#child.stdin?.write(`${command}\n`)
    const deadlineMs = performance.now() + timeMs
    while (this.#lines.length === before) {
      if (this.#child.exitCode !== null) throw new Error(`the attacker ended with ${this.#child.exitCode}`)
      if (performance.now() > deadlineMs) throw new Error(`the attacker said nothing for ${timeMs} ms`)
      await wait(20)
    }
    return this.#lines[before] ?? ''
  }
}

function wait(timeMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, timeMs))
}
