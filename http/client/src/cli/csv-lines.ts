// Lines of a CSV file as lines of a payout batch. The first row names the columns: recipient, amount, reference, note.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { BatchLine } from '../types.ts'
import { CommandError } from './command-errors.ts'
import { shown } from './output.ts'

const COLUMNS = ['recipient', 'amount', 'reference', 'note'] as const
type Column = (typeof COLUMNS)[number]

/** Longest row: four fields at their maximum, each character in four bytes, and quotes. */
const ROW_LENGTH_MAX = 16_384

/** Characters of a wrong amount that its message shows. */
const AMOUNT_SHOWN_MAX = 40

/** A row below the first one. `at` is the line of the file that it begins at, as an editor counts: the first row is line 1. */
export type CsvRow = { readonly at: number } & ({ readonly line: BatchLine } | { readonly problem: string })

/**
 * Yields the rows of a file of any size: a payout line each, or what is wrong with the row. Throws a CommandError that names the line
 * of the file where the rest cannot be read.
 */
export async function* csvLines(path: string): AsyncGenerator<CsvRow, void, undefined> {
  let columnAt: readonly (Column | null)[] | null = null
  let separator = ','
  for await (const { text, line: at } of csvRows(path)) {
    if (columnAt === null) {
      separator = text.includes(';') && !text.includes(',') ? ';' : ','
      const cells = cellsOf(text, separator)
      if (typeof cells === 'string') throw new CommandError(`line ${at}: ${cells}`)
      columnAt = headerOf(cells)
      continue
    }
    if (text.trim() === '') continue
    const cells = cellsOf(text, separator)
    const line = typeof cells === 'string' ? cells : lineOf(cells, columnAt)
    yield typeof line === 'string' ? { at, problem: line } : { at, line }
  }
}

/** Returns a run id that is the same for the same file. */
export async function fileRunId(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return `file-${hash.digest('hex').slice(0, 32)}`
}

/** Rows with the line that each begins at. A line break inside quotes belongs to its row. */
async function* csvRows(path: string): AsyncGenerator<{ text: string; line: number }, void, undefined> {
  let rest = ''
  let line = 1
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of createReadStream(path)) {
    rest += decoded(decoder, chunk as Buffer, path)
    for (let end = rowEnd(rest); end !== -1; end = rowEnd(rest)) {
      const text = rest.slice(0, end).replace(/\r$/, '')
      rest = rest.slice(end + 1)
      yield { text, line }
      line += text.split('\n').length
    }
    if (rest.length > ROW_LENGTH_MAX)
      throw new CommandError(`line ${line}: the row is longer than ${ROW_LENGTH_MAX} characters, or a quote is open`)
  }
  if (rest !== '') yield { text: rest.replace(/\r$/, ''), line }
}

function decoded(decoder: TextDecoder, chunk: Buffer, path: string): string {
  try {
    // The decoder drops a byte order mark.
    return decoder.decode(chunk, { stream: true })
  } catch {
    throw new CommandError(`${path} is not UTF-8: save it as UTF-8`)
  }
}

function rowEnd(text: string): number {
  let isQuoted = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index]
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\n' && !isQuoted) return index
  }
  return -1
}

/** Returns the fields of a row, or what is wrong with it. */
function cellsOf(text: string, separator: string): string[] | string {
  const cells: string[] = []
  let rest = text
  for (;;) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest)
    if (quoted === null && /^\s*"/.test(rest)) return 'a quote is open'
    const end = quoted === null ? rest.indexOf(separator) : quoted[0].length
    const cell = quoted === null ? rest.slice(0, end === -1 ? rest.length : end).trim() : (quoted[1] ?? '').replaceAll('""', '"')
    cells.push(cell)
    if (end === -1 || end >= rest.length) return cells
    if (rest[end] !== separator) return `${JSON.stringify(rest[end])} after a quoted field`
    rest = rest.slice(end + 1)
  }
}

function headerOf(cells: readonly string[]): (Column | null)[] {
  const names = cells.map((cell) => COLUMNS.find((name) => name === cell.toLowerCase()) ?? null)
  if (!names.includes('recipient') || !names.includes('amount')) {
    throw new CommandError('the first row names the columns: recipient and amount, and if you like reference and note')
  }
  return names
}

/** Returns the line, or what is wrong with the row. */
function lineOf(cells: readonly string[], columnAt: readonly (Column | null)[]): BatchLine | string {
  // An amount with a comma that is not quoted is two fields: its first part must not be paid.
  if (cells.slice(columnAt.length).some((cell) => cell !== '')) {
    return `the row has ${cells.length} fields, and the first row names ${columnAt.length}: put a field with a separator into quotes`
  }
  const values: Partial<Record<Column, string>> = {}
  for (const [index, name] of columnAt.entries()) if (name !== null) values[name] = cells[index] ?? ''
  const { recipient = '', amount = '', reference = '', note = '' } = values
  const digits = amount.replace(/[ \u00a0\u202f]/g, '')
  const problem = amountProblem(amount, digits)
  if (problem !== null) return problem
  return { recipient, amount: Number(digits), ...(reference === '' ? {} : { reference }), ...(note === '' ? {} : { note }) }
}

/** Returns null for digits alone. The service checks the bounds of the amount. */
function amountProblem(amount: string, digits: string): string | null {
  if (/^[0-9]{1,15}$/.test(digits)) return null
  if (digits === '') return 'the amount is missing'
  const text = `the amount ${JSON.stringify(shown(amount.slice(0, AMOUNT_SHOWN_MAX)))}`
  if (/^[-\u2212\u2013]/.test(digits)) return `${text} is negative: an amount is 1 XOF or more`
  const [other] = /[^0-9]/u.exec(digits) ?? []
  if (other === undefined) return `${text} is too large`
  const name = other === ',' ? 'a comma' : other === '.' ? 'a point' : JSON.stringify(shown(other))
  return `${text} has ${name}, which is no digit: write whole XOF in digits alone, for example 1000`
}
