// Honest traffic at a fixed pace: a merchant pays out, a biller's customers look bills up in hosted code and pay them, and the
// biller's code and webhook follow each payment. Latency counts from the planned time, so a stalled server is not spared. While it warms
// up, another merchant sends batches with webhooks: the first run of code is slow at each start of a server, with or without an attack.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Customer, openBillerSystem, openPaidFor, type PaidFor } from '../../support/bill-callers.ts'
import { METER } from '../../support/bill-engine.ts'
import { PRODUCTS } from '../../support/biller-callers.ts'
import { GOOD_PRODUCTS } from '../../support/biller-engine.ts'
import { PASSWORD, signUp } from '../../support/dashboard-callers.ts'
import type { Receiver } from '../../support/receiver.ts'
import { type Merchant, newKey, TestServer } from '../../support/server-fixture.ts'
import { type KindReport, type Phase, Samples } from './samples.ts'

/**
 * Lookups and bill payments a second for latencies: 500 of each in the 20 s of `npm run attack`. They keep the server's thread below half of
 * its time, so that what is late is late because of the attack; with 50 it would be busy for three quarters of it.
 */
export const BILLS_PER_SECOND = 25
type Kind = 'payout' | 'lookup' | 'bill' | 'login'
/** Of the period of each kind: they begin apart. */
const OFFSETS = { payout: 0, lookup: 0.25, bill: 0.75, login: 0.5 } as const
const STATUS = { payout: 201, lookup: 201, bill: 200, login: 200 } as const
const BILL_HOOKS = '/hooks'
const PAYOUT_HOOKS = '/paid'
const BATCH_LINES = 500
const BATCH_PERIOD_MS = 1000
const FUNDS = 1_000_000_000
/** A wallet may wait for two lookups at once: with these, a lookup may take six seconds before one is refused. */
const CUSTOMERS = 75
const FOLLOW_UP_MAX_MS = 60_000
/** Addresses of documentation (RFC 5737): the attackers come from elsewhere. */
const HONEST_ADDRESS = '192.0.2.10'
const LOOKUP_CODE = "function lookup(args) { return { ok: true, amount: 1500, currency: 'XOF', biller_ref: args.fields.compteur } }"
const FULFILLMENT_CODE = "async function onPaid(ctx) { console.log('delivered ' + ctx.charge_id) }"

export interface HonestRequest {
  readonly signsIn: boolean
  readonly billsPerSecond: number
}

interface PaidBill {
  readonly paidAtMs: number
  readonly phase: Phase
}

