// A deliverer on an engine fixture: the engine's loop and clock move only when the test moves them, and the other side answers
// what the test says, when it says so.
import assert from 'node:assert/strict'
import type { OutboundRequest } from '../../http/outbound/outbound-calls.ts'
import { type Answered, OUTBOUND_FAILURES, type OutboundFailure, type OutboundOutcome } from '../../http/outbound/outcome.ts'
import { type DelivererParts, WebhookDeliverer } from '../../http/workers/webhooks/deliverer.ts'
import { openWebhookSetup, type WebhookEngineFixture } from './webhook-engine.ts'

/** One call that waits for its answer. */
export interface HeldCall {
  readonly request: OutboundRequest
  answer(outcome: OutboundOutcome): void
}

export function answered(status: number, headers: Readonly<Record<string, string>> = {}, durationMs = 5): Answered {
  return { kind: 'answered', status, headers: new Map(Object.entries(headers)), body: '', bytes: Buffer.alloc(0), durationMs }
}

export function failed(failure: OutboundFailure, durationMs = 15_000): OutboundOutcome {
  return { kind: 'failed', failure, message: OUTBOUND_FAILURES[failure], durationMs }
}

export class DeliveryFixture {
  readonly setup: WebhookEngineFixture
  /** Every call so far. */
  readonly calls: OutboundRequest[] = []
  /** Calls that have no answer yet, unless `answering` answers at once. */
  readonly held: HeldCall[] = []
  readonly bugs: unknown[] = []
  answering: ((request: OutboundRequest) => OutboundOutcome) | null = () => answered(200)
  canWrite = true
  deliverer: WebhookDeliverer
  #recordsSeen = 0
  readonly #options: Partial<DelivererParts>

  private constructor(setup: WebhookEngineFixture, options: Partial<DelivererParts>) {
    this.setup = setup
    this.#options = options
    this.deliverer = this.#newDeliverer()
  }

  static async open(options: Partial<DelivererParts> = {}): Promise<DeliveryFixture> {
    return new DeliveryFixture(await openWebhookSetup(), options)
  }

  /** A deliverer beside all that the fixture has made up to now. */
  static over(setup: WebhookEngineFixture): DeliveryFixture {
    return new DeliveryFixture(setup, {})
  }

  /** Lets everything through that waits now: turns, disk, calls that are answered, and what that brings. */
  async settle(): Promise<void> {
    const { fixture } = this.setup
    let quiet = 0
    while (quiet < 3) {
      fixture.settle()
      const fresh = fixture.records.slice(this.#recordsSeen)
      this.#recordsSeen = fixture.records.length
      for (const record of fresh) this.deliverer.record(record)
      await new Promise((resolve) => setImmediate(resolve))
      quiet = fresh.length === 0 && fixture.loop.soonCount === 0 ? quiet + 1 : 0
    }
    assert.deepEqual(this.bugs, [])
    assert.deepEqual(fixture.fatals, [])
  }

  async advance(byMs: number): Promise<void> {
    this.setup.fixture.loop.advance(byMs)
    await this.settle()
  }

  /** Answers the oldest call that is held. */
  async answer(outcome: OutboundOutcome): Promise<void> {
    const held = this.held.shift()
    assert.ok(held !== undefined, 'a call is held')
    held.answer(outcome)
    await this.settle()
  }

  /** The process dies and starts again: what is under way is lost. */
  async restart(): Promise<void> {
    this.held.length = 0
    await this.setup.fixture.start()
    this.#recordsSeen = this.setup.fixture.records.length
    this.deliverer = this.#newDeliverer()
    this.deliverer.start()
    await this.settle()
  }

  #newDeliverer(): WebhookDeliverer {
    const { fixture } = this.setup
    return new WebhookDeliverer({
      engine: fixture.engine,
      outbound: { call: (request) => this.#call(request) },
      secrets: { signing: (_account, endpoint) => [endpoint?.sealed_secret ?? 'default'] },
      canWrite: () => this.canWrite,
      clock: fixture.loop,
      scheduler: fixture.loop,
      random: () => 0.5,
      turns: { begin: (_account, run) => run() },
      onBug: (error) => this.bugs.push(error),
      ...this.#options,
    })
  }

  #call(request: OutboundRequest): Promise<OutboundOutcome> {
    this.calls.push(request)
    if (this.answering !== null) return Promise.resolve(this.answering(request))
    return new Promise((resolve) => this.held.push({ request, answer: resolve }))
  }
}
