// The callers of a bill over HTTP: a published biller whose system answers on this machine, a customer with money in the app.
import assert from 'node:assert/strict'
import { METER } from './bill-engine.ts'
import { openBiller } from './biller-callers.ts'
import { GOOD_PRODUCTS } from './biller-engine.ts'
import type { Client } from './client.ts'
import { eventuallyAsync } from './eventually.ts'
import { Patience } from './patience.ts'
import { LOCALHOST_CERTIFICATE, Receiver } from './receiver.ts'
import { type Merchant, newKey, TestServer } from './server-fixture.ts'
import type { ServerOptions } from './server-process.ts'
import { bearer, ok, PIN, signUp } from './wallet-callers.ts'

export const SECRET = 'un secret du facturier'

const TRUSTING = { OUTBOUND_ALLOW_PRIVATE: 'true', NODE_EXTRA_CA_CERTS: LOCALHOST_CERTIFICATE }

/** A server that may call this machine and trusts its certificate. */
export function openBillServer(options: ServerOptions = {}): Promise<TestServer> {
  return TestServer.open({ ...options, settings: { ...TRUSTING, ...options.settings } })
}

/** The biller's own system: lookups and webhooks end there. */
export function openBillerSystem(): Promise<Receiver> {
  return Receiver.open('https', '127.0.0.1', 'localhost')
}

export interface PaidFor {
  readonly merchant: Merchant
  readonly biller: string
}

export const CODE = { fulfillment_mode: 'code', fulfillment_code: 'async function onPaid(ctx) { console.log(ctx.charge_id) }' }

/** Product `facture` (lookup at `system`). */
export async function openLookup(server: TestServer, system: Receiver): Promise<PaidFor> {
  const { merchant, slug } = await openBiller(server, 'published')
  const lookup_url = `https://localhost:${system.port}/lookup`
  const facture = await merchant.test.request('PUT', '/v1/biz/biller/products/facture', {
    json: { ...GOOD_PRODUCTS.lookup, lookup_url, lookup_secret: SECRET },
  })
  assert.equal(facture.status, 200, facture.text)
  return { merchant, biller: slug }
}

/** Products `facture` (lookup at `system`), `recharge` (fixed), `don` (user) and `jeton` (user, with code). */
export async function openPaidFor(server: TestServer, system: Receiver): Promise<PaidFor> {
  const { merchant, biller } = await openLookup(server, system)
  const more = { recharge: GOOD_PRODUCTS.fixed, don: GOOD_PRODUCTS.user, jeton: { ...GOOD_PRODUCTS.user, ...CODE } }
  for (const [product, body] of Object.entries(more)) await makeProduct(merchant.test, product, body)
  return { merchant, biller }
}

export async function makeProduct(test: Client, slug: string, body: object): Promise<void> {
  // On a busy machine the sandbox may not have started: the API asks for another try.
  const make = () => test.post('/v1/biz/biller/products', { slug, ...body })
  let made = await make()
  await eventuallyAsync(async () => {
    if (made.status === 503) made = await make()
    return made.status !== 503
  }, 'the sandbox')
  assert.equal(made.status, 201, made.text)
}

export class Customer {
  readonly app: Client
  readonly #token: string
  readonly #biller: string

  private constructor(anybody: Client, token: string, biller: string) {
    this.app = bearer(anybody, token)
    this.#token = token
    this.#biller = biller
  }

  /** A test wallet with money, signed in. */
  static async open(server: TestServer, { merchant, biller }: PaidFor, funds = 100_000): Promise<Customer> {
    const { tag, accessToken } = await signUp(server.anybody)
    if (funds > 0) await ok(merchant.test.post('/v1/biz/test/deposits', { recipient: tag, amount: funds }))
    return new Customer(server.anybody, accessToken, biller)
  }

  /** The same in front of another server on the same folder. */
  at(server: TestServer): Customer {
    return new Customer(server.anybody, this.#token, this.#biller)
  }

  path(product: string, verb = ''): string {
    return `/v1/me/directory/${this.#biller}/products/${product}${verb === '' ? '' : `/${verb}`}`
  }

  quote(product = 'facture', form_values: object = { compteur: METER }, headers: Readonly<Record<string, string>> = {}) {
    return this.app.post<Record<string, unknown>>(this.path(product, 'quote'), { form_values }, headers)
  }

  pay(product: string, body: object, headers: Readonly<Record<string, string>> = newKey()) {
    return this.app.post<Record<string, unknown>>(this.path(product, 'pay'), { pin: PIN, ...body }, headers)
  }

  async balance(): Promise<number> {
    return (await this.app.get<{ available: number }>('/v1/me/balance')).body.available
  }
}

export interface BillRow {
  readonly charge_id: string
  readonly transaction_id: string
  readonly biller_ref: string
  readonly product: string
  readonly fulfillment: { readonly state: string; readonly error: string | null; readonly duration_ms: number | null }
}

export async function billRows({ test }: Merchant, query = ''): Promise<readonly BillRow[]> {
  const answer = await test.get<{ data: readonly BillRow[] }>(`/v1/biz/bill-payments${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data
}

const PATIENCE_MS = 30_000

/** The row once its fulfillment is over. */
export async function fulfilledRow(merchant: Merchant, chargeId: unknown): Promise<BillRow> {
  for (const patience = new Patience(PATIENCE_MS); ; ) {
    const row = (await billRows(merchant)).find(({ charge_id }) => charge_id === chargeId)
    if (row !== undefined && row.fulfillment.state !== 'pending') return row
    if (patience.isOver) throw new Error('the fulfillment is not over')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
