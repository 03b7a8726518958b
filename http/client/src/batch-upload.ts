// Payouts of any number of lines: files of 500, paid one after the other under keys made of the run's id and the file's number.
// A run that is started again with the same lines pays nothing twice: the service answers its paid files from their keys.
import type { AnswerHead } from './answers.ts'
import { BATCH_LINES_MAX, LINES_KEPT_MAX, RUN_ID_LENGTH_MAX } from './client-limits.ts'
import { IdempotencyKeyReusedError, withMessage } from './errors.ts'
import { RepeatedLines } from './repeated-lines.ts'
import type { RequestOptions } from './transport.ts'
import type { BatchLine, BatchReport, BatchReportLine, LineWarning } from './types.ts'

export interface UploadOptions {
  /** Names the run: the same id for a second start of the same run, another id for the next run. 1 to 200 ASCII characters without spaces. */
  readonly runId: string
  /** Reference of each batch. Part of the request: it must be the same when the run is started again. */
  readonly reference?: string
  /** True checks the lines and pays nothing. Each file of 500 is checked against the whole balance. */
  readonly dryRun?: boolean
  readonly signal?: AbortSignal
  /** Called with the report of each file, in order. */
  readonly onFile?: (file: UploadedFile) => void
}

export interface UploadedFile {
  /** From 1. */
  readonly number: number
  /** Line of the run that the file begins with, from 0. */
  readonly firstLine: number
  readonly report: BatchReport
  /** Those of the report, and lines that an earlier file has too. */
  readonly warnings: readonly UploadWarning[]
  /** True when the file had been paid by an earlier start of the run. */
  readonly isReplay: boolean
  /** Sums so far, this file included. */
  readonly soFar: UploadSummary
}

/** A line that was not paid. */
export interface FailedLine {
  /** Index over all lines that were given, from 0. */
  readonly line: number
  /** The line of the report. Its `index` counts in the file of 500. */
  readonly result: BatchReportLine
}

/** What may be a mistake in a line, which is paid all the same. */
export interface UploadWarning {
  /** Index over all lines that were given, from 0. */
  readonly line: number
  /**
   * `duplicate_line`: an earlier line has the same recipient, amount and reference. Lines behind the first 100 000 are compared with
   * these, and with the lines of their own file.
   */
  readonly code: LineWarning['code']
}

export interface UploadSummary {
  readonly files: number
  /** Files that an earlier start of the run had paid. */
  readonly replayedFiles: number
  readonly lines: number
  readonly paidCount: number
  readonly failedCount: number
  readonly paidAmount: number
  readonly failedAmount: number
  /** Fees of the paid lines, beside their amounts. */
  readonly feeAmount: number
  /** At most 10 000; `onFile` gets all of them. */
  readonly failedLines: readonly FailedLine[]
  /** At most 10 000; `onFile` gets all of them. */
  readonly warnings: readonly UploadWarning[]
}

export type CreateBatch = (
  body: { readonly items: BatchLine[]; readonly reference?: string },
  isDryRun: boolean,
  options: RequestOptions,
) => Promise<BatchReport>

const RUN_ID = new RegExp(`^[!-~]{1,${RUN_ID_LENGTH_MAX}}$`)

/**
 * Pays the lines. Rejects with the error of the first file that was not accepted; start it again with the same run id and lines.
 * Lines that differ from those of the first start are rejected with IdempotencyKeyReusedError, before anything of their file
 * is paid; its message names the lines.
 */
