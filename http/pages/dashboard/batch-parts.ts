// A file of lines as the batches that it is paid in: 500 lines each, one after the other. The key of each batch is made of
// the whole file and its number, so whoever sends the same file again, after a crash or by mistake, goes on where it
// stopped and pays nothing twice.
import { hash } from 'node:crypto'
import type { BatchReport } from '../../../engine/contract/batch.ts'
import { BATCH_LINES_MAX } from '../../../engine/kernel/limits.ts'
import { idempotencyScope } from '../../server/route-guards.ts'
import { csvOfLines, linesOfCsv, type TypedLine } from './csv-lines.ts'
import { BATCH_FILE_LINES_MAX } from './dashboard-limits.ts'
import type { Visit } from './visit.ts'

export const PARTS_MAX = BATCH_FILE_LINES_MAX / BATCH_LINES_MAX

export interface BatchFile {
  readonly lines: readonly TypedLine[]
  readonly reference: string
  /** Stands for the file; the same for the same lines and reference. */
  readonly key: string
  readonly partsCount: number
}

/** `again` tells a file from an earlier one with the same lines: empty unless its author said that it is another. */
export function batchFile(text: string, reference: string, again: string): BatchFile {
  // As they will come back from the page, so that every part is the same text at its first sending and at its second.
  const lines = linesOfCsv(csvOfLines(linesOfCsv(text)))
  const key = `lot-${hash('sha256', JSON.stringify([lines, reference, again]), 'hex').slice(0, 40)}`
  return { lines, reference, key, partsCount: Math.ceil(lines.length / BATCH_LINES_MAX) }
}

const FILE_KEY = /^lot-[0-9a-f]{40}$/

export function isFileKey(key: string): boolean {
  return FILE_KEY.test(key)
}

export function partKey(fileKey: string, part: number): string {
  return `${fileKey}-${part}`
}

/** The reports of the parts that were paid, from the first on. */
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
