// Reads a file of payments: the one reader of dashboard, schedules, command line, SDK and API. What can be read in two ways is a
// problem of its line, or of the file, and never an amount. It imports nothing of the client or of the server.
import { type AmountProblem, grouped, readAmount, withoutCurrency } from './file-amount.ts'
import { COLUMNS, type Column, type ColumnsProblem, type FoundColumns, findColumns, type NamedColumn } from './file-columns.ts'
import { decodingSteps } from './file-decoding.ts'
import { type RecipientProblem, readRecipient } from './file-recipient.ts'
import { type FileRow, type RowProblem, SEPARATORS, type Separator, splitRows } from './file-rows.ts'
import { allSteps, type ReadingSteps, STEP_LENGTH } from './reading-steps.ts'

export interface PaymentFileOptions {
  /** Calling code of the merchant's country, `221`; empty: only a phone with its calling code gets its `+`. Without it no phone is completed. */
  readonly callingCode?: string | null
  /** True: the first row must name the columns. */
  readonly needsNames?: boolean
}

/** Why nothing of the file can be read. */
export type FileProblem =
  | RowProblem
  | ColumnsProblem
  | { readonly code: 'separator'; readonly found: string }
  | { readonly code: 'workbook' | 'encoding' }

/** Why a line cannot be paid as it stands. */
export type LineProblem =
  | AmountProblem
  | RecipientProblem
  | { readonly code: 'amount_maybe_phone'; readonly typed: string }
  | { readonly code: 'too_many_cells'; readonly cells: number; readonly columns: number }
  | { readonly code: 'blank_before_quote' }

export interface PaymentLine {
  /** As spreadsheets count, from 1: the row with the names and empty rows count. */
  readonly row: number
  /** As editors count: a line break inside quotes counts too. */
  readonly line: number
  /** For the API; as typed where it is a problem. */
  readonly recipient: string
  /** Whole francs; null where there is none. */
  readonly amount: number | null
  readonly reference: string
  readonly note: string
  readonly typed: { readonly recipient: string; readonly amount: string }
  /** True: the calling code or the `+` of the phone was added. */
  readonly isCompleted: boolean
  readonly problem: LineProblem | null
}

export interface PaymentFile {
  /** Empty where no row names the columns: then they are recipient, amount, reference, note. */
  readonly columns: readonly NamedColumn[]
  readonly separator: Separator
  /** Rows above that with the names, which are not read. */
  readonly titles: readonly FileRow[]
  readonly lines: readonly PaymentLine[]
}

export type ReadFile = PaymentFile | { readonly problem: FileProblem }

export function isUnreadable(file: ReadFile): file is { readonly problem: FileProblem } {
  return 'problem' in file
}

/** Without names of columns an amount of so many digits may be a phone. */
const PHONE_DIGITS_MIN = 8
/** `sep=;`: Excel writes it above the rows. */
const SEPARATOR_LINE = /^"?sep=(.)"?[;,\t]*(?:\n|$)/i

/** Lines that one step reads. */
const LINES_PER_STEP = 200

/** Reads the bytes of a file, or its text. Line ends may be of any kind. */
export function readPaymentFile(file: Uint8Array | string, options: PaymentFileOptions = {}): ReadFile {
  return allSteps(paymentFileSteps(file, options))
}

/** Reads as `readPaymentFile` does, in steps: 100 000 lines take a second in all. */
export function* paymentFileSteps(file: Uint8Array | string, options: PaymentFileOptions = {}): ReadingSteps<ReadFile> {
  const decoded = typeof file === 'string' ? { text: file } : yield* decodingSteps(file)
  return 'text' in decoded ? yield* textSteps(decoded.text, options) : { problem: { code: decoded.problem } }
}

function* textSteps(text: string, options: PaymentFileOptions): ReadingSteps<ReadFile> {
  const plain = yield* withLineFeeds(text.replace(/^\uFEFF/, ''))
  const [line = '', named] = SEPARATOR_LINE.exec(plain) ?? []
  const body = plain.slice(line.length)
  const separator = named === undefined ? separatorOf(body) : SEPARATORS.find((one) => one === named)
  if (separator === undefined) return { problem: { code: 'separator', found: named ?? '' } }
  const { rows, problem } = yield* splitRows(body, separator, line === '' ? 0 : 1)
  if (problem !== null) return { problem }
  const found = findColumns(rows, options.needsNames === true, testsFor(separator))
  if ('code' in found) return { problem: found }
  const { callingCode = null } = options
  const lines: PaymentLine[] = []
  for (const row of rows.slice(found.firstAt)) {
    if (lines.length % LINES_PER_STEP === 0) yield
    lines.push(lineOf(row, found, separator, callingCode))
  }
  return { columns: found.named, separator, titles: found.named.length === 0 ? [] : rows.slice(0, found.firstAt - 1), lines }
}

