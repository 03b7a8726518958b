// The HTTP threads of a server: starts them, reads their rings once in each turn of the event loop, replaces those that end.

import type { DecodedRequest } from './decoded-request.ts'
import { EngineThreadLink, type LinkEvents } from './engine-thread-link.ts'
import type { RingSocket } from './ring-socket.ts'
import { ThreadCounters } from './thread-counters.ts'
import { CONNECTIONS_POLL_MS, FULL_RING_RETRY_MS, REPLACE_AFTER_MS, START_FAILURES_MAX, THREAD_END_MAX_MS } from './thread-limits.ts'
import type { ThreadStart } from './thread-server.ts'

export interface ThreadsParts extends Pick<LinkEvents, 'onRefusedFraming' | 'onRefusedConnection' | 'paramsCountOf'> {
  readonly count: number
  readonly start: Pick<ThreadStart, 'host' | 'port' | 'routes' | 'connectionsMax' | 'heapBytesMax' | 'relaysHeaders'>
  onRequest(endpoint: number, socket: RingSocket, request: DecodedRequest): void
  /** A thread failed and is replaced. */
  onLost(reason: string): void
  /** Threads end before they listen: the process must stop. */
  onFatal(error: Error): void
}

export class HttpThreads {
  /** Number of threads that failed and were replaced. */
  replaced = 0
  readonly #parts: ThreadsParts
  readonly #events: LinkEvents
  readonly #counters = new ThreadCounters()
  readonly #links: EngineThreadLink[] = []
  #failures = 0
  #isTurnPlanned = false
  #isListening = true
  #isClosed = false

  constructor(parts: ThreadsParts) {
    this.#parts = parts
    this.#events = {
      paramsCountOf: (endpoint) => parts.paramsCountOf(endpoint),
      onRequest: (endpoint, socket, request) => parts.onRequest(endpoint, socket, request),
      onRefusedFraming: () => parts.onRefusedFraming(),
      onRefusedConnection: () => parts.onRefusedConnection(),
      onWake: () => this.#wake(),
      onBehind: () => this.#planRetry(),
    }
    for (let number = 0; number < parts.count; number++) this.#open(number)
    process.once('exit', this.#onExit)
  }

  get connections(): number {
    return this.#counters.connections
  }

  get refusedWhenFull(): number {
    return this.#counters.refusedWhenFull
  }

  /** Resolves with true when every thread listens. */
  async listening(): Promise<boolean> {
    const all = await Promise.all(this.#links.map(({ listening }) => listening))
    return all.every((isListening) => isListening)
  }

  stopListening(): void {
    if (!this.#isListening) return
    this.#isListening = false
    for (const link of this.#links) link.stopListening()
  }

  /** Closes every connection behind the answers that are under way, and ends the threads. */
  async close(): Promise<void> {
    if (!this.#isClosed) {
      this.#isClosed = true
      this.#isListening = false
      for (const link of this.#links) link.closeAll()
    }
    const late = setTimeout(() => this.#closeNow(), THREAD_END_MAX_MS)
    await Promise.all(this.#links.map(({ ended }) => ended))
    clearTimeout(late)
    process.off('exit', this.#onExit)
  }

  /** Resolves when no connection is open. */
  async whenDisconnected(): Promise<void> {
    while (this.connections > 0 && !this.#isClosed) await new Promise((resolve) => setTimeout(resolve, CONNECTIONS_POLL_MS))
  }

  /** Makes the thread fail. For tests. */
  fail(number: number): void {
    this.#links[number]?.fail()
  }

  #open(number: number): void {
    this.#counters.begin(number)
    const link = new EngineThreadLink({ ...this.#parts.start, number, counters: this.#counters.memory }, this.#events)
    this.#links[number] = link
    void link.listening.then((isListening) => {
      if (isListening && !this.#isListening) link.stopListening()
      if (isListening) this.#failures = 0
    })
    void link.ended.then((reason) => this.#onEnded(number, link, reason))
  }

  #onEnded(number: number, link: EngineThreadLink, reason: string | null): void {
    this.#counters.close(number)
    if (this.#isClosed) return
    if (!link.hasListened && ++this.#failures > START_FAILURES_MAX) {
      this.#parts.onFatal(new Error(`HTTP threads end before they listen: ${reason ?? 'the port is in use'}`))
      return
    }
    // Without connections to take there is nothing to replace.
    if (!this.#isListening) return
    this.replaced++
    this.#parts.onLost(reason ?? 'it ended')
    setTimeout(() => {
      if (!this.#isClosed && this.#isListening) this.#open(number)
    }, REPLACE_AFTER_MS)
  }

  #wake(): void {
    if (this.#isTurnPlanned) return
    this.#isTurnPlanned = true
    this.#turn()
  }

  readonly #turn = (): void => {
    let count = 0
    for (const link of this.#links) count += link.turn()
    if (count > 0) setImmediate(this.#turn)
    else {
      this.#isTurnPlanned = false
      if (this.#links.some(({ hasWaiting, isClosing }) => hasWaiting && !isClosing)) this.#planRetry()
    }
  }

  #planRetry(): void {
    if (this.#isTurnPlanned) return
    this.#isTurnPlanned = true
    setTimeout(this.#turn, FULL_RING_RETRY_MS)
  }

  #closeNow(): void {
    for (const link of this.#links) link.closeNow()
  }

  /** The end of the process ends its threads. With open sockets the native layer would abort the process instead. */
  readonly #onExit = (): void => {
    this.#closeNow()
    for (let number = 0; number < this.#links.length; number++) this.#counters.waitClosed(number, THREAD_END_MAX_MS)
  }
}
