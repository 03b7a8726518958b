// Submits delivery results to the engine in batches, so that a turn covers many attempts under load. Results wait
// while the engine is full; none is dropped.
import { type Clock, type DeliveryResult, type EngineApi, RESULTS_PER_COMMAND_MAX, type Scheduler } from '../../../engine/api.ts'
import { ENVIRONMENTS, type Environment } from '../../../engine/kernel/environment.ts'

interface Waiting {
  readonly result: DeliveryResult
  readonly recorded: () => void
}

/** Interval of retries at a full mailbox. */
const RETRY_MS = 200

export class ResultRecorder {
  readonly #engine: Pick<EngineApi, 'query' | 'submit'>
  readonly #clock: Clock
  readonly #scheduler: Scheduler
  readonly #waiting: Record<Environment, Waiting[]> = { live: [], test: [] }
  #planned = false
  #stopped = false

  constructor(engine: Pick<EngineApi, 'query' | 'submit'>, clock: Clock, scheduler: Scheduler) {
    this.#engine = engine
    this.#clock = clock
    this.#scheduler = scheduler
  }

  /** Adds a result. `recorded` runs once it is durable. Bounded by the maximum of active attempts. */
  add(environment: Environment, result: DeliveryResult, recorded: () => void): void {
    this.#waiting[environment].push({ result, recorded })
    if (this.#planned) return
    this.#planned = true
    this.#scheduler.soon(this.#flush)
  }

  /** Stops submitting. Unrecorded attempts repeat after the next start. */
  stop(): void {
    this.#stopped = true
  }

  readonly #flush = (): void => {
    this.#planned = false
    if (this.#stopped) return
    for (const environment of ENVIRONMENTS) {
      while (this.#waiting[environment].length > 0) {
        if (this.#submit(environment)) continue
        this.#planned = true
        this.#scheduler.at(this.#clock.now() + RETRY_MS, this.#flush)
        return
      }
    }
  }

  /** Submits one batch. Returns false when the engine rejects it; it may be stopping. */
  #submit(environment: Environment): boolean {
    const waiting = this.#waiting[environment]
    const part = waiting.slice(0, RESULTS_PER_COMMAND_MAX)
    const settle = (): void => {
      for (const { recorded } of part) recorded()
    }
    const command = { type: 'RecordDeliveries', environment, results: part.map(({ result }) => result) } as const
    const mailbox = this.#engine.query('accounts.settlement', { environment })
    if (this.#engine.submit({ command, mailbox, idempotency: null }, { settle }) !== null) return false
    waiting.splice(0, part.length)
    return true
  }
}
