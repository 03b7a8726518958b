// Preview of a product's form as the wallet renders it. Its inputs have no names, so the browser sends none of them. It
// validates nothing and omits what it cannot render.

import { joined, type Text } from '../../../text/text.ts'
import { amountText } from '../../shared/amount-text.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { texts } from '../../shared/texts.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { type FieldRow, type FormRows, optionsOf } from './form-rows.ts'

const TEXTS = texts({
  fr: {
    payThenPin: 'Payer, puis code PIN',
    titleProduct: 'Titre du produit',
    hereSystemGivesAmountPay: 'Ici, votre système donne le montant à payer ; le client le voit avant de payer.',
    noLabel: '(sans libellé)',
    noName: '(sans nom)',
    noPackages: 'Aucune formule.',
  },
  en: {
    payThenPin: 'Pay, then PIN',
    titleProduct: 'Title of the product',
    hereSystemGivesAmountPay: 'Here your system gives the amount to pay; the customer sees it before paying.',
    noLabel: '(no label)',
    noName: '(no name)',
    noPackages: 'No packages.',
  },
})

export interface PreviewedProduct {
  readonly currency: string
  readonly title: string
  readonly mode: string
  readonly rows: FormRows
  readonly packages: readonly { readonly label: string; readonly amount: number | string }[]
  readonly min: number | string | null
  readonly max: number | string | null
  readonly presets: readonly (number | string)[]
}

const SHOWN_MAX = 100

export function formPreview(product: PreviewedProduct): Html {
  const { title, mode, rows } = product
  const resolving = rows.findIndex(({ isResolving }) => isResolving)
  // Without a resolving step, the amount is looked up after the last step.
  const askedAfter = mode !== 'lookup' ? -1 : resolving < 0 ? rows.length - 1 : resolving
  return html`<p class="preview-title"><b>${typedOr(title, TEXTS.titleProduct)}</b></p>
${rows.map(
  (step, at) => html`<div class="step"><p><b>${typedOr(step.title, DASHBOARD_WORDS.step(at + 1))}</b></p>
${step.fields.slice(0, SHOWN_MAX).map((field) => fieldPreview(field, product))}
${at === askedAfter && LOOKED_UP}</div>`,
)}
${mode === 'fixed' && packagesPreview(product)}
<p class="preview-pay">${TEXTS.payThenPin}</p>`
}

/** Renders text of the merchant, or the words where there is none. */
function typedOr(text: Text | string, words: Text | string): Fragment {
  return text === '' ? words : html`<bdi>${text}</bdi>`
}

const LOOKED_UP: Fragment = html`<p class="hint">${TEXTS.hereSystemGivesAmountPay}</p>`

const INPUTS: Readonly<Record<string, Html>> = {
  number: html` inputmode="decimal"`,
  phone: html` type="tel"`,
  amount: html` inputmode="numeric"`,
}

function fieldPreview({ label, type, isRequired, placeholder, help, options }: FieldRow, product: PreviewedProduct): Html {
  const input =
    type === 'select'
      ? html`<select disabled>${optionsOf(options)
          .slice(0, SHOWN_MAX)
          .map((option) => html`<option>${option.label}</option>`)}</select>`
      : html`<input disabled placeholder="${placeholder}"${INPUTS[type]}>`
  const isPaid = type === 'amount' && product.mode === 'user'
  return html`<label class="field"><span>${typedOr(label, TEXTS.noLabel)}${isRequired && ' *'}</span>${input}${isPaid && boundsPreview(product)}${help !== '' && html`<span class="hint"><bdi>${help}</bdi></span>`}</label>`
}

function boundsPreview({ min, max, presets, currency }: PreviewedProduct): Fragment {
  const bounds = [
    typeof min === 'number' && WORDS.amountFrom(amountText(min, currency)),
    typeof max === 'number' && WORDS.up(amountText(max, currency)),
  ]
  const words = bounds.filter((bound) => bound !== false)
  return html`${words.length > 0 && html`<span class="hint">${joined(words, ' ')}</span>`}${presets.length > 0 && html`<span class="chips">${presets.slice(0, SHOWN_MAX).map((preset) => html`<span class="chip">${typedAmountText(preset, currency)}</span>`)}</span>`}`
}

function packagesPreview({ packages, currency }: PreviewedProduct): Html {
  const shown = packages.slice(0, SHOWN_MAX)
  return html`<div class="step"><p><b>${WORDS.package}</b></p>
${shown.map(({ label, amount }) => html`<label class="check"><input type="radio" disabled> <span>${typedOr(label, TEXTS.noName)}, ${typedAmountText(amount, currency)}</span></label>`)}
${shown.length === 0 && html`<p class="hint">${TEXTS.noPackages}</p>`}</div>`
}

function typedAmountText(amount: number | string, currency: string): Text | string {
  return typeof amount === 'number' ? amountText(amount, currency) : amount
}
