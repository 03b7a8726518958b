// Splits the text of a payment file into rows of cells (RFC 4180), strictly: a quote that is open or that ends in the middle of a
// cell is a problem of the file, because no row behind it can be known.
import Papa from 'papaparse'

export const SEPARATORS = [';', '\t', ','] as const

export type Separator = (typeof SEPARATORS)[number]

export interface FileRow {
  /** As spreadsheets count, from 1. A line break inside quotes belongs to its row. */
  readonly row: number
  /** The line that the row begins at, as editors count. */
  readonly line: number
  readonly cells: readonly string[]
  /** The row as it stands in the file. */
  readonly raw: string
}

export interface QuoteProblem {
  readonly code: 'open_quote' | 'malformed_quote'
  readonly row: number
  readonly line: number
}

export interface SplitRows {
  /** Without empty rows. */
  readonly rows: readonly FileRow[]
  readonly problem: QuoteProblem | null
}

/** `text` has line feeds alone. */
export function splitRows(text: string, separator: Separator): SplitRows {
  const rows: FileRow[] = []
  let problem: QuoteProblem | null = null
  let [row, line, start] = [0, 1, 0]
  Papa.parse<string[]>(text, {
    delimiter: separator,
    newline: '\n',
    quoteChar: '"',
    step: ({ data, errors, meta }, parser) => {
      row++
      const raw = text.slice(start, meta.cursor).replace(/\n$/, '')
      start = meta.cursor
      const [error] = errors
      if (error !== undefined) {
        problem = { code: error.code === 'MissingQuotes' ? 'open_quote' : 'malformed_quote', row, line }
        return parser.abort()
      }
      if (data.some((cell) => cell.trim() !== '')) rows.push({ row, line, cells: data, raw })
      line += 1 + breaksIn(raw)
    },
  })
  return { rows, problem }
}

function breaksIn(raw: string): number {
  let count = 0
  for (let at = raw.indexOf('\n'); at !== -1; at = raw.indexOf('\n', at + 1)) count++
  return count
}
