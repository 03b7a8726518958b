// Parses merchants' responses to a lookup: untrusted text that sets what a customer pays. An amount counts only when
// the whole response is valid.
import type { AmountDue, LineItem } from '../../../engine/api.ts'
import { isBlank } from '../../../engine/contract/name-text.ts'
import { because } from '../../../engine/contract/reasons.ts'
import { isText } from '../../../engine/contract/schema.ts'
import { AMOUNT_MAX, isAmount } from '../../../engine/kernel/amount.ts'
import { unreachable } from '../../../engine/kernel/assert.ts'
import type { Currency } from '../../../engine/kernel/currency.ts'
import { BODY_DEPTH_MAX, JsonFault, parseJson } from '../../server/body/json-body.ts'
import { reasonSentence } from '../../text/reason-messages.ts'
import { cutLine, oneLine } from '../../text/shown-text.ts'
import { ANSWER_TEXT_MAX, ANSWER_VALUES_MAX, LINE_ITEMS_MAX, REASON_MAX } from './lookup-limits.ts'

export const NO_JSON = `La réponse n’est pas du JSON valide, ou compte plus de ${BODY_DEPTH_MAX} niveaux.`

/** `failed`: the merchant reports that nothing is due, with its reason; null when the reason is blank. */
export type ReadAnswer =
  | { readonly kind: 'due'; readonly due: AmountDue }
  | { readonly kind: 'failed'; readonly reason: string | null }
  /** `problem` is the error in French. */
  | { readonly kind: 'malformed'; readonly problem: string }

/**
 * Parses a response. Null counts as absent; unknown fields are ignored. JSON follows the rules for requests: no
 * duplicate key, no float. `currency`: that of the merchant's account.
 */
export function readAnswer(text: string, currency: Currency): ReadAnswer {
  const answer = parseJson(Buffer.from(text), ANSWER_VALUES_MAX)
  if (answer instanceof JsonFault) return malformed(jsonProblem(answer))
  if (!isObject(answer)) return malformed('La réponse n’est pas un objet JSON.')
  if (answer.ok === false) return failure(answer.reason)
  if (answer.ok !== true) return malformed('Le champ ok doit être true ou false.')
  if (!isAmount(answer.amount)) return malformed(AMOUNT_PROBLEM)
  if ((answer.currency ?? currency) !== currency) return malformed(`Le champ currency doit être ${currency} ou absent.`)
  const label = shownText(answer.label ?? '')
  if (label === null) return malformed(textProblem('label'))
  const customer_name = shownText(answer.customer_name ?? '')
  if (customer_name === null) return malformed(textProblem('customer_name'))
  const biller_ref = answer.biller_ref ?? ''
  // The reference returns to the merchant unchanged, so it is rejected instead of cleaned.
  if (!isText(biller_ref, 'one', ANSWER_TEXT_MAX)) return malformed(textProblem('biller_ref'))
  const line_items = lineItems(answer.line_items ?? [], answer.amount)
  if (line_items === null) return malformed(LINE_ITEMS_PROBLEM)
  return { kind: 'due', due: { amount: answer.amount, currency, label, customer_name, biller_ref, line_items } }
}

const AMOUNT_PROBLEM = `Le champ amount doit être un entier de 1 à ${new Intl.NumberFormat('fr-FR').format(AMOUNT_MAX)}.`
const LINE_ITEMS_PROBLEM = `Le champ line_items doit être une liste de ${LINE_ITEMS_MAX} lignes au plus, chacune avec label (texte) et amount (entier), dont la somme est amount.`

function textProblem(field: string): string {
  return `Le champ ${field} doit être un texte d’une ligne, de ${ANSWER_TEXT_MAX} caractères au plus.`
}

function malformed(problem: string): ReadAnswer {
  return { kind: 'malformed', problem }
}

/** Returns the line items; null unless each has a label and an integer amount, and they add up to the amount due. */
function lineItems(items: unknown, amount: number): readonly LineItem[] | null {
  if (!Array.isArray(items) || items.length > LINE_ITEMS_MAX) return null
  if (items.length === 0) return []
  const read: LineItem[] = []
  let sum = 0
  for (const item of items) {
    const label = isObject(item) ? shownText(item.label) : null
    if (!isObject(item) || label === null || isBlank(label) || !isLineAmount(item.amount)) return null
    sum += item.amount
    read.push({ label, amount: item.amount })
  }
  return sum === amount ? read : null
}

function isLineAmount(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(value as number) <= AMOUNT_MAX
}

/** Returns text for one line of a screen; null when it is no text or too long. */
function shownText(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 2 * ANSWER_TEXT_MAX) return null
  const line = oneLine(value)
  return isText(line, 'one', ANSWER_TEXT_MAX) ? line : null
}

/** Returns a failure with the merchant's reason, truncated. */
function failure(value: unknown): ReadAnswer {
  if (typeof value !== 'string') return malformed('Le champ reason doit être un texte quand ok est false.')
  const reason = cutLine(value, REASON_MAX)
  return { kind: 'failed', reason: reason === '' ? null : reason }
}

function jsonProblem({ reason, path }: JsonFault): string {
  switch (reason) {
    case 'duplicate_key':
      return reasonSentence('fr', because('duplicate_field', { name: path }))
    case 'reserved_key':
      return reasonSentence('fr', because('reserved_field', { name: path }))
    case 'too_many_values':
      return `La réponse comporte plus de ${ANSWER_VALUES_MAX} valeurs.`
    case 'not_json':
      return NO_JSON
    default:
      return unreachable(reason)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
