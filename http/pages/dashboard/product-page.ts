// The form of a product as HTML: price, the customer's form, lookup, fulfillment, and a preview of the wallet. An error is
// shown at its input.
import type { SandboxEntry } from '../../../engine/api.ts'
import { AMOUNT_MODES } from '../../../engine/contract/biller-product.ts'
import type { ApiError } from '../api-calls.ts'
import { formField } from '../form-field.ts'
import { type Html, html } from '../html.ts'
import { CODE_TEMPLATES } from './code-templates.ts'
import { areaField, failure, formStart, selectField } from './dashboard-parts.ts'
import type { FormDraft } from './form-draft.ts'
import { formEditor } from './form-editor.ts'
import { formPreview } from './form-preview.ts'
import type { FormRows } from './form-rows.ts'
import { packagesOf } from './package-lines.ts'
import { boundsOf, type ProductForm } from './product-form.ts'
import type { Visit } from './visit.ts'

export interface ProductView {
  readonly action: string
  readonly form: ProductForm
  readonly draft: FormDraft
  readonly error: ApiError | null
  readonly isNew: boolean
  readonly hasSecret: boolean
  /** Status message of the editor's last button. `focus` is the element that gets the focus. */
  readonly notice?: string
  readonly focus?: string
}

const MODES: Readonly<Record<(typeof AMOUNT_MODES)[number], string>> = {
  fixed: 'Des formules à prix fixe',
  user: 'Un montant que le client saisit',
  lookup: 'Un montant que votre système donne',
}

/** Renders the page. The enter key presses the first button, so that must not be one of the editor. */
export function productPage(visit: Visit, view: ProductView): Html {
  const { action, form, draft, error, isNew, hasSecret, notice = '', focus = '' } = view
  const save = isNew ? 'Créer le produit' : 'Enregistrer le produit'
  const faultOf = faultsOf(error, draft)
  const { title, amount_mode: mode } = form
  const preview = formPreview({ title, mode, rows: draft.rows, packages: packagesOf(form.packages), ...boundsOf(form) })
  return html`<form class="form card product" method="post" action="${action}" novalidate>${formStart(visit)}
<button class="unseen" type="submit" tabindex="-1" aria-hidden="true">${save}</button>
${failure(error !== null && placeOf(error, draft) === null ? error : null)}
${
  isNew
    ? formField({
        name: 'slug',
        label: 'Identifiant',
        hint: 'Minuscules, chiffres et tirets ; il ne change plus.',
        value: form.slug,
        maxLength: 63,
        error: faultOf('slug'),
      })
    : html`<input type="hidden" name="slug" value="${form.slug}">`
}
${formField({ name: 'title', label: 'Titre', value: title, maxLength: 120, error: faultOf('title') })}
<h2>Prix</h2>
${selectField(
  'amount_mode',
  'Que paie le client ?',
  AMOUNT_MODES.map((value) => ({ value, words: MODES[value] })),
  mode,
)}
${modeFields(visit, { form, hasSecret, faultOf })}
<h2>Ce que le client remplit</h2>
<p class="unseen" role="status" data-notice>${notice}</p>
<div class="editor" data-editor>${formEditor({ draft, faultOf, fault: faultOf('schema'), focus })}
<section class="preview" aria-label="Aperçu"><h3>Aperçu dans l’application</h3><div data-preview>${preview}</div>
<button class="quiet small" type="submit" name="do" value="refresh" id="refresh"${focus === 'refresh' && html` autofocus`}>Actualiser l’aperçu</button></section>
</div>
<h2>Après le paiement</h2>
${selectField('fulfillment_mode', 'Livraison', FULFILLMENTS, form.fulfillment_mode)}
<div class="only-fulfillment">${areaField({ name: 'fulfillment_code', label: 'Code de livraison : onPaid(ctx)', value: form.fulfillment_code, rows: 6, isCode: true, error: faultOf('fulfillment_code') })}${templates(visit, 'onPaid')}</div>
<button class="save" type="submit">${save}</button></form>`
}

