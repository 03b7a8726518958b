// Free connections of an open loop, the longest idle first: a server closes connections that are idle for long.
import type { Connection } from './connection.ts'

export class IdleConnections {
  readonly #ring: (Connection | null)[]
  #first = 0
  #count = 0

  constructor(connectionsMax: number) {
    this.#ring = new Array<Connection | null>(connectionsMax).fill(null)
  }

  get count(): number {
    return this.#count
  }

  add(connection: Connection): void {
    this.#ring[(this.#first + this.#count++) % this.#ring.length] = connection
  }

  /** Returns the longest idle connection without taking it; null when none is free. */
  peek(): Connection | null {
    return this.#count === 0 ? null : (this.#ring[this.#first] ?? null)
  }

  take(): void {
    this.#ring[this.#first] = null
    this.#first = (this.#first + 1) % this.#ring.length
    this.#count--
  }
}
