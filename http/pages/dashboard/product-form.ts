// A product between its form and the API: what is typed, as the API takes it, and what the API has, as it is typed again.
// What is wrong with it is for the API to say.
import { AMOUNT_MODES, type Product } from '../../../engine/contract/biller-product.ts'
import type { ApiError } from '../api-calls.ts'
import { formField } from '../form-field.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { formPreview } from './form-preview.ts'
import { packageLines, packagesOf } from './package-lines.ts'
import { areaField, failure, formStart, selectField } from './parts.ts'
import { amountOf } from './typed.ts'
import type { Sent, Visit } from './visit.ts'

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
  'preview',
] as const

export type ProductForm = Sent<(typeof PRODUCT_FIELDS)[number]>

const FIRST_SCHEMA = {
  steps: [
    {
      id: 'compteur',
      title: 'Votre compteur',
      fields: [
        {
          id: 'compteur',
          label: 'Numéro de compteur',
          type: 'text',
          required: true,
          pattern: '^[0-9]{11}$',
          help: '11 chiffres, sur votre facture.',
        },
      ],
    },
  ],
}

export const NEW_PRODUCT: ProductForm = {
  slug: '',
  title: '',
  amount_mode: 'fixed',
  schema: JSON.stringify(FIRST_SCHEMA, null, 2),
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
  preview: '',
}

export function formOf(product: Product): ProductForm {
  return {
    ...NEW_PRODUCT,
    slug: product.slug,
    title: product.title,
    amount_mode: product.amount_mode,
    schema: JSON.stringify(product.schema, null, 2),
    packages: packageLines(product.packages),
    min: product.min === null ? '' : String(product.min),
    max: product.max === null ? '' : String(product.max),
    presets: product.presets.join(' '),
    lookup_integration: product.lookup_integration,
    lookup_url: product.lookup_url ?? '',
    lookup_code: product.lookup_code ?? '',
    fulfillment_mode: product.fulfillment_mode,
    fulfillment_code: product.fulfillment_code ?? '',
  }
}

/** A secret that was left empty stays as it is. */
export function bodyOf(form: ProductForm): object {
  const { amount_mode, fulfillment_mode, lookup_integration } = form
  const byMode = {
    fixed: { packages: packagesOf(form.packages) },
    user: {
      min: boundOf(form.min),
      max: boundOf(form.max),
      presets: form.presets
        .split(/[\s,;]+/)
        .filter((one) => one !== '')
        .map(amountOf),
    },
    lookup: {
      lookup_integration,
      lookup_url: form.lookup_url.trim() === '' ? null : form.lookup_url.trim(),
      lookup_code: form.lookup_code === '' ? null : form.lookup_code,
      ...(form.lookup_secret === '' ? {} : { lookup_secret: form.lookup_secret }),
    },
  }
  return {
    slug: form.slug.trim(),
    title: form.title.trim(),
    amount_mode,
    schema: parsed(form.schema),
    ...(byMode[amount_mode as keyof typeof byMode] ?? {}),
    fulfillment_mode,
    fulfillment_code: form.fulfillment_code === '' ? null : form.fulfillment_code,
  }
}

/** Null for what is no JSON: the API has a code for that. */
export function parsed(schema: string): unknown {
  try {
    return JSON.parse(schema) as unknown
  } catch {
    // Whoever is still typing has no schema yet.
    return null
  }
}

function boundOf(typed: string): number | string | null {
  return typed.trim() === '' ? null : amountOf(typed)
}

const MODES: Readonly<Record<(typeof AMOUNT_MODES)[number], string>> = {
  fixed: 'Des formules à prix fixe',
  user: 'Un montant que le client saisit',
  lookup: 'Un montant que votre système donne',
}

export interface ProductFormView {
  readonly action: string
  readonly form: ProductForm
  readonly error: ApiError | null
  readonly isNew: boolean
  readonly hasSecret: boolean
}

