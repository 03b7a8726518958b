// Billers, products, quotes, bills and the runs of their code in the model.
import assert from 'node:assert/strict'
import type { State } from '../../../engine/domain/state.ts'
import { positionOf } from '../../../engine/kernel/position.ts'
import { type Entry, eventsOf, Machine, type NounModel, sameRows, sent } from '../entry.ts'
import type { AccountsModel } from './accounts.ts'

type Directory = 'draft' | 'in_review' | 'published' | 'rejected' | 'suspended'
type Code = 'none' | 'waiting' | 'running' | 'succeeded' | 'failed'

export interface ModelBiller {
  readonly slug: string
  readonly merchantId: string
  readonly products: Map<string, 'active' | 'inactive'>
  state: Directory
  isLive: boolean
  hasLogo: boolean
  hasPendingLogo: boolean
}

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
  /** Its code was asked for again: the merchant got the event of the payment before. */
  isAgain: boolean
  isRefunded: boolean
}

interface Profile {
  readonly slug: string
  readonly merchant_id: string
  readonly directory_state: Directory
  readonly live: boolean
  readonly logo: object | null
  readonly pending_logo: object | null
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
  readonly billers = new Map<string, ModelBiller>()
  readonly quotes = new Map<string, ModelQuote>()
  readonly bills = new Map<string, ModelBill>()
  readonly #accounts: AccountsModel
  readonly #directory: Machine<Directory>
  readonly #code: Machine<Code>
  readonly #bill: Machine<'paid' | 'refunded'>

