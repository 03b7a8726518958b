// The server that clients reach now. Between a kill and the next start clients wait.
import type { ServerProcess } from '../support/server-process.ts'
import { Wire } from './wire.ts'

export interface Running {
  readonly server: ServerProcess
  readonly wire: Wire
  /** Name of this start in histories. */
  readonly name: string
}

export class ServerSlot {
  #running: Running | null = null
  #starts = 0
  readonly #waiting: ((running: Running) => void)[] = []

  /** Whether this start is the one that clients reach: its connections must not break, and it must not answer 503. */
  isRunning(running: Running): boolean {
    return this.#running === running
  }

  current(): Promise<Running> {
    const running = this.#running
    return running === null ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve(running)
  }

  up(server: ServerProcess): Running {
    const running = { server, wire: new Wire(server.baseUrl), name: `start ${++this.#starts}` }
    this.#running = running
    for (const resolve of this.#waiting.splice(0)) resolve(running)
    return running
  }

  /** Call it before the server ends. Returns what ran. */
  down(): Running | null {
    const running = this.#running
    this.#running = null
    return running
  }
}
