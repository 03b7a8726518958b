// Billers, quotes and bills in the independent model: what each step must come to at the time of its record.
import { ACCOUNT_MAX, accepted, type Books, refused, type Verdict, WALLET_MAX } from './books.ts'

interface BookedBiller {
  readonly merchantId: string
  hasLogo: boolean
  readonly products: Set<string>
  state: 'draft' | 'in_review' | 'published'
}

interface BookedQuote {
  readonly payer: number
  readonly biller: string
  readonly amount: number
  readonly expiresMs: number
  isUsed: boolean
}

interface BookedPayment {
  readonly chargeId: string
  readonly payer: number
  readonly merchant: number
  readonly amount: number
  /** Of its record in the log. */
  readonly position: number
  /** Of the merchant's code: `don` has some. */
  code: 'none' | 'waiting' | 'running' | 'succeeded' | 'failed'
  isRefunded: boolean
  /** The code that runs has called. */
  hasCalled: boolean
}

/** What is paid, by whom, and the record that says so. */
export interface BookedPaying {
  readonly payer: number
  readonly slug: string
  /** Null where it was refused. */
  readonly chargeId: string | null
  readonly position: number
}

/** What the engine's limits are meant to be, written down a second time. */
const QUOTE_MS = 5 * 60 * 1000
export const LEAST = 50

export class BillBooks {
  readonly #books: Books
  readonly #billers = new Map<string, BookedBiller>()
  readonly #quotes = new Map<string, BookedQuote>()
  readonly payments = new Map<string, BookedPayment>()

  constructor(books: Books) {
    this.#books = books
  }

