// Runs merchants' code: the port `Sandbox`, with who may run when, deadlines that hold whatever the child does, and the one
// way to the network. What http/main.ts opens.
import type { Sandbox, SandboxRequest, SandboxResult, SourceCheck, SourceCheckRequest } from '../engine/actor/ports.ts'
import { assert } from '../engine/kernel/assert.ts'
import { Admission } from './admission.ts'
import type { FetchBroker } from './fetch-broker.ts'
import { type HostedEnd, type HostedRequest, HostedRun } from './hosted-run.ts'
import type { SandboxLayers } from './layers.ts'
import {
  CANCEL_GRACE_MS,
  CHECK_WALL_MS,
  CROSSING_BYTES_MAX,
  RUN_WALL_MS,
  RUNNING_PER_MERCHANT_MAX,
  THREADS_MAX,
  WAITING_MAX,
} from './limits.ts'
import type { FromChild } from './messages.ts'
import { TOO_LONG } from './outcome.ts'
import { type SandboxEvent, Supervisor } from './supervisor.ts'

export interface SandboxOptions {
  /** SANDBOX_THREADS: 8 to 16, since most time is waiting for fetch. */
  readonly threads: number
  readonly fetchBroker: FetchBroker
  readonly onEvent: (event: SandboxEvent) => void
}

export interface OpenSandbox extends Sandbox {
  /** Which walls hold; null until the first child is ready. */
  readonly layers: SandboxLayers | null
  readonly running: number
  readonly waiting: number
  /** Starts the child now rather than with the first run: that one then waits for no start, and the walls are known. */
  warm(): void
  /** What waits or runs fails as `unavailable`. Resolves when the child is gone. */
  close(): Promise<void>
}

/** Answers at once; nothing is started before it is needed, and runs wait until the child is ready. */
export function openSandbox(options: SandboxOptions): OpenSandbox {
  return new HostedRuns(options)
}

class HostedRuns implements OpenSandbox {
  readonly #options: SandboxOptions
  readonly #admission = new Admission<HostedRun>()
  readonly #supervisor: Supervisor
  /** Those that hold a thread of the child, also when their caller has gone. */
  readonly #started = new Map<number, HostedRun>()
  #lastRun = 0
  #isClosed = false

