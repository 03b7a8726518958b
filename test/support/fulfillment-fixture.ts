// The fulfiller on an engine with a manual clock and disk, with a sandbox whose answers the test gives.
import assert from 'node:assert/strict'
import type { SandboxFault, SandboxRequest, SandboxResult } from '../../engine/actor/ports.ts'
import type { RecordedBillPayment } from '../../engine/domain/bill/bill-state.ts'
import { payloadOf } from '../../engine/domain/record.ts'
import { positionOf } from '../../engine/kernel/position.ts'
import { Fulfiller } from '../../http/workers/fulfillment/fulfiller.ts'
import { BillFixture, type Told } from './bill-engine.ts'

const TRACE = { durationMs: 40, fetches: [], logs: [] }
export const GOOD: SandboxResult = { ...TRACE, ok: true, value: 'null' }

/** Of code that has started. */
export function bad(error: string, fault: SandboxFault = 'code'): SandboxResult {
  return { ...TRACE, ok: false, fault, started: true, error }
}

/** The code was not begun. */
export function notStarted(fault: SandboxFault): SandboxResult {
  return { ...TRACE, ok: false, fault, started: false, error: fault }
}

/** One run that waits for its end. */
interface HeldRun {
  readonly request: SandboxRequest
  readonly end: (result: SandboxResult) => void
}

export class FulfillmentFixture {
  readonly setup: BillFixture
  readonly runs: SandboxRequest[] = []
  readonly held: HeldRun[] = []
  readonly bugs: unknown[] = []
  /** Null: each run waits until the test ends it. */
  answering: ((request: SandboxRequest) => SandboxResult) | null = () => GOOD
  canWrite = true
  fulfiller: Fulfiller
  #seen = 0

  private constructor(setup: BillFixture) {
    this.setup = setup
    this.fulfiller = this.#newFulfiller()
  }

  static async open(): Promise<FulfillmentFixture> {
    return new FulfillmentFixture(await BillFixture.open())
  }

  /** Lets everything through that waits now: turns, disk, runs that have ended, and what that brings. */
  async settle(): Promise<void> {
    const { fixture } = this.setup
    for (let quiet = 0; quiet < 3; ) {
      fixture.settle()
      const fresh = fixture.records.slice(this.#seen)
      this.#seen = fixture.records.length
      for (const record of fresh) this.fulfiller.record(record)
      await new Promise((resolve) => setImmediate(resolve))
      quiet = fresh.length === 0 && fixture.loop.soonCount === 0 ? quiet + 1 : 0
    }
    assert.deepEqual(this.bugs, [])
    assert.equal(this.setup.sum(), 0)
  }

  async advance(byMs: number): Promise<void> {
    this.setup.fixture.loop.advance(byMs)
    await this.settle()
  }

  /** Gives the customer money for many payments. */
  async fund(amount: number): Promise<void> {
    this.setup.fixture.do({ type: 'Deposit', target: { tag: 'awa' }, environment: 'test', amount, reference: '', by: 'operator' })
    await this.settle()
  }

  /** Asks for a redelivery under a key; answers status, code of a refusal and the record. */
  async redeliver(chargeId: string, { force = false, key = 'redeliver' } = {}): Promise<Told> {
    const { setup } = this
    const { merchant } = setup
    const told = setup.do({ type: 'RedeliverBill', merchant, position: this.positionOf(chargeId), force }, key)
    await this.settle()
    return told
  }

  async refund(chargeId: string, key = 'refund'): Promise<Told> {
    const { setup } = this
    const told = setup.do({ type: 'RefundBill', merchant: setup.merchant, position: this.positionOf(chargeId) }, key)
    await this.settle()
    return told
  }

  /** Of the payment in the log. */
  positionOf(chargeId: string): number {
    for (const { sequence, events } of this.setup.fixture.records) {
      const index = events.findIndex((event) => event.type === 'bill.paid' && payloadOf<RecordedBillPayment>(event).charge_id === chargeId)
      if (index !== -1) return positionOf(sequence, index)
    }
    throw new Error(`${chargeId} was not paid`)
  }

  /** Pays, and answers the charge id. */
  async paid(): Promise<string> {
    const id = this.setup.paidJeton()
    await this.settle()
    return id
  }

  /** The oldest held run asks for its first fetch. Answers whether it may leave. */
  async call(): Promise<boolean> {
    const { allowCall } = this.held[0]?.request ?? {}
    assert.ok(allowCall !== undefined, 'a run is held')
    const allowed = allowCall()
    await this.settle()
    return allowed
  }

  async end(result: SandboxResult): Promise<void> {
    const held = this.held.shift()
    assert.ok(held !== undefined, 'a run is held')
    held.end(result)
    await this.settle()
  }

  /** The process dies: what runs is lost, and another one starts on what the disk holds. */
  async restart(): Promise<void> {
    this.held.length = 0
    await this.setup.fixture.start()
    this.#seen = this.setup.fixture.records.length
    this.fulfiller = this.#newFulfiller()
    this.fulfiller.start()
    await this.settle()
  }

  #newFulfiller(): Fulfiller {
    const { fixture } = this.setup
    return new Fulfiller({
      engine: fixture.engine,
      code: { run: (request) => this.#run(request) },
      canWrite: () => this.canWrite,
      clock: fixture.loop,
      scheduler: fixture.loop,
      onBug: (error) => this.bugs.push(error),
    })
  }

  #run(request: SandboxRequest): Promise<SandboxResult> {
    this.runs.push(request)
    if (this.answering !== null) return Promise.resolve(this.answering(request))
    return new Promise((end) => this.held.push({ request, end }))
  }
}
