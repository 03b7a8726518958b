// A file of payments as the page carries it, and its batches of 500. The idempotency key of a batch derives from the lines in
// any order, and from the batch's number. The same lines sent again, after a crash or by mistake, pay nothing twice.
import { hash } from 'node:crypto'
import type { BatchReport } from '../../../../engine/contract/batch.ts'
import { BATCH_LINES_MAX } from '../../../../engine/kernel/limits.ts'
import { type DecodedFile, decodingSteps } from '../../../client/src/payment-file/file-decoding.ts'
import { callingCodeOf } from '../../../client/src/payment-file/file-recipient.ts'
import { isUnreadable, type PaymentLine, paymentFileSteps, type ReadFile } from '../../../client/src/payment-file/payment-file.ts'
import { fairWork } from '../../../server/fair-work.ts'
import { idempotencyScope } from '../../../server/route-guards.ts'
import { BATCH_FILE_LINES_MAX } from '../shared/dashboard-limits.ts'
import type { Visit } from '../shared/dashboard-visit.ts'

export const PARTS_MAX = BATCH_FILE_LINES_MAX / BATCH_LINES_MAX

/** A line that can be paid, with its row of the spreadsheet. */
export interface PayableLine {
  readonly row: number
  readonly recipient: string
  readonly amount: number
  readonly reference: string
  readonly note: string
}

/** What fair-work.ts counts for a step of reading: about a millisecond. */
const STEP_COST = 30

/** Reads typed or decoded text. Phones without `+` get it, local ones with the country of the merchant's phone, where it has one. */
export function readTyped({ principal }: Pick<Visit, 'principal'>, text: string): Promise<ReadFile> {
  const phone = principal.merchant.activation?.details?.contact_phone ?? ''
  return fairWork.run(principal.account, STEP_COST, paymentFileSteps(text, { callingCode: callingCodeOf(phone) ?? '' }))
}

/** Returns the text of a file that was sent. */
export function decodeSent({ principal }: Pick<Visit, 'principal'>, file: Buffer): Promise<DecodedFile> {
  return fairWork.run(principal.account, STEP_COST, decodingSteps(file))
}

export function payableLines(file: ReadFile): readonly PayableLine[] {
  return isUnreadable(file) ? [] : file.lines.flatMap((line) => payable(line) ?? [])
}

function payable({ row, recipient, amount, reference, note, problem }: PaymentLine): PayableLine | null {
  return problem !== null || amount === null ? null : { row, recipient, amount, reference, note }
}

/** The line of a batch for the API. */
export function batchItem({ recipient, amount, reference, note }: PayableLine): object {
  return { recipient, amount, ...(reference === '' ? {} : { reference }), ...(note === '' ? {} : { note }) }
}

type Compared = Pick<PayableLine, 'recipient' | 'reference'> & { readonly amount: number | null }

/** Equal for lines that pay the same: `@awa` and `awa` are one recipient. Reports hold the first 64 characters of an invalid one. */
function sameText({ recipient, amount, reference }: Compared): string {
  return JSON.stringify([recipient.replace(/^@/, '').toLowerCase().slice(0, 64), amount, reference])
}

/** `again` distinguishes lines from earlier ones that are the same. It is empty unless the author confirmed that. */
export function linesKey(lines: readonly PayableLine[], reference: string, again: string): string {
  const texts = lines.map((line) => `${sameText(line)}${JSON.stringify(line.note)}`).sort()
  return `lot-${hash('sha256', JSON.stringify([texts, reference, again]), 'hex').slice(0, 40)}`
}

export function partsOf(lines: readonly unknown[]): number {
  return Math.ceil(lines.length / BATCH_LINES_MAX)
}

/** Returns the lines that no report has, each as often as it is missing. */
export function linesLeft(lines: readonly PayableLine[], done: readonly BatchReport[]): readonly PayableLine[] {
  if (done.length === 0) return lines
  const counts = new Map<string, number>()
  for (const line of done.flatMap(({ items }) => items)) counts.set(sameText(line), (counts.get(sameText(line)) ?? 0) + 1)
  return lines.filter((line) => {
    const count = counts.get(sameText(line)) ?? 0
    if (count > 0) counts.set(sameText(line), count - 1)
    return count === 0
  })
}

/** The lines as the page carries them. */
export function carriedText(lines: readonly PayableLine[]): string {
  return JSON.stringify(lines.map(({ row, recipient, amount, reference, note }) => [row, recipient, amount, reference, note]))
}

/** Returns null for a text that `carriedText` does not write. */
export function carriedLines(text: string): readonly PayableLine[] | null {
  let rows: unknown
  try {
    rows = JSON.parse(text)
  } catch {
    // The page was changed on its way.
    return null
  }
  return Array.isArray(rows) && rows.length <= BATCH_FILE_LINES_MAX && rows.every(isCarried)
    ? rows.map(([row, recipient, amount, reference, note]) => ({ row, recipient, amount, reference, note }))
    : null
}

function isCarried(row: unknown): row is readonly [number, string, number, string, string] {
  if (!Array.isArray(row) || row.length !== 5) return false
  const [number, recipient, amount, reference, note] = row as unknown[]
  return (
    Number.isSafeInteger(number) && Number.isSafeInteger(amount) && [recipient, reference, note].every((text) => typeof text === 'string')
  )
}

/** Rows of the spreadsheet in an address: `2-8,10`. */
export function rowsText(rows: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const row of rows) {
    const last = ranges.at(-1)
    if (last !== undefined && row === last[1] + 1) last[1] = row
    else ranges.push([row, row])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

/** Longest text of rows in an address: a file with more gaps has the numbers of its batch. */
export const ROWS_TEXT_LENGTH_MAX = 2000

/** Returns the rows of a text that `rowsText` wrote; none for any other. */
export function rowsOfText(text: string): readonly number[] {
  if (text.length > ROWS_TEXT_LENGTH_MAX || !/^\d{1,7}(?:-\d{1,7})?(?:,\d{1,7}(?:-\d{1,7})?)*$/.test(text)) return []
  const rows: number[] = []
  for (const range of text.split(',')) {
    const [from = 0, to = from] = range.split('-').map(Number)
    for (let row = from; row <= to && rows.length < BATCH_FILE_LINES_MAX; row++) rows.push(row)
  }
  return rows
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
