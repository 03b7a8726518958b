// Titles of the merchant's products and labels of their form fields, as customers read them, for records that hold slugs and field
// ids. A product or field that is gone keeps its slug or id.
import type { BillPayment } from '../../../../engine/contract/bill.ts'
import type { Product } from '../../../../engine/contract/biller-product.ts'

import type { OwnChoice } from '../shared/dashboard-parts.ts'
import type { Visit } from '../shared/dashboard-visit.ts'
import type { RowPage } from '../shared/row-reader.ts'

interface Field {
  readonly label: string
  /** Labels of the options by their value. */
  readonly options: ReadonlyMap<string, string>
}

interface Named {
  readonly title: string
  readonly fields: ReadonlyMap<string, Field>
}

export class ProductNames {
  readonly #products = new Map<string, Named>()

  add({ slug, title, schema }: Pick<Product, 'slug' | 'title' | 'schema'>): void {
    const fields = schema.steps.flatMap(({ fields: own = [] }) => own)
    const named = fields.map(({ id, label, options = [] }): [string, Field] => {
      return [id, { label, options: new Map(options.map((option) => [option.value, option.label])) }]
    })
    this.#products.set(slug, { title, fields: new Map(named) })
  }

  titleOf({ product }: Pick<BillPayment, 'product'>): string {
    return this.#products.get(product)?.title ?? product
  }

  /** Returns what the customer typed, with the label of each field and of each chosen option. */
  typedIn({ product, form_values }: Pick<BillPayment, 'product' | 'form_values'>): readonly (readonly [label: string, value: string])[] {
    const fields = this.#products.get(product)?.fields
    return Object.entries(form_values).map(([id, value]) => {
      const field = fields?.get(id)
      const text = value === null ? '' : String(value)
      return [field?.label ?? id, field?.options.get(text) ?? text]
    })
  }

  /** Slugs with their titles. */
  get choices(): readonly OwnChoice[] {
    return [...this.#products].map(([value, { title }]) => ({ value, words: title }))
  }
}

/** All products of a biller, also where long code makes the pages short. */
const PAGES_MAX = 50

export async function readProductNames(visit: Visit): Promise<ProductNames> {
  const names = new ProductNames()
  let cursor: string | null = ''
  for (let page = 0; cursor !== null && page < PAGES_MAX; page++) {
    const query: Record<string, string> = { limit: '100', ...(cursor === '' ? {} : { cursor }) }
    const answer: Awaited<ReturnType<typeof visit.ask<RowPage<Product>>>> = await visit.ask<RowPage<Product>>('listProducts', { query })
    if (!answer.ok) break
    for (const product of answer.body.data) names.add(product)
    cursor = answer.body.next_cursor
  }
  return names
}
