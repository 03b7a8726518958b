// The development inbox: messages that would have left the house, kept in memory for whoever develops against it. A
// ring: the oldest go first. Production never shows it.
import { INBOX_MAX } from '../limits.ts'
import type { Message } from './message.ts'

export class Inbox {
  readonly #most: number
  /** Rendered when somebody looks: payouts put thousands in here each second, and people read a few. */
  readonly #ring: (() => Message)[] = []
  #next = 0

  constructor(most = INBOX_MAX) {
    this.#most = most
  }

  add(render: () => Message): void {
    this.#ring[this.#next] = render
    this.#next = (this.#next + 1) % this.#most
  }

  /** Newest first. */
  newest(limit: number = this.#most): Message[] {
    const count = Math.min(limit, this.#ring.length)
    return Array.from({ length: count }, (_, index) => {
      const at = (this.#next - 1 - index + this.#most) % this.#most
      return (this.#ring[at] as () => Message)()
    })
  }
}
