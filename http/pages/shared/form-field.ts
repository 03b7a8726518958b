// One field of a form with its label, hint and error, linked by ARIA attributes for screen readers.
import type { Text } from '../../text/text.ts'
import { type Fragment, type Html, html } from './html.ts'

export interface FormField {
  readonly name: string
  /** The name, where the page has one form with it. */
  readonly id?: string
  /** A text of the service, or of others. */
  readonly label: Text | string
  readonly hint?: Fragment
  readonly value?: string
  readonly type?: 'text' | 'password' | 'tel' | 'email' | 'search'
  readonly maxLength: number
  readonly isRequired?: boolean
  /** True for codes and PINs, which are typed digit by digit. */
  readonly isCode?: boolean
  readonly inputMode?: 'numeric' | 'decimal' | 'tel'
  /** The autocomplete attribute: `off`, `one-time-code`, `name`. */
  readonly autocomplete?: string
  /** Id of a `datalist`. */
  readonly list?: string
  readonly hasFocus?: boolean
  /** Error message. A field with an error gets the focus. */
  readonly error?: Text | string | null
}

export function formField(field: FormField): Html {
  const { name, id = name, label, hint, error = null, type = 'text', value = '', maxLength, isRequired = true, isCode = false } = field
  const { inputMode, autocomplete = 'off', list, hasFocus = false } = field
  const hasHint = hint !== undefined && hint !== null && hint !== false
  return html`<div class="field">
<label for="${id}">${label}</label>
${hasHint && html`<p class="hint" id="${id}-hint">${hint}</p>`}
<input id="${id}" name="${name}" type="${type}" value="${type === 'password' ? '' : value}" maxlength="${maxLength}"${isRequired && html` required`}${isCode && html` class="digits"`}${inputMode !== undefined && html` inputmode="${inputMode}"`} autocomplete="${autocomplete}" autocapitalize="none" spellcheck="false"${list !== undefined && html` list="${list}"`}${hasFocus && error === null && html` autofocus`}${describedBy(id, hasHint, error !== null)}>
${error !== null && html`<p class="error" id="${id}-error">${besideField(error)}</p>`}
</div>`
}

/** Returns the message of the API as it stands beside its field: a reader does not know the name of the field in the API. */
export function besideField(error: Text | string): Text | string {
  return typeof error === 'string' ? error : (error.besideField ?? error)
}

/** Returns the attributes that link a field, which need not be an `input`, to its hint and error. */
export function describedBy(name: string, hasHint: boolean, hasError: boolean): Fragment {
  const ids = [hasHint && `${name}-hint`, hasError && `${name}-error`].filter((id) => id !== false).join(' ')
  return html`${ids !== '' && html` aria-describedby="${ids}"`}${hasError && html` aria-invalid="true" autofocus`}`
}
