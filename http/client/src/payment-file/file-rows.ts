// Splits the text of a payment file into rows of cells (RFC 4180), strictly: a quote that is open or that ends in the middle of a
// cell is a problem of the file, because no row behind it can be known.
import Papa from 'papaparse'
import { type ReadingSteps, STEP_LENGTH } from './reading-steps.ts'

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

/** `row_too_long`: longer than STEP_LENGTH. A quote that stays open for as long is open. */
export interface RowProblem {
  readonly code: 'open_quote' | 'malformed_quote' | 'row_too_long'
  readonly row: number
  readonly line: number
}

export interface SplitRows {
  /** Without empty rows. */
  readonly rows: readonly FileRow[]
  readonly problem: RowProblem | null
}

/** `text` has line feeds alone. `rowsBefore` are single lines above it. Each step reads whole lines. */
export function* splitRows(text: string, separator: Separator, rowsBefore = 0, stepLength = STEP_LENGTH): ReadingSteps<SplitRows> {
  const rows: FileRow[] = []
  let [row, line] = [rowsBefore, 1 + rowsBefore]
  for (let at = 0; ; ) {
    const end = endOfStep(text, at, stepLength)
    const part = text.slice(at, end)
    const isLast = end === text.length
    let start = 0
    let code: RowProblem['code'] | null = part.length > stepLength ? 'row_too_long' : null
    if (code === null) {
      Papa.parse<string[]>(part, {
        delimiter: separator,
        newline: '\n',
        quoteChar: '"',
        step: ({ data, errors, meta }, parser) => {
          const [error] = errors
          // The next step reads this row, from its start.
          if (!isLast && (error?.code === 'MissingQuotes' || start === part.length)) return parser.abort()
          if (error !== undefined) {
            code = error.code === 'MissingQuotes' ? 'open_quote' : 'malformed_quote'
            return parser.abort()
          }
          row++
          const raw = part.slice(start, meta.cursor).replace(/\n$/, '')
          start = meta.cursor
          if (data.some((cell) => cell.trim() !== '')) rows.push({ row, line, cells: data, raw })
          line += 1 + breaksIn(raw)
        },
      })
    }
    if (code === null && !isLast && start === 0) code = 'open_quote'
    if (code !== null) return { rows, problem: { code, row: row + 1, line } }
    if (isLast) return { rows, problem: null }
    at += start
    yield
  }
}

/** Returns the end of the last line that ends within the step, or of the first line where it is longer. */
function endOfStep(text: string, at: number, stepLength: number): number {
  if (text.length - at <= stepLength) return text.length
  const within = text.lastIndexOf('\n', at + stepLength - 1)
  const last = within < at ? text.indexOf('\n', at + stepLength) : within
  return last === -1 ? text.length : last + 1
}

function breaksIn(raw: string): number {
  let count = 0
  for (let at = raw.indexOf('\n'); at !== -1; at = raw.indexOf('\n', at + 1)) count++
  return count
}
