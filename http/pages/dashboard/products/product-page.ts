// The form of a product as HTML: price, the customer's form, lookup, fulfillment, and a preview of the wallet. An error is
// shown at its input.

import type { SandboxEntry } from '../../../../engine/api.ts'
import { AMOUNT_MODES } from '../../../../engine/contract/biller-product.ts'
import type { Text } from '../../../text/text.ts'
import { amountKeyboard } from '../../shared/amount-text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { areaField, failure, formStart, selectField } from '../shared/dashboard-parts.ts'
import type { Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { CODE_TEMPLATES } from './code-templates.ts'
import type { FormDraft } from './form-draft.ts'
import { formEditor } from './form-editor.ts'
import { formPreview } from './form-preview.ts'
import type { FormRows } from './form-rows.ts'
import { packagesOf } from './package-lines.ts'
import { boundsOf, type ProductForm } from './product-form.ts'
import { TEXTS } from './product-page-messages.ts'

export interface ProductView {
  readonly action: string
  readonly form: ProductForm
  readonly draft: FormDraft
  readonly error: ApiError | null
  readonly isNew: boolean
  readonly hasSecret: boolean
  /** Status message of the editor's last button. `focus` is the element that gets the focus. */
  readonly notice?: Text | string
  readonly focus?: string
}

const MODES: Readonly<Record<(typeof AMOUNT_MODES)[number], Text | string>> = {
  fixed: TEXTS.packagesWithFixedPrice,
  user: TEXTS.amountCustomerTypes,
  lookup: TEXTS.amountSystemGives,
}

/** Renders the page. The enter key presses the first button, so that must not be one of the editor. */
export function productPage(visit: Visit, view: ProductView): Html {
  const { action, form, draft, error, isNew, hasSecret, notice = '', focus = '' } = view
  const save = isNew ? TEXTS.createProduct : TEXTS.saveProduct
  const faultOf = faultsOf(error, draft)
  const { title, amount_mode: mode } = form
  const { currency } = visit
  const amounts = { packages: packagesOf(form.packages, currency), ...boundsOf(form, currency), currency }
  const preview = formPreview({ title, mode, rows: draft.rows, ...amounts })
  return html`<form class="form card product" method="post" action="${action}" novalidate>${formStart(visit)}
<button class="unseen" type="submit" tabindex="-1" aria-hidden="true">${save}</button>
${failure(error !== null && placeOf(error, draft) === null ? error : null)}
${
  isNew
    ? formField({
        name: 'slug',
        label: WORDS.identifier,
        hint: TEXTS.lowerCaseLettersDigitsAnd,
        value: form.slug,
        maxLength: 63,
        error: faultOf('slug'),
      })
    : html`<input type="hidden" name="slug" value="${form.slug}">`
}
${formField({ name: 'title', label: WORDS.title, value: title, maxLength: 120, error: faultOf('title') })}
<h2>${TEXTS.price}</h2>
${selectField(
  'amount_mode',
  TEXTS.whatDoesCustomerPay,
  AMOUNT_MODES.map((value) => ({ value, words: MODES[value] })),
  mode,
)}
${modeFields(visit, { form, hasSecret, faultOf })}
<h2>${TEXTS.whatCustomerFillsIn}</h2>
<p class="unseen" role="status" data-notice>${notice}</p>
<div class="editor" data-editor>${formEditor({ draft, faultOf, fault: faultOf('schema'), focus })}
<section class="preview" aria-label="${TEXTS.preview}"><h3>${TEXTS.previewInApp}</h3><div data-preview>${preview}</div>
<button class="quiet small" type="submit" name="do" value="refresh" id="refresh"${focus === 'refresh' && html` autofocus`}>${TEXTS.updatePreview}</button></section>
</div>
<h2>${TEXTS.afterPayment}</h2>
${selectField('fulfillment_mode', DASHBOARD_WORDS.delivery, FULFILLMENTS, form.fulfillment_mode)}
<div class="only-fulfillment">${areaField({ name: 'fulfillment_code', label: TEXTS.deliveryCodeOnPaidCtx, value: form.fulfillment_code, rows: 6, isCode: true, error: faultOf('fulfillment_code') })}${templates(visit, 'onPaid')}</div>
<button class="save" type="submit">${save}</button></form>`
}

const FULFILLMENTS = [
  { value: 'none', words: TEXTS.nothingRun },
  { value: 'code', words: TEXTS.runCode },
]

const INTEGRATIONS = [
  { value: 'webhook', words: TEXTS.byCallAddress },
  { value: 'code', words: TEXTS.byCodeWeRun },
]

const PACKAGES_HINT = TEXTS.identifierAddedAtEndEach

type FaultOf = (name: string) => Text | string | null

/** Buttons that put a template into the code's input. They work without a script. */
function templates(visit: Visit, entry: SandboxEntry): Html {
  const own = CODE_TEMPLATES.filter((template) => template.entry === entry)
  return html`<details class="templates"><summary>${TEXTS.startFromTemplate}</summary>
<p class="hint">${TEXTS.templateReplacesCodeWhatCode(visit.to('code'))}</p>
<div class="actions">${own.map(({ id, title }) => html`<button class="quiet small" type="submit" name="template" value="${id}">${title}</button>`)}</div></details>`
}

interface ModeParts {
  readonly form: ProductForm
  readonly hasSecret: boolean
  readonly faultOf: FaultOf
}

function modeFields(visit: Visit, { form, hasSecret, faultOf }: ModeParts): Html {
  const secretHint = hasSecret ? TEXTS.secretSavedLeaveItEmpty : TEXTS.signsOurCalls
  const source = {
    name: 'lookup_code',
    label: TEXTS.lookupCodeLookupArgs,
    value: form.lookup_code,
    rows: 6,
    isCode: true,
    error: faultOf('lookup_code'),
  }
  return html`<fieldset class="only-fixed"><legend>${TEXTS.packagesWithFixedPrice2}</legend>
${areaField({ name: 'packages', label: TEXTS.onePackageLineNameAmount, hint: PACKAGES_HINT, value: form.packages, rows: 3, isCode: true, error: faultOf('packages') })}</fieldset>
<fieldset class="only-user"><legend>${TEXTS.amountTypedByCustomer}</legend><div class="pair">
${formField({ name: 'min', label: TEXTS.minimum, value: form.min, maxLength: 20, isRequired: false, inputMode: amountKeyboard(visit.currency), error: faultOf('min') })}
${formField({ name: 'max', label: WORDS.maximum, value: form.max, maxLength: 20, isRequired: false, inputMode: amountKeyboard(visit.currency), error: faultOf('max') })}
${formField({ name: 'presets', label: WORDS.suggestedAmounts, value: form.presets, maxLength: 400, isRequired: false, error: faultOf('presets') })}</div></fieldset>
<fieldset class="only-lookup"><legend>${TEXTS.amountGivenBySystem}</legend>
${selectField('lookup_integration', DASHBOARD_WORDS.lookup, INTEGRATIONS, form.lookup_integration)}
<div class="only-webhook">${formField({ name: 'lookup_url', label: DASHBOARD_WORDS.addressHttps, value: form.lookup_url, maxLength: 2048, isRequired: false, error: faultOf('lookup_url') })}
${formField({ name: 'lookup_secret', label: DASHBOARD_WORDS.signingSecret, hint: secretHint, type: 'password', maxLength: 512, isRequired: false, error: faultOf('lookup_secret') })}</div>
<div class="only-code">${areaField(source)}${templates(visit, 'lookup')}</div></fieldset>`
}

const INPUTS: ReadonlySet<string> = new Set([
  'slug',
  'title',
  'min',
  'max',
  'presets',
  'packages',
  'lookup_url',
  'lookup_secret',
  'lookup_code',
  'fulfillment_code',
])

/** Returns the name of the input that an error of the API concerns, or null. */
function placeOf({ param = '' }: ApiError, draft: FormDraft): string | null {
  const [name = '', ...path] = param.split('.')
  if (name === 'schema') return draft.source === 'rows' ? rowInput(path, draft.rows) : 'schema'
  return INPUTS.has(name) ? name : null
}

/** Returns the name of the input for `steps.1.fields.0.label`. An error about no row concerns the whole form. */
function rowInput([steps, step, fields, field, name = 'label']: readonly string[], rows: FormRows): string {
  if (steps !== 'steps' || step === undefined || fields === undefined) return 'schema'
  if (fields !== 'fields') return `step-${step}-${fields === 'action' ? 'resolve' : fields}`
  if (field === undefined) return 'schema'
  const before = rows.slice(0, Number(step)).reduce((sum, row) => sum + row.fields.length, 0)
  // An empty id derives from the label, so the label is missing.
  const isLabel = name === 'id' && rows[Number(step)]?.fields[Number(field)]?.label === ''
  return `field-${before + Number(field)}-${isLabel ? 'label' : name}`
}

function faultsOf(error: ApiError | null, draft: FormDraft): FaultOf {
  const place = error === null ? null : placeOf(error, draft)
  return (name) => (error !== null && name === place ? wordsOf(error, name) : null)
}

/** Returns the message in the terms of the page: the author sees lines and inputs, not an object. */
function wordsOf({ code, message, param = '' }: ApiError, name: string): Text | string {
  const line = Number(/^(?:packages|presets)\.(\d+)/.exec(param)?.[1] ?? Number.NaN)
  if (name === 'packages' && !Number.isNaN(line)) return TEXTS.packageLine(line + 1, message)
  if (code !== 'invalid_schema_json' || name === 'schema') return message
  if (name.endsWith('-options')) return TEXTS.twoChoicesHaveSameValue
  return TEXTS.textTooLongHasSeveral
}
