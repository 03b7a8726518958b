// Development inbox: messages that were sent, or would be with a gateway, in memory for developers. A ring buffer
// drops the oldest. It does not exist in production.
import { INBOX_MAX } from '../../server/server-limits.ts'
import type { OutgoingMessage, WebhookNotice } from './message.ts'

export type InboxItem = OutgoingMessage | WebhookNotice

export interface InboxEntry {
  /** Number in order of arrival, from 1, since the process started. */
  readonly number: number
  readonly item: InboxItem
}

export class Inbox {
  readonly #most: number
  /** Entries are rendered on read: payouts add thousands per second, and few are read. */
  readonly #ring: (() => InboxItem)[] = []
  readonly #watchers = new Set<() => void>()
  #count = 0
  #isTelling = false

  constructor(most = INBOX_MAX) {
    this.#most = most
  }

  /** Number of the newest entry; 0 when empty. */
  get lastNumber(): number {
    return this.#count
  }

  add(render: () => InboxItem): void {
    this.#ring[this.#count % this.#most] = render
    this.#count++
    if (this.#watchers.size > 0 && !this.#isTelling) this.#tellSoon()
  }

  /** Returns entries, newest first. */
  newest(limit: number = this.#most): InboxEntry[] {
    const count = Math.min(limit, this.#ring.length)
    return Array.from({ length: count }, (_, index) => {
      const number = this.#count - index
      return { number, item: (this.#ring[(number - 1) % this.#most] as () => InboxItem)() }
    })
  }

  /** Calls `onChange` once per batch of new entries. Returns the function that ends the subscription. */
  watch(onChange: () => void): () => void {
    this.#watchers.add(onChange)
    return () => {
      this.#watchers.delete(onChange)
    }
  }

  #tellSoon(): void {
    this.#isTelling = true
    setImmediate(() => {
      this.#isTelling = false
      for (const onChange of this.#watchers) onChange()
    })
  }
}
