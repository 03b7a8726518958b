// The lines of a file of payments as pages read them: typed or sent, by the one reader of such files.
import type { BatchReport } from '../../../../engine/contract/batch.ts'
import { writtenAmount } from '../../../client/src/payment-file/file-amount.ts'
import { type DecodedFile, decodingSteps } from '../../../client/src/payment-file/file-decoding.ts'
import { callingCodeOf } from '../../../client/src/payment-file/file-recipient.ts'
import { isUnreadable, type PaymentLine, paymentFileSteps, type ReadFile } from '../../../client/src/payment-file/payment-file.ts'
import { fairWork } from '../../../server/fair-work.ts'
import type { Visit } from '../shared/dashboard-visit.ts'

/** A line that can be paid, with its row of the spreadsheet. */
export interface PayableLine {
  readonly row: number
  readonly recipient: string
  readonly amount: number
  readonly reference: string
  readonly note: string
}

/** What fair-work.ts counts for a step of reading: about a millisecond. */
export const STEP_COST = 30

/** Reads typed or decoded text. Phones without `+` get it, local ones with the country of the merchant's phone, where it has one. */
export function readTyped({ principal, currency }: Pick<Visit, 'principal' | 'currency'>, text: string): Promise<ReadFile> {
  const phone = principal.merchant.activation?.details?.contact_phone ?? ''
  return fairWork.run(principal.account, STEP_COST, paymentFileSteps(text, { currency, callingCode: callingCodeOf(phone) ?? '' }))
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

/** Returns an amount as a file of lines has it in a form, from which it is read back as the same amount; empty where there is none. */
export function amountCell(amount: number | null, currency: string): string {
  return amount === null ? '' : writtenAmount(amount, currency, 'fr')
}

/** The line of a batch for the API. */
export function batchItem({ recipient, amount, reference, note }: Omit<PayableLine, 'row'>): object {
  return { recipient, amount, ...(reference === '' ? {} : { reference }), ...(note === '' ? {} : { note }) }
}

export interface Sum {
  readonly paidCount: number
  readonly failedCount: number
  readonly paidAmount: number
  readonly failedAmount: number
  readonly linesCount: number
}

export function sumOf({ paid_count, failed_count, paid_amount, failed_amount, total_count }: Omit<BatchReport, 'items' | 'warnings'>): Sum {
  return {
    ...{ paidCount: paid_count, failedCount: failed_count, paidAmount: paid_amount, failedAmount: failed_amount },
    linesCount: total_count,
  }
}
