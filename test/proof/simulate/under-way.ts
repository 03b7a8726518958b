// Requests between their client and their answer, and the last few that were answered: a fault meets each of them in some state.
import type { Command } from '../../../engine/domain/command.ts'
import type { Request } from './auditor.ts'
import type { Coverage, Fault, Life } from './coverage.ts'

const ANSWERED_MAX = 12

export class UnderWay {
  readonly #coverage: Coverage
  readonly #lives = new Map<Request, Life>()
  readonly #byCommand = new Map<Command, Request>()
  readonly #answered: Request[] = []

  constructor(coverage: Coverage) {
    this.#coverage = coverage
  }

  put(request: Request, life: Life): void {
    this.#lives.set(request, life)
    this.#byCommand.set(request.envelope.command, request)
  }

  /** The engine decides the command. Timers have no request. */
  decide(command: Command): void {
    const request = this.#byCommand.get(command)
    if (request !== undefined && this.#lives.has(request)) this.#lives.set(request, 'decided')
  }

  answer(request: Request): void {
    this.remove(request)
    this.#answered.push(request)
    if (this.#answered.length > ANSWERED_MAX) this.#answered.shift()
  }

  remove(request: Request): void {
    this.#lives.delete(request)
    this.#byCommand.delete(request.envelope.command)
  }

  meet(fault: Fault): void {
    for (const [{ envelope }, life] of this.#lives) this.#coverage.hit(envelope.command.type, fault, life)
    for (const { envelope } of this.#answered) this.#coverage.hit(envelope.command.type, fault, 'answered')
  }

  /** Removes and returns the requests that are inside of the process. Messages on their way stay. */
  lose(): Request[] {
    const inside = [...this.#lives].filter(([, life]) => life === 'in the mailbox' || life === 'decided').map(([request]) => request)
    for (const request of inside) this.remove(request)
    return inside
  }
}
