// Quotes, bills and the runs of their code in the model.
import assert from 'node:assert/strict'
import type { State } from '../../../../engine/domain/state.ts'
import { positionOf } from '../../../../engine/kernel/position.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows, sent } from '../entry.ts'
import type { Moves } from '../moves.ts'
import type { AccountsModel } from './accounts.ts'
import type { BillersModel } from './billers.ts'
import type { FeesModel, ModelFee } from './fees.ts'

type Code = 'none' | 'waiting' | 'running' | 'succeeded' | 'failed'

export interface ModelQuote {
  readonly id: string
  readonly payer: number
  readonly biller: string
  readonly product: string
  readonly amount: number
  readonly expiresMs: number
  isUsed: boolean
}

export interface ModelBill {
  readonly chargeId: string
  readonly payer: number
  readonly merchant: number
  readonly amount: number
  readonly position: number
  code: Code
  /** Its code that runs has called. */
  hasCalled: boolean
  /** Its code was asked for again: the merchant got the event of the payment before. */
  isAgain: boolean
  isRefunded: boolean
  /** Of its payment. */
  readonly fee: ModelFee
}

interface Paid {
  readonly charge_id: string
  readonly biller: string
  readonly product: string
  readonly amount: number
  readonly quote_id: string | null
  readonly fulfillment: { readonly state: 'none' | 'pending' }
}

interface Quoted {
  readonly id: string
  readonly biller: string
  readonly product: string
  readonly amount: number
  readonly expires_at: string
}

interface OfCode {
  readonly charge_id: string
  readonly fulfillment: { readonly state: 'succeeded' | 'failed' }
}

export class BillsModel implements NounModel {
  readonly quotes = new Map<string, ModelQuote>()
  readonly bills = new Map<string, ModelBill>()
  readonly #byPosition = new Map<number, string>()
  readonly #accounts: AccountsModel
  readonly #billers: BillersModel
  readonly #fees: FeesModel
  readonly #code: Machine<Code>
  readonly #bill: Machine<'paid' | 'refunded'>