export class HonestTraffic {
  readonly #server: TestServer
  readonly #merchant: Merchant
  readonly #paidFor: PaidFor
  readonly #customers: readonly Customer[]
  #turn = 0
  readonly #system: Receiver
  /** E-mail address of an account that signs in; empty without such traffic. */
  readonly #login: string
  readonly #tag: string
  readonly #samples = {
    payout: new Samples('payout'),
    lookup: new Samples('lookup'),
    bill: new Samples('bill payment'),
    login: new Samples('sign-in'),
    fulfillment: new Samples('fulfillment and bill.paid'),
  }
  readonly #bills = new Map<string, PaidBill>()
  readonly #delivered = new Set<string>()
  readonly #underWay = new Set<Promise<void>>()
  #phase: Phase = 'warm-up'
  /** Work a second of each kind. */
  readonly #pace: Readonly<Record<Kind, number>>

  private constructor(
    server: TestServer,
    merchant: Merchant,
    paidFor: PaidFor,
    customers: readonly Customer[],
    system: Receiver,
    tag: string,
    login: string,
    billsPerSecond: number,
  ) {
    this.#pace = { payout: 50, lookup: billsPerSecond, bill: billsPerSecond, login: 2 }
    this.#server = server
    this.#merchant = merchant
    this.#paidFor = paidFor
    this.#customers = customers
    this.#system = system
    this.#tag = tag
    this.#login = login
    system.answering = ({ path, body }, response) => {
      response.end()
      if (path === BILL_HOOKS) this.#arrived(JSON.parse(body).data.charge_id)
    }
  }

  /** Accounts, products and money on the server at this address. */
  static async open(baseUrl: string, asked: HonestRequest): Promise<HonestTraffic> {
    const server = await TestServer.attached(baseUrl, { 'x-forwarded-for': HONEST_ADDRESS })
    const system = await openBillerSystem()
    try {
      return await HonestTraffic.#prepare(server, system, asked)
    } catch (error) {
      // Open sockets would keep the test process alive.
      await server.close()
      await system.close()
      throw error
    }
  }

  static async #prepare(server: TestServer, system: Receiver, asked: HonestRequest): Promise<HonestTraffic> {
    const merchant = await server.fundedMerchant(FUNDS)
    const tag = await server.wallet(merchant)
    const paidFor = await openPaidFor(server, system)
    const products = {
      lue: { ...GOOD_PRODUCTS.lookup, lookup_url: undefined, lookup_integration: 'code', lookup_code: LOOKUP_CODE },
      livree: { ...GOOD_PRODUCTS.user, fulfillment_mode: 'code', fulfillment_code: FULFILLMENT_CODE },
    }
    for (const [slug, body] of Object.entries(products)) {
      const made = await paidFor.merchant.test.post(PRODUCTS, { slug, ...body })
      assert.equal(made.status, 201, made.text)
    }
    const hooks = { url: `https://localhost:${system.port}${BILL_HOOKS}`, events: ['bill.paid'] }
    const endpoint = await paidFor.merchant.test.post('/v1/biz/webhook-endpoints', hooks)
    assert.equal(endpoint.status, 201, endpoint.text)
    const customers = await Promise.all(Array.from({ length: CUSTOMERS }, () => Customer.open(server, paidFor, FUNDS)))
    const login = asked.signsIn ? (await signUp(server)).email : ''
    return new HonestTraffic(server, merchant, paidFor, customers, system, tag, login, asked.billsPerSecond)
  }

  /** Runs at its pace for this long; work of the time is finished or counted as lost when it resolves. */
  async run(phase: Phase, durationMs: number): Promise<void> {
    this.#phase = phase
    const startMs = performance.now()
    const batches = phase === 'warm-up' ? [this.#payBatches(startMs, startMs + durationMs)] : []
    await Promise.all([...batches, ...this.#kinds().map((kind) => this.#atPace(kind, startMs, startMs + durationMs))])
    await Promise.all(this.#underWay)
  }

  /** Waits for what follows each paid bill; what did not come is lost. */
  async finish(): Promise<readonly KindReport[]> {
    const deadlineMs = performance.now() + FOLLOW_UP_MAX_MS
    while (this.#delivered.size < this.#bills.size && performance.now() < deadlineMs)
      await new Promise((resolve) => setTimeout(resolve, 50))
    for (const chargeId of this.#bills.keys()) {
      if (!this.#delivered.has(chargeId)) this.#samples.fulfillment.lost('no bill.paid arrived')
    }
    await this.#checkFulfillments()
    return [...this.#kinds(), 'fulfillment' as const].map((kind) => this.#samples[kind].report())
  }

  async close(): Promise<void> {
    await this.#server.close()
    await this.#system.close()
  }

  /** One batch a second: half of its lines are paid, half fail, and each line has its webhook. */
  async #payBatches(startMs: number, endMs: number): Promise<void> {
    const employer = await this.#server.fundedMerchant(FUNDS)
    const hooks = { url: `https://localhost:${this.#system.port}${PAYOUT_HOOKS}`, events: ['payout.paid', 'payout.failed'] }
    const endpoint = await employer.test.post('/v1/biz/webhook-endpoints', hooks)
    assert.equal(endpoint.status, 201, endpoint.text)
    const items = Array.from({ length: BATCH_LINES }, (_, index) => ({ recipient: index % 2 === 0 ? this.#tag : 'inconnue', amount: 1 }))
    for (let plannedMs = startMs; plannedMs < endMs; plannedMs += BATCH_PERIOD_MS) {
      await waitUntil(plannedMs)
      const made = await employer.test.post('/v1/biz/payouts/batch', { reference: 'salaires', items }, newKey())
      // Beside log-flood an account may record little in a day: what that holds has warmed the code.
      if (made.body.code === 'rate_limited') return
      assert.equal(made.status, 201, made.text)
    }
  }

  #kinds(): readonly Kind[] {
    return (Object.keys(this.#pace) as Kind[]).filter((kind) => kind !== 'login' || this.#login !== '')
  }

  async #atPace(kind: Kind, startMs: number, endMs: number): Promise<void> {
    const periodMs = 1000 / this.#pace[kind]
    for (let plannedMs = startMs + OFFSETS[kind] * periodMs; plannedMs < endMs; plannedMs += periodMs) {
      await waitUntil(plannedMs)
      const work: Promise<void> = this.#one(kind, plannedMs).finally(() => this.#underWay.delete(work))
      this.#underWay.add(work)
    }
  }

  async #one(kind: Kind, plannedMs: number): Promise<void> {
    const phase = this.#phase
    try {
      const answer = await this.#send(kind)
      if (answer.status !== STATUS[kind] || answer.body.state === 'failed') {
        return this.#samples[kind].lost(`${answer.status} ${answer.text.slice(0, 120)}`)
      }
      this.#samples[kind].took(phase, performance.now() - plannedMs)
      if (kind === 'bill') this.#paid(String(answer.body.charge_id), phase)
    } catch (error) {
      this.#samples[kind].lost(error instanceof Error ? error.message : String(error))
    }
  }

  #send(kind: Kind) {
    const customer = this.#customers[this.#turn++ % CUSTOMERS]
    assert.ok(customer !== undefined)
    switch (kind) {
      case 'payout':
        return this.#merchant.test.post('/v1/biz/payouts', { recipient: this.#tag, amount: 100, reference: randomUUID() }, newKey())
      case 'lookup':
        return customer.quote('lue', { compteur: METER })
      case 'bill':
        return customer.pay('livree', { amount: 1000, form_values: { montant: '1000' } })
      case 'login':
        return this.#server.anybody.post('/v1/dashboard/login', { email: this.#login, password: PASSWORD })
    }
  }

  #paid(chargeId: string, phase: Phase): void {
    this.#bills.set(chargeId, { paidAtMs: performance.now(), phase })
    if (this.#delivered.has(chargeId)) this.#samples.fulfillment.took(phase, 0)
  }

  #arrived(chargeId: string): void {
    if (this.#delivered.has(chargeId)) return
    this.#delivered.add(chargeId)
    const bill = this.#bills.get(chargeId)
    if (bill !== undefined) this.#samples.fulfillment.took(bill.phase, performance.now() - bill.paidAtMs)
  }

  /** The code of every paid bill has run with success, by the merchant's own list. */
  async #checkFulfillments(): Promise<void> {
    let cursor = ''
    do {
      const query = `limit=100${cursor === '' ? '' : `&cursor=${cursor}`}`
      const { body } = await this.#paidFor.merchant.test.get<BillPage>(`/v1/biz/bill-payments?${query}`)
      for (const { charge_id, fulfillment } of body.data) {
        if (this.#bills.has(charge_id) && fulfillment.state !== 'succeeded') {
          this.#samples.fulfillment.lost(`${fulfillment.state}: ${fulfillment.error ?? 'without a reason'}`)
        }
      }
      cursor = body.next_cursor ?? ''
    } while (cursor !== '')
  }
}

async function waitUntil(atMs: number): Promise<void> {
  const waitMs = atMs - performance.now()
  if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
}

interface BillPage {
  readonly data: readonly { readonly charge_id: string; readonly fulfillment: { readonly state: string; readonly error: string | null } }[]
  readonly next_cursor: string | null
}
