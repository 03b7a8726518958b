// Products of the biller: the list, the editor with its preview, on and off.
import type { Product } from '../../../engine/contract/biller-product.ts'
import type { Route } from '../../route.ts'
import type { ApiError } from '../api-calls.ts'
import { type Html, html } from '../html.ts'
import { actionButton, badge, dateText, heading, table, theirs } from './parts.ts'
import { bodyOf, formOf, NEW_PRODUCT, PRODUCT_FIELDS, type ProductForm, productForm } from './product-form.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from './visit.ts'

const MODES: Readonly<Record<Product['amount_mode'], string>> = { fixed: 'Formules', user: 'Montant libre', lookup: 'Consultation' }

export function productTable(visit: Visit, products: readonly Product[]): Html {
  return table(
    'Produits',
    [
      { name: 'Titre', cell: ({ slug, title }) => html`<a href="${visit.to(`products/${slug}`)}">${theirs(title)}</a>` },
      { name: 'Identifiant', cell: ({ slug }) => html`<code>${slug}</code>` },
      { name: 'Montant', cell: ({ amount_mode }) => MODES[amount_mode] },
      { name: 'État', cell: stateBadge },
      { name: 'Modifié', cell: ({ updated_at }) => dateText(updated_at) },
    ],
    products,
    'Aucun produit pour le moment.',
  )
}

function stateBadge({ state }: Pick<Product, 'state'>): Html {
  return state === 'active' ? badge('Actif', 'good') : badge('Inactif', 'calm')
}

export function productRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/products/new',
      operationId: 'showProductForm',
      summary: 'A new product',
      show: (visit) => showNew(visit, NEW_PRODUCT, null),
    }),
    formRow(parts, {
      path: '/products/new',
      operationId: 'sendProduct',
      summary: 'A new product',
      fields: PRODUCT_FIELDS,
      act: createProduct,
    }),
    pageRow(parts, {
      path: '/products/{slug}',
      operationId: 'showProduct',
      summary: 'A product',
      show: (visit) => showProduct(visit, null, null),
    }),
    formRow(parts, {
      path: '/products/{slug}',
      operationId: 'sendProductChange',
      summary: 'Change a product',
      fields: PRODUCT_FIELDS,
      act: changeProduct,
    }),
    ...(['activate', 'deactivate'] as const).map((move) =>
      formRow(parts, {
        path: `/products/{slug}/${move}`,
        operationId: `send-${move}-product`,
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

function showNew(visit: Visit, form: ProductForm, error: ApiError | null): void {
  const body = html`${heading('Nouveau produit')}
${productForm(visit, { action: visit.to('products/new'), form, error, isNew: true, hasSecret: false })}`
  visit.show({ title: 'Nouveau produit', place: 'biller', body }, error === null ? 200 : 400)
}

async function createProduct(visit: Visit, sent: ProductForm & Sent<'key'>): Promise<void> {
  if (sent.preview !== '') return showNew(visit, sent, null)
  const answer = await visit.ask<Product>('createProduct', { body: bodyOf(sent), idempotencyKey: sent.key })
  if (answer.ok) visit.goTo(`products/${answer.body.slug}`, 'product_saved')
  else showNew(visit, sent, answer.error)
}

async function changeProduct(visit: Visit, sent: ProductForm): Promise<void> {
  if (sent.preview !== '') return showProduct(visit, sent, null)
  const answer = await visit.ask<Product>('replaceProduct', { params: visit.params, body: bodyOf(sent) })
  if (answer.ok) visit.goTo(`products/${answer.body.slug}`, 'product_saved')
  else await showProduct(visit, sent, answer.error)
}

/** `typed` is what was sent and not taken, or is only being looked at. */
async function showProduct(visit: Visit, typed: ProductForm | null, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<Product>('getProduct', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const product = answer.body
  const here = visit.to(`products/${product.slug}`)
  const isOn = product.state === 'active'
  const body = html`${heading(theirs(product.title), stateBadge(product))}
<div class="actions"><a class="button quiet" href="${visit.to('biller')}#produits">Tous les produits</a><a class="button quiet" href="${here}/try">Essayer</a>${actionButton(visit, `${here}/${isOn ? 'deactivate' : 'activate'}`, isOn ? 'Retirer de l’application' : 'Remettre dans l’application')}</div>
${productForm(visit, { action: here, form: typed ?? formOf(product), error, isNew: false, hasSecret: product.has_secret })}`
  visit.show({ title: 'Produit', place: 'biller', body }, error === null ? 200 : 400)
}
