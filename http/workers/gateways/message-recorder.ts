// Submits the results of messages to the engine, many in one command and one command at a time, so that a turn covers
// many calls under load. Results wait while the engine is full; none is dropped.
import {
  type Clock,
  type EngineApi,
  MESSAGE_RESULTS_PER_COMMAND_MAX,
  type MessageResult,
  type PushProgress,
  type PushResult,
  type Scheduler,
} from '../../../engine/api.ts'
import { PUSH_RESULTS_GATHER_MS, RECORD_RETRY_MS } from './gateway-limits.ts'

interface Waiting<Result> {
  readonly result: Result
  /** Runs once the result is durable. */
  readonly recorded: () => void
}

export interface MessageRecorderParts {
  readonly engine: Pick<EngineApi, 'query' | 'submit'>
  readonly clock: Clock
  readonly scheduler: Scheduler
  /** Returns the progress of pushes to record now; null without a gateway for pushes. */
  readonly progress: () => PushProgress | null
}

export class MessageRecorder {
  readonly #parts: MessageRecorderParts
  readonly #messages: Waiting<MessageResult>[] = []
  readonly #pushes: Waiting<PushResult | null>[] = []
  #hasProgress = false
  #isUnderWay = false
  #isPlanned = false
  #stopped = false

  constructor(parts: MessageRecorderParts) {
    this.#parts = parts
  }

  /** Adds the result of an open message. */
  add(result: MessageResult, recorded: () => void): void {
    this.#messages.push({ result, recorded })
    this.#planAt(0)
  }

  /** Adds the first result of a push: null when it has ended, the failure when it becomes an open message. */
  addPush(result: PushResult | null, recorded: () => void): void {
    this.#pushes.push({ result, recorded })
    this.#hasProgress = true
    this.#planAt(PUSH_RESULTS_GATHER_MS)
  }

  /** Records how far all pushes have come, in the next turn. */
  addProgress(): void {
    this.#hasProgress = true
    this.#planAt(0)
  }

  /** Stops submitting. Unrecorded attempts repeat after the next start. */
  stop(): void {
    this.#stopped = true
  }

  #planAt(waitMs: number): void {
    if (this.#isPlanned || this.#isUnderWay || this.#stopped) return
    this.#isPlanned = true
    const { clock, scheduler } = this.#parts
    if (waitMs === 0) scheduler.soon(this.#flush)
    else scheduler.at(clock.now() + waitMs, this.#flush)
  }

  readonly #flush = (): void => {
    this.#isPlanned = false
    if (this.#stopped || this.#isUnderWay) return
    const { engine, progress } = this.#parts
    const messages = this.#messages.slice(0, MESSAGE_RESULTS_PER_COMMAND_MAX)
    // Progress says that all of these have ended, so they stand in one command.
    const pushes = this.#pushes.slice()
    const reached = this.#hasProgress ? progress() : null
    if (messages.length === 0 && reached === null) return
    const failed = pushes.flatMap(({ result }) => result ?? [])
    const settle = (): void => {
      this.#isUnderWay = false
      for (const { recorded } of messages) recorded()
      for (const { recorded } of pushes) recorded()
      if (this.#messages.length > 0 || this.#hasProgress) this.#planAt(this.#messages.length > 0 ? 0 : PUSH_RESULTS_GATHER_MS)
    }
    const command = {
      type: 'RecordMessages',
      results: messages.map(({ result }) => result),
      pushes: reached === null ? null : { progress: reached, failed },
    } as const
    const mailbox = engine.query('accounts.settlement', { environment: 'live' })
    this.#isUnderWay = true
    if (engine.submit({ command, mailbox, idempotency: null }, { settle }) !== null) {
      this.#isUnderWay = false
      return this.#planAt(RECORD_RETRY_MS)
    }
    this.#messages.splice(0, messages.length)
    this.#pushes.splice(0, pushes.length)
    this.#hasProgress = false
  }
}
