// What a customer filled in, held against the form of the product. Keeps values as they were typed; must never look at
// one in more than linear time.
import { isText } from '../../contract/schema.ts'
import { type Amount, isAmount } from '../../kernel/amount.ts'
import { unreachable } from '../../kernel/assert.ts'
import type { FormField, FormSchema } from '../biller/biller-state.ts'
import { matchesPattern } from '../pattern.ts'
import type { Steps } from '../pattern-run.ts'
import { FORM_LENGTH_MAX, FORM_PATTERN_STEPS_MAX, FORM_VALUE_LENGTH_MAX } from './bill-limits.ts'
import type { FormValues } from './bill-state.ts'

/** JSON of any shape; keys may be unknown to the form. */
export type SentValues = Readonly<Record<string, unknown>>

export interface FormFault {
  readonly code: 'invalid_form_values' | 'amount_out_of_bounds'
  /** Dotted path. */
  readonly param: string
}

export type ReadForm = { readonly values: FormValues } | { readonly fault: FormFault }

/**
 * What was left empty (absent, null, blank) is left out. A pattern speaks of the whole value, as in an HTML form; it
 * is asked of numbers too, as they were written.
 */
export function readForm(schema: FormSchema, sent: SentValues): ReadForm {
  const fields = fieldsOf(schema)
  const values = new Map<string, string | number>()
  const steps: Steps = { left: FORM_PATTERN_STEPS_MAX }
  let length = 0
  for (const field of fields) {
    const value = Object.hasOwn(sent, field.id) ? sent[field.id] : null
    const isEmpty = value === null || (typeof value === 'string' && value.trim() === '')
    if (isEmpty && field.required !== true) continue
    const code = isEmpty || !isFormValue(value) ? 'invalid_form_values' : faultOf(field, value, steps)
    if (code !== null) return { fault: { code, param: paramOf(field.id) } }
    const kept = value as string | number
    length += String(kept).length
    if (length > FORM_LENGTH_MAX) return { fault: { code: 'invalid_form_values', param: paramOf(field.id) } }
    values.set(field.id, kept)
  }
  for (const id of Object.keys(sent)) {
    if (!fields.some((field) => field.id === id)) return { fault: { code: 'invalid_form_values', param: paramOf(id) } }
  }
  return { values: Object.fromEntries(values) }
}

/** Asked before anything turns a value into text: an object may say how it becomes text, and that it does not. */
export function isFormValue(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isFinite(value)
}

export function fieldsOf({ steps }: FormSchema): readonly FormField[] {
  return steps.flatMap(({ fields }) => fields ?? [])
}

/** The one that a free amount is typed into. */
export function amountField(schema: FormSchema): FormField | undefined {
  return fieldsOf(schema).find(({ type }) => type === 'amount')
}

export function paramOf(fieldId: string): string {
  return `form_values.${fieldId}`
}

const PHONE = /^\+[1-9][0-9]{7,14}$/
/** As people and programs write numbers, without exponents: they have no business in a meter reading. */
const DECIMAL = /^-?[0-9]{1,30}(?:\.[0-9]{1,30})?$/
const WHOLE = /^[0-9]{1,15}$/

/** Null when the value is right. */
function faultOf({ type, pattern, options = [] }: FormField, value: string | number, steps: Steps): FormFault['code'] | null {
  const text = String(value)
  if (!isText(text, 'one', FORM_VALUE_LENGTH_MAX)) return 'invalid_form_values'
  switch (type) {
    case 'text':
      if (typeof value !== 'string') return 'invalid_form_values'
      break
    case 'phone':
      if (typeof value !== 'string' || !PHONE.test(value)) return 'invalid_form_values'
      break
    case 'select':
      if (!options.some((option) => option.value === value)) return 'invalid_form_values'
      break
    case 'number':
      if (typeof value === 'string' && !DECIMAL.test(value)) return 'invalid_form_values'
      break
    case 'amount':
      if (amountOf(value) === null) return 'invalid_form_values'
      if (!isAmount(amountOf(value))) return 'amount_out_of_bounds'
      break
    default:
      return unreachable(type)
  }
  return pattern === undefined || matchesPattern(pattern, text, steps) ? null : 'invalid_form_values'
}

/** A whole number, or the digits of one; null for anything else. May be beyond what can be paid. */
export function amountOf(value: unknown): Amount | null {
  if (typeof value === 'number') return Number.isInteger(value) ? value : null
  return typeof value === 'string' && WHOLE.test(value) ? Number(value) : null
}
