// The client of the merchant API: one object for a pair of keys, with a resource for each noun.

import { TopUps, Transactions, Withdrawals } from './resources/account.ts'
import { Billers, BillPayments, Products } from './resources/billers.ts'
import { Charges, Checkout, PaymentLinks, Problems } from './resources/charges.ts'
import { Contacts } from './resources/contacts.ts'
import { Disbursements } from './resources/disbursements.ts'
import { Events, WebhookEndpoints } from './resources/events.ts'
import { Mandates } from './resources/mandates.ts'
import { Batches, Payouts, Schedules } from './resources/payouts.ts'
import { TestEnvironment } from './resources/test-environment.ts'
import { textOf } from './resources/text-stream.ts'
import { type CauriOptions, type RequestOptions, Transport } from './transport.ts'
import type { Answer, Query, Verb } from './types.ts'

/**
 * The merchant API. Methods reject with an ApiError of the class that its `code` asks for, or with a ConnectionError. A POST has
 * one Idempotency-Key over all its attempts: it is done at most once.
 */
export class Cauri {
  readonly #transport: Transport
  readonly transactions: Transactions
  readonly topUps: TopUps
  readonly withdrawals: Withdrawals
  readonly charges: Charges
  readonly checkout: Checkout
  readonly paymentLinks: PaymentLinks
  readonly problems: Problems
  readonly payouts: Payouts
  readonly batches: Batches
  readonly disbursements: Disbursements
  readonly contacts: Contacts
  readonly schedules: Schedules
  readonly mandates: Mandates
  readonly biller: Billers
  readonly products: Products
  readonly billPayments: BillPayments
  readonly webhookEndpoints: WebhookEndpoints
  readonly events: Events
  /** Test keys only. */
  readonly test: TestEnvironment

  /** Throws a TypeError for an address or keys that cannot be right. */
  constructor(options: CauriOptions) {
    const transport = new Transport(options)
    this.#transport = transport
    this.transactions = new Transactions(transport)
    this.topUps = new TopUps(transport)
    this.withdrawals = new Withdrawals(transport)
    this.charges = new Charges(transport)
    this.checkout = new Checkout(transport)
    this.paymentLinks = new PaymentLinks(transport)
    this.problems = new Problems(transport)
    this.payouts = new Payouts(transport)
    this.batches = new Batches(transport)
    this.disbursements = new Disbursements(transport)
    this.contacts = new Contacts(transport)
    this.schedules = new Schedules(transport)
    this.mandates = new Mandates(transport)
    this.biller = new Billers(transport)
    this.products = new Products(transport)
    this.billPayments = new BillPayments(transport)
    this.webhookEndpoints = new WebhookEndpoints(transport)
    this.events = new Events(transport)
    this.test = new TestEnvironment(transport)
  }

  /** Any route of the API, also one that this version does not know: `path` begins with `/` and has its query. It rejects as the methods do. */
  request<Found = unknown>(method: Uppercase<Verb>, path: string, body?: unknown, options: RequestOptions = {}): Promise<Found> {
    return this.#transport.request(method, path, body, options)
  }

  /** Any list that the API has as CSV, in chunks as they arrive. */
  csv(path: string, options: RequestOptions = {}): AsyncGenerator<string, void, undefined> {
    return textOf(() => this.#transport.open(path, 'text/csv', options))
  }

  /** Checks the keys; returns merchant, environment and scopes. */
  ping(options: RequestOptions = {}): Promise<Answer<'ping'>> {
    return this.#transport.get('/v1/biz/ping', {}, {}, options)
  }

  balance(options: RequestOptions = {}): Promise<Answer<'getBalance'>> {
    return this.#transport.get('/v1/biz/balance', {}, {}, options)
  }

  /** What a movement of the amount costs, and who bears the fee. */
  fee(query: Query<'getFee'>, options: RequestOptions = {}): Promise<Answer<'getFee'>> {
    return this.#transport.get('/v1/biz/fees', {}, query, options)
  }

  /** Whether the service can write, and its version. Rejects with an UnavailableError otherwise. */
  health(options: RequestOptions = {}): Promise<Answer<'getHealth'>> {
    return this.#transport.get('/healthz', {}, {}, options)
  }
}
