// The editor for the form of a product: steps and fields as rows, buttons that add, move and remove them, and the same form
// as JSON. Each button sends the form, and the server renders the next state; a script only avoids the reload. The server
// stores nothing before the product is saved.

import { HELP_LENGTH_MAX, ID_LENGTH_MAX, LABEL_LENGTH_MAX, PATTERN_LENGTH_MAX } from '../../../../engine/api.ts'
import { FIELD_TYPES } from '../../../../engine/contract/biller-product.ts'
import type { Text } from '../../../text/text.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { areaField, type Choice, checkField, selectField } from '../shared/dashboard-parts.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import type { FormDraft } from './form-draft.ts'
import { TEXTS } from './form-editor-messages.ts'
import type { FieldRow, StepRow } from './form-rows.ts'

export interface EditorView {
  readonly draft: FormDraft
  /** Returns the API's validation error of an input, by its name, or null. */
  readonly faultOf: (name: string) => Text | string | null
  /** Validation error of the whole form. */
  readonly fault: Text | string | null
  /** Id of the element that gets the focus, or ''. */
  readonly focus: string
}

export function formEditor(view: EditorView): Html {
  const { draft, fault } = view
  let number = 0
  const steps = draft.rows.map((step, at) => {
    const first = number
    number += step.fields.length
    return stepRows(view, step, at, first)
  })
  return html`<div class="rows">
${fault !== null && html`<p class="error" role="alert">${fault}</p>`}
${steps}
${draft.rows.length === 0 && html`<p class="empty">${TEXTS.formAsksForNothing}</p>`}
<p>${moveButton(view, 'add-step', 'add-step', TEXTS.addStep, null)}</p>
${jsonArea(view)}
</div>`
}

function stepRows(view: EditorView, { id, title, isResolving, fields }: StepRow, at: number, firstNumber: number): Html {
  const name = `step-${at}`
  const what = TEXTS.step(at + 1)
  return html`<fieldset class="step-rows"><legend>${DASHBOARD_WORDS.step(at + 1)}</legend>
${textInput(view, `${name}-title`, WORDS.title, title, LABEL_LENGTH_MAX)}
<div class="only-lookup">${checkField(`${name}-resolve`, TEXTS.askSystemForAmountAt, isResolving)}${errorOf(view, `${name}-resolve`)}</div>
${fields.map((field, index) => fieldRows(view, field, { number: firstNumber + index, step: at }))}
${fields.length === 0 && html`<p class="hint">${TEXTS.noFieldsInStep}</p>`}
<div class="moves">${moveButton(view, `add-field-${at}`, `${name}-add`, TEXTS.addField, what)}${arrows(view, `step-${at}`, name, what)}</div>
<details class="more"${view.faultOf(`${name}-id`) !== null && html` open`}><summary>${TEXTS.identifierStep(id !== '' && html` : <code>${id}</code>`)}</summary>
${textInput(view, `${name}-id`, WORDS.identifier, id, LABEL_LENGTH_MAX)}</details>
</fieldset>`
}

const TYPES: Readonly<Record<(typeof FIELD_TYPES)[number], Text | string>> = {
  text: TEXTS.text,
  number: WORDS.number,
  phone: WORDS.phone,
  select: TEXTS.listChoices,
  amount: WORDS.amount,
}

const MORE = ['id', 'pattern', 'placeholder', 'help'] as const