export async function uploadBatches(
  create: CreateBatch,
  lines: Iterable<BatchLine> | AsyncIterable<BatchLine>,
  options: UploadOptions,
): Promise<UploadSummary> {
  const { runId, reference, dryRun = false, signal, onFile } = options
  if (!RUN_ID.test(runId)) throw new TypeError(`a runId is 1 to ${RUN_ID_LENGTH_MAX} ASCII characters without spaces`)
  const repeated = new RepeatedLines()
  let sums: UploadSummary = EMPTY
  for await (const items of filesOf(lines)) {
    signal?.throwIfAborted()
    const number = sums.files + 1
    let head: AnswerHead | null = null
    const onAnswer = (answered: AnswerHead): void => {
      head = answered
    }
    const sent = { idempotencyKey: `${runId}/file-${number}`, onAnswer, ...(signal === undefined ? {} : { signal }) }
    const report = await create({ items, ...(reference === undefined ? {} : { reference }) }, dryRun, sent).catch((error: unknown) => {
      throw error instanceof IdempotencyKeyReusedError ? withMessage(error, otherLines(error, runId, sums.lines, items.length)) : error
    })
    const isReplay = (head as AnswerHead | null)?.isReplay === true
    const firstLine = sums.lines
    const warnings = repeated.warningsOf(report).map(({ index, code }) => ({ line: firstLine + index, code }))
    sums = added(sums, report, warnings, isReplay)
    onFile?.({ number, firstLine, report, warnings, isReplay, soFar: sums })
  }
  return sums
}

function otherLines({ message }: IdempotencyKeyReusedError, runId: string, first: number, count: number): string {
  return (
    `lines ${first} to ${first + count - 1} (from 0), or the reference, are not those of the first start of the runId "${runId}"; nothing ` +
    `of them was paid now. Send the lines of the first start again. For other payouts take a new runId, without the lines that are paid. ` +
    `The service: ${message}`
  )
}

const EMPTY: UploadSummary = {
  files: 0,
  replayedFiles: 0,
  lines: 0,
  paidCount: 0,
  failedCount: 0,
  paidAmount: 0,
  failedAmount: 0,
  feeAmount: 0,
  failedLines: [],
  warnings: [],
}

function added(sums: UploadSummary, report: BatchReport, warnings: readonly UploadWarning[], isReplay: boolean): UploadSummary {
  const failed = report.items.filter(({ state }) => state === 'failed').map((result) => ({ line: sums.lines + result.index, result }))
  return {
    files: sums.files + 1,
    replayedFiles: sums.replayedFiles + (isReplay ? 1 : 0),
    lines: sums.lines + report.total_count,
    paidCount: sums.paidCount + report.paid_count,
    failedCount: sums.failedCount + report.failed_count,
    paidAmount: sums.paidAmount + report.paid_amount,
    failedAmount: sums.failedAmount + report.failed_amount,
    feeAmount: sums.feeAmount + report.fee_amount,
    failedLines: joined(sums.failedLines, failed),
    warnings: joined(sums.warnings, warnings),
  }
}

function joined<Line>(kept: readonly Line[], more: readonly Line[]): readonly Line[] {
  return more.length === 0 ? kept : [...kept, ...more].slice(0, LINES_KEPT_MAX)
}

/** The last file may be shorter. */
async function* filesOf(lines: Iterable<BatchLine> | AsyncIterable<BatchLine>): AsyncGenerator<BatchLine[], void, undefined> {
  let file: BatchLine[] = []
  for await (const line of lines) {
    file.push(written(line))
    if (file.length < BATCH_LINES_MAX) continue
    yield file
    file = []
  }
  if (file.length > 0) yield file
}

/** The compiler asks for each field that a line has. */
const LINE_FIELDS = Object.keys({
  recipient: true,
  amount: true,
  reference: true,
  note: true,
  currency: true,
} satisfies Record<keyof BatchLine, true>)

/** The fields in one order, because a repeated request must have the same bytes. One that no line has goes along: the service names it. */
function written(line: BatchLine): BatchLine {
  const given = line as Readonly<Record<string, unknown>>
  const others = Object.keys(given).filter((name) => !LINE_FIELDS.includes(name))
  const sent = [...LINE_FIELDS, ...others.sort()].filter((name) => given[name] !== undefined)
  return Object.fromEntries(sent.map((name) => [name, given[name]])) as unknown as BatchLine
}
