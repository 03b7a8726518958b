// The report of a batch as text, written by hand: the answer, and every later look at the batch. Released: the same
// lines must give the same text for ever, because a replayed key answers it byte for byte.
import type { LineWarning } from '../../contract/batch.ts'
import { duplicateLines } from '../../contract/duplicate-lines.ts'
import { type Amount, isAmount } from '../../kernel/amount.ts'
import { ByteWriter } from '../../kernel/byte-writer.ts'
import type { Currency } from '../../kernel/currency.ts'
import type { DecidedLine, ReportHead } from './batch-line.ts'

const QUOTE = 0x22
const CLOSE = 0x7d
const FIRST_BYTES = 64 * 1024
/** Every report is written here: joined from parts, one of 500 lines left 1 MB of garbage. */
const out = new ByteWriter(FIRST_BYTES)

/** Returns `BatchReport` of the contract as JSON text. In a dry run all ids are null. */
export function reportText(head: ReportHead, lines: readonly DecidedLine[]): string {
  out.clear()
  writeHead(head, lines)
  for (let index = 0; index < lines.length; index++) writeLine(index, lines[index] as DecidedLine, head.currency)
  out.text('],"warnings":[')
  writeWarnings(lines)
  out.text(']}')
  return out.takeText()
}

function writeHead({ id, reference, environment, currency, created_at }: ReportHead, lines: readonly DecidedLine[]): void {
  let paidCount = 0
  let paidAmount = 0
  let failedAmount = 0
  let feeAmount = 0
  for (const { line, failure, fee } of lines) {
    const { amount } = line
    if (failure === null) {
      paidCount++
      paidAmount += amount as Amount
      feeAmount += fee
    } else if (isAmount(amount)) failedAmount += amount
  }
  out.text('{"id":')
  writeId(id)
  out.text(`,"state":"${id === null ? 'dry_run' : 'completed'}","reference":`)
  out.jsonText(reference)
  out.text(`,"currency":"${currency}","environment":"${environment}","total_count":${lines.length},"paid_count":${paidCount}`)
  out.text(`,"failed_count":${lines.length - paidCount},"total_amount":${paidAmount + failedAmount},"paid_amount":${paidAmount}`)
  out.text(`,"failed_amount":${failedAmount},"fee_amount":${feeAmount},"created_at":"${created_at}","items":[`)
}

/** Warnings for duplicate lines of the batch, and for lines that were paid recently. */
function writeWarnings(lines: readonly DecidedLine[]): void {
  const duplicates = duplicateLines(lines.map(({ line }) => line))
  let next = 0
  let separator = ''
  const write = (index: number, code: LineWarning['code']): void => {
    out.text(`${separator}{"index":${index},"code":"${code}"}`)
    separator = ','
  }
  for (let index = 0; index < lines.length; index++) {
    if (duplicates[next] === index) {
      next++
      write(index, 'duplicate_line')
    }
    if ((lines[index] as DecidedLine).isRecent) write(index, 'recently_paid')
  }
}

function writeLine(index: number, { line, payoutId, transactionId, failure, fee }: DecidedLine, currency: Currency): void {
  const { recipient, amount, reference } = line
  out.text(index === 0 ? '{"index":' : ',{"index":')
  out.number(index)
  out.text(',"payout_id":')
  writeId(payoutId)
  out.text(',"recipient":')
  out.jsonText(recipient)
  out.text(',"amount":')
  if (amount === null) out.text('null')
  else out.number(amount)
  out.text(',"currency":"')
  out.text(currency)
  out.text('","fee":')
  out.number(fee)
  out.text(',"reference":')
  out.jsonText(reference)
  if (failure === null) {
    out.text(',"state":"paid","transaction_id":')
    writeId(transactionId)
  } else {
    out.text(',"state":"failed","failure_code":"')
    out.text(failure)
    out.unit(QUOTE)
  }
  out.unit(CLOSE)
}

function writeId(id: string | null): void {
  if (id === null) return out.text('null')
  out.unit(QUOTE)
  out.text(id)
  out.unit(QUOTE)
}