  get quotes(): string[] {
    return [...this.#quotes.keys()]
  }

  slugOf(merchantId: string): string {
    for (const [slug, biller] of this.#billers) if (biller.merchantId === merchantId) return slug
    throw new Error(`merchant ${merchantId} is no biller`)
  }

  biller(slug: string): BookedBiller | undefined {
    return this.#billers.get(slug)
  }

  /** All steps may come twice: a profile and a logo say the same again, everything else is refused. */
  save(slug: string, merchantId: string): Verdict {
    if (!this.#billers.has(slug)) this.#billers.set(slug, { merchantId, hasLogo: false, products: new Set(), state: 'draft' })
    return accepted(200)
  }

  setLogo(slug: string): Verdict {
    this.#biller(slug).hasLogo = true
    return accepted(200)
  }

  addProduct(slug: string, product: string): Verdict {
    const { products } = this.#biller(slug)
    if (products.has(product)) return refused(409, 'slug_taken')
    products.add(product)
    return accepted(201)
  }

  submit(slug: string): Verdict {
    const biller = this.#biller(slug)
    if (biller.state !== 'draft') return refused(409, 'invalid_directory_state')
    if (!biller.hasLogo || biller.products.size === 0) return refused(400, 'profile_incomplete')
    biller.state = 'in_review'
    return accepted(200)
  }

  approve(slug: string): Verdict {
    const biller = this.#biller(slug)
    if (biller.state !== 'in_review') return refused(409, 'invalid_directory_state')
    biller.state = 'published'
    return accepted(200)
  }

  quote(id: string, payer: number, biller: string, amount: number, nowMs: number): Verdict {
    this.#quotes.set(id, { payer, biller, amount, expiresMs: nowMs + QUOTE_MS, isUsed: false })
    return accepted(201)
  }

  /** Payments whose code is not over. */
  get fulfilling(): BookedPayment[] {
    return [...this.payments.values()].filter(({ code }) => isOpen(code))
  }

  /** What was typed: `don` has code that runs behind it. */
  payTyped(paying: BookedPaying, amount: number): Verdict {
    if (amount < LEAST) throw new Error(`${amount} was paid, less than the least`)
    return this.#pay(paying, amount, 'waiting')
  }

  payQuote(id: string, paying: BookedPaying, nowMs: number): Verdict {
    const quote = this.#quotes.get(id)
    if (quote === undefined || quote.payer !== paying.payer || quote.biller !== paying.slug) return refused(404, 'not_found')
    if (quote.isUsed) return refused(409, 'quote_used')
    if (nowMs >= quote.expiresMs) return refused(409, 'quote_expired')
    const verdict = this.#pay(paying, quote.amount, 'none')
    quote.isUsed = verdict.status === 200
    return verdict
  }

  start(chargeId: string): Verdict {
    return this.#moveCode(chargeId, 'waiting', 'running')
  }

  /** The code calls: it does not wait again. */
  call(chargeId: string): Verdict {
    const payment = this.payments.get(chargeId)
    if (payment?.code !== 'running' || !this.#isReturnable(chargeId)) return refused(404, 'not_found')
    payment.hasCalled = true
    return accepted(200)
  }

  /** The code had no effect. After a refund nothing waits for it any more. */
  giveBack(chargeId: string): Verdict {
    if (!this.#isReturnable(chargeId)) return refused(404, 'not_found')
    return this.#moveCode(chargeId, 'running', 'waiting')
  }

  end(chargeId: string, state: 'succeeded' | 'failed'): Verdict {
    const payment = this.payments.get(chargeId)
    return payment === undefined ? refused(404, 'not_found') : this.#moveCode(chargeId, payment.code, state)
  }

  redeliver(position: number, force: boolean): Verdict {
    const payment = this.#paymentAt(position)
    if (payment.isRefunded) return refused(409, 'bill_already_refunded')
    if (payment.code === 'running') return refused(409, 'fulfillment_running')
    if (payment.code === 'succeeded' && !force) return refused(409, 'already_fulfilled')
    if (payment.code === 'succeeded' || payment.code === 'failed') payment.code = 'waiting'
    return accepted(202)
  }

  refund(position: number): Verdict {
    const payment = this.#paymentAt(position)
    const { payer, merchant, amount } = payment
    if (payment.isRefunded) return refused(409, 'bill_already_refunded')
    if (this.#books.holder(payer).balance + amount > WALLET_MAX) return refused(409, 'recipient_limit_exceeded')
    if (this.#books.holder(merchant).balance < amount) return refused(409, 'funds_paid_out')
    payment.isRefunded = true
    if (payment.code === 'waiting') payment.code = 'failed'
    return accepted(200, [this.#books.move(merchant, payer, amount)], [payer, payer, payer])
  }

  #isReturnable(chargeId: string): boolean {
    const payment = this.payments.get(chargeId)
    return payment !== undefined && !payment.isRefunded && !payment.hasCalled
  }

  #moveCode(chargeId: string, from: BookedPayment['code'], to: BookedPayment['code']): Verdict {
    const payment = this.payments.get(chargeId)
    if (payment === undefined || payment.code !== from || !isOpen(from)) return refused(404, 'not_found')
    payment.code = to
    payment.hasCalled = false
    return accepted(200)
  }

  #paymentAt(position: number): BookedPayment {
    for (const payment of this.payments.values()) if (payment.position === position) return payment
    throw new Error(`the books have no payment at ${position}`)
  }

  #pay({ payer, slug, chargeId, position }: BookedPaying, amount: number, code: BookedPayment['code']): Verdict {
    const merchant = this.#merchant(payer, slug)
    if (this.#books.holder(payer).balance < amount) return refused(402, 'insufficient_balance')
    if (this.#books.holder(merchant).balance + amount > ACCOUNT_MAX) return refused(409, 'recipient_limit_exceeded')
    if (chargeId === null) throw new Error('a payment was refused that the books accept')
    this.payments.set(chargeId, { chargeId, payer, merchant, amount, position, code, isRefunded: false, hasCalled: false })
    return accepted(200, [this.#books.move(payer, merchant, amount)], [payer, payer, payer])
  }

  #merchant(payer: number, slug: string): number {
    const { merchantId, state } = this.#biller(slug)
    if (state !== 'published') throw new Error(`${slug} was paid when it was ${state}`)
    const accounts = this.#books.merchants.get(merchantId)
    if (accounts === undefined) throw new Error(`${slug} belongs to nobody`)
    return accounts[this.#books.holder(payer).environment]
  }

  #biller(slug: string): BookedBiller {
    const biller = this.#billers.get(slug)
    if (biller === undefined) throw new Error(`the books have no biller ${slug}`)
    return biller
  }
}

function isOpen(code: BookedPayment['code']): boolean {
  return code === 'waiting' || code === 'running'
}
