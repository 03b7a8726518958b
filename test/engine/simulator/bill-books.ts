// Billers, quotes and bills in the independent books: what each step must come to at the time of its record.
import { ACCOUNT_MAX, accepted, type Books, refused, type Verdict } from './books.ts'

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

/** What the engine's limits are meant to be, written down a second time. */
const QUOTE_MS = 5 * 60 * 1000
export const LEAST = 50

export class BillBooks {
  readonly #books: Books
  readonly #billers = new Map<string, BookedBiller>()
  readonly #quotes = new Map<string, BookedQuote>()
  /** Payments whose code is not over, and whether it has started. */
  readonly fulfilling = new Map<string, { readonly merchant: number; hasStarted: boolean }>()

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

  /** What was typed: `don` has code that runs behind it. */
  payTyped(payer: number, slug: string, amount: number, chargeId: string | null): Verdict {
    if (amount < LEAST) throw new Error(`${amount} was paid, less than the least`)
    const verdict = this.#pay(payer, slug, amount)
    if (chargeId !== null) this.fulfilling.set(chargeId, { merchant: this.#merchant(payer, slug), hasStarted: false })
    return verdict
  }

  payQuote(id: string, payer: number, slug: string, nowMs: number): Verdict {
    const quote = this.#quotes.get(id)
    if (quote === undefined || quote.payer !== payer || quote.biller !== slug) return refused(404, 'not_found')
    if (quote.isUsed) return refused(409, 'quote_used')
    if (nowMs >= quote.expiresMs) return refused(409, 'quote_expired')
    const verdict = this.#pay(payer, slug, quote.amount)
    quote.isUsed = verdict.status === 200
    return verdict
  }

  start(chargeId: string): Verdict {
    const row = this.fulfilling.get(chargeId)
    if (row === undefined || row.hasStarted) return refused(404, 'not_found')
    row.hasStarted = true
    return accepted(200)
  }

  end(chargeId: string): Verdict {
    return this.fulfilling.delete(chargeId) ? accepted(200) : refused(404, 'not_found')
  }

  #pay(payer: number, slug: string, amount: number): Verdict {
    const merchant = this.#merchant(payer, slug)
    if (this.#books.holder(payer).balance < amount) return refused(402, 'insufficient_balance')
    if (this.#books.holder(merchant).balance + amount > ACCOUNT_MAX) return refused(409, 'recipient_limit_exceeded')
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
