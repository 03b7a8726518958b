// Lines of a CSV file as lines of a payout batch. The first row names the columns: recipient, amount, reference, note.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { BatchLine } from '../types.ts'
import { CommandError } from './command-errors.ts'

const COLUMNS = ['recipient', 'amount', 'reference', 'note'] as const
type Column = (typeof COLUMNS)[number]

/** Longest row: four fields at their maximum, each character in four bytes, and quotes. */
const ROW_LENGTH_MAX = 16_384

/** Yields the lines of a file of any size. Throws a CommandError that names the line of the file. */
export async function* csvLines(path: string): AsyncGenerator<BatchLine, void, undefined> {
  let columnAt: readonly (Column | null)[] | null = null
  let separator = ','
  for await (const { text, line } of csvRows(path)) {
    if (columnAt === null) {
      separator = text.includes(';') && !text.includes(',') ? ';' : ','
      columnAt = headerOf(cellsOf(text, separator, line))
      continue
    }
    if (text.trim() === '') continue
    yield lineOf(cellsOf(text, separator, line), columnAt, line)
  }
}

/** Returns a run id that is the same for the same file. */
export async function fileRunId(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return `file-${hash.digest('hex').slice(0, 32)}`
}

export async function countLines(path: string): Promise<number> {
  let count = 0
  for await (const _line of csvLines(path)) count++
  return count
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

function cellsOf(text: string, separator: string, line: number): string[] {
  const cells: string[] = []
  let rest = text
  for (;;) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*/.exec(rest)
    if (quoted === null && /^\s*"/.test(rest)) throw new CommandError(`line ${line}: a quote is open`)
    const end = quoted === null ? rest.indexOf(separator) : quoted[0].length
    const cell = quoted === null ? rest.slice(0, end === -1 ? rest.length : end).trim() : (quoted[1] ?? '').replaceAll('""', '"')
    cells.push(cell)
    if (end === -1 || end >= rest.length) return cells
    if (rest[end] !== separator) throw new CommandError(`line ${line}: ${JSON.stringify(rest[end])} after a quoted field`)
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

function lineOf(cells: readonly string[], columnAt: readonly (Column | null)[], line: number): BatchLine {
  const values: Partial<Record<Column, string>> = {}
  for (const [index, name] of columnAt.entries()) if (name !== null) values[name] = cells[index] ?? ''
  const { recipient = '', amount = '', reference = '', note = '' } = values
  const digits = amount.replace(/[ \u00a0\u202f]/g, '')
  if (!/^[0-9]{1,15}$/.test(digits)) throw new CommandError(`line ${line}: the amount ${JSON.stringify(amount)} is no whole number`)
  return { recipient, amount: Number(digits), ...(reference === '' ? {} : { reference }), ...(note === '' ? {} : { note }) }
}
