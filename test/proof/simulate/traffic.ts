// Requests between the clients and the node that runs: over a network that loses and delays them, and again where no answer came.
import assert from 'node:assert/strict'
import type { Outcome } from '../../../engine/actor/envelope.ts'
import type { Prng } from '../../support/prng.ts'
import type { Request } from './auditor.ts'
import { comesTwice } from './clients.ts'
import type { Machine } from './machine.ts'
import { Network, type NetworkFaults } from './network.ts'
import type { Watch } from './watch.ts'

export interface TrafficFigures {
  requests: number
  lostRequests: number
  lostAnswers: number
  lateMessages: number
}

export class Traffic {
  readonly figures: TrafficFigures = { requests: 0, lostRequests: 0, lostAnswers: 0, lateMessages: 0 }
  readonly network: Network
  readonly #machine: Machine
  readonly #watch: Watch
  readonly #sent = new Set<Request>()
  /** Requests that were lost, or whose answer was: their clients send them again. */
  readonly #unanswered: Request[] = []

  constructor(machine: Machine, watch: Watch, prng: Prng, faults: NetworkFaults) {
    this.#machine = machine
    this.#watch = watch
    this.network = this.#openNetwork(prng, faults)
  }

  send(request: Request): void {
    const isRepeated = this.#sent.has(request)
    this.#sent.add(request)
    // Without a key the result is unknown: a careful client does not send it twice. Results of gateways come twice.
    if (isRepeated && !hasKey(request) && !comesTwice(request.envelope.command)) return
    this.network.request(request)
  }

  /** The client that waits longest for an answer sends its request again. */
  sendUnanswered(): void {
    const request = this.#unanswered.shift()
    if (request !== undefined) this.send(request)
  }

  /** The request reaches the node, or finds none. */
  deliver(request: Request): void {
    if (!this.#machine.isRunning) return this.#loseRequest(request)
    this.figures.requests++
    const { underWay } = this.#watch
    underWay.put(request, 'in the mailbox')
    const settle = (outcome: Outcome): void => {
      this.#watch.left(this.#machine, request, outcome)
      this.network.answer(request, outcome)
    }
    const refusal = this.#machine.engine.submit(request.envelope, { settle })
    if (refusal === null) return
    assert.equal(refusal, 'unavailable', 'a full mailbox refuses')
    underWay.remove(request)
  }

  /** Its sender tries again, if it may. */
  #loseRequest(request: Request): void {
    this.figures.lostRequests++
    this.#watch.coverage.count(request.envelope.command.type, 'request lost')
    this.#watch.underWay.remove(request)
    if (hasKey(request) || comesTwice(request.envelope.command)) this.#unanswered.push(request)
  }

  #openNetwork(prng: Prng, faults: NetworkFaults): Network {
    const { underWay, coverage } = this.#watch
    return new Network(this.#machine.loop, prng, faults, {
      onRequest: (request) => this.deliver(request),
      onLostRequest: (request) => this.#loseRequest(request),
      onAnswer: (request, outcome) => this.#watch.arrived(request, outcome),
      onLostAnswer: (request, outcome) => {
        this.figures.lostAnswers++
        this.#watch.lostAnswer(request, outcome)
        this.#unanswered.push(request)
      },
      onLate: (what, request) => {
        this.figures.lateMessages++
        underWay.put(request, what === 'request' ? 'on its way' : 'answer on its way')
        coverage.count(request.envelope.command.type, what === 'request' ? 'request late' : 'answer late')
      },
      onOvertaken: ({ envelope }) => coverage.count(envelope.command.type, 'overtaken by a later request'),
    })
  }
}

export function hasKey({ envelope }: Request): boolean {
  return envelope.idempotency !== null
}
