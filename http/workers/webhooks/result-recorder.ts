// Hands results of deliveries to the engine, those that come in together as one command: under load a turn stands for
// many attempts. A result that the engine has no room for waits; nothing is dropped.
import { type Clock, type DeliveryResult, type EngineApi, RESULTS_PER_COMMAND_MAX, type Scheduler } from '../../../engine/api.ts'
import { ENVIRONMENTS, type Environment } from '../../../engine/kernel/environment.ts'

interface Waiting {
  readonly result: DeliveryResult
  readonly recorded: () => void
}

/** Between two tries at a full mailbox. */
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

  /** `recorded` runs once the result is on disk. Bounded by the attempts that may be under way. */
  add(environment: Environment, result: DeliveryResult, recorded: () => void): void {
    this.#waiting[environment].push({ result, recorded })
    if (this.#planned) return
    this.#planned = true
    this.#scheduler.soon(this.#flush)
  }

  /** What has not been handed over by now never is: those attempts will be made again. */
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

  /** False when the engine takes nothing now; it may never again, if it is about to stop. */
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
