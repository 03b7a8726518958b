// The network between clients and nodes. Requests and answers are lost, late, and overtaken by later ones.
import type { Outcome } from '../../../engine/actor/envelope.ts'
import type { Clock, Scheduler } from '../../../engine/actor/ports.ts'
import type { Prng } from '../../support/prng.ts'
import type { Request } from './auditor.ts'

export interface NetworkFaults {
  /** Chances that a message does not arrive. */
  readonly lostRequest: number
  readonly lostAnswer: number
  /** Chances that it arrives later than its turn. */
  readonly lateRequest: number
  readonly lateAnswer: number
}

export interface NetworkEvents {
  readonly onRequest: (request: Request) => void
  readonly onAnswer: (request: Request, outcome: Outcome) => void
  /** An answer that will not arrive. */
  readonly onLostAnswer: (request: Request, outcome: Outcome) => void
  readonly onLostRequest: (request: Request) => void
  readonly onLate: (what: 'request' | 'answer', request: Request) => void
  readonly onOvertaken: (request: Request) => void
}

interface Message {
  readonly request: Request
  /** Null for a request. */
  readonly outcome: Outcome | null
  /** Order in which requests were sent; 0 for an answer. */
  readonly number: number
  cancel: () => void
}

/** Shorter than a rest, so that nothing is under way after one. */
const DELAYS_MS = [3, 60, 1500] as const

export class Network {
  readonly #loop: Clock & Scheduler
  readonly #prng: Prng
  readonly #faults: NetworkFaults
  readonly #events: NetworkEvents
  readonly #late = new Set<Message>()
  #sent = 0
  #newest = 0
  /** False in the last life, in which each message arrives in its turn. */
  isNoisy = true

  constructor(loop: Clock & Scheduler, prng: Prng, faults: NetworkFaults, events: NetworkEvents) {
    this.#loop = loop
    this.#prng = prng
    this.#faults = faults
    this.#events = events
  }

  get isIdle(): boolean {
    return this.#late.size === 0
  }

  request(request: Request): void {
    const { lostRequest, lateRequest } = this.#faults
    const number = ++this.#sent
    if (this.#happens(lostRequest)) return this.#events.onLostRequest(request)
    const message: Message = { request, outcome: null, number, cancel: nothing }
    if (!this.#happens(lateRequest)) return this.#arrive(message)
    this.#events.onLate('request', request)
    this.#delay(message)
  }

  answer(request: Request, outcome: Outcome): void {
    const { lostAnswer, lateAnswer } = this.#faults
    // A client without a key does not ask again: its answer is lost with its connection alone.
    if (request.envelope.idempotency !== null && this.#happens(lostAnswer)) return this.#events.onLostAnswer(request, outcome)
    const message: Message = { request, outcome, number: 0, cancel: nothing }
    if (!this.#happens(lateAnswer)) return this.#arrive(message)
    this.#events.onLate('answer', request)
    this.#delay(message)
  }

  /** The node is gone: some connections break, and what other machines hold arrives after its next start. Call `resume` then. */
  cut(): void {
    for (const message of this.#late) {
      message.cancel()
      if (this.#prng.chance(0.5)) continue
      this.#late.delete(message)
      if (message.outcome === null) this.#events.onLostRequest(message.request)
      else this.#events.onLostAnswer(message.request, message.outcome)
    }
  }

  resume(): void {
    for (const message of this.#late) this.#delay(message)
  }

  #happens(chance: number): boolean {
    return this.isNoisy && this.#prng.chance(chance)
  }

  #delay(message: Message): void {
    this.#late.add(message)
    const delayMs = 1 + this.#prng.below(this.#prng.pick(DELAYS_MS))
    message.cancel = this.#loop.at(this.#loop.now() + delayMs, () => {
      this.#late.delete(message)
      this.#arrive(message)
    })
  }

  #arrive({ request, outcome, number }: Message): void {
    if (outcome !== null) return this.#events.onAnswer(request, outcome)
    if (number < this.#newest) this.#events.onOvertaken(request)
    this.#newest = Math.max(this.#newest, number)
    this.#events.onRequest(request)
  }
}

function nothing(): void {
  // Not planned.
}
