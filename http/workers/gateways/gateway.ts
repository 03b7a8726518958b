// One gateway for messages, spoken to by HTTP POST with JSON: few at a time, again after a while when it fails, given up
// after the last try. Bounded: when too many wait, new ones are given up at once.
import { GATEWAY_CONCURRENCY_MAX, GATEWAY_WAITING_MAX } from '../../server/server-limits.ts'
import type { Message } from './message.ts'

/** Posts JSON and answers the HTTP status. Rejects when there was no answer. */
export type PostJson = (url: string, body: object) => Promise<number>

export interface GatewayParts {
  readonly url: string
  readonly postJson: PostJson
  /** Tells that a message did not arrive, without saying what stood in it. */
  readonly onGiveUp: (message: Message, reason: string) => void
  /** Waits before the second and each further try. */
  readonly retryAfterMs?: readonly number[]
}

interface Sending {
  readonly message: Message
  /** Tries so far. */
  tries: number
}

/** A code is of no use long after it was asked for. */
const RETRY_AFTER_MS = [1_000, 5_000, 15_000]

export class Gateway {
  readonly #parts: GatewayParts
  readonly #retryAfterMs: readonly number[]
  readonly #waiting: Sending[] = []
  readonly #timers = new Set<NodeJS.Timeout>()
  #running = 0
  #closed = false

  constructor(parts: GatewayParts) {
    this.#parts = parts
    this.#retryAfterMs = parts.retryAfterMs ?? RETRY_AFTER_MS
  }

  send(message: Message): void {
    if (this.#closed) return
    if (this.#waiting.length + this.#timers.size >= GATEWAY_WAITING_MAX) return this.#parts.onGiveUp(message, 'too many messages wait')
    this.#waiting.push({ message, tries: 0 })
    this.#next()
  }

  /** What waits is not sent any more. */
  close(): void {
    this.#closed = true
    this.#waiting.length = 0
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }

  #next(): void {
    while (this.#running < GATEWAY_CONCURRENCY_MAX) {
      const sending = this.#waiting.shift()
      if (sending === undefined) return
      this.#running++
      this.#try(sending)
    }
  }

  #try(sending: Sending): void {
    sending.tries++
    const { url, postJson } = this.#parts
    postJson(url, sending.message).then(
      (status) => this.#ended(sending, status >= 200 && status < 300 ? null : `HTTP ${status}`, status >= 500 || status === 429),
      (error: unknown) => this.#ended(sending, error instanceof Error ? error.message : String(error), true),
    )
  }

  #ended(sending: Sending, failure: string | null, mayTryAgain: boolean): void {
    this.#running--
    this.#next()
    if (failure === null || this.#closed) return
    const waitMs = this.#retryAfterMs[sending.tries - 1]
    if (!mayTryAgain || waitMs === undefined) return this.#parts.onGiveUp(sending.message, failure)
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#waiting.push(sending)
      this.#next()
    }, waitMs)
    this.#timers.add(timer.unref())
  }
}