const FULFILLMENTS = [
  { value: 'none', words: 'Rien à exécuter' },
  { value: 'code', words: 'Exécuter du code' },
]

const INTEGRATIONS = [
  { value: 'webhook', words: 'Par appel à votre adresse' },
  { value: 'code', words: 'Par du code que nous exécutons' },
]

const PACKAGES_HINT =
  'Un identifiant s’ajoute à la fin de chaque ligne : laissez-le tel quel. Un nom avec un point-virgule se met entre guillemets : "Forfait;500";1000.'

type FaultOf = (name: string) => string | null

/** Buttons that put a template into the code's input. They work without a script. */
function templates(visit: Visit, entry: SandboxEntry): Html {
  const own = CODE_TEMPLATES.filter((template) => template.entry === entry)
  return html`<details class="templates"><summary>Partir d’un modèle</summary>
<p class="hint">Le modèle remplace le code saisi. <a href="${visit.to('code')}">Ce que le code reçoit et ce qu’il peut utiliser</a></p>
<div class="actions">${own.map(({ id, title }) => html`<button class="quiet small" type="submit" name="template" value="${id}">${title}</button>`)}</div></details>`
}

interface ModeParts {
  readonly form: ProductForm
  readonly hasSecret: boolean
  readonly faultOf: FaultOf
}

function modeFields(visit: Visit, { form, hasSecret, faultOf }: ModeParts): Html {
  const secretHint = hasSecret ? 'Un secret est enregistré. Laissez vide pour le garder.' : 'Signe nos appels.'
  const source = {
    name: 'lookup_code',
    label: 'Code de consultation : lookup(args)',
    value: form.lookup_code,
    rows: 6,
    isCode: true,
    error: faultOf('lookup_code'),
  }
  return html`<fieldset class="only-fixed"><legend>Formules à prix fixe</legend>
${areaField({ name: 'packages', label: 'Une formule par ligne : nom;montant', hint: PACKAGES_HINT, value: form.packages, rows: 3, isCode: true, error: faultOf('packages') })}</fieldset>
<fieldset class="only-user"><legend>Montant saisi par le client</legend><div class="pair">
${formField({ name: 'min', label: 'Minimum', value: form.min, maxLength: 20, isRequired: false, inputMode: 'numeric', error: faultOf('min') })}
${formField({ name: 'max', label: 'Maximum', value: form.max, maxLength: 20, isRequired: false, inputMode: 'numeric', error: faultOf('max') })}
${formField({ name: 'presets', label: 'Montants proposés', value: form.presets, maxLength: 400, isRequired: false, error: faultOf('presets') })}</div></fieldset>
<fieldset class="only-lookup"><legend>Montant donné par votre système</legend>
${selectField('lookup_integration', 'Consultation', INTEGRATIONS, form.lookup_integration)}
<div class="only-webhook">${formField({ name: 'lookup_url', label: 'Adresse (https)', value: form.lookup_url, maxLength: 2048, isRequired: false, error: faultOf('lookup_url') })}
${formField({ name: 'lookup_secret', label: 'Secret de signature', hint: secretHint, type: 'password', maxLength: 512, isRequired: false, error: faultOf('lookup_secret') })}</div>
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
function wordsOf({ code, message, param = '' }: ApiError, name: string): string {
  const line = Number(/^(?:packages|presets)\.(\d+)/.exec(param)?.[1] ?? Number.NaN)
  if (name === 'packages' && !Number.isNaN(line)) return `Ligne ${line + 1} : ${message}`
  if (code !== 'invalid_schema_json' || name === 'schema') return message
  if (name.endsWith('-options')) return 'Deux choix ont la même valeur, ou un texte est trop long.'
  return 'Ce texte est trop long, ou tient sur plusieurs lignes, ou ne peut pas servir ici.'
}