export function productForm(visit: Visit, { action, form, error, isNew, hasSecret }: ProductFormView): Html {
  return html`<form class="form card" method="post" action="${action}" novalidate>${formStart(visit)}
${failure(error === null ? null : { message: error.param === undefined ? error.message : `${error.message} (${error.param})` })}
${
  isNew
    ? formField({
        name: 'slug',
        label: 'Identifiant',
        hint: 'Minuscules, chiffres et tirets ; il ne change plus.',
        value: form.slug,
        maxLength: 63,
      })
    : html`<input type="hidden" name="slug" value="${form.slug}">`
}
${formField({ name: 'title', label: 'Titre', value: form.title, maxLength: 120 })}
${selectField(
  'amount_mode',
  'Que paie le client ?',
  AMOUNT_MODES.map((value) => ({ value, words: MODES[value] })),
  form.amount_mode,
)}
<div class="editor">
${areaField({ name: 'schema', label: 'Formulaire (JSON)', hint: SCHEMA_HINT, value: form.schema, rows: 18, isCode: true })}
<div class="preview" data-preview-of="schema"><h2>Aperçu</h2><div data-preview>${formPreview(parsed(form.schema))}</div></div>
</div>
<button class="quiet" type="submit" name="preview" value="yes">Actualiser l’aperçu</button>
${modeFields(form, hasSecret)}
<fieldset><legend>Après le paiement</legend>
${selectField('fulfillment_mode', 'Livraison', FULFILLMENTS, form.fulfillment_mode)}
${areaField({ name: 'fulfillment_code', label: 'Code de livraison : onPaid(ctx)', value: form.fulfillment_code, rows: 6, isCode: true })}</fieldset>
<button type="submit">${isNew ? 'Créer le produit' : 'Enregistrer le produit'}</button></form>`
}

const FULFILLMENTS = [
  { value: 'none', words: 'Rien à exécuter' },
  { value: 'code', words: 'Exécuter le code ci-dessous' },
]

const INTEGRATIONS = [
  { value: 'webhook', words: 'Par appel à votre adresse' },
  { value: 'code', words: 'Par le code ci-dessous' },
]

const SCHEMA_HINT: Fragment = html`Des étapes (<code>steps</code>) avec des champs (<code>fields</code>) de type text, number, phone, select ou amount.`

const PACKAGES_HINT = 'Un nom avec un point-virgule se met entre guillemets : "Forfait;500";1000.'

function modeFields(form: ProductForm, hasSecret: boolean): Html {
  const secretHint = hasSecret ? 'Un secret est enregistré. Laissez vide pour le garder.' : 'Signe nos appels.'
  return html`<fieldset><legend>Formules à prix fixe</legend>
${areaField({ name: 'packages', label: 'Une formule par ligne : nom;montant', hint: PACKAGES_HINT, value: form.packages, rows: 3, isCode: true })}</fieldset>
<fieldset><legend>Montant saisi par le client</legend><div class="pair">
${formField({ name: 'min', label: 'Minimum', value: form.min, maxLength: 20, isRequired: false, inputMode: 'numeric' })}
${formField({ name: 'max', label: 'Maximum', value: form.max, maxLength: 20, isRequired: false, inputMode: 'numeric' })}
${formField({ name: 'presets', label: 'Montants proposés', value: form.presets, maxLength: 400, isRequired: false })}</div></fieldset>
<fieldset><legend>Montant donné par votre système</legend>
${selectField('lookup_integration', 'Consultation', INTEGRATIONS, form.lookup_integration)}
${formField({ name: 'lookup_url', label: 'Adresse (https)', value: form.lookup_url, maxLength: 2048, isRequired: false })}
${formField({ name: 'lookup_secret', label: 'Secret de signature', hint: secretHint, type: 'password', maxLength: 512, isRequired: false })}
${areaField({ name: 'lookup_code', label: 'Code de consultation : lookup(args)', value: form.lookup_code, rows: 6, isCode: true })}</fieldset>`
}
