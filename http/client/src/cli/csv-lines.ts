// Lines of a CSV file as lines of a payout batch. The first row names the columns: recipient, amount, reference, note.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { BatchLine } from '../types.ts'
import { CommandError } from './command-errors.ts'
import { shown } from './output.ts'

/** Columns of the file, by name. */
export const COLUMNS = ['recipient', 'amount', 'reference', 'note'] as const
type Column = (typeof COLUMNS)[number]

/** Longest row: four fields at their maximum, each character in four bytes, and quotes. */
const ROW_LENGTH_MAX = 16_384

/** Characters of a wrong amount that its message shows. */
const AMOUNT_SHOWN_MAX = 40

/** Blanks that separate thousands. */
const BLANKS = /[ \u00a0\u202f]/g
const GROUPED = /^[0-9]{1,3}(?:[ \u00a0\u202f][0-9]{3})+$/

/** A row below the first one. `at` is the line of the file that it begins at, as an editor counts: the first row is line 1. */
export type CsvRow = { readonly at: number } & ({ readonly line: BatchLine } | { readonly problem: string })

/**
 * Yields the rows of a file of any size: a payout line each, or what is wrong with the row. Throws a CommandError that names the line
 * of the file where the rest cannot be read.
 */
export async function* csvLines(path: string): AsyncGenerator<CsvRow, void, undefined> {
  let columnAt: readonly (Column | null)[] | null = null
  for await (const { text, line: at, separator } of csvRows(path)) {
    if (columnAt === null) {
      const cells = cellsOf(text, separator)
      if (typeof cells === 'string') throw new CommandError(`line ${at}: ${cells}`)
      columnAt = headerOf(cells)
      continue
    }
    if (text.trim() === '') continue
    const cells = cellsOf(text, separator)
    const line = typeof cells === 'string' ? cells : lineOf(cells, columnAt, separator)
    yield typeof line === 'string' ? { at, problem: line } : { at, line }
  }
}

/** Returns a run id that is the same for the same file. */
export async function fileRunId(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return `file-${hash.digest('hex').slice(0, 32)}`
}

interface RawRow {
  readonly text: string
  readonly line: number
  /** That of the first row. */
  readonly separator: string
}

/** Rows with the line that each begins at. A line break inside quotes belongs to its row. */
async function* csvRows(path: string): AsyncGenerator<RawRow, void, undefined> {
  let rest = ''
  let line = 1
  let separator: string | null = null
  for await (const part of textOf(path)) {
    rest += part
    for (let end = rowEnd(rest, separator); end !== -1; end = rowEnd(rest, separator)) {
      const text = rest.slice(0, end).replace(/\r$/, '')
      rest = rest.slice(end + 1)
      separator ??= separatorOf(text)
      yield { text, line, separator }
      line += text.split('\n').length
    }
    if (rest.length > ROW_LENGTH_MAX)
      throw new CommandError(`line ${line}: the row is longer than ${ROW_LENGTH_MAX} characters, or a quote is open`)
  }
  if (rest !== '') yield { text: rest.replace(/\r$/, ''), line, separator: separator ?? separatorOf(rest) }
}

function separatorOf(firstRow: string): string {
  return firstRow.includes(';') && !firstRow.includes(',') ? ';' : ','
}

/** The text of the file without a byte order mark, which the decoder drops. */
async function* textOf(path: string): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of createReadStream(path)) yield decoder.decode(chunk as Buffer, { stream: true })
    // A character may be cut off at the end of the file.
    yield decoder.decode()
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(`${path} is not UTF-8: save it as UTF-8`)
    throw error
  }
}

/** Returns where the row ends; -1 when its end is not in the text. A quote is one at the beginning of a field: `5"` has none. */
function rowEnd(text: string, separator: string | null): number {
  let isQuoted = false
  let isFieldStart = true
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string
    if (isQuoted) {
      if (character !== '"') continue
      if (text[index + 1] === '"') index++
      else isQuoted = false
    } else if (character === '\n') return index
    else if (separator === null ? character === ',' || character === ';' : character === separator) isFieldStart = true
    else if (isFieldStart && character.trim() !== '') {
      isFieldStart = false
      isQuoted = character === '"'
    }
  }
  return -1
}

