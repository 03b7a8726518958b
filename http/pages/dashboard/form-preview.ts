// Preview of a product's form as the wallet renders it. Its inputs have no names, so the browser sends none of them. It
// validates nothing and omits what it cannot render.
import { prettyAmount } from '../../workers/gateways/message.ts'
import { type Fragment, type Html, html, Verbatim } from '../html.ts'
import { type FieldRow, type FormRows, optionsOf } from './form-rows.ts'

export interface PreviewedProduct {
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
  return html`<p class="preview-title"><b>${typedOr(title, 'Titre du produit')}</b></p>
${rows.map(
  (step, at) => html`<div class="step"><p><b>${typedOr(step.title, `Étape ${at + 1}`)}</b></p>
${step.fields.slice(0, SHOWN_MAX).map((field) => fieldPreview(field, product))}
${at === askedAfter && LOOKED_UP}</div>`,
)}
${mode === 'fixed' && packagesPreview(product)}
<p class="preview-pay">Payer, puis code PIN</p>`
}

/** Renders text of the merchant, or the words where there is none. */
function typedOr(text: string, words: string): Fragment {
  return text === '' ? words : html`<bdi>${text}</bdi>`
}

const LOOKED_UP: Fragment = html`<p class="hint">Ici, votre système donne le montant à payer ; le client le voit avant de payer.</p>`

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
          .map((option) => html`<option>${new Verbatim(option.label)}</option>`)}</select>`
      : html`<input disabled placeholder="${new Verbatim(placeholder)}"${INPUTS[type]}>`
  const isPaid = type === 'amount' && product.mode === 'user'
  return html`<label class="field"><span>${typedOr(label, '(sans libellé)')}${isRequired && ' *'}</span>${input}${isPaid && boundsPreview(product)}${help !== '' && html`<span class="hint"><bdi>${help}</bdi></span>`}</label>`
}

function boundsPreview({ min, max, presets }: PreviewedProduct): Fragment {
  const bounds = [typeof min === 'number' && `de ${prettyAmount(min)}`, typeof max === 'number' && `jusqu’à ${prettyAmount(max)}`]
  const words = bounds.filter((bound) => bound !== false).join(' ')
  return html`${words !== '' && html`<span class="hint">${words}</span>`}${presets.length > 0 && html`<span class="chips">${presets.slice(0, SHOWN_MAX).map((preset) => html`<span class="chip">${amountText(preset)}</span>`)}</span>`}`
}

function packagesPreview({ packages }: PreviewedProduct): Html {
  const shown = packages.slice(0, SHOWN_MAX)
  return html`<div class="step"><p><b>Formule</b></p>
${shown.map(({ label, amount }) => html`<label class="check"><input type="radio" disabled> <span>${typedOr(label, '(sans nom)')}, ${amountText(amount)}</span></label>`)}
${shown.length === 0 && html`<p class="hint">Aucune formule.</p>`}</div>`
}

function amountText(amount: number | string): string {
  return typeof amount === 'number' ? prettyAmount(amount) : amount
}
