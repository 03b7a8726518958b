// Converts a product between its form and the API. It validates nothing: the API does.
import type { Product } from '../../../../engine/contract/biller-product.ts'
import { type Currency, decimalsOf } from '../../../../engine/kernel/currency.ts'
import { amountInput } from '../../shared/amount-text.ts'
import type { Sent } from '../shared/dashboard-visit.ts'
import { amountOf } from '../shared/typed-text.ts'
import { type FormDraft, schemaSent } from './form-draft.ts'
import type { FormRows } from './form-rows.ts'
import { packageLines, packagesSent } from './package-lines.ts'

export const PRODUCT_FIELDS = [
  'slug',
  'title',
  'amount_mode',
  'schema',
  'packages',
  'min',
  'max',
  'presets',
  'lookup_integration',
  'lookup_url',
  'lookup_secret',
  'lookup_code',
  'fulfillment_mode',
  'fulfillment_code',
  'do',
  'drawn',
  'template',
] as const

export type ProductForm = Sent<(typeof PRODUCT_FIELDS)[number]>

export const FIRST_ROWS: FormRows = [
  {
    id: '',
    title: 'Votre compteur',
    isResolving: false,
    fields: [
      {
        id: '',
        label: 'Numéro de compteur',
        type: 'text',
        isRequired: true,
        pattern: '[0-9]{11}',
        placeholder: '',
        help: '11 chiffres, sur votre facture.',
        options: '',
      },
    ],
  },
]

export const NEW_PRODUCT: ProductForm = {
  slug: '',
  title: '',
  amount_mode: 'fixed',
  schema: '',
  packages: 'Formule 1;1000',
  min: '',
  max: '',
  presets: '',
  lookup_integration: 'webhook',
  lookup_url: '',
  lookup_secret: '',
  lookup_code: '',
  fulfillment_mode: 'none',
  fulfillment_code: '',
  do: '',
  drawn: '',
  template: '',
}

export function formOf(product: Product, currency: Currency): ProductForm {
  return {
    ...NEW_PRODUCT,
    slug: product.slug,
    title: product.title,
    amount_mode: product.amount_mode,
    packages: packageLines(product.packages, currency),
    min: product.min === null ? '' : amountInput(product.min, currency),
    max: product.max === null ? '' : amountInput(product.max, currency),
    presets: product.presets.map((preset) => amountInput(preset, currency)).join(' '),
    lookup_integration: product.lookup_integration,
    lookup_url: product.lookup_url ?? '',
    lookup_code: product.lookup_code ?? '',
    fulfillment_mode: product.fulfillment_mode,
    fulfillment_code: product.fulfillment_code ?? '',
  }
}

/** Returns the amounts of mode `user`, as typed. */
export function boundsOf(
  form: Pick<ProductForm, 'min' | 'max' | 'presets'>,
  currency: Currency,
): {
  readonly min: number | string | null
  readonly max: number | string | null
  readonly presets: readonly (number | string)[]
} {
  // A comma stands before decimals where the currency has them.
  const between = decimalsOf(currency) === 0 ? /[\s,;]+/ : /[\s;]+/
  const presets = form.presets.split(between).filter((one) => one !== '')
  const [min, max] = [boundOf(form.min, currency), boundOf(form.max, currency)]
  return { min, max, presets: presets.map((one) => amountOf(one, currency)) }
}

function boundOf(typed: string, currency: Currency): number | string | null {
  return typed.trim() === '' ? null : amountOf(typed, currency)
}

/** Returns the body for the API. An empty secret is omitted, which keeps the present one. */
export function bodyOf(form: ProductForm, draft: FormDraft, currency: Currency): object {
  const { amount_mode, fulfillment_mode, lookup_integration } = form
  const byMode = {
    fixed: { packages: packagesSent(form.packages, currency) },
    user: boundsOf(form, currency),
    lookup: {
      lookup_integration,
      lookup_url: form.lookup_url.trim() === '' ? null : form.lookup_url.trim(),
      lookup_code: sourceOf(form.lookup_code),
      ...(form.lookup_secret === '' ? {} : { lookup_secret: form.lookup_secret }),
    },
  }
  return {
    slug: form.slug.trim(),
    title: form.title.trim(),
    amount_mode,
    schema: schemaSent(draft),
    ...(byMode[amount_mode as keyof typeof byMode] ?? {}),
    fulfillment_mode,
    fulfillment_code: sourceOf(form.fulfillment_code),
  }
}

/** Returns the source with LF line ends: browsers send CRLF. */
function sourceOf(typed: string): string | null {
  return typed === '' ? null : typed.replaceAll('\r\n', '\n')
}