  constructor(accounts: AccountsModel, billers: BillersModel, fees: FeesModel, seen: Moves) {
    this.#accounts = accounts
    this.#fees = fees
    this.#billers = billers
    const ends = { fulfilled: ['waiting', 'running'], fulfillment_returned: ['running'] } as const
    this.#code = new Machine(
      'code of a bill',
      { fulfillment_started: ['waiting'], redelivery_requested: ['succeeded', 'failed', 'none'], ...ends },
      seen,
    )
    this.#bill = new Machine('bill', { refunded: ['paid'] }, seen)
  }

  /** The bill whose payment is at this position of the log. */
  at(position: number): ModelBill | undefined {
    return this.bills.get(this.#byPosition.get(position) ?? '')
  }

  audit(entry: Entry): void {
    for (const { event, payload } of eventsOf<Quoted>(entry, 'quote.created')) {
      const { id, biller, product, amount, expires_at } = payload
      this.#demandPayable(event.account, biller, product)
      this.quotes.set(id, { id, payer: event.account, biller, product, amount, expiresMs: Date.parse(expires_at), isUsed: false })
    }
    for (const { event, payload } of eventsOf<Paid>(entry, 'bill.paid')) this.#pay(entry, event.account, payload)
    for (const { payload } of eventsOf<OfCode>(entry, 'bill.fulfillment_called')) this.#call(payload)
    for (const type of ['fulfillment_started', 'fulfillment_returned', 'fulfilled', 'redelivery_requested'] as const) {
      for (const { payload } of eventsOf<OfCode>(entry, `bill.${type}`)) this.#run(entry, type, payload)
    }
    for (const { payload } of eventsOf<{ readonly charge_id: string }>(entry, 'bill.refunded')) this.#refund(entry, payload.charge_id)
  }

  compare({ bills }: State): void {
    const open = [...this.bills.values()].filter(({ code }) => code === 'waiting' || code === 'running')
    sameRows(
      [...bills.fulfilling.values()].map(({ charge_id, has_started, has_called = false }) => `${charge_id} ${has_started} ${has_called}`),
      open.map(({ chargeId, code, hasCalled }) => `${chargeId} ${code === 'running'} ${hasCalled}`),
      'bills whose code is not over',
    )
  }

  /** Answers the merchant's account in the payer's environment. */
  #demandPayable(payer: number, slug: string, product: string): number {
    const biller = this.#billers.billers.get(slug)
    const { environment } = this.#accounts.account(payer)
    assert.ok(biller?.state === 'published' && (biller.isLive || environment === 'test'), `biller ${slug} is published`)
    assert.equal(biller.products.get(product)?.state, 'active', 'an active product is paid')
    assert.equal(this.#accounts.walletAt(payer)?.block, 'free', 'a blocked wallet pays nothing')
    const merchant = this.#accounts.merchants.find(({ id }) => id === biller.merchantId)?.[environment] ?? -1
    assert.equal(this.#accounts.stopOf(merchant), null, 'a merchant who is stopped gets no money')
    return merchant
  }

  #pay(entry: Entry, account: number, paid: Paid): void {
    const { record } = entry
    const [posting] = record.transactions[0]?.postings ?? []
    assert.ok(posting !== undefined, 'a bill moves money')
    const { debit: payer, credit, amount } = posting
    assert.deepEqual([credit, amount, account], [this.#demandPayable(payer, paid.biller, paid.product), paid.amount, credit], 'a bill')
    const command = sent(entry, 'PayBill')
    if (command?.quoteId === null && command.amount !== null) assert.equal(amount, command.amount, 'what was typed is paid')
    if (paid.quote_id !== null) this.#useQuote(paid.quote_id, { payer, amount, timeMs: record.timeMs })
    const fee = this.#fees.of('bill', credit, amount)
    assert.ok(!this.#fees.isShort('bill', payer, credit, amount), 'a bill and its fee are covered')
    this.#fees.take(entry, 'bill', fee, fee.byPayer ? payer : credit)
    const hasCode = paid.fulfillment.state === 'pending'
    const bill = { chargeId: paid.charge_id, payer, merchant: credit, amount, position: positionOf(record.sequence, 0), fee }
    assert.equal(this.bills.has(paid.charge_id), false, 'a bill is paid once')
    this.#byPosition.set(bill.position, paid.charge_id)
    this.bills.set(paid.charge_id, { ...bill, code: hasCode ? 'waiting' : 'none', hasCalled: false, isAgain: false, isRefunded: false })
    entry.frames.push(`${payer}:payment.sent`, `${payer}:balance.updated`, `${payer}:bill.paid`)
    if (!hasCode) entry.outbox.push(`${credit}:bill.paid`)
  }

  #useQuote(id: string, { payer, amount, timeMs }: { readonly payer: number; readonly amount: number; readonly timeMs: number }): void {
    const quote = this.quotes.get(id)
    assert.ok(quote !== undefined && !quote.isUsed && timeMs < quote.expiresMs, 'a quote is used once, in its time')
    assert.deepEqual([payer, amount], [quote.payer, quote.amount], 'a quote is paid by its customer, to the franc')
    quote.isUsed = true
  }

  #call({ charge_id }: OfCode): void {
    const bill = this.bills.get(charge_id)
    assert.ok(bill?.code === 'running' && !bill.hasCalled && !bill.isRefunded, 'code that runs calls, and is marked once')
    bill.hasCalled = true
  }

  #run(entry: Entry, type: string, { charge_id, fulfillment }: OfCode): void {
    const bill = this.bills.get(charge_id)
    this.#code.move(bill?.code, type)
    if (bill === undefined) return
    assert.ok(type !== 'fulfillment_returned' || !bill.hasCalled, 'code that has called does not wait again')
    bill.hasCalled = false
    if (type === 'fulfilled') {
      bill.code = fulfillment.state
      entry.outbox.push(`${bill.merchant}:bill.paid`)
      return
    }
    assert.ok(!bill.isRefunded, 'code that has not begun does not begin after a refund')
    if (type === 'redelivery_requested') bill.isAgain = true
    bill.code = type === 'fulfillment_started' ? 'running' : 'waiting'
  }

  #refund(entry: Entry, chargeId: string): void {
    const bill = this.bills.get(chargeId)
    this.#bill.move(bill === undefined ? undefined : bill.isRefunded ? 'refunded' : 'paid', 'refunded')
    if (bill === undefined) return
    const { payer, merchant, amount, fee } = bill
    const [posting] = entry.record.transactions.find(({ type }) => type === 'refund')?.postings ?? []
    this.#fees.giveBack(entry, fee, payer, merchant)
    assert.deepEqual([posting?.debit, posting?.credit, posting?.amount], [merchant, payer, amount], `refund of ${chargeId}`)
    assert.ok(this.#accounts.available(merchant) + this.#fees.backToMerchant(fee) >= amount, 'a refund is covered by what is available')
    bill.isRefunded = true
    if (bill.code === 'waiting' && !bill.isAgain) entry.outbox.push(`${merchant}:bill.paid`)
    if (bill.code === 'waiting') bill.code = 'failed'
    entry.frames.push(`${payer}:payment.received`, `${payer}:balance.updated`, `${payer}:bill.refunded`)
  }
}
