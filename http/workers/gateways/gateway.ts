// One message gateway, called by HTTP POST with JSON: bounded concurrency and queue, bounded retries. Beyond the
// queue's maximum, messages are dropped at once.
import { GATEWAY_CONCURRENCY_MAX, GATEWAY_WAITING_MAX } from '../../server/server-limits.ts'
import type { Message } from './message.ts'

/** Posts JSON and returns the HTTP status. Rejects when there was no response. */
export type PostJson = (url: string, body: object) => Promise<number>

export interface GatewayParts {
  readonly url: string
  readonly postJson: PostJson
  /** Reports a dropped message. It must not log the message's text. */
  readonly onGiveUp: (message: Message, reason: string) => void
  /** Waits before the second and each further attempt. */
  readonly retryAfterMs?: readonly number[]
}

interface Sending {
  readonly message: Message
  /** Attempts so far. */
  tries: number
}

/** Waits are short, because a late code is useless. */
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

  /** Drops queued messages. */
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
