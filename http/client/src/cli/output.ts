// What a command prints: results on standard output as text or JSON, everything else on standard error.
import { writtenAmount } from '../payment-file/file-amount.ts'
import { isFileCurrency } from '../payment-file/file-currency.ts'

export interface TextStream {
  write(text: string): unknown
  readonly isTTY?: boolean
}

const ERASE_LINE = '\r\x1b[K'

export class Output {
  readonly #out: TextStream
  readonly #err: TextStream
  readonly isJson: boolean
  #hasProgress = false

  constructor(out: TextStream, err: TextStream, isJson: boolean) {
    this.#out = out
    this.#err = err
    this.isJson = isJson
  }

  /** True when a person reads standard output. */
  get isTerminal(): boolean {
    return this.#out.isTTY === true && !this.isJson
  }

  /** A result: the value as JSON, or the lines. */
  result(value: unknown, lines: readonly string[]): void {
    this.#endProgress()
    this.#out.write(this.isJson ? `${JSON.stringify(value)}\n` : lines.map((line) => `${line}\n`).join(''))
  }

  /** Text that is the same in both forms. */
  raw(text: string): void {
    this.#out.write(text)
  }

  /** What a person should know; no part of the result. */
  note(text: string): void {
    this.#endProgress()
    this.#err.write(`${text}\n`)
  }

  /** One line that the next one replaces on a terminal. */
  progress(text: string): void {
    if (this.#err.isTTY !== true) return
    this.#hasProgress = true
    this.#err.write(`${ERASE_LINE}${text}`)
  }

  #endProgress(): void {
    if (!this.#hasProgress) return
    this.#hasProgress = false
    this.#err.write(ERASE_LINE)
  }
}

/** Columns of equal width, separated by two spaces. The last one is not filled up. */
export function columns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows) for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length)
  return rows.map((row) => row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join('  '))
}

/** `name: value` lines. */
export function fields(values: Readonly<Record<string, unknown>>): string[] {
  const present = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== '')
  return columns(present.map(([name, value]) => [`${name}:`, shown(typeof value === 'object' ? JSON.stringify(value) : String(value))]))
}

/** Members of a record that a table shows, in this order. */
const SHOWN = [
  'created_at',
  'type',
  'state',
  'status',
  'title',
  'amount',
  'recipient',
  'counterparty',
  'customer_tag',
  'slug',
  'url',
  'reference',
  'failure_code',
  'id',
]

/** Lines of a table of records of any kind. */
export function recordRows(records: readonly Readonly<Record<string, unknown>>[]): string[] {
  const names = SHOWN.filter((name) => records.some((record) => (record[name] ?? '') !== ''))
  return columns(records.map((record) => names.map((name) => cell(record[name], record.currency))))
}

function cell(value: unknown, currency: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' && typeof currency === 'string') return money(value, currency)
  return shown(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

/** `5000` as `5 000 XOF`, `1250` as `12.50 GHS`. */
export function money(amount: number, currency: string): string {
  return `${figure(amount, currency).replace(/\B(?=(?:\d{3})+(?:$|\.))/g, ' ')} ${currency}`
}

/** `5000`, and `12.50` for 1250 of GHS. A currency that this version does not know has no decimals. */
export function figure(amount: number, currency: string): string {
  return writtenAmount(amount, isFileCurrency(currency) ? currency : 'XOF', 'en')
}

/** `1 line`, `2 lines`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** A bar of 24 characters. */
export function bar(part: number, whole: number): string {
  const width = 24
  const full = whole === 0 ? width : Math.round((width * part) / whole)
  return `[${'#'.repeat(full)}${'.'.repeat(width - full)}]`
}

/** Text of a stranger without control characters, which a terminal would obey. */
export function shown(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
}
