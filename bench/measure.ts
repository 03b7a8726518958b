// One measurement: a server under load for a window, with the CPU time that server and generator spent in it.
import type { Window } from './cpu-profile.ts'
import { type Percentiles, percentilesOf } from './load/histogram.ts'
import type { FromGenerator, LoadPlan, LoadResult, ToGenerator } from './load/plan.ts'
import { cpuSecondsOf, type MachineSeconds, machineSeconds, mainThreadCpuSeconds } from './process/cpu-time.ts'
import { forkScript } from './process/forked.ts'
import { stopChild } from './process/server-process.ts'

const GENERATOR = new URL('./load/generator.ts', import.meta.url)

/** A server under test, as the rows see it. */
export interface Subject {
  readonly name: string
  /** Default: this machine. */
  readonly host?: string
  readonly port: number
  /** Its processes. Descendants count too. The main thread of the first one is also counted separately. None: unknown. */
  readonly pids: readonly number[]
  /** Newest lines of its output. */
  readonly lastLines: readonly string[]
}

export interface Measurement {
  readonly subject: string
  readonly perSecond: number
  readonly latency: Percentiles
  /** Cores busy over the window; null without /proc. */
  readonly serverCores: number | null
  readonly serverMainThreadCores: number | null
  readonly generatorCores: number
  /** Cores busy with other processes. Far above 0.1 the measurement is unreliable. */
  readonly otherCores: number | null
  /** Cores that the host of a virtual machine withheld (steal time). */
  readonly stolenCores: number | null
  /** Interval of the measurement. */
  readonly window: Window
  readonly load: LoadResult
}

interface CpuSample {
  /** Microseconds of the monotonic clock. */
  readonly timeUs: number
  readonly all: number | null
  readonly mainThread: number | null
  readonly machine: MachineSeconds | null
}

export async function measure(subject: Subject, plan: LoadPlan): Promise<Measurement> {
  const samples: CpuSample[] = []
  const load = await runGenerator(plan, () => {
    const timeUs = Number(process.hrtime.bigint() / 1000n)
    samples.push({ timeUs, ...cpuOf(subject.pids), machine: machineSeconds() })
  }).catch((error: unknown) => {
    const output = subject.lastLines.join('\n')
    throw new Error(`${subject.name}: ${error instanceof Error ? error.message : String(error)}${output === '' ? '' : `\n${output}`}`)
  })
  if (load.done === 0) throw new Error(`${subject.name}: no expected answer, statuses ${JSON.stringify(load.statuses)}`)
  const [before, after] = samples
  if (before === undefined || after === undefined) throw new Error('the load generator did not report its window')
  const serverCores = perSecondBetween(before.all, after.all, load.seconds)
  const machineCores = perSecondBetween(before.machine?.busy, after.machine?.busy, load.seconds)
  const generatorCores = load.cpuSeconds / load.seconds
  return {
    subject: subject.name,
    perSecond: load.perSecond,
    latency: percentilesOf([load.latency]),
    serverCores,
    serverMainThreadCores: perSecondBetween(before.mainThread, after.mainThread, load.seconds),
    generatorCores,
    otherCores: machineCores === null || serverCores === null ? null : Math.max(0, machineCores - serverCores - generatorCores),
    stolenCores: perSecondBetween(before.machine?.stolen, after.machine?.stolen, load.seconds),
    window: { fromUs: before.timeUs, toUs: after.timeUs },
    load,
  }
}

function cpuOf(pids: readonly number[]): Pick<CpuSample, 'all' | 'mainThread'> {
  const [first] = pids
  return first === undefined ? { all: null, mainThread: null } : { all: cpuSecondsOf(pids), mainThread: mainThreadCpuSeconds(first) }
}

function perSecondBetween(before: number | null | undefined, after: number | null | undefined, seconds: number): number | null {
  return typeof before === 'number' && typeof after === 'number' ? (after - before) / seconds : null
}

/** Runs the plan in a new generator process, so that it inherits no garbage and no compiled code. */
async function runGenerator(plan: LoadPlan, onWindowEdge: () => void): Promise<LoadResult> {
  const child = forkScript(GENERATOR)
  try {
    return await new Promise<LoadResult>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) => reject(new Error(`the load generator ended early (${signal ?? code})`)))
      child.on('message', (message: FromGenerator) => {
        if (message.kind === 'result') resolve(message.result)
        else if (message.kind === 'failed') reject(new Error(message.reason))
        else onWindowEdge()
      })
      child.send({ kind: 'run', plan } satisfies ToGenerator)
    })
  } finally {
    await stopChild(child, 'SIGTERM')
  }
}
