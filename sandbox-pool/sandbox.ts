// Runs merchants' code: implements the port `Sandbox` with admission, deadlines that do not depend on the child, and the only path to
// the network. http/main.ts opens it.
import type { Sandbox, SandboxPurpose, SandboxRequest, SandboxResult, SourceCheck, SourceCheckRequest } from '../engine/actor/ports.ts'
import { assert } from '../engine/kernel/assert.ts'
import { Admission } from './admission.ts'
import { BytesUnderWay } from './bytes-under-way.ts'
import type { FetchBroker } from './fetch-broker.ts'
import { type HostedEnd, type HostedRequest, HostedRun } from './hosted-run.ts'
import type { SandboxLayers } from './layers.ts'
import {
  CANCEL_GRACE_MS,
  CHECK_WALL_MS,
  CROSSING_BYTES_MAX,
  RUN_WALL_MS,
  STARTED_PER_MERCHANT_MAX,
  STARTINGS_MAX,
  THREADS_MAX,
  WAITING_MAX,
} from './limits.ts'
import type { FromChild } from './messages.ts'
import { TOO_LONG } from './outcome.ts'
import { RunSeconds } from './run-seconds.ts'
import { type SandboxEvent, Supervisor } from './supervisor.ts'

export interface SandboxOptions {
  /** SANDBOX_THREADS: worker threads for live customers. The other classes have fewer threads (placement.ts). */
  readonly threads: number
  readonly fetchBroker: FetchBroker
  readonly onEvent: (event: SandboxEvent) => void
}

export interface OpenSandbox extends Sandbox {
  /** Active isolation layers; null until the first child is ready. */
  readonly layers: SandboxLayers | null
  /** Number of started runs, also those whose caller timed out. */
  readonly running: number
  readonly waiting: number
  /** Starts the child now, so that the first run does not wait for it and the layers are known. */
  warm(): void
  /** Fails queued and started runs as `unavailable`. Resolves when the child has ended. */
  close(): Promise<void>
}

/** Returns immediately. The child starts on demand, and runs wait until it is ready. */
export function openSandbox(options: SandboxOptions): OpenSandbox {
  return new HostedRuns(options)
}

