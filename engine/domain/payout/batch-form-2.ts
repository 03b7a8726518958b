// Version 2 of the events of a batch: the report has warnings for duplicate lines, and for lines that were paid recently, where the
// batch names some. Released: it never changes.
import type { BatchReport, LineWarning } from '../../contract/batch.ts'
import { duplicateLines } from '../../contract/duplicate-lines.ts'
import type { Immutable } from '../../contract/schema.ts'
import { BATCH_FORM_1 } from './batch-form-1.ts'
import type { BatchForm, DecidedLine, ReportHead } from './batch-line.ts'
import { joinedReport } from './payout-report.ts'

export const BATCH_FORM_2: BatchForm = { ...BATCH_FORM_1, batchVersion: 2, reportText }

/** What batches are written with. The next version replaces it here and keeps its own file. */
export const NEWEST_BATCH_FORM = BATCH_FORM_2

function reportText(head: ReportHead, decided: readonly DecidedLine[]): string {
  const duplicates = duplicateLines(decided.map(({ line }) => line))
  let warnings = ''
  let next = 0
  for (let index = 0; index < decided.length; index++) {
    if (duplicates[next] === index) {
      next++
      warnings += warningText(index, 'duplicate_line', warnings)
    }
    if ((decided[index] as DecidedLine).isRecent) warnings += warningText(index, 'recently_paid', warnings)
  }
  return joinedReport(head, decided, `,"warnings":[${warnings}]`)
}

function warningText(index: number, code: LineWarning['code'], before: string): string {
  return `${before === '' ? '' : ','}{"index":${index},"code":"${code}"}`
}

type Report = Immutable<BatchReport>

/** Version 1 had no warnings; its lines say which they are. */
export function withWarnings(report: Omit<Report, 'warnings'>): Report {
  const lines = report.items.map(({ recipient, amount, reference, failure_code }) => {
    return { recipient, amount, reference, fault: faultAmong(failure_code) }
  })
  return { ...report, warnings: duplicateLines(lines).map((index) => ({ index, code: 'duplicate_line' as const })) }
}

const FAULTS = ['invalid_recipient', 'invalid_amount', 'invalid_reference', 'invalid_note'] as const

function faultAmong(code: string | undefined): (typeof FAULTS)[number] | null {
  return FAULTS.find((fault) => fault === code) ?? null
}
