// The development inbox: messages that were sent, or would have been sent with a gateway, kept in memory for developers. A
// ring: the oldest are dropped first. It does not exist in production.
import { INBOX_MAX } from '../../server/server-limits.ts'
import type { Message, WebhookNotice } from './message.ts'

export type InboxItem = Message | WebhookNotice

export interface InboxEntry {
  /** From 1, in the order of arrival, since the process started. */
  readonly number: number
  readonly item: InboxItem
}

export class Inbox {
  readonly #most: number
  /** Rendered when it is read: payouts add thousands each second, and few are read. */
  readonly #ring: (() => InboxItem)[] = []
  readonly #watchers = new Set<() => void>()
  #count = 0
  #isTelling = false

  constructor(most = INBOX_MAX) {
    this.#most = most
  }

  /** Of the newest entry; 0 while there is none. */
  get lastNumber(): number {
    return this.#count
  }

  add(render: () => InboxItem): void {
    this.#ring[this.#count % this.#most] = render
    this.#count++
    if (this.#watchers.size > 0 && !this.#isTelling) this.#tellSoon()
  }

  /** Newest first. */
  newest(limit: number = this.#most): InboxEntry[] {
    const count = Math.min(limit, this.#ring.length)
    return Array.from({ length: count }, (_, index) => {
      const number = this.#count - index
      return { number, item: (this.#ring[(number - 1) % this.#most] as () => InboxItem)() }
    })
  }

  /** `hear` runs when something has come, once for everything that came together. The answer ends it. */
  watch(hear: () => void): () => void {
    this.#watchers.add(hear)
    return () => {
      this.#watchers.delete(hear)
    }
  }

  #tellSoon(): void {
    this.#isTelling = true
    setImmediate(() => {
      this.#isTelling = false
      for (const hear of this.#watchers) hear()
    })
  }
}
