// Bills on the simulated phone: the directory, a biller, the form of a product, then amount and PIN. A lookup is asked for
// when the form is sent; other forms are checked by the payment.

import type { Balance } from '../../../engine/contract/balance.ts'
import type { PaidBill, Quote } from '../../../engine/contract/bill.ts'
import type { DirectoryBiller, DirectoryBillerDetail, DirectoryProduct } from '../../../engine/contract/directory.ts'
import type { Fee } from '../../../engine/contract/fees.ts'
import type { MyLimits } from '../../../engine/contract/limits.ts'
import type { Route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { amountText } from '../shared/amount-text.ts'
import type { ApiError } from '../shared/api-calls.ts'
import { CATEGORY_CHOICES, categoryName } from '../shared/category-words.ts'
import { formField } from '../shared/form-field.ts'
import { type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { BILLERS_SHOWN_MAX } from './dev-limits.ts'
import { DEV_WORDS } from './dev-words.ts'
import { BILL_INPUT, billForm, fieldAt, formValues, paidAmount } from './phone-bill-form.ts'
import {
  bigAmount,
  formError,
  formStart,
  limitsLeft,
  PAYER_LIMITS,
  pinField,
  priceRows,
  receipt,
  remaining,
  ticket,
} from './phone-parts.ts'
import type { Tried, TriedError } from './phone-progress.ts'
import { formRow, type PhoneVisit, screenRow, triedError, type VisitParts } from './phone-visit.ts'

const TEXTS = texts({
  fr: {
    noBillersYet: 'Aucun facturier pour le moment.',
    noBillerMatches: 'Aucun facturier ne correspond.',
    payBill: 'Payer une facture',
    allBillers: 'Tous les facturiers',
    otherProducts: 'Autres produits',
    confirmBill: 'Confirmer la facture',
    errorConfirmBill: 'Erreur : confirmer la facture',
    details: 'Détail',
  },
  en: {
    noBillersYet: 'No billers yet.',
    noBillerMatches: 'No biller matches.',
    payBill: 'Pay a bill',
    allBillers: 'All billers',
    otherProducts: 'Other products',
    confirmBill: 'Confirm the bill',
    errorConfirmBill: 'Error: confirm the bill',
    details: 'Details',
  },
})

const PRODUCT = '/bills/{biller}/{product}'

export function billRows(parts: VisitParts): readonly Route[] {
  return [
    screenRow(parts, { path: '/bills', operationId: 'showPhoneBillers', summary: 'Find a biller', show: showBillers }),
    screenRow(parts, { path: '/bills/{biller}', operationId: 'showPhoneBiller', summary: 'A biller', show: showBiller }),
    screenRow(parts, { path: PRODUCT, operationId: 'showPhoneProduct', summary: 'The form of a product', show: showProduct }),
    formRow(parts, {
      path: PRODUCT,
      operationId: 'sendPhoneProduct',
      summary: 'Send the form of a product',
      fields: ['package'],
      rowNames: BILL_INPUT,
      act: order,
    }),
    screenRow(parts, { path: `${PRODUCT}/pay`, operationId: 'showPhoneBill', summary: 'The bill, before the PIN', show: showBill }),
    formRow(parts, {
      path: `${PRODUCT}/pay`,
      operationId: 'sendPhoneBill',
      summary: 'Pay the bill with the PIN',
      fields: ['order', 'pin'],
      act: payBill,
    }),
  ]
}

async function showBillers(visit: PhoneVisit): Promise<void> {
  const [category, q] = [visit.query.get('category') ?? '', (visit.query.get('q') ?? '').trim()]
  const filter = { ...(category === '' ? {} : { category }), ...(q === '' ? {} : { q }) }
  const query = { limit: String(BILLERS_SHOWN_MAX), ...filter }
  const answer = await visit.ask<{ readonly data: readonly DirectoryBiller[] }>('listDirectory', { query })
  if (!answer.ok) return visit.refuse(answer.error, 'bills')
  const { data } = answer.body
  const empty = category === '' && q === '' ? TEXTS.noBillersYet : TEXTS.noBillerMatches
  const body = html`<section class="card" aria-labelledby="titre">
<h1 id="titre">${TEXTS.payBill}</h1>
<form class="form search" method="get" action="bills">
${formField({ name: 'q', label: WORDS.biller, value: q, type: 'search', maxLength: 100, isRequired: false })}
<div class="field"><label for="category">${WORDS.category}</label><select id="category" name="category"><option value="">${WORDS.all2}</option>${CATEGORY_CHOICES.map(
    ({ value, words }) => html`<option value="${value}"${value === category && html` selected`}>${words}</option>`,
  )}</select></div>
<button type="submit">${WORDS.search2}</button>
</form>
${data.length === 0 ? html`<p class="hint">${empty}</p>` : html`<ol class="lines">${data.map(billerRow)}</ol>`}
</section>`
  visit.show({ title: DEV_WORDS.bills, here: 'bills', body })
}

function billerRow({ slug, display_name, category }: DirectoryBiller): Html {
  return html`<li><a href="bills/${slug}"><bdi>${display_name}</bdi></a> <span class="hint">${categoryName(category)}</span></li>`
}

async function showBiller(visit: PhoneVisit): Promise<void> {
  const answer = await visit.ask<DirectoryBillerDetail>('getDirectoryBiller', { params: [visit.param(0)] })
  if (!answer.ok) return visit.refuse(answer.error, 'bills')
  const { slug, display_name, category, short_desc, products } = answer.body
  const body = html`<section class="card" aria-labelledby="titre">
<h1 id="titre"><bdi>${display_name}</bdi></h1>
<p class="hint">${categoryName(category)}. <bdi>${short_desc}</bdi></p>
<ol class="lines">${products.map((product) => html`<li><a href="${slug}/${product.slug}"><bdi>${product.title}</bdi></a></li>`)}</ol>
${products.length === 0 && html`<p class="hint">${WORDS.noProductsYet}</p>`}
<p class="back"><a class="alone" href="../bills">${TEXTS.allBillers}</a></p>
</section>`
  visit.show({ title: display_name, here: 'bills', body })
}

/** What is paid: the typed form, and the quote of a lookup. It travels sealed in the address of the page. */
interface Order {
  readonly values: Readonly<Record<string, string | number>>
  readonly packageId: string | null
  readonly amount: number
  readonly label: string
  readonly quote: Pick<Quote, 'id' | 'label' | 'customer_name' | 'biller_ref' | 'line_items' | 'expires_at'> | null
}

const pathOf = (visit: PhoneVisit): string => `/bills/${visit.param(0)}/${visit.param(1)}`
const productOf = (visit: PhoneVisit) => visit.ask<DirectoryProduct>('getDirectoryProduct', { params: [visit.param(0), visit.param(1)] })

async function showProduct(visit: PhoneVisit): Promise<void> {
  const answer = await productOf(visit)
  if (!answer.ok) return visit.refuse(answer.error, 'bills')
  const { slug, biller, title } = answer.body
  const tried = visit.tried(pathOf(visit))
  const body = html`<section class="card narrow" aria-labelledby="titre">
<h1 id="titre"><bdi>${title}</bdi></h1>
<form class="form" method="post" action="${slug}" novalidate>
${formStart(tried.key)}
${formError(tried)}
${billForm(answer.body, tried)}
<button type="submit">${WORDS.continue}</button>
</form>
<p class="back"><a class="alone" href="../${biller}">${TEXTS.otherProducts}</a></p>
</section>`
  const name = title
  visit.show({ title: tried.error === null ? name : WORDS.error(name), here: 'bills', body })
}

async function order(
  visit: PhoneVisit,
  sent: Readonly<Record<'package' | 'key', string>>,
  rows: Readonly<Record<string, string>>,
): Promise<void> {
  const answer = await productOf(visit)
  if (!answer.ok) return visit.refuse(answer.error, 'bills')
  const product = answer.body
  const path = pathOf(visit)
  const again = (error: TriedError): void => visit.again(path, { key: sent.key, values: { ...rows, package: sent.package }, error })
  const values = formValues(product, rows)
  if (product.amount_mode !== 'lookup') {
    const paid = paidAmount(product, values, sent.package)
    if ('error' in paid) return again(paid.error)
    const ordered: Order = { values, ...paid, quote: null }
    return visit.goTo(`${path}/pay?o=${visit.sealed(path, ordered)}`)
  }
  const params = [visit.param(0), visit.param(1)]
  const quoted = await visit.ask<Quote>('createQuote', { params, body: { form_values: values }, idempotencyKey: sent.key })
  // The next form of the same page asks the biller again.
  if (!quoted.ok) return visit.again(path, { ...visit.fresh(), values: rows, error: fieldError(product, quoted.error) })
  const { id, amount, label, customer_name, biller_ref, line_items, expires_at } = quoted.body
  const quote = { id, label, customer_name, biller_ref, line_items, expires_at }
  const ordered: Order = { values, packageId: null, amount, label, quote }
  visit.goTo(`${path}/pay?o=${visit.sealed(path, ordered)}`)
}

/** Returns the error at the input of the field that the API names: `form_values.compteur`. */
function fieldError(product: DirectoryProduct, error: ApiError): TriedError {
  const at = fieldAt(product, (error.param ?? '').replace(/^form_values\./, ''))
  return at === null ? triedError(error) : { field: at, message: error.message }
}

async function showBill(visit: PhoneVisit): Promise<void> {
  const path = pathOf(visit)
  const sealed = visit.query.get('o') ?? ''
  const ordered = visit.unsealed<Order>(path, 'o')
  if (ordered === null) return visit.goTo(path)
  const { amount } = ordered
  const asked = { on: 'bill', biller: visit.param(0), amount: String(amount) }
  const [product, balance, limits, cost] = await Promise.all([
    productOf(visit),
    visit.ask<Balance>('getMyBalance'),
    visit.ask<MyLimits>('getMyLimits'),
    visit.ask<Fee>('getMyFee', { query: asked }),
  ])
  if (!product.ok) return visit.refuse(product.error, 'bills')
  if (!balance.ok) return visit.refuse(balance.error, 'bills')
  if (!limits.ok) return visit.refuse(limits.error, 'bills')
  if (!cost.ok) return visit.refuse(cost.error, 'bills')
  const { available, currency } = balance.body
  const price = { amount, fee: cost.body.fee, currency }
  const tried = visit.unsealed<Tried>(`${path}/pay`, 's') ?? visit.fresh()
  const body = html`${ticket(html`<bdi>${product.body.title}</bdi>`, bigAmount(amount, currency))}
<section class="card narrow" aria-labelledby="confirmer"><h2 id="confirmer">${WORDS.confirm}</h2>
${receipt([...billRowsOf(ordered, currency), ...priceRows(price)])}
<p class="hint">${remaining(available, price)}</p>
${limitsLeft(limits.body, PAYER_LIMITS, currency)}
<form class="form" method="post" action="pay" novalidate>
${formStart(tried.key)}<input type="hidden" name="order" value="${sealed}">
${formError(tried)}
${pinField(tried)}
<button type="submit">${WORDS.pay(amountText(amount + price.fee, currency))}</button>
</form>
<p class="back"><a class="alone" href="../${visit.param(1)}">${WORDS.edit}</a></p>
</section>`
  visit.show({ title: tried.error === null ? TEXTS.confirmBill : TEXTS.errorConfirmBill, here: 'bills', body })
}

function billRowsOf({ label, quote }: Order, currency: string): (readonly [Text | string, Html | false])[] {
  const text = (value: string): Html | false => value !== '' && html`<bdi>${value}</bdi>`
  if (quote === null) return [[WORDS.purpose, text(label)]]
  const items = quote.line_items.map(
    (item) => [TEXTS.details, html`<bdi>${item.label}</bdi>${WORDS.colon} ${amountText(item.amount, currency)}`] as const,
  )
  return [[WORDS.purpose, text(label)], [WORDS.customer, text(quote.customer_name)], [WORDS.reference, text(quote.biller_ref)], ...items]
}

async function payBill(visit: PhoneVisit, { order: sealed, pin, key }: Readonly<Record<'order' | 'pin' | 'key', string>>): Promise<void> {
  const path = pathOf(visit)
  const ordered = visit.opened<Order>(path, sealed)
  if (ordered === null) return visit.goTo(path)
  const { values, packageId, amount, quote } = ordered
  const params = [visit.param(0), visit.param(1)]
  const what =
    quote === null
      ? { amount, form_values: values, ...(packageId === null ? {} : { package_id: packageId }) }
      : { quote_id: quote.id, amount }
  const answer = await visit.ask<PaidBill>('payBill', { params, body: { ...what, pin }, idempotencyKey: key })
  if (answer.ok) return visit.goTo(`/history/${answer.body.transaction_id}?ok=paid`)
  const product = await productOf(visit)
  const error = product.ok ? fieldError(product.body, answer.error) : triedError(answer.error)
  if (error.field.startsWith('v')) return visit.again(path, { ...visit.fresh(), values: rowsOf(product, values), error })
  const tried: Tried = { key, values: {}, error: triedError(answer.error) }
  visit.goTo(`${path}/pay?o=${encodeURIComponent(sealed)}&s=${visit.sealed(`${path}/pay`, tried)}`)
}

/** Returns the typed form by input, to be shown again. */
function rowsOf(product: Awaited<ReturnType<typeof productOf>>, values: Order['values']): Record<string, string> {
  if (!product.ok) return {}
  const rows = Object.entries(values).map(([id, value]) => [fieldAt(product.body, id) ?? '', String(value)] as const)
  return Object.fromEntries(rows)
}