  constructor(accounts: AccountsModel, seen: Map<string, number>) {
    this.#accounts = accounts
    const moves = {
      submitted: ['draft', 'rejected'],
      approved: ['in_review'],
      rejected: ['in_review'],
      suspended: ['published'],
      reinstated: ['suspended'],
    } as const
    this.#directory = new Machine('biller', moves, seen)
    const ends = { fulfilled: ['waiting', 'running'], fulfillment_returned: ['running'] } as const
    this.#code = new Machine(
      'code of a bill',
      { fulfillment_started: ['waiting'], redelivery_requested: ['succeeded', 'failed', 'none'], ...ends },
      seen,
    )
    this.#bill = new Machine('bill', { refunded: ['paid'] }, seen)
  }

  audit(entry: Entry): void {
    this.#auditBillers(entry)
    this.#auditProducts(entry)
    for (const { event, payload } of eventsOf<Quoted>(entry, 'quote.created')) {
      const { id, biller, product, amount, expires_at } = payload
      this.#demandPayable(event.account, biller, product)
      this.quotes.set(id, { id, payer: event.account, biller, product, amount, expiresMs: Date.parse(expires_at), isUsed: false })
    }
    for (const { event, payload } of eventsOf<Paid>(entry, 'bill.paid')) this.#pay(entry, event.account, payload)
    for (const type of ['fulfillment_started', 'fulfillment_returned', 'fulfilled', 'redelivery_requested'] as const) {
      for (const { payload } of eventsOf<OfCode>(entry, `bill.${type}`)) this.#run(entry, type, payload)
    }
    for (const { payload } of eventsOf<{ readonly charge_id: string }>(entry, 'bill.refunded')) this.#refund(entry, payload.charge_id)
  }

  compare({ bills, billers }: State): void {
    const open = [...this.bills.values()].filter(({ code }) => code === 'waiting' || code === 'running')
    sameRows(
      [...bills.fulfilling.values()].map(({ charge_id, has_started }) => `${charge_id} ${has_started}`),
      open.map(({ chargeId, code }) => `${chargeId} ${code === 'running'}`),
      'bills whose code is not over',
    )
    for (const { slug, state, isLive, products } of this.billers.values()) {
      const profile = billers.profiles.get(slug)
      assert.deepEqual([profile?.directory_state, profile?.live], [state, isLive], `biller ${slug}`)
      sameRows(
        billers.productsOf(slug).map((product) => `${product.slug} ${product.state}`),
        [...products].map(([product, is]) => `${product} ${is}`),
        `products of ${slug}`,
      )
    }
  }

  #auditBillers(entry: Entry): void {
    const { command } = entry.record
    for (const type of ['saved', 'logo_set', 'logo_approved', 'logo_rejected'] as const) {
      for (const { payload } of eventsOf<Profile>(entry, `biller.${type}`)) this.#setProfile(payload, false)
    }
    for (const move of ['submitted', 'approved', 'rejected', 'suspended', 'reinstated'] as const) {
      for (const { event, payload } of eventsOf<Profile>(entry, `biller.${move}`)) {
        this.#moveBiller(move, payload)
        if (move !== 'approved' && move !== 'rejected') continue
        const { live, test } = this.#accounts.merchantAt(event.account)
        for (const account of command === 'ApproveTestBiller' ? [test] : [live, test]) entry.outbox.push(`${account}:biller.${move}`)
      }
    }
  }

  #moveBiller(move: string, profile: Profile): void {
    const biller = this.billers.get(profile.slug)
    // Published in the test environment alone: live customers still wait for an operator.
    const isReviewed = biller?.state === 'published' && !biller.isLive && (move === 'approved' || move === 'rejected')
    this.#directory.move(isReviewed ? 'in_review' : biller?.state, move)
    this.#setProfile(profile, true)
  }

  #setProfile({ slug, merchant_id, directory_state, live, logo, pending_logo }: Profile, mayMove: boolean): void {
    const before = this.billers.get(slug)
    assert.ok(before === undefined || before.merchantId === merchant_id, 'a slug belongs to one merchant')
    if (!mayMove) assert.equal(directory_state, before?.state ?? 'draft', 'a change of a profile does not move it')
    const now = { state: directory_state, isLive: live, hasLogo: logo !== null, hasPendingLogo: pending_logo !== null }
    if (before === undefined) this.billers.set(slug, { slug, merchantId: merchant_id, products: new Map(), ...now })
    else Object.assign(before, now)
  }

  #auditProducts(entry: Entry): void {
    for (const { payload } of eventsOf<{ readonly biller: string; readonly slug: string }>(entry, 'product.saved')) {
      const products = this.billers.get(payload.biller)?.products
      const isNew = !products?.has(payload.slug)
      const command = sent(entry, 'SaveProduct')
      if (command !== null) assert.equal(command.mode === 'create', isNew, 'a product is created once')
      if (isNew) products?.set(payload.slug, 'active')
    }
    for (const to of ['activated', 'deactivated'] as const) {
      for (const { payload } of eventsOf<{ readonly biller: string; readonly slug: string }>(entry, `product.${to}`)) {
        const products = this.billers.get(payload.biller)?.products
        assert.equal(products?.get(payload.slug), to === 'activated' ? 'inactive' : 'active', 'a product is switched')
        products?.set(payload.slug, to === 'activated' ? 'active' : 'inactive')
      }
    }
  }

  /** Answers the merchant's account in the payer's environment. */
  #demandPayable(payer: number, slug: string, product: string): number {
    const biller = this.billers.get(slug)
    const { environment } = this.#accounts.account(payer)
    assert.ok(biller?.state === 'published' && (biller.isLive || environment === 'test'), `biller ${slug} is published`)
    assert.equal(biller.products.get(product), 'active', 'an active product is paid')
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
    const hasCode = paid.fulfillment.state === 'pending'
    const bill = { chargeId: paid.charge_id, payer, merchant: credit, amount, position: positionOf(record.sequence, 0) }
    assert.equal(this.bills.has(paid.charge_id), false, 'a bill is paid once')
    this.bills.set(paid.charge_id, { ...bill, code: hasCode ? 'waiting' : 'none', isAgain: false, isRefunded: false })
    entry.frames.push(`${payer}:payment.sent`, `${payer}:balance.updated`, `${payer}:bill.paid`)
    if (!hasCode) entry.outbox.push(`${credit}:bill.paid`)
  }

  #useQuote(id: string, { payer, amount, timeMs }: { readonly payer: number; readonly amount: number; readonly timeMs: number }): void {
    const quote = this.quotes.get(id)
    assert.ok(quote !== undefined && !quote.isUsed && timeMs < quote.expiresMs, 'a quote is used once, in its time')
    assert.deepEqual([payer, amount], [quote.payer, quote.amount], 'a quote is paid by its customer, to the franc')
    quote.isUsed = true
  }

  #run(entry: Entry, type: string, { charge_id, fulfillment }: OfCode): void {
    const bill = this.bills.get(charge_id)
    this.#code.move(bill?.code, type)
    if (bill === undefined) return
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
    const { payer, merchant, amount } = bill
    const [posting] = entry.record.transactions[0]?.postings ?? []
    assert.deepEqual([posting?.debit, posting?.credit, posting?.amount], [merchant, payer, amount], `refund of ${chargeId}`)
    assert.ok(this.#accounts.available(merchant) >= amount, 'a refund is covered by what is available')
    bill.isRefunded = true
    if (bill.code === 'waiting' && !bill.isAgain) entry.outbox.push(`${merchant}:bill.paid`)
    if (bill.code === 'waiting') bill.code = 'failed'
    entry.frames.push(`${payer}:payment.received`, `${payer}:balance.updated`, `${payer}:bill.refunded`)
  }
}
