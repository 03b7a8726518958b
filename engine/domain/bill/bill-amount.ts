// What a payment comes to: the package, the amount that was typed, or the quote, and the form that goes with it.

import type { PlainReason } from '../../contract/reasons.ts'
import type { Amount } from '../../kernel/amount.ts'
import { unreachable } from '../../kernel/assert.ts'
import type { ProductDefinition } from '../biller/biller-state.ts'
import type { Refused } from '../decision.ts'
import type { FormValues, Quote } from './bill-state.ts'
import type { FoundQuote } from './bill-versions.ts'
import { amountField, amountOf, type FormFault, isFormValue, paramOf, readForm, type SentValues } from './form-values.ts'

/** What the customer chose. Which of the three it must be is for the product's mode to say. */
export interface Choice {
  readonly quoteId: string | null
  readonly packageId: string | null
  /** In modes `fixed` and `lookup` it may stand beside the other, and must then be the same amount. */
  readonly amount: Amount | null
  readonly formValues: SentValues
}

export interface Bill {
  readonly amount: Amount
  readonly form_values: FormValues
  readonly biller_ref: string
  readonly quote_id: string | null
  readonly package_id: string | null
}

type RefusedBill = Refused<'invalid_request' | 'package_not_found' | Extract<FoundQuote, string> | FormFault['code']>

/** `findQuote` is asked where the mode takes one. */
export function billOf(definition: ProductDefinition, choice: Choice, findQuote: (id: string) => FoundQuote): Bill | RefusedBill {
  const { amount_mode } = definition
  if (choice.quoteId !== null && amount_mode !== 'lookup') return invalid('quote_id', 'quote_not_taken')
  if (choice.packageId !== null && amount_mode !== 'fixed') return invalid('package_id', 'package_not_taken')
  switch (amount_mode) {
    case 'fixed':
      return packageBill(definition, choice)
    case 'user':
      return typedBill(definition, choice)
    case 'lookup':
      return quotedBill(choice, findQuote)
    default:
      return unreachable(amount_mode)
  }
}

function packageBill({ schema, packages }: ProductDefinition, { packageId, amount, formValues }: Choice): Bill | RefusedBill {
  if (packageId === null) return invalid('package_id', 'package_required')
  const form = readForm(schema, formValues)
  if ('fault' in form) return refused(form.fault)
  const chosen = packages.find(({ id }) => id === packageId)
  if (chosen === undefined) return { refusal: 'package_not_found', param: 'package_id' }
  // It changed since the customer saw it.
  if (amount !== null && amount !== chosen.amount) return invalid('amount', 'package_amount_differs')
  return { amount: chosen.amount, form_values: form.values, biller_ref: '', quote_id: null, package_id: packageId }
}

/** The form's field and the payment's amount are the same thing: one is enough, two must be equal. */
function typedBill({ schema, min, max }: ProductDefinition, choice: Choice): Bill | RefusedBill {
  const field = amountField(schema)
  const param = field === undefined || choice.amount !== null ? 'amount' : paramOf(field.id)
  const typed = field !== undefined && Object.hasOwn(choice.formValues, field.id) ? choice.formValues[field.id] : null
  const isTyped = typed !== null && typed !== ''
  const sent =
    isTyped || field === undefined || choice.amount === null ? choice.formValues : { ...choice.formValues, [field.id]: choice.amount }
  const form = readForm(schema, sent)
  if ('fault' in form) return refused(form.fault)
  const amount = choice.amount ?? amountOf(typed)
  if (amount === null) return { refusal: 'invalid_form_values', param }
  if (isTyped && amountOf(typed) !== amount) return { refusal: 'invalid_form_values', param: paramOf(field?.id ?? '') }
  if ((min !== null && amount < min) || (max !== null && amount > max)) return { refusal: 'amount_out_of_bounds', param }
  return { amount, form_values: form.values, biller_ref: '', quote_id: null, package_id: null }
}

function quotedBill({ quoteId, amount, formValues }: Choice, findQuote: (id: string) => FoundQuote): Bill | RefusedBill {
  if (quoteId === null) return invalid('quote_id', 'quote_required')
  const quote = findQuote(quoteId)
  if (typeof quote === 'string') return { refusal: quote, param: 'quote_id' }
  if (amount !== null && amount !== quote.amount) return invalid('amount', 'quote_amount_differs')
  const other = Object.keys(formValues).find((id) => !isQuoted(quote, id, formValues[id]))
  if (other !== undefined) return { refusal: 'invalid_form_values', param: paramOf(other) }
  const { form_values, biller_ref } = quote
  return { amount: quote.amount, form_values, biller_ref, quote_id: quoteId, package_id: null }
}

/** What was looked up is what is paid: a form that comes along again must say the same. */
function isQuoted({ form_values }: Quote, id: string, value: unknown): boolean {
  const isEmpty = value === null || (typeof value === 'string' && value.trim() === '')
  const quoted = Object.hasOwn(form_values, id) ? form_values[id] : null
  return isEmpty ? quoted === null : quoted !== null && isFormValue(value) && String(quoted) === String(value)
}

function invalid(param: string, reason: PlainReason): RefusedBill {
  return { refusal: 'invalid_request', param, reason }
}

function refused({ code, param }: FormFault): RefusedBill {
  return { refusal: code, param }
}
