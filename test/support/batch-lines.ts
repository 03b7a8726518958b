// Lines of batches for tests: good ones by hand, any at all by fast-check.
import fc from 'fast-check'
import { type BatchLine, readBatchLine as readLineIn } from '../../engine/contract/batch-line.ts'
import type { CreateBatch } from '../../engine/domain/payout/batch-decide.ts'
import type { AccountNumber } from '../../engine/ledger/transaction.ts'

/** Reads a line of a merchant whose account is in XOF. */
export function readBatchLine(item: unknown): BatchLine {
  return readLineIn(item, 'XOF')
}

export function readBatchLines(items: readonly unknown[]): BatchLine[] {
  return items.map(readBatchLine)
}

export function line(recipient: unknown, amount: unknown, reference?: unknown, note?: unknown): BatchLine {
  return readBatchLine({ recipient, amount, reference, note })
}

export function batch(merchant: AccountNumber, lines: readonly BatchLine[], reference = ''): CreateBatch {
  return { type: 'CreateBatch', merchant, lines, reference, scheduleId: null }
}

/** What the tests look at in a report. */
export interface Report {
  readonly id: string | null
  readonly state: string
  readonly reference: string
  readonly total_count: number
  readonly paid_count: number
  readonly failed_count: number
  readonly total_amount: number
  readonly paid_amount: number
  readonly failed_amount: number
  readonly created_at: string
  readonly items: readonly ReportLine[]
}

export interface ReportLine {
  readonly index: number
  readonly payout_id: string | null
  readonly recipient: string
  readonly amount: number | null
  readonly reference: string
  readonly state: string
  readonly failure_code?: string
  readonly transaction_id?: string | null
}

const TEXTS = fc.oneof(
  fc.constantFrom<unknown>(undefined, '', 'PAIE "11"', 'a\\b', '\ud800', 'é💶', '\u2028', 'a\nb', null, 3),
  fc.string({ maxLength: 300 }),
)

/** Good, bad and absurd lines to the wallets awa, moussa and koffi, and to others. */
export const ANY_ITEM: fc.Arbitrary<unknown> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      recipient: fc.constantFrom('@awa', 'MOUSSA', 'koffi'),
      amount: fc.integer({ min: 1, max: 900 }),
      reference: TEXTS,
      note: TEXTS,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      recipient: fc.constantFrom<unknown>('awa', '+2250000000001', '+221770000001', '+12', 'ghost', '@@awa', '', 7, 'x"y'),
      amount: fc.constantFrom<unknown>(0, -5, 1.5, '9', 1e12, 1e12 + 1, 1e300, null, 5),
      reference: TEXTS,
    }),
  },
  { weight: 1, arbitrary: fc.anything() },
)