function fieldRows(view: EditorView, field: FieldRow, { number, step }: { readonly number: number; readonly step: number }): Html {
  const name = `field-${number}`
  const what = field.label === '' ? TEXTS.field(number + 1) : TEXTS.field2(field.label)
  const isOpen = MORE.some((one) => view.faultOf(`${name}-${one}`) !== null)
  return html`<div class="field-rows" role="group" aria-label="${TEXTS.field3(number + 1)}"><input type="hidden" name="${name}-step" value="${step}">
<div class="pair">${textInput(view, `${name}-label`, WORDS.label, field.label, LABEL_LENGTH_MAX)}
<div>${selectField(`${name}-type`, WORDS.type, typeChoices(field.type), field.type)}${errorOf(view, `${name}-type`)}</div></div>
${checkField(`${name}-required`, TEXTS.required, field.isRequired)}
<div class="only-select">${areaField({
    name: `${name}-options`,
    label: TEXTS.choices,
    hint: TEXTS.oneLineLabelValueWithout,
    value: field.options,
    rows: 3,
    error: view.faultOf(`${name}-options`),
  })}</div>
<details class="more"${isOpen && html` open`}><summary>${TEXTS.identifierPatternHelp(field.id !== '' && html`${WORDS.colon} <code>${field.id}</code>`)}</summary>
${textInput(view, `${name}-id`, WORDS.identifier, field.id, ID_LENGTH_MAX, TEXTS.nameValueInSystemsEmpty)}
${textInput(view, `${name}-pattern`, TEXTS.patternRegularExpression, field.pattern, PATTERN_LENGTH_MAX, html`${TEXTS.whatWholeValueMustBe}`)}
${textInput(view, `${name}-placeholder`, TEXTS.exampleInField, field.placeholder, HELP_LENGTH_MAX)}
${areaField({ name: `${name}-help`, label: TEXTS.helpBelowField, value: field.help, rows: 2, error: view.faultOf(`${name}-help`) })}</details>
<div class="moves">${arrows(view, `field-${number}`, name, what)}</div></div>`
}

/** Returns the choices of types. An unknown type stays in the list: the API rejects it by its name. */
function typeChoices(type: string): readonly Choice[] {
  const known = FIELD_TYPES.map((value) => ({ value, words: TYPES[value] }))
  return (FIELD_TYPES as readonly string[]).includes(type) ? known : [...known, { value: type, words: type === '' ? TEXTS.noType : type }]
}

function textInput(view: EditorView, name: string, label: Text | string, value: string, maxLength: number, hint?: Fragment): Html {
  return formField({
    name,
    label,
    value,
    maxLength,
    hint,
    isRequired: false,
    error: view.faultOf(name),
    hasFocus: view.focus === name,
  })
}

function errorOf(view: EditorView, name: string): Fragment {
  const fault = view.faultOf(name)
  return fault !== null && html`<p class="error" role="alert">${fault}</p>`
}

function arrows(view: EditorView, move: string, id: string, what: Text): Html {
  return html`<span class="arrows">${moveButton(view, `up-${move}`, `${id}-up`, '↑', TEXTS.moveUp(what))}${moveButton(view, `down-${move}`, `${id}-down`, '↓', TEXTS.moveDown(what))}${moveButton(view, `drop-${move}`, `${id}-drop`, DASHBOARD_WORDS.delete, what)}</span>`
}

/** Renders a move button. Its accessible name begins with the visible text, for users of speech input (WCAG 2.5.3). */
function moveButton(view: EditorView, move: string, id: string, words: Text | string, more: Text | null): Html {
  return html`<button class="quiet small" type="submit" name="do" value="${move}" id="${id}"${view.focus === id && html` autofocus`}>${words}${more !== null && html`<span class="unseen"> ${more}</span>`}</button>`
}

function jsonArea({ draft, focus }: EditorView): Html {
  const { json, fault, drawn } = draft
  return html`<details class="more"${(fault !== null || focus === 'schema') && html` open`}><summary>${TEXTS.advancedFormAsJson}</summary>
<input type="hidden" name="drawn" value="${drawn}">
${areaField({ name: 'schema', label: TEXTS.formJson, hint: SCHEMA_HINT, value: json, rows: 16, isCode: true, error: fault })}
<div class="moves"><button class="quiet small" type="submit" name="do" value="json">${TEXTS.takeJsonIntoFields}</button>
<button class="quiet small" type="submit" name="do" value="rows">${TEXTS.makeJsonFromFields}</button></div></details>`
}

const SCHEMA_HINT: Fragment = html`${TEXTS.stepsStepsWithFieldsFields}`
