// An engine with a published biller, one product for each amount mode, and a customer with money.

import assert from 'node:assert/strict'
import type { PayBill } from '../../engine/domain/bill/bill-pay-decide.ts'
import type { AmountDue, CountedFulfillment, RecordedBillPayment } from '../../engine/domain/bill/bill-state.ts'
import { outcomeOf } from '../../engine/domain/bill/bill-versions.ts'
import type { CreateQuote } from '../../engine/domain/bill/quote-decide.ts'
import type { Command } from '../../engine/domain/command.ts'
import { merchantEventOf } from '../../engine/domain/merchant-events.ts'
import { payloadOf } from '../../engine/domain/record.ts'
import type { MerchantEvent } from '../../engine/domain/webhook/webhook-events.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'
import { BillerFixture as BillerSetup, GOOD_PRODUCTS, type Json, LOGOS } from './biller-engine.ts'
import { deposit, openWallet } from './commands.ts'
import type { EngineFixture, EngineFixtureParts } from './engine-fixture.ts'
import { outcomeStatus } from './outcome-status.ts'

export const FUNDS = 100_000
export const METER = '04123456789'

export const DUE: AmountDue = {
  amount: 18_450,
  currency: 'XOF',
  label: 'Novembre',
  customer_name: 'Awa D.',
  biller_ref: 'F-11',
  line_items: [{ label: 'Énergie', amount: 18_450 }],
}

/** An answer with its body parsed. */
export interface Told {
  readonly status: number
  readonly body: Json
}

export class BillFixture {
  readonly billers: BillerSetup
  readonly awa: AccountNumber
  readonly moussa: AccountNumber

  private constructor(billers: BillerSetup) {
    this.billers = billers
    this.awa = openWallet(billers.fixture, 'awa')
    this.moussa = openWallet(billers.fixture, 'moussa')
  }

  /** Products `facture` (lookup), `recharge` (fixed), `don` (user) and `jeton` (lookup, with code after the payment). */
  static async open(parts: EngineFixtureParts = {}): Promise<BillFixture> {
    const billers = await BillerSetup.open(parts)
    billers.complete()
    const code = { fulfillment_mode: 'code', fulfillment_code: 'async function onPaid(ctx) {}' }
    billers.must(billers.product('recharge', GOOD_PRODUCTS.fixed), 201)
    billers.must(billers.product('don', GOOD_PRODUCTS.user), 201)
    billers.must(billers.product('jeton', { ...GOOD_PRODUCTS.lookup, ...code }), 201)
    billers.must(billers.submit(), 200)
    const setup = new BillFixture(billers)
    setup.curate('approved')
    for (const tag of ['awa', 'moussa']) assert.equal(setup.fixture.do(deposit({ tag }, FUNDS)).kind, 'created')
    return setup
  }

  get fixture(): EngineFixture {
    return this.billers.fixture
  }

  get biller(): string {
    return this.billers.biller.slug
  }

  /** The merchant's test account. */
  get merchant(): AccountNumber {
    return this.billers.merchant.test
  }

  curate(curation: 'approved' | 'suspended' | 'reinstated'): void {
    this.billers.must({ type: 'CurateBiller', slug: this.biller, curation, reason: '', submittedAt: null, logosBase: LOGOS }, 200)
  }

  do(command: Command, key?: string): Told {
    const { kind, body } = this.fixture.do(command, { mailbox: this.awa, ...(key === undefined ? {} : { key }) })
    return { status: outcomeStatus({ kind }), body: JSON.parse(body) as Json }
  }

  /** Status, and the code and the param of a refusal. */
  ask(command: Command): readonly unknown[] {
    const { status, body } = this.do(command)
    return status < 300 ? [status] : [status, body.code, ...(body.param === undefined ? [] : [body.param])]
  }

  quote(more: Partial<CreateQuote> = {}): CreateQuote {
    const formValues = { compteur: METER }
    return { type: 'CreateQuote', payer: this.awa, biller: this.biller, product: 'facture', formValues, due: DUE, ...more }
  }

  pay(product: string, more: Partial<PayBill> = {}): PayBill {
    const nothing = { quoteId: null, packageId: null, amount: null, formValues: {} }
    return { type: 'PayBill', payer: this.awa, biller: this.biller, product, ...nothing, ...more }
  }

  /** Answers the id of a new quote. */
  quoted(more: Partial<CreateQuote> = {}): string {
    const { status, body } = this.do(this.quote(more))
    assert.equal(status, 201, JSON.stringify(body))
    return String(body.id)
  }

  /** A payment for the product with code; answers its charge id. */
  paidJeton(): string {
    const { status, body } = this.do(this.pay('jeton', { quoteId: this.quoted({ product: 'jeton' }) }))
    assert.equal(status, 200, JSON.stringify(body))
    return String(body.charge_id)
  }

  balances(): { readonly awa: number; readonly merchant: number } {
    const { accounts } = this.fixture.state
    return { awa: accounts.balance(this.awa), merchant: accounts.balance(this.merchant) }
  }

  /** Over all accounts of both environments. */
  sum(): number {
    const { accounts } = this.fixture.state
    return Array.from({ length: accounts.count }, (_, account) => accounts.balance(account)).reduce((sum, one) => sum + one, 0)
  }

  payments(): RecordedBillPayment[] {
    return this.fixture.records.flatMap(({ events }) =>
      events.filter(({ type }) => type === 'bill.paid').map((event) => payloadOf<RecordedBillPayment>(event)),
    )
  }

  /** The events of bills that merchants were sent. */
  told(): MerchantEvent[] {
    const told = this.fixture.records.flatMap(({ events }) =>
      events
        .filter(({ type }) => type === 'merchant_event.recorded')
        .map((event) => merchantEventOf(event, this.fixture.engine.history) as MerchantEvent),
    )
    return told.filter(({ type }) => type === 'bill.paid')
  }

  fulfillment(chargeId: string): CountedFulfillment {
    const payment = this.payments().find(({ charge_id }) => charge_id === chargeId)
    assert.ok(payment !== undefined)
    return outcomeOf(this.fixture.state, this.fixture.engine.history, payment).fulfillment
  }
}
