// The columns of a payment file: their names in French and English, and which row names them.
import { type FileCurrency, namesOf } from './file-currency.ts'
import type { FileRow } from './file-rows.ts'

/** In the order of a file whose columns are not named. */
export const COLUMNS = ['recipient', 'amount', 'reference', 'note'] as const

export type Column = (typeof COLUMNS)[number]

/** A cell of the row with the names. `column` is null for a name that is not known. */
export interface NamedColumn {
  /** As spreadsheets name it: A to Z, then AA. */
  readonly letter: string
  readonly name: string
  readonly column: Column | null
}

/** Known names, without accents, blanks and signs. */
const NAMES: Readonly<Record<Column, readonly string[]>> = {
  recipient: [
    'recipient',
    'destinataire',
    'beneficiaire',
    'beneficiary',
    'tag',
    'telephone',
    'numerodetelephone',
    'tel',
    'phone',
    'phonenumber',
    'mobile',
    'numero',
  ],
  amount: ['amount', 'montant', 'somme', 'salaire'],
  reference: ['reference', 'ref'],
  note: ['note', 'motif', 'commentaire', 'comment', 'libelle'],
}

const COLUMN_OF: ReadonlyMap<string, Column> = new Map(COLUMNS.flatMap((column) => NAMES[column].map((name) => [name, column] as const)))

/** The name of each column in a language, as the service writes it. */
export const COLUMN_NAMES = {
  fr: { recipient: 'destinataire', amount: 'montant', reference: 'référence', note: 'note' },
  en: { recipient: 'recipient', amount: 'amount', reference: 'reference', note: 'note' },
} as const satisfies Readonly<Record<string, Readonly<Record<Column, string>>>>

/** Rows from the top in which the names may stand, below titles. */
const NAMES_WITHIN = 10

/** Why no column is known. `read` are the named columns. */
export type ColumnsProblem =
  | {
      readonly code: 'columns'
      readonly row: number
      readonly read: readonly NamedColumn[]
      readonly missing: readonly Column[]
      readonly twice: readonly Column[]
    }
  | { readonly code: 'columns_missing' }
  | { readonly code: 'columns_not_first'; readonly row: number }

export interface FoundColumns {
  /** Empty where no row names them. */
  readonly named: readonly NamedColumn[]
  /** Column of each cell. */
  readonly order: readonly (Column | null)[]
  /** Whether the name of the column of amounts has the currency: `Montant (GHS)`. */
  readonly hasCurrency: boolean
  /** Index of the first row with a payment. */
  readonly firstAt: number
}

/** How rows read in the order of a file without names. */
export interface RowTests {
  readonly currency: FileCurrency
  /** Whether the row has a recipient and an amount. */
  readonly isPayment: (row: FileRow) => boolean
  /** Whether something else than an amount stands where the amount would. */
  readonly hasTextForAmount: (row: FileRow) => boolean
}

/** Returns the columns. A file without names has the order recipient, amount, reference, note, unless it `needsNames`. */
export function findColumns(rows: readonly FileRow[], needsNames: boolean, tests: RowTests): FoundColumns | ColumnsProblem {
  const top = rows.slice(0, NAMES_WITHIN)
  const { inColumn } = namesOf(tests.currency)
  const columnOf: ColumnOf = (cell) => columnNamed(cell.replace(inColumn, ''))
  const namesAt = mostNames(top, columnOf)
  const names = top[namesAt]
  if (names === undefined || !isNames(names, top.slice(0, namesAt), columnOf, tests)) {
    return needsNames ? { code: 'columns_missing' } : UNNAMED
  }
  const read = names.cells
    .map((cell, at): NamedColumn => ({ letter: letterOf(at), name: cell.trim(), column: columnOf(cell) }))
    .filter(({ name }) => name !== '')
  const missing = (['recipient', 'amount'] as const).filter((column) => !read.some((one) => one.column === column))
  const twice = COLUMNS.filter((column) => read.filter((one) => one.column === column).length > 1)
  if (missing.length > 0 || twice.length > 0 || read.some(({ column }) => column === null))
    return { code: 'columns', row: names.row, read, missing, twice }
  if (top.slice(0, namesAt).some(tests.isPayment)) return { code: 'columns_not_first', row: names.row }
  const hasCurrency = read.some(({ name, column }) => column === 'amount' && inColumn.test(name))
  return { named: read, order: names.cells.map(columnOf), hasCurrency, firstAt: namesAt + 1 }
}

/** A file without names of columns. */
export const UNNAMED: FoundColumns = { named: [], order: COLUMNS, hasCurrency: false, firstAt: 0 }

type ColumnOf = (cell: string) => Column | null

/** Returns the first row with the most known names; 0 where none has any. */
function mostNames(rows: readonly FileRow[], columnOf: ColumnOf): number {
  const counts = rows.map(({ cells }) => knownIn(cells, columnOf))
  return counts.indexOf(Math.max(0, ...counts))
}

/** Two known names are names. With fewer, a row is one when no payment looks like it and none stands above. */
function isNames(row: FileRow, above: readonly FileRow[], columnOf: ColumnOf, { isPayment, hasTextForAmount }: RowTests): boolean {
  if (knownIn(row.cells, columnOf) >= 2) return true
  const isAddressed = row.cells.some((cell) => /^\s*'?[@+]/.test(cell))
  return !isAddressed && hasTextForAmount(row) && !above.some(isPayment)
}

function knownIn(cells: readonly string[], columnOf: ColumnOf): number {
  return new Set(cells.flatMap((cell) => columnOf(cell) ?? [])).size
}

function columnNamed(cell: string): Column | null {
  const plain = cell
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '')
  return COLUMN_OF.get(plain) ?? null
}

function letterOf(at: number): string {
  const last = String.fromCharCode(65 + (at % 26))
  return at < 26 ? last : `${letterOf(Math.floor(at / 26) - 1)}${last}`
}
