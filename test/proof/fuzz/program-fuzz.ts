// Runs hostile programs in a sandbox: each ends, none tells anything of the host, the child stays, its memory stays bounded, and the
// next run of any merchant finds a new machine.
import { readFileSync } from 'node:fs'
import type { SandboxResult } from '../../../engine/actor/ports.ts'
import { assertUnharmed } from '../../support/hostile-sandbox.ts'
import { openStand, type Stand } from '../../support/sandbox-fixture.ts'

export interface ProgramFuzzReport {
  readonly programs: number
  readonly seconds: number
  /** Runs by their end: `ok`, the fault, or the reason where the run was not available. */
  readonly ends: ReadonlyMap<string, number>
  readonly slowestMs: number
  /** The most that the child had resident; 0 where the system does not report it. */
  readonly residentBytes: number
  readonly failures: readonly string[]
}

const DEADLINE_MS = 400
/** Beyond its deadline: on a busy machine a thread waits for a processor. */
const SLACK_MS = 20_000
const AT_ONCE = 6
const MERCHANTS = 12
const LOOKS_EVERY = 200
/** 12 machines of 32 MB, four threads, and what the allocator keeps. */
const RESIDENT_BYTES_MAX = 1536 * 1024 * 1024
const FAILURES_MAX = 10
/** Paths and names of this machine and of the code around the sandbox. */
const OF_THE_HOST =
  /(?:\/(?:usr|home|root|tmp|work|proc|etc|opt|var)\/[\w.-]+)|file:\/\/|node_modules|\.ts:\d|child-entry|worker-entry|MASTER_KEY|HOST:/

/** `first` is the number of the first program. */
export async function fuzzPrograms(programs: Iterable<string>, first = 0): Promise<ProgramFuzzReport> {
  const stand = openStand({ threads: 4 })
  const run = new ProgramFuzz(stand, programs[Symbol.iterator](), first)
  try {
    return await run.run()
  } finally {
    await stand.sandbox.close()
  }
}

class ProgramFuzz {
  readonly #stand: Stand
  readonly #programs: Iterator<string>
  readonly #ends = new Map<string, number>()
  readonly #failures: string[] = []
  #number: number
  #count = 0
  #slowestMs = 0
  #residentBytes = 0

  constructor(stand: Stand, programs: Iterator<string>, first: number) {
    this.#stand = stand
    this.#programs = programs
    this.#number = first
  }

  async run(): Promise<ProgramFuzzReport> {
    const startMs = performance.now()
    await assertUnharmed(this.#stand, 'm0')
    await Promise.all(Array.from({ length: AT_ONCE }, () => this.#work()))
    for (const merchant of ['m0', 'm1', 'm2']) await assertUnharmed(this.#stand, merchant)
    this.#look()
    const lost = this.#stand.events.filter(({ type }) => type !== 'ready')
    if (lost.length > 0 || this.#stand.pids().length !== 1)
      this.#failures.push(`the child did not stay: ${JSON.stringify(lost).slice(0, 500)}`)
    return {
      ...{ programs: this.#count, seconds: (performance.now() - startMs) / 1000, ends: this.#ends },
      ...{ slowestMs: this.#slowestMs, residentBytes: this.#residentBytes, failures: this.#failures },
    }
  }

  async #work(): Promise<void> {
    while (this.#failures.length < FAILURES_MAX) {
      const { value, done } = this.#programs.next()
      if (done === true) return
      await this.#one(this.#number++, value)
    }
  }

  async #one(number: number, source: string): Promise<void> {
    const startMs = performance.now()
    const result = await this.#stand.run(source, { merchantId: `m${number % MERCHANTS}`, timeoutMs: DEADLINE_MS })
    const tookMs = performance.now() - startMs
    this.#count++
    this.#slowestMs = Math.max(this.#slowestMs, tookMs)
    const end = endOf(result)
    this.#ends.set(end, (this.#ends.get(end) ?? 0) + 1)
    const wrong = wrongIn(result, tookMs)
    if (wrong !== null) this.#failures.push(`program ${number}: ${wrong}\n${source.slice(0, 600)}`)
    if (this.#count % LOOKS_EVERY === 0) this.#look()
  }

  #look(): void {
    const [pid = 0] = this.#stand.pids()
    this.#residentBytes = Math.max(this.#residentBytes, residentBytes(pid))
    if (this.#residentBytes > RESIDENT_BYTES_MAX) this.#failures.push(`the child has ${this.#residentBytes} bytes resident`)
  }
}

function endOf(result: SandboxResult): string {
  if (result.ok) return 'ok'
  // A thread that code blocks is ended, and so are the runs in it that had an effect: the reason says whether it was that.
  return result.fault === 'unavailable' ? `unavailable, ${result.error}` : result.fault
}

function wrongIn(result: SandboxResult, tookMs: number): string | null {
  const said = `${result.ok ? result.value : result.error} ${result.logs.join(' ')}`
  const known = OF_THE_HOST.exec(said)?.[0]
  if (known !== undefined) return `it knows ${known}`
  return tookMs > DEADLINE_MS + SLACK_MS ? `it took ${Math.round(tookMs)} ms` : null
}

function residentBytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024
  } catch {
    // No such file system, or no such process.
    return 0
  }
}
