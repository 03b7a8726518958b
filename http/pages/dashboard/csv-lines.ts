// Parses the lines of a batch: CSV (RFC 4180) with commas, semicolons or tabs, with or without a header line, in the order
// recipient, amount, reference, note. It validates nothing: an invalid line is a failed line of the report.
import { BatchLine } from '../../../engine/contract/batch.ts'
import { columnsOf } from '../../lists/csv-text.ts'
import { cellText } from './cells.ts'
import { typedRecipient } from './recipient-text.ts'
import { amountOf } from './typed.ts'

/** The amount is the typed text when it is no amount. A text that was left empty is absent. */
export type TypedLine = Readonly<Pick<Texts, 'recipient'> & { amount: number | string } & Partial<Texts>>

type Texts = Record<Exclude<Column, 'amount'>, string>

/** The fields of the schema, in its order. */
const COLUMNS = columnsOf(BatchLine)

type Column = (typeof COLUMNS)[number]

const FRENCH_NAMES = {
  recipient: 'destinataire',
  amount: 'montant',
  reference: 'référence',
  note: 'note',
} as const satisfies Readonly<Record<Column, string>>

const HEADER = COLUMNS.map((column) => FRENCH_NAMES[column]).join(';')

/** Accepted names of columns, in lower case and without accents. */
const NAMES: ReadonlyMap<string, Column> = new Map<string, Column>([
  ...COLUMNS.map((name): [string, Column] => [name, name]),
  ['destinataire', 'recipient'],
  ['beneficiaire', 'recipient'],
  ['tag', 'recipient'],
  ['@tag', 'recipient'],
  ['telephone', 'recipient'],
  ['numero', 'recipient'],
  ['phone', 'recipient'],
  ['montant', 'amount'],
  ['ref', 'reference'],
  ['motif', 'note'],
  ['commentaire', 'note'],
])

/** Where a line stands in the spreadsheet, and what was typed there. */
export interface SourceRow {
  /** From 1; empty rows and the header count. */
  readonly number: number
  readonly text: string
  /** The amount as typed. */
  readonly amount: string
}

export interface CsvFile {
  readonly lines: readonly TypedLine[]
  /** One for each line. */
  readonly source: readonly SourceRow[]
  /** Named columns that are not read. */
  readonly unknownColumns: readonly { readonly name: string; readonly letter: string }[]
}

export function linesOfCsv(text: string): readonly TypedLine[] {
  return readCsv(text).lines
}

export function readCsv(text: string): CsvFile {
  // Browsers send every line end of a form as CRLF.
  const plain = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n')
  const separator = separatorOf(plain)
  const rows = rowsOf(plain, separator)
  const [first] = rows
  const named = first?.cells.map((cell) => NAMES.get(plainName(cell)))
  const hasNames = named?.includes('recipient') === true && named.includes('amount')
  const order: readonly (Column | undefined)[] = hasNames ? named : COLUMNS
  // A row with text in unknown columns alone is no line.
  const read = (hasNames ? rows.slice(1) : rows)
    .map((row) => ({ line: lineOf(row, order, separator === ',' ? { hasNames } : null), source: sourceOf(row, order) }))
    .filter(({ line }) => Object.values(line).some((cell) => cell !== ''))
  return {
    lines: read.map(({ line }) => line),
    source: read.map(({ source }) => source),
    unknownColumns: hasNames && first !== undefined ? unknownOf(first.cells, order) : [],
  }
}

function unknownOf(names: readonly string[], order: readonly (Column | undefined)[]): CsvFile['unknownColumns'] {
  return names.flatMap((cell, at) => {
    const name = cell.trim()
    return order[at] === undefined && name !== '' ? [{ name, letter: columnLetter(at) }] : []
  })
}

/** Returns the name that spreadsheets give to a column: A to Z, then AA. */
function columnLetter(at: number): string {
  const last = String.fromCharCode(65 + (at % 26))
  return at < 26 ? last : `${columnLetter(Math.floor(at / 26) - 1)}${last}`
}

function sourceOf({ number, cells }: CsvRow, order: readonly (Column | undefined)[]): SourceRow {
  const text = cells.map((cell) => cell.trim()).join(' ; ')
  return { number, text, amount: cells[order.indexOf('amount')]?.trim() ?? '' }
}

/** Returns the lines as CSV that `linesOfCsv` reads back unchanged. */
export function csvOfLines(lines: readonly TypedLine[]): string {
  const rows = lines.map((line) => COLUMNS.map((column) => cellText(String(line[column] ?? ''))).join(';'))
  return [HEADER, ...rows].join('\n')
}

/** `commas`: null where another character separates cells. */
function lineOf(row: CsvRow, order: readonly (Column | undefined)[], commas: { readonly hasNames: boolean } | null): TypedLine {
  const { cells } = row
  const cell = (column: Column): string => cells[order.indexOf(column)]?.trim() ?? ''
  // `25,000` without quotes is two cells. Its first digits must not be paid: the text of both is no amount.
  const at = order.indexOf('amount')
  const hasMore = commas?.hasNames === true && cells.slice(order.length).some((one) => one.trim() !== '')
  const isCut = hasMore || (commas !== null && isGrouped(row, at))
  const amount = isCut ? cells.slice(at, at + 2).join(',') : amountOf(cell('amount'))
  const texts = COLUMNS.map((column) => [column, cell(column)] as const).filter(([, text]) => text !== '')
  return { ...Object.fromEntries(texts), recipient: typedRecipient(cell('recipient')), amount }
}

/** Whether the amount and the cell behind it may be one number with a comma between its thousands. A quoted cell stands for itself. */
function isGrouped({ cells, quoted }: CsvRow, at: number): boolean {
  const [amount = '', next = ''] = cells.slice(at, at + 2)
  return !quoted.has(at) && !quoted.has(at + 1) && /^\s*[1-9][0-9]{0,2}$/.test(amount) && /^[0-9]{3}\s*$/.test(next)
}

function plainName(cell: string): string {
  return cell.trim().toLowerCase().normalize('NFD').replaceAll(/\p{M}/gu, '')
}

interface CsvRow {
  readonly number: number
  readonly cells: readonly string[]
  /** Positions of cells in quotes. */
  readonly quoted: ReadonlySet<number>
}

/** Returns the cells of each non-empty row. Quoted cells may contain separators and line breaks; a doubled quote is one. */
function rowsOf(text: string, separator: string): CsvRow[] {
  const rows: CsvRow[] = []
  let number = 0
  let row: string[] = []
  let quoted = new Set<number>()
  let cell = ''
  let isQuoted = false
  const endRow = (): void => {
    row.push(cell)
    number++
    if (row.some((one) => one.trim() !== '')) rows.push({ number, cells: row, quoted })
    row = []
    quoted = new Set()
    cell = ''
  }
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (isQuoted) {
      if (character !== '"') cell += character
      else if (text[at + 1] === '"') cell += text[++at]
      else isQuoted = false
    } else if (character === '"' && cell.trim() === '') {
      isQuoted = true
      quoted.add(row.length)
      cell = ''
    } else if (character === separator) {
      row.push(cell)
      cell = ''
    } else if (character === '\n') endRow()
    else cell += character
  }
  endRow()
  return rows
}

/** Returns the most frequent separator of the first line: French spreadsheets write semicolons. */
function separatorOf(text: string): string {
  const [line = ''] = text.split('\n', 1)
  const count = (separator: string): number => line.split(separator).length
  return [';', '\t', ','].reduce((best, separator) => (count(separator) > count(best) ? separator : best), ';')
}
