// What merchants' systems answer to a lookup, read as what it is: text from a stranger that decides what a customer pays.
// It must never let through an amount that was not plainly said.
import { isText } from '../../engine/contract/schema.ts'
import type { AmountDue, LineItem } from '../../engine/domain/bill/state.ts'
import { AMOUNT_MAX, CURRENCY, isAmount } from '../../engine/kernel/amount.ts'
import { cutLine, oneLine } from '../shown-text.ts'
import { ANSWER_TEXT_MAX, LINE_ITEMS_MAX, REASON_MAX } from './limits.ts'

/** `failed`: the merchant says that there is nothing to pay, and why; null where it does not say why in words. */
export type ReadAnswer =
  | { readonly kind: 'due'; readonly due: AmountDue }
  | { readonly kind: 'failed'; readonly reason: string | null }
  | { readonly kind: 'malformed' }

const MALFORMED: ReadAnswer = { kind: 'malformed' }

/** Of a value that JSON gave. Null counts as absent, fields that nobody knows are passed over. */
export function readAnswer(answer: unknown): ReadAnswer {
  if (!isObject(answer)) return MALFORMED
  if (answer.ok === false) return { kind: 'failed', reason: reasonOf(answer.reason) }
  if (answer.ok !== true || !isAmount(answer.amount)) return MALFORMED
  if ((answer.currency ?? CURRENCY) !== CURRENCY) return MALFORMED
  const label = shownText(answer.label ?? '')
  const customer_name = shownText(answer.customer_name ?? '')
  const biller_ref = answer.biller_ref ?? ''
  const line_items = lineItems(answer.line_items ?? [], answer.amount)
  // The reference goes back to the merchant as it is: one that would have to be mended is none.
  if (label === null || customer_name === null || line_items === null || !isText(biller_ref, 'one', ANSWER_TEXT_MAX)) return MALFORMED
  return { kind: 'due', due: { amount: answer.amount, currency: CURRENCY, label, customer_name, biller_ref, line_items } }
}

/** Null unless each has a label and a whole amount, and all of them come to the amount due. */
function lineItems(items: unknown, amount: number): readonly LineItem[] | null {
  if (!Array.isArray(items) || items.length > LINE_ITEMS_MAX) return null
  if (items.length === 0) return []
  const read: LineItem[] = []
  let sum = 0
  for (const item of items) {
    const label = isObject(item) ? shownText(item.label) : null
    if (!isObject(item) || label === null || label === '' || !isLineAmount(item.amount)) return null
    sum += item.amount
    read.push({ label, amount: item.amount })
  }
  return sum === amount ? read : null
}

function isLineAmount(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= AMOUNT_MAX
}

/** Text for one line of a screen; null when it is none, or too long to be meant. */
function shownText(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2 * ANSWER_TEXT_MAX) return null
  const line = oneLine(value)
  return isText(line, 'one', ANSWER_TEXT_MAX) ? line : null
}

/** The merchant's own words, cut where they are too many. */
function reasonOf(value: unknown): string | null {
  if (typeof value !== 'string') return null
  const reason = cutLine(value, REASON_MAX)
  return reason === '' ? null : reason
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
