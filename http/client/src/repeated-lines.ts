// Duplicates over all files of an upload: the service compares the lines of one file alone.
import { LINES_COMPARED_MAX } from './client-limits.ts'
import type { BatchReport, LineWarning } from './types.ts'

export interface IndexedWarning {
  /** Index in the file, from 0. */
  readonly index: number
  readonly code: LineWarning['code']
}

/** Remembers the lines of earlier files, at most `LINES_COMPARED_MAX`. */
export class RepeatedLines {
  readonly #earlier = new Set<string>()

  /**
   * Returns the warnings of the report, and one for each line that an earlier file has too, ordered by index. Malformed lines are no
   * duplicates, as in the service.
   */
  warningsOf(report: BatchReport): readonly IndexedWarning[] {
    const known = new Set(report.warnings.filter(({ code }) => code === 'duplicate_line').map(({ index }) => index))
    const lines = report.items
      .filter(({ failure_code: code }) => code?.startsWith('invalid_') !== true)
      .map(({ index, recipient, amount, reference }) => ({ index, text: `${recipient} ${amount} ${reference}` }))
    const repeated = lines.filter(({ index, text }) => this.#earlier.has(text) && !known.has(index))
    for (const { text } of lines) if (this.#earlier.size < LINES_COMPARED_MAX) this.#earlier.add(text)
    const added = repeated.map(({ index }) => ({ index, code: 'duplicate_line' as const }))
    return added.length === 0 ? report.warnings : [...report.warnings, ...added].sort((one, other) => one.index - other.index)
  }
}
