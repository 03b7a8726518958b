// Products of the biller: the list, the editor with its preview, activation and deactivation.

import type { Product } from '../../../../engine/contract/biller-product.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { PRODUCT_FORM_BYTES_MAX } from '../shared/dashboard-limits.ts'
import { actionButton, badge, dateText, heading, table, theirs } from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { templateOf } from './code-templates.ts'
import { draftOf, draftSent, type FormDraft } from './form-draft.ts'
import { moved } from './form-moves.ts'
import { ROW_NAMES, rowsOfStored } from './form-rows.ts'
import { bodyOf, FIRST_ROWS, formOf, NEW_PRODUCT, PRODUCT_FIELDS, type ProductForm } from './product-form.ts'
import { type ProductView, productPage } from './product-page.ts'
import { TEXTS } from './product-pages-messages.ts'

const MODES: Readonly<Record<Product['amount_mode'], Text | string>> = {
  fixed: WORDS.packages,
  user: TEXTS.freeAmount,
  lookup: DASHBOARD_WORDS.lookup,
}

export function productTable(visit: Visit, products: readonly Product[]): Html {
  return table<Product>(
    WORDS.products,
    [
      { name: WORDS.title, cell: ({ slug, title }) => html`<a href="${visit.to(`products/${slug}`)}">${theirs(title)}</a>` },
      { name: WORDS.identifier, card: 'about', cell: ({ slug }) => html`<code>${slug}</code>` },
      { name: WORDS.amount, card: 'about', cell: ({ amount_mode }) => MODES[amount_mode] },
      { name: WORDS.state, card: 'state', cell: stateBadge },
      { name: TEXTS.changed, cell: ({ updated_at }) => dateText(updated_at) },
    ],
    products,
    WORDS.noProductsYet,
  )
}

function stateBadge({ state }: Pick<Product, 'state'>): Html {
  return state === 'active' ? badge(WORDS.active, 'good') : badge(TEXTS.inactive, 'calm')
}

const PRODUCT_FORM = { fields: PRODUCT_FIELDS, rowNames: ROW_NAMES, bytesMax: PRODUCT_FORM_BYTES_MAX }

export function productRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/products/new',
      operationId: 'showProductForm',
      needs: 'createProduct',
      summary: 'A new product',
      show: (visit) => showNew(visit, { form: NEW_PRODUCT, draft: draftOf(FIRST_ROWS), error: null }),
    }),
    formRow(parts, {
      path: '/products/new',
      operationId: 'sendProduct',
      needs: 'createProduct',
      summary: 'A new product',
      ...PRODUCT_FORM,
      act: createProduct,
    }),
    pageRow(parts, {
      path: '/products/{slug}',
      operationId: 'showProduct',
      needs: 'replaceProduct',
      summary: 'A product',
      show: (visit) => showProduct(visit, null),
    }),
    formRow(parts, {
      path: '/products/{slug}',
      operationId: 'sendProductChange',
      needs: 'replaceProduct',
      summary: 'Change a product',
      ...PRODUCT_FORM,
      act: changeProduct,
    }),
    ...(['activate', 'deactivate'] as const).map((move) =>
      formRow(parts, {
        path: `/products/{slug}/${move}`,
        operationId: `send-${move}-product`,
        needs: `${move}Product`,
        summary: move,
        fields: [],
        act: async (visit, { key }) => {
          const answer = await visit.ask(`${move}Product`, { params: visit.params, idempotencyKey: key })
          if (answer.ok) visit.goTo(`products/${visit.params[0]}`, 'product_saved')
          else await showProduct(visit, null, answer.error)
        },
      }),
    ),
  ]
}

/** Input that was rejected, or that is still being edited. */
type Typed = Pick<ProductView, 'form' | 'draft' | 'error' | 'notice' | 'focus'>

function showNew(visit: Visit, typed: Typed): void {
  const body = html`${heading(DASHBOARD_WORDS.newProduct)}
${productPage(visit, { ...typed, action: visit.to('products/new'), isNew: true, hasSecret: false })}`
  visit.show({ title: DASHBOARD_WORDS.newProduct, place: 'biller', body }, typed.error === null ? 200 : 400)
}

async function createProduct(visit: Visit, sent: ProductForm & Sent<'key'>, rows: Sent): Promise<void> {
  const draft = draftSent(sent, rows)
  const edited = editing(sent, draft)
  if (edited !== null) return showNew(visit, edited)
  const answer = await visit.ask<Product>('createProduct', { body: bodyOf(sent, draft, visit.currency), idempotencyKey: sent.key })
  if (answer.ok) visit.goTo(`products/${answer.body.slug}`, 'product_saved')
  else showNew(visit, { form: sent, draft, error: answer.error })
}

async function changeProduct(visit: Visit, sent: ProductForm, rows: Sent): Promise<void> {
  const draft = draftSent(sent, rows)
  const edited = editing(sent, draft)
  if (edited !== null) return showProduct(visit, edited)
  const answer = await visit.ask<Product>('replaceProduct', { params: visit.params, body: bodyOf(sent, draft, visit.currency) })
  if (answer.ok) visit.goTo(`products/${answer.body.slug}`, 'product_saved')
  else await showProduct(visit, { form: sent, draft, error: answer.error })
}

/** Returns the form after a button of the editor, or null when the form is to be saved. */
function editing(form: ProductForm, draft: FormDraft): Typed | null {
  const template = templateOf(form.template)
  if (template !== null) {
    const name = template.entry === 'lookup' ? 'lookup_code' : 'fulfillment_code'
    return { form: { ...form, [name]: template.code }, draft, error: null, notice: TEXTS.templateInPlace(template.title), focus: name }
  }
  const next = moved(draft.rows, form.do)
  if (next !== null) {
    const after = draft.source === 'rows' ? draftOf(next.rows) : { ...draft, rows: next.rows }
    return { form, draft: after, error: null, notice: next.notice, focus: next.focus }
  }
  // The author has to choose between rows and JSON before the product is saved.
  if (form.do === '' && draft.source !== null) return null
  return { form, draft, error: null, notice: TEXTS.previewUpdated, focus: form.do === 'refresh' ? 'refresh' : 'schema' }
}

async function showProduct(visit: Visit, typed: Typed | null, error: ApiError | null = null): Promise<void> {
  const answer = await visit.ask<Product>('getProduct', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const product = answer.body
  const here = visit.to(`products/${product.slug}`)
  const isOn = product.state === 'active'
  const shown: Typed = typed ?? { form: formOf(product, visit.currency), draft: draftOf(rowsOfStored(product)), error }
  const body = html`${heading(theirs(product.title), stateBadge(product))}
<div class="actions"><a class="button quiet" href="${visit.to('biller')}#produits">${TEXTS.allProducts}</a><a class="button quiet" href="${here}/try">${TEXTS.try}</a>${actionButton(visit, `${here}/${isOn ? 'deactivate' : 'activate'}`, isOn ? TEXTS.removeFromApp : TEXTS.putBackIntoApp)}</div>
${productPage(visit, { ...shown, action: here, isNew: false, hasSecret: product.has_secret })}`
  visit.show({ title: DASHBOARD_WORDS.product, place: 'biller', body }, shown.error === null ? 200 : 400)
}
