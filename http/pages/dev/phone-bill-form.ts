// The form of a biller's product on the simulated phone. Inputs are named by their place in the form: `v0`, `v1`.
import type { DirectoryProduct } from '../../../engine/contract/directory.ts'
import { joined, type Text } from '../../text/text.ts'
import { amountText, amountWanted, typedAmount } from '../shared/amount-text.ts'
import { formField } from '../shared/form-field.ts'
import { type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { errorOf } from './phone-parts.ts'
import type { Tried, TriedError } from './phone-progress.ts'

const TEXTS = texts({
  fr: {
    usualAmounts: (value: string) => `Montants habituels : ${value}.`,
    amount: (value: string) => `Montant ${value}.`,
    choosePackage: 'Choisissez une formule.',
  },
  en: {
    usualAmounts: (value) => `Usual amounts: ${value}.`,
    amount: (value) => `Amount ${value}.`,
    choosePackage: 'Choose a package.',
  },
})

/** Matches the inputs of a form, which has at most 100 fields. */
export const BILL_INPUT = /^v[0-9]{1,2}$/

type Step = DirectoryProduct['schema']['steps'][number]
type Field = NonNullable<Step['fields']>[number]

export function billForm(product: DirectoryProduct, tried: Tried): Html {
  let at = 0
  const steps = product.schema.steps.map((step) => {
    const fields = (step.fields ?? []).map((field) => fieldInput(product, field, `v${at++}`, tried))
    return html`${step.title !== undefined && step.title !== '' && html`<h2><bdi>${step.title}</bdi></h2>`}${fields}`
  })
  return html`${steps}${product.amount_mode === 'fixed' && packages(product, tried)}`
}

function fieldInput(product: DirectoryProduct, field: Field, name: string, tried: Tried): Html {
  const { label, type, help, options = [], required = false } = field
  const error = errorOf(tried, name)
  const value = tried.values[name] ?? ''
  if (type !== 'select') {
    const isHelped = help !== undefined && help !== ''
    const range = type === 'amount' ? bounds(product) : ''
    const hint = (isHelped || range !== '') && html`${isHelped && html`<bdi>${help}</bdi>`} ${range}`
    const inputs = { number: { inputMode: 'numeric' }, amount: { inputMode: 'numeric' }, phone: { type: 'tel' } } as const
    const shape = type === 'text' ? {} : inputs[type]
    return formField({ name, label: label, value, maxLength: 100, isRequired: required, error, hint, ...shape })
  }
  const choices = options.map(
    (option) => html`<option value="${option.value}"${option.value === value && html` selected`}>${option.label}</option>`,
  )
  return html`<div class="field"><label for="${name}"><bdi>${label}</bdi></label>
<select id="${name}" name="${name}"${error !== null && html` aria-describedby="${name}-error" aria-invalid="true"`}><option value=""></option>${choices}</select>
${error !== null && html`<p class="error" id="${name}-error">${error}</p>`}</div>`
}

function bounds({ min, max, presets, currency }: DirectoryProduct): Text {
  const words = [min !== null && WORDS.amountFrom(amountText(min, currency)), max !== null && WORDS.up(amountText(max, currency))].filter(
    (word) => word !== false,
  )
  const usual =
    presets.length === 0
      ? []
      : [
          TEXTS.usualAmounts(
            joined(
              presets.map((amount) => amountText(amount, currency)),
              ', ',
            ),
          ),
        ]
  return joined([...(words.length === 0 ? [] : [TEXTS.amount(joined(words, ' '))]), ...usual], ' ')
}

function packages({ packages: all, currency }: DirectoryProduct, tried: Tried): Html {
  const error = errorOf(tried, 'package')
  const choice = ({ id, label, amount }: (typeof all)[number]): Html =>
    html`<label class="choice"><input type="radio" name="package" value="${id}"${tried.values.package === id && html` checked`}> <span><bdi>${label}</bdi>, ${amountText(amount, currency)}</span></label>`
  return html`<fieldset class="field"><legend>${WORDS.package}</legend>${all.map(choice)}${error !== null && html`<p class="error">${error}</p>`}</fieldset>`
}

function fieldsOf({ schema }: DirectoryProduct): readonly Field[] {
  return schema.steps.flatMap(({ fields = [] }) => fields)
}

/** Returns the name of a field's input; null for an unknown field. */
export function fieldAt(product: DirectoryProduct, id: string): string | null {
  const at = fieldsOf(product).findIndex((field) => field.id === id)
  return at < 0 ? null : `v${at}`
}

/** Returns `form_values` of the API. Empty inputs are absent; what cannot be read stays as typed, so that the API names it. */
export function formValues(product: DirectoryProduct, rows: Readonly<Record<string, string>>): Record<string, string | number> {
  const typed = fieldsOf(product).map(({ id, type }, at) => [id, readValue(type, product.currency, (rows[`v${at}`] ?? '').trim())] as const)
  return Object.fromEntries(typed.filter(([, value]) => value !== ''))
}

function readValue(type: Field['type'], currency: string, text: string): string | number {
  if (type === 'amount') return typedAmount(text, currency) ?? text
  if (type === 'phone') return text.replaceAll(/[\s.()\u00a0\u202f-]/g, '').replace(/^00/, '+')
  return type === 'number' ? text.replaceAll(/[\s\u00a0\u202f]/g, '').replace(',', '.') : text
}

type Paid = { readonly amount: number; readonly packageId: string | null; readonly label: string }

/** Returns amount and package of a product without a lookup, or the error. */
export function paidAmount(
  product: DirectoryProduct,
  values: Readonly<Record<string, string | number>>,
  packageId: string,
): Paid | { readonly error: TriedError } {
  if (product.amount_mode === 'fixed') {
    const chosen = product.packages.find(({ id }) => id === packageId)
    if (chosen === undefined) return { error: { field: 'package', message: TEXTS.choosePackage } }
    return { amount: chosen.amount, packageId, label: chosen.label }
  }
  const field = fieldsOf(product).findIndex(({ type }) => type === 'amount')
  const amount = values[fieldsOf(product)[field]?.id ?? '']
  if (typeof amount === 'number' && amount > 0) return { amount, packageId: null, label: '' }
  return { error: { field: `v${field}`, message: amountWanted(product.currency) } }
}
