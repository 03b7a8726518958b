// The merchant's server of a simulated cluster, which gets webhooks: slow, failing for a while, and sometimes without an answer.
import assert from 'node:assert/strict'
import type { OutboundRequest } from '../../../../http/outbound/outbound-calls.ts'
import { OUTBOUND_FAILURES, type OutboundOutcome } from '../../../../http/outbound/outcome.ts'
import type { Prng } from '../../../support/prng.ts'
import type { OutboxesModel } from '../../simulate/models/outboxes.ts'
import type { SimMachine } from './sim-machine.ts'

const ANSWER_MAX_MS = 2000
const FAILS = 0.25

export class SimReceiver {
  readonly figures = { webhooks: 0 }
  /** From here on each request succeeds. */
  isHealed = false
  readonly #machine: SimMachine
  readonly #prng: Prng
  readonly #outboxes: OutboxesModel
  readonly #bodies = new Map<string, string>()
  readonly #accepted = new Set<string>()

  constructor(machine: SimMachine, prng: Prng, outboxes: OutboxesModel) {
    this.#machine = machine
    this.#prng = prng
    this.#outboxes = outboxes
  }

  /** The call of the process that runs now. A process that ends gets no answer. */
  call({ headers, body }: OutboundRequest): Promise<OutboundOutcome> {
    const id = headers?.['x-service-delivery-id'] ?? ''
    const text = String(body)
    const booked = this.#outboxes.deliveries.get(id)
    assert.ok(booked !== undefined, 'a webhook leaves after its record is acknowledged')
    assert.equal(headers?.['x-service-event-id'], booked.eventId)
    assert.equal(text, this.#bodies.get(id) ?? text, 'each attempt has the same body')
    this.#bodies.set(id, text)
    this.figures.webhooks++
    const outcome = this.#outcome(id)
    const { process } = this.#machine
    return new Promise((resolve) => {
      this.#machine.after(this.#prng.below(ANSWER_MAX_MS), process, 'webhook answer', () => resolve(outcome))
    })
  }

  /** Each delivery arrived at least once, or its next attempt is planned. */
  get hasAll(): boolean {
    return [...this.#outboxes.deliveries.values()].every(({ state, attempts }) => state !== 'pending' || attempts > 0)
  }

  checkAll(): void {
    for (const [id, { state }] of this.#outboxes.deliveries) {
      if (state === 'succeeded') assert.ok(this.#accepted.has(id), `delivery ${id} arrived before it was recorded as successful`)
    }
  }

  #outcome(id: string): OutboundOutcome {
    const durationMs = 1
    const isBad = !this.isHealed && this.#prng.chance(FAILS)
    if (isBad && this.#prng.chance(0.5)) return { kind: 'failed', failure: 'timeout', message: OUTBOUND_FAILURES.timeout, durationMs }
    if (!isBad) this.#accepted.add(id)
    return { kind: 'answered', status: isBad ? 500 : 200, headers: new Map(), body: '', bytes: Buffer.alloc(0), durationMs }
  }
}