interface Cell {
  readonly text: string
  readonly isQuoted: boolean
}

/** Returns the fields of a row, or what is wrong with it. */
function cellsOf(text: string, separator: string): Cell[] | string {
  const cells: Cell[] = []
  let rest = text
  for (;;) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest)
    if (quoted === null && /^\s*"/.test(rest)) return 'a quote is open'
    const end = quoted === null ? rest.indexOf(separator) : quoted[0].length
    const cell = quoted === null ? rest.slice(0, end === -1 ? rest.length : end).trim() : (quoted[1] ?? '').replaceAll('""', '"')
    cells.push({ text: cell, isQuoted: quoted !== null })
    if (end === -1 || end >= rest.length) return cells
    if (rest[end] !== separator) return `${JSON.stringify(rest[end])} after a quoted field`
    rest = rest.slice(end + 1)
  }
}

function headerOf(cells: readonly Cell[]): (Column | null)[] {
  const names = cells.map(({ text }) => COLUMNS.find((name) => name === text.toLowerCase()) ?? null)
  const twice = COLUMNS.find((name) => names.indexOf(name) !== names.lastIndexOf(name))
  if (twice !== undefined) throw new CommandError(`the first row names the column ${twice} twice`)
  if (!names.includes('recipient') || !names.includes('amount')) {
    throw new CommandError('the first row names the columns: recipient and amount, and if you like reference and note')
  }
  return names
}

/** Returns the line, or what is wrong with the row. */
function lineOf(cells: readonly Cell[], columnAt: readonly (Column | null)[], separator: string): BatchLine | string {
  // An amount with a comma that is not quoted is two fields: its first part must not be paid.
  if (cells.slice(columnAt.length).some(({ text }) => text !== '')) {
    return `the row has ${cells.length} fields, and the first row names ${columnAt.length}: put a field with a separator into quotes`
  }
  const values: Partial<Record<Column, string>> = {}
  for (const [index, name] of columnAt.entries()) if (name !== null) values[name] = cells[index]?.text ?? ''
  const { recipient = '', reference = '', note = '' } = values
  const amount = values.amount?.trim() ?? ''
  const digits = GROUPED.test(amount) ? amount.replace(BLANKS, '') : amount
  const splitAt = separator === ',' ? columnAt.indexOf('amount') : -1
  const problem = splitProblem(cells[splitAt], cells[splitAt + 1]) ?? amountProblem(amount, digits)
  if (problem !== null) return problem
  return { recipient, amount: Number(digits), ...(reference === '' ? {} : { reference }), ...(note === '' ? {} : { note }) }
}

/** Returns what is wrong with `1,000` without quotes where the row has as many fields as the first one, or fewer. */
function splitProblem(amount: Cell | undefined, next: Cell | undefined): string | null {
  if (amount === undefined || next === undefined || amount.isQuoted || next.isQuoted) return null
  if (!/^[0-9]{1,3}$/.test(amount.text) || !/^[0-9]{3}$/.test(next.text)) return null
  const [first, second] = [amount.text, next.text]
  return `the amount "${first}" is in front of the field "${second}": write ${first}${second} if both are one amount, and else "${second}" in quotes`
}

/** Returns null for digits alone. The service checks the bounds of the amount. */
function amountProblem(amount: string, digits: string): string | null {
  if (/^[0-9]{1,15}$/.test(digits)) return null
  if (digits === '') return 'the amount is missing'
  const text = `the amount ${JSON.stringify(shown(amount.slice(0, AMOUNT_SHOWN_MAX)))}`
  if (/^[-\u2212\u2013]/.test(digits)) return `${text} is negative: an amount is 1 XOF or more`
  const [other] = /[^0-9 \u00a0\u202f]/u.exec(digits) ?? /[^0-9]/u.exec(digits) ?? []
  if (other === undefined) return `${text} is too large`
  if (other.search(BLANKS) === 0)
    return `${text} has a blank that separates no thousands: write whole XOF in digits alone, for example 1000`
  const name = other === ',' ? 'a comma' : other === '.' ? 'a point' : JSON.stringify(shown(other))
  return `${text} has ${name}, which is no digit: write whole XOF in digits alone, for example 1000`
}