  constructor(options: SandboxOptions) {
    assert(Number.isInteger(options.threads) && options.threads >= 1 && options.threads <= THREADS_MAX, 'threads of the sandbox')
    this.#options = options
    this.#supervisor = new Supervisor(options.threads, {
      onReady: () => this.#dispatch(),
      onMessage: (message) => this.#take(message),
      onLost: () => this.#lose(),
      onEvent: options.onEvent,
    })
  }

  get layers(): SandboxLayers | null {
    return this.#supervisor.layers
  }

  get running(): number {
    return this.#admission.running
  }

  get waiting(): number {
    return this.#admission.waiting
  }

  async run(request: SandboxRequest): Promise<SandboxResult> {
    const timeoutMs = Math.min(request.timeoutMs, RUN_WALL_MS)
    const { outcome, started, ...trace } = await this.#end({ ...request, timeoutMs })
    if (outcome.ok) return { ...trace, ok: true, value: outcome.value }
    const where = outcome.line === null ? '' : ` (line ${outcome.line})`
    return { ...trace, ok: false, fault: outcome.fault, started, error: outcome.message + where }
  }

  async checkSource(request: SourceCheckRequest): Promise<SourceCheck> {
    const { outcome } = await this.#end({ ...request, argument: null, timeoutMs: CHECK_WALL_MS })
    return outcome.ok ? { ok: true } : outcome
  }

  warm(): void {
    this.#supervisor.start()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const run of [...this.#admission.removeAll(), ...this.#started.values()]) run.fail('unavailable', 'the server is stopping')
    await this.#supervisor.close()
  }

  #end(request: HostedRequest): Promise<HostedEnd> {
    return new Promise((resolve) => this.#admit(new HostedRun(request, resolve)))
  }

  #admit(run: HostedRun): void {
    const { source, argument } = run.request
    if (Buffer.byteLength(source) > CROSSING_BYTES_MAX) return run.fail('code', `the source is larger than ${CROSSING_BYTES_MAX / 1024} KB`)
    if (argument !== null && Buffer.byteLength(argument) > CROSSING_BYTES_MAX) return run.fail('code', ARGUMENT_TOO_LARGE)
    if (this.#isClosed) return run.fail('unavailable', 'the server is stopping')
    if (this.#supervisor.isHopeless) return run.fail('unavailable', 'the sandbox is not available')
    this.#supervisor.start()
    run.startDeadline(() => this.#timeOut(run))
    this.#admission.offer(run)?.fail('busy', TOO_MANY)
    this.#dispatch()
  }

  #dispatch(): void {
    const { child } = this.#supervisor
    if (child === null) return
    while (this.#admission.running < this.#options.threads) {
      const run = this.#admission.next()
      if (run === null) return
      this.#lastRun += 1
      this.#started.set(this.#lastRun, run)
      run.start()
      const { entry, source, argument } = run.request
      child.send({ type: 'run', run: this.#lastRun, entry, source, argument, wallMs: run.wallMs() })
    }
  }

  #take(message: FromChild): void {
    if (message.type === 'fetch') return this.#fetch(message.run, message.id, message.request)
    if (message.type !== 'done' && message.type !== 'log') return
    const run = this.#started.get(message.run)
    if (run === undefined) return this.#distrust()
    if (message.type === 'log') return run.hasEnded || run.log(message.lines) ? undefined : this.#distrust()
    this.#started.delete(message.run)
    this.#admission.release(run)
    run.end(message.outcome)
    this.#dispatch()
  }

  #fetch(number: number, id: number, request: string): void {
    const run = this.#started.get(number)
    if (run?.hasEnded === true) return
    const answer =
      run?.fetch(request, this.#options.fetchBroker, (error) => this.#options.onEvent({ type: 'broker_failed', error })) ?? null
    if (answer === null) return this.#distrust()
    void answer.then((wire) => this.#supervisor.child?.send({ type: 'answer', run: number, id, answer: JSON.stringify(wire) }))
  }

  /** The caller is answered now; the thread is free when the child says so, and the child is killed when it does not. */
  #timeOut(run: HostedRun): void {
    if (this.#admission.remove(run)) return run.fail('timeout', `no sandbox was free for ${run.request.timeoutMs / 1_000} s`)
    const number = [...this.#started].find(([, started]) => started === run)?.[0]
    run.end(TOO_LONG)
    if (number === undefined) return
    this.#supervisor.child?.send({ type: 'cancel', run: number })
    const stuck = setTimeout(() => {
      if (this.#started.has(number)) this.#supervisor.child?.kill('did not end a run')
    }, CANCEL_GRACE_MS)
    stuck.unref()
  }

  #lose(): void {
    const lost = [...this.#started.values()]
    this.#started.clear()
    for (const run of lost) {
      this.#admission.release(run)
      run.fail('unavailable', 'the sandbox was lost; the code may have been run in part')
    }
    if (!this.#supervisor.isHopeless) return
    for (const run of this.#admission.removeAll()) run.fail('unavailable', 'the sandbox is not available')
  }

  /** It asks for more than its threads can, or speaks of runs that are not: it is not our code any more that speaks. */
  #distrust(): void {
    this.#supervisor.child?.kill('said what it never would by itself')
  }
}

const ARGUMENT_TOO_LARGE = `the argument is larger than ${CROSSING_BYTES_MAX / 1024} KB`
const TOO_MANY = `too many runs at once: at most ${WAITING_MAX} wait, and ${RUNNING_PER_MERCHANT_MAX} of one merchant run`