class HostedRuns implements OpenSandbox {
  readonly #options: SandboxOptions
  readonly #classes: Readonly<Record<SandboxPurpose, Admission<HostedRun>>> = {
    live: new Admission(),
    test: new Admission(),
    trial: new Admission(),
  }
  readonly #runSeconds = new RunSeconds()
  readonly #bytesUnderWay = new BytesUnderWay()
  readonly #supervisor: Supervisor
  /** Runs in the child, by number. */
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
    return this.#started.size
  }

  get waiting(): number {
    return Object.values(this.#classes).reduce((sum, { waiting }) => sum + waiting, 0)
  }

  async run(request: SandboxRequest): Promise<SandboxResult> {
    const timeoutMs = Math.min(request.timeoutMs, RUN_WALL_MS)
    const { outcome, started, ...trace } = await this.#end({ ...request, timeoutMs })
    if (outcome.ok) return { ...trace, ok: true, value: outcome.value }
    const where = outcome.line === null ? '' : ` (code.js:${outcome.line})`
    return { ...trace, ok: false, fault: outcome.fault, started, error: outcome.message + where }
  }

  async checkSource(request: SourceCheckRequest): Promise<SourceCheck> {
    const { outcome } = await this.#end({ ...request, purpose: 'trial', argument: null, timeoutMs: CHECK_WALL_MS })
    return outcome.ok ? { ok: true } : outcome
  }

  warm(): void {
    this.#supervisor.start()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const waiting = Object.values(this.#classes).flatMap((admission) => admission.removeAll())
    for (const run of [...waiting, ...this.#started.values()]) if (!run.giveBack(STOPPING)) run.fail('unavailable', STOPPING)
    await this.#supervisor.close()
  }

  #end(request: HostedRequest): Promise<HostedEnd> {
    return new Promise((resolve) => this.#admit(new HostedRun(request, resolve)))
  }

  #admit(run: HostedRun): void {
    const { merchantId, purpose, source, argument } = run.request
    if (Buffer.byteLength(source) > CROSSING_BYTES_MAX) return run.fail('code', `the source is larger than ${CROSSING_BYTES_MAX / 1024} KB`)
    if (argument !== null && Buffer.byteLength(argument) > CROSSING_BYTES_MAX) return run.fail('code', ARGUMENT_TOO_LARGE)
    if (this.#isClosed) return run.fail('unavailable', STOPPING)
    if (this.#supervisor.isHopeless) return run.fail('unavailable', 'the sandbox is not available')
    const waitSeconds = purpose === 'live' ? 0 : this.#runSeconds.waitFor(merchantId, performance.now())
    if (waitSeconds > 0) return run.fail('busy', `runs outside the live environment have used up their time: again in ${waitSeconds} s`)
    this.#supervisor.start()
    run.startDeadline(() => this.#timeOut(run))
    this.#classes[purpose].offer(run)?.fail('busy', TOO_MANY)
    this.#dispatch()
  }

  #dispatch(): void {
    const { child } = this.#supervisor
    if (child === null) return
    for (const admission of Object.values(this.#classes)) {
      for (let run = admission.next(); run !== null; run = admission.next()) {
        const { merchantId: merchant, purpose, entry, source, argument } = run.request
        const number = this.#nextNumber()
        this.#started.set(number, run)
        run.start(number)
        child.send({ type: 'run', run: number, merchant, purpose, entry, source, argument, wallMs: run.wallMs() })
      }
    }
  }

  /** Returns an unused number of 32 bits, never 0. */
  #nextNumber(): number {
    do this.#lastRun = (this.#lastRun % RUN_NUMBER_MAX) + 1
    while (this.#started.has(this.#lastRun))
    return this.#lastRun
  }

  #take(message: FromChild): void {
    if (message.type === 'ready' || message.type === 'pong') return
    const run = this.#started.get(message.run)
    if (run === undefined) return this.#distrust()
    switch (message.type) {
      case 'begun':
        return run.begin() ? undefined : this.#distrust()
      case 'log':
        return run.hasEnded || run.log(message.lines) ? undefined : this.#distrust()
      case 'fetch':
        return this.#fetch(message.run, run, message)
      case 'done':
        this.#release(message.run, run)
        run.end(message.outcome)
        return this.#dispatch()
    }
  }

  #release(number: number, run: HostedRun): void {
    const { merchantId, purpose } = run.request
    this.#started.delete(number)
    this.#classes[purpose].release(run)
    if (purpose !== 'live') this.#runSeconds.spend(merchantId, run.takenSeconds(), performance.now())
  }

  #fetch(number: number, run: HostedRun, { id, request }: FromChild & { type: 'fetch' }): void {
    if (run.hasEnded) return
    const { merchantId } = run
    const bytes = request.length
    const hasRoom = this.#bytesUnderWay.take(merchantId, bytes)
    const broker = hasRoom ? this.#options.fetchBroker : refuseToSend
    const answer = run.fetch(request, broker, (error) => this.#options.onEvent({ type: 'broker_failed', error }))
    if (answer === null) return this.#distrust()
    void answer.then((wire) => {
      if (hasRoom) this.#bytesUnderWay.giveBack(merchantId, bytes)
      if (!run.hasEnded) this.#supervisor.child?.send({ type: 'answer', run: number, id, answer: JSON.stringify(wire) })
      else if (run.wasRefused) this.#cancel(number, run)
    })
  }

  /** Answers the caller now. */
  #timeOut(run: HostedRun): void {
    const { number } = run
    this.#classes[run.request.purpose].remove(run)
    run.end(TOO_LONG)
    if (number !== null) this.#cancel(number, run)
  }

  /** The child is killed if it does not end the run in time. */
  #cancel(number: number, run: HostedRun): void {
    if (this.#started.get(number) !== run) return
    this.#supervisor.child?.send({ type: 'cancel', run: number })
    const stuck = setTimeout(() => {
      if (this.#started.get(number) === run) this.#supervisor.child?.kill('did not end a run')
    }, CANCEL_GRACE_MS)
    stuck.unref()
  }

  /** Handles the loss of the child. Runs that had not begun restart in the next child. */
  #lose(): void {
    const { isHopeless } = this.#supervisor
    for (const [number, run] of [...this.#started]) {
      this.#release(number, run)
      if (run.hasEnded) continue
      if (run.hasBegun || run.startings >= STARTINGS_MAX || isHopeless) run.fail('unavailable', run.hasBegun ? LOST : LOST_BEFORE)
      else this.#classes[run.request.purpose].offer(run)?.fail('busy', TOO_MANY)
    }
    if (!isHopeless) return
    for (const admission of Object.values(this.#classes)) {
      for (const run of admission.removeAll()) run.fail('unavailable', 'the sandbox is not available')
    }
  }

  /** Kills a child that sent a message that child.ts never sends: its code was compromised. */
  #distrust(): void {
    this.#supervisor.child?.kill('said what it never would by itself')
  }
}

const RUN_NUMBER_MAX = 2 ** 32 - 1
const ARGUMENT_TOO_LARGE = `the argument is larger than ${CROSSING_BYTES_MAX / 1024} KB`
const TOO_MANY = `too many runs at once: at most ${WAITING_MAX} wait, and ${STARTED_PER_MERCHANT_MAX} of one merchant go on`
const STOPPING = 'the server is stopping'
const LOST = 'the sandbox was lost; the code may have been run in part'
const LOST_BEFORE = 'the sandbox was lost before the code was run'

const refuseToSend: FetchBroker = () => Promise.resolve({ error: 'too many bytes of requests wait for their answers' })
