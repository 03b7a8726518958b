// Validates the lines of a payout batch by hand. A malformed line never rejects the batch: it gets a `fault` and fails
// alone.
import { type Amount, isAmount } from '../kernel/amount.ts'
import type { Currency } from '../kernel/currency.ts'
import { normalizeRecipient } from '../kernel/recipient.ts'
import { NOTE_LENGTH_MAX, REFERENCE_LENGTH_MAX } from './common.ts'
import type { PayoutFailureCode } from './errors.ts'
import { isText } from './schema.ts'

export type LineFault = Extract<
  PayoutFailureCode,
  'invalid_json' | 'unknown_field' | 'invalid_recipient' | 'invalid_amount' | 'unsupported_currency' | 'invalid_reference' | 'invalid_note'
>

export interface BatchLine {
  /** Normalized tag or phone. With `invalid_recipient`: the start of the text that was sent, empty when it was no text. */
  readonly recipient: string
  /** Null when it was no integer; with `invalid_amount` any integer. */
  readonly amount: Amount | null
  readonly reference: string
  readonly note: string
  /** First validation error: an unknown field, then in the order of the fields. A line with a fault makes no payout. */
  readonly fault: LineFault | null
  /** Of a line of a file whose amount can be read in two ways: both. */
  readonly readings?: readonly string[]
  /** Of a line of a file: its row, from 1, where that is not its place among the lines. */
  readonly row?: number
  /** Of a line of a disbursement whose amount is no number: the start of what was sent. */
  readonly sentAmount?: string
}

const ECHO_LENGTH_MAX = 64

/** `own`: the currency of the account that pays. */
export function readBatchLines(items: readonly unknown[], own: Currency): BatchLine[] {
  const lines: BatchLine[] = []
  for (let index = 0; index < items.length; index++) lines.push(readBatchLine(items[index], own))
  return lines
}

export function readBatchLine(item: unknown, own: Currency): BatchLine {
  const fields = (typeof item === 'object' && item !== null && !Array.isArray(item) ? item : NO_FIELDS) as Fields
  const { recipient, amount, reference, note, currency } = fields
  const normalized = typeof recipient === 'string' ? normalizeRecipient(recipient) : null
  const goodReference = freeText(reference, 'one', REFERENCE_LENGTH_MAX)
  const goodNote = freeText(note, 'many', NOTE_LENGTH_MAX)
  return {
    recipient: normalized ?? echo(recipient),
    amount: Number.isSafeInteger(amount) ? (amount as number) : null,
    reference: goodReference ?? '',
    note: goodNote ?? '',
    fault: hasUnknown(fields)
      ? 'unknown_field'
      : faultOf({ recipient: normalized, amount, currency, reference: goodReference, note: goodNote }, own),
  }
}

/** Texts are null when they are invalid. */
function faultOf({ recipient, amount, currency, reference, note }: Fields, own: Currency): LineFault | null {
  if (recipient === null) return 'invalid_recipient'
  if (!isAmount(amount)) return 'invalid_amount'
  if (currency !== undefined && currency !== own) return 'unsupported_currency'
  if (reference === null) return 'invalid_reference'
  return note === null ? 'invalid_note' : null
}

function hasUnknown(fields: Fields): boolean {
  for (const name in fields) if (!KNOWN.has(name)) return true
  return false
}

/** Returns the text, empty when none was sent, null when it is invalid. */
function freeText(value: unknown, lines: 'one' | 'many', maxLength: number): string | null {
  if (value === undefined) return ''
  return isText(value, lines, maxLength) ? value : null
}

interface Fields {
  readonly recipient?: unknown
  readonly amount?: unknown
  readonly reference?: unknown
  readonly note?: unknown
  readonly currency?: unknown
}

const KNOWN: ReadonlySet<string> = new Set(['recipient', 'amount', 'reference', 'note', 'currency'] satisfies (keyof Fields)[])

const NO_FIELDS: Fields = {}

/** Returns the start of the text, cut between characters, so that the caller can find the line. */
export function echo(given: unknown): string {
  return typeof given === 'string'
    ? Array.from(given.slice(0, 2 * ECHO_LENGTH_MAX))
        .slice(0, ECHO_LENGTH_MAX)
        .join('')
    : ''
}
