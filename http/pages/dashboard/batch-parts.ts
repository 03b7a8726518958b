// Splits a file of lines into batches of 500. The idempotency key of a batch derives from the whole file and the batch's
// number. The same file sent again, after a crash or by mistake, continues where it stopped and pays nothing twice.
import { hash } from 'node:crypto'
import type { BatchReport } from '../../../engine/contract/batch.ts'
import { BATCH_LINES_MAX } from '../../../engine/kernel/limits.ts'
import { idempotencyScope } from '../../server/route-guards.ts'
import { type CsvFile, csvOfLines, linesOfCsv, readCsv } from './csv-lines.ts'
import { BATCH_FILE_LINES_MAX } from './dashboard-limits.ts'
import type { Visit } from './visit.ts'

export const PARTS_MAX = BATCH_FILE_LINES_MAX / BATCH_LINES_MAX

export interface BatchFile extends CsvFile {
  readonly reference: string
  /** As typed or read from the file. */
  readonly text: string
  /** Key of the file: equal for equal lines and reference. */
  readonly key: string
  readonly partsCount: number
}

/** `again` distinguishes a file from an earlier one with the same lines. It is empty unless its author confirmed that. */
export function batchFile(text: string, reference: string, again: string): BatchFile {
  // Normalized as the page sends them back, so that a batch has the same text each time it is sent.
  const { lines: typed, source, unknownColumns } = readCsv(text)
  const lines = linesOfCsv(csvOfLines(typed))
  const key = `lot-${hash('sha256', JSON.stringify([lines, reference, again]), 'hex').slice(0, 40)}`
  return { lines, source, unknownColumns, reference, text, key, partsCount: Math.ceil(lines.length / BATCH_LINES_MAX) }
}

const FILE_KEY = /^lot-[0-9a-f]{40}$/

export function isFileKey(key: string): boolean {
  return FILE_KEY.test(key)
}

export function partKey(fileKey: string, part: number): string {
  return `${fileKey}-${part}`
}

/** Returns the reports of the paid batches, from the first on. */
export function doneParts({ app, principal }: Pick<Visit, 'app' | 'principal'>, fileKey: string): readonly BatchReport[] {
  const scope = idempotencyScope(principal)
  const done: BatchReport[] = []
  while (scope !== null && done.length < PARTS_MAX) {
    const result = app.engine.query('results.known', { scope, key: partKey(fileKey, done.length), fingerprint: null })
    if (result === null || result.kind !== 'created') break
    done.push(JSON.parse(result.body) as BatchReport)
  }
  return done
}

export interface Sum {
  readonly paidCount: number
  readonly failedCount: number
  readonly paidAmount: number
  readonly failedAmount: number
  readonly linesCount: number
}

export function sumOf(reports: readonly BatchReport[]): Sum {
  const sum = (of: (report: BatchReport) => number): number => reports.reduce((total, report) => total + of(report), 0)
  return {
    paidCount: sum(({ paid_count }) => paid_count),
    failedCount: sum(({ failed_count }) => failed_count),
    paidAmount: sum(({ paid_amount }) => paid_amount),
    failedAmount: sum(({ failed_amount }) => failed_amount),
    linesCount: sum(({ total_count }) => total_count),
  }
}
