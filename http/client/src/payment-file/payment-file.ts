// Reads a file of payments: the one reader of dashboard, schedules, command line, SDK and API. What can be read in two ways is a
// problem of its line, or of the file, and never an amount. It imports nothing of the client or of the server.
import { type AmountProblem, type FileUnit, inUnit, readAmount, showsMajor } from './file-amount.ts'
import { type Column, type ColumnsProblem, type FoundColumns, findColumns, type NamedColumn, UNNAMED } from './file-columns.ts'
import { type FileCurrency, fileCurrency, namesOf } from './file-currency.ts'
import { decodingSteps } from './file-decoding.ts'
import { type RecipientProblem, readRecipient } from './file-recipient.ts'
import { type FileRow, type RowProblem, SEPARATORS, type Separator, splitRows } from './file-rows.ts'
import { allSteps, type ReadingSteps, STEP_LENGTH } from './reading-steps.ts'
import { splitAmount } from './split-amount.ts'

export interface PaymentFileOptions {
  /** ISO 4217, that of the account that pays. Of `GHS`, `12,50` is 1250: see `unit`. */
  readonly currency: string
  /**
   * Unit of the amounts of a currency with decimals. `major`, when absent: files of people, whose amounts have decimals, or the currency
   * beside them or in the name of their column. `smallest`: files of programs, digits alone, as the API's `text/csv`. A file of the other
   * unit is not read.
   */
  readonly unit?: FileUnit
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
  /** In the smallest unit; null where there is none. */
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
export function readPaymentFile(file: Uint8Array | string, options: PaymentFileOptions): ReadFile {
  return allSteps(paymentFileSteps(file, options))
}

/** Reads as `readPaymentFile` does, in steps: 100 000 lines take a second in all. */
export function* paymentFileSteps(file: Uint8Array | string, options: PaymentFileOptions): ReadingSteps<ReadFile> {
  const decoded = typeof file === 'string' ? { text: file } : yield* decodingSteps(file)
  return 'text' in decoded ? yield* textSteps(decoded.text, options) : { problem: { code: decoded.problem } }
}

function* textSteps(text: string, options: PaymentFileOptions): ReadingSteps<ReadFile> {
  const currency = fileCurrency(options.currency)
  const plain = yield* withLineFeeds(text.replace(/^\uFEFF/, ''))
  const [line = '', named] = SEPARATOR_LINE.exec(plain) ?? []
  const body = plain.slice(line.length)
  const separator = named === undefined ? separatorOf(body) : SEPARATORS.find((one) => one === named)
  if (separator === undefined) return { problem: { code: 'separator', found: named ?? '' } }
  const { rows, problem } = yield* splitRows(body, separator, line === '' ? 0 : 1)
  if (problem !== null) return { problem }
  const found = findColumns(rows, options.needsNames === true, testsFor(separator, currency))
  if ('code' in found) return { problem: found }
  const payments = rows.slice(found.firstAt)
  const { callingCode = null, unit = 'major' } = options
  const isMajor = found.hasCurrency || (yield* showsUnit(payments, found, currency))
  const how: Reading = { found, separator, callingCode, currency, unit, isMajor }
  const lines: PaymentLine[] = []
  for (const row of payments) {
    if (lines.length % LINES_PER_STEP === 0) yield
    lines.push(lineOf(row, how))
  }
  return { columns: found.named, separator, titles: found.named.length === 0 ? [] : rows.slice(0, found.firstAt - 1), lines }
}

/** Returns whether an amount of the file shows that it is in major units. */
function* showsUnit(rows: readonly FileRow[], { order }: FoundColumns, currency: FileCurrency): ReadingSteps<boolean> {
  if (namesOf(currency).decimals === 0) return false
  const at = order.indexOf('amount')
  for (const [index, { cells }] of rows.entries()) {
    if (index % LINES_PER_STEP === 0) yield
    if (showsMajor(readAmount(cells[at] ?? '', currency))) return true
  }
  return false
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

function testsFor(separator: Separator, currency: FileCurrency) {
  // With this unit a whole amount is one in any file.
  const how: Reading = { found: UNNAMED, separator, callingCode: null, currency, unit: 'major', isMajor: true }
  return {
    currency,
    isPayment: (row: FileRow): boolean => {
      const { amount, recipient } = lineOf(row, how)
      return amount !== null && recipient !== ''
    },
    hasTextForAmount: ({ cells }: FileRow): boolean => {
      const amount = readAmount(cells[1] ?? '', currency)
      return typeof amount === 'object' && 'code' in amount && amount.code === 'amount_invalid' && !/^[\d(-]/.test(amount.typed)
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

/** How the lines of a file are read. */
interface Reading {
  readonly found: FoundColumns
  readonly separator: Separator
  readonly callingCode: string | null
  readonly currency: FileCurrency
  readonly unit: FileUnit
  /** Whether the file shows that its amounts are in major units. */
  readonly isMajor: boolean
}

function lineOf(row: FileRow, how: Reading): PaymentLine {
  const { found, separator, callingCode, currency } = how
  const { named, order } = found
  const cell = (column: Column): string => row.cells[order.indexOf(column)]?.trim() ?? ''
  const read = readRecipient(cell('recipient'), callingCode)
  const amount = inUnit(readAmount(cell('amount'), currency), how)
  const split = separator === ',' ? splitAmount(row, order, currency) : null
  const problem =
    split ??
    shapeProblem(row, order) ??
    ('code' in read ? read : null) ??
    (typeof amount === 'number' ? (named.length === 0 ? phoneProblem(amount, cell('amount'), how) : null) : amount)
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

function phoneProblem(amount: number, typed: string, { currency, unit }: Reading): LineProblem | null {
  const digits = unit === 'smallest' ? amount : Math.floor(amount / 10 ** namesOf(currency).decimals)
  return String(digits).length >= PHONE_DIGITS_MIN ? { code: 'amount_maybe_phone', typed } : null
}

function shapeProblem({ cells, raw }: FileRow, order: readonly (Column | null)[]): LineProblem | null {
  if (raw.includes('"') && /(?:^|[;,\t])[ \u00a0]+"(?!")/.test(raw)) return { code: 'blank_before_quote' }
  const isLonger = cells.some((text, at) => text.trim() !== '' && (order[at] ?? null) === null)
  if (!isLonger) return null
  return { code: 'too_many_cells', cells: cells.length, columns: order.filter((column) => column !== null).length }
}
