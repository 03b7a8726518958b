// The server that clients reach now. Between its end and the next start clients wait.
import { withPatience } from '../../support/patience.ts'
import type { ServerProcess } from '../../support/server-process.ts'
import { Wire } from './wire.ts'

export interface Running {
  readonly server: ServerProcess
  readonly wire: Wire
  /** Name of this start in histories. */
  readonly name: string
  /** It may end by itself: then connections break, and it may answer 503 before. */
  readonly mayEnd: boolean
}

/** From a broken connection to the end of the process, on a busy machine. */
const END_MAX_MS = 20_000

/** Whether the server ends within the maximum time. */
export async function endsInTime(server: Pick<ServerProcess, 'exited'>): Promise<boolean> {
  return (await withPatience(END_MAX_MS, server.exited)) !== 'late'
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

  up(server: ServerProcess, mayEnd = false): Running {
    const running = { server, wire: new Wire(server.baseUrl), name: `start ${++this.#starts}`, mayEnd }
    this.#running = running
    // Clients must not reach an ended server again and again.
    if (mayEnd) void server.exited.then(() => this.#takeOut(running))
    for (const resolve of this.#waiting.splice(0)) resolve(running)
    return running
  }

  /** Call it before the server is ended. Returns what ran. */
  down(): Running | null {
    const running = this.#running
    this.#running = null
    return running
  }

  #takeOut(running: Running): void {
    running.wire.close()
    if (this.#running === running) this.#running = null
  }
}