function* withLineFeeds(text: string): ReadingSteps<string> {
  if (!text.includes('\r')) return text
  const parts: string[] = []
  for (let at = 0, end = 0; at < text.length; at = end) {
    if (at > 0) yield
    // Both characters of a line end stay together.
    end = at + STEP_LENGTH + (text[at + STEP_LENGTH - 1] === '\r' ? 1 : 0)
    parts.push(text.slice(at, end).replaceAll(/\r\n?/g, '\n'))
  }
  return parts.join('')
}

function testsFor(separator: Separator) {
  const unnamed: FoundColumns = { named: [], order: COLUMNS, firstAt: 0 }
  return {
    isPayment: (row: FileRow): boolean => {
      const { amount, recipient } = lineOf(row, unnamed, separator, null)
      return amount !== null && recipient !== ''
    },
    hasTextForAmount: ({ cells }: FileRow): boolean => {
      const amount = readAmount(cells[1] ?? '')
      return typeof amount !== 'number' && amount.code === 'amount_invalid' && !/^[\d(-]/.test(amount.typed)
    },
  }
}

/** Characters of the file that show its separator. */
const SEPARATOR_WITHIN = 16_384

/** Returns the separator of the first line that has one outside quotes. A line with a tab or a semicolon is split at no comma. */
function separatorOf(text: string): Separator {
  const top = text.slice(0, SEPARATOR_WITHIN).replace(/"(?:[^"]|"")*"/g, '')
  const line = top.split('\n').find((one) => /[;,\t]/.test(one)) ?? ''
  return line.includes('\t') ? '\t' : line.includes(';') ? ';' : ','
}

function lineOf(row: FileRow, { named, order }: FoundColumns, separator: Separator, callingCode: string | null): PaymentLine {
  const cell = (column: Column): string => row.cells[order.indexOf(column)]?.trim() ?? ''
  const read = readRecipient(cell('recipient'), callingCode)
  const amount = readAmount(cell('amount'))
  const split = separator === ',' ? splitAmount(row, order.indexOf('amount')) : null
  const problem =
    split ??
    shapeProblem(row, order) ??
    ('code' in read ? read : null) ??
    (typeof amount === 'number' ? (named.length === 0 ? phoneProblem(amount, cell('amount')) : null) : amount)
  return {
    row: row.row,
    line: row.line,
    recipient: 'code' in read ? cell('recipient') : read.recipient,
    amount: problem === null && typeof amount === 'number' ? amount : null,
    reference: cell('reference'),
    note: cell('note'),
    typed: { recipient: cell('recipient'), amount: split === null ? cell('amount') : split.typed },
    isCompleted: problem === null && 'isCompleted' in read && read.isCompleted,
    problem,
  }
}

function phoneProblem(amount: number, typed: string): LineProblem | null {
  return String(amount).length >= PHONE_DIGITS_MIN ? { code: 'amount_maybe_phone', typed } : null
}

function shapeProblem({ cells, raw }: FileRow, order: readonly (Column | null)[]): LineProblem | null {
  if (raw.includes('"') && /(?:^|[;,\t])[ \u00a0]+"(?!")/.test(raw)) return { code: 'blank_before_quote' }
  const isLonger = cells.some((text, at) => text.trim() !== '' && (order[at] ?? null) === null)
  if (!isLonger) return null
  return { code: 'too_many_cells', cells: cells.length, columns: order.filter((column) => column !== null).length }
}

type SplitAmount = Extract<AmountProblem, { readonly code: 'amount_two_readings' }>

/** The first digits of an amount that a comma may have split, and what stands behind that comma. */
const SPLIT_HEAD = /^[1-9]\d{0,2}$/
const SPLIT_TAIL = /^\d{3}(?:\.0+)?$/

/**
 * Returns the problem of an amount that a comma may have split: `500,001` or `1,000 F` without quotes in a file of commas is two cells,
 * and its first digits must not be paid. Quoted cells stand for themselves.
 */
function splitAmount({ cells, raw }: FileRow, at: number): SplitAmount | null {
  const [before = '', amount = '', behind = ''] = [cells[at - 1], cells[at], cells[at + 1]]
  const isSplit = (first: string, last: string): boolean =>
    SPLIT_HEAD.test(withoutCurrency(first)) && SPLIT_TAIL.test(withoutCurrency(last)) && raw.includes(`${first},${last}`)
  const isHead = isSplit(amount, behind)
  if (!isHead && !isSplit(before, amount)) return null
  const [first, last] = isHead ? [amount, behind] : [before, amount]
  const [head, tail] = [withoutCurrency(first), withoutCurrency(last).slice(0, 3)]
  return {
    code: 'amount_two_readings',
    typed: `${first.trim()},${last.trim()}`,
    readings: [grouped(head + tail), isHead ? grouped(head) : grouped(tail)],
  }
}
