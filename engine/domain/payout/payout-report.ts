// The report of a batch as text, joined by hand: the answer, and every later look at the batch. Released: the same
// lines must give the same text for ever, because a replayed key answers it byte for byte.
import type { LineWarning } from '../../contract/batch.ts'
import { duplicateLines } from '../../contract/duplicate-lines.ts'
import { type Amount, isAmount } from '../../kernel/amount.ts'
import type { Currency } from '../../kernel/currency.ts'
import { flat, jsonString } from '../../kernel/json.ts'
import type { DecidedLine, ReportHead } from './batch-line.ts'

/** Returns `BatchReport` of the contract as JSON text. In a dry run all ids are null. */
export function reportText(head: ReportHead, lines: readonly DecidedLine[]): string {
  const { id, reference, environment, currency, created_at } = head
  let items = ''
  let paidCount = 0
  let paidAmount = 0
  let failedAmount = 0
  let feeAmount = 0
  for (let index = 0; index < lines.length; index++) {
    const decided = lines[index] as DecidedLine
    const { amount } = decided.line
    items += (index === 0 ? '' : ',') + lineText(index, decided, currency)
    if (decided.failure === null) {
      paidCount++
      paidAmount += amount as Amount
      feeAmount += decided.fee
    } else if (isAmount(amount)) failedAmount += amount
  }
  let text = `{"id":${quoted(id)},"state":"${id === null ? 'dry_run' : 'completed'}","reference":${jsonString(reference)}`
  text += `,"currency":"${currency}","environment":"${environment}","total_count":${lines.length},"paid_count":${paidCount}`
  text += `,"failed_count":${lines.length - paidCount},"total_amount":${paidAmount + failedAmount},"paid_amount":${paidAmount}`
  return flat(
    `${text},"failed_amount":${failedAmount},"fee_amount":${feeAmount},"created_at":"${created_at}","items":[${items}],"warnings":[${warningsText(lines)}]}`,
  )
}

/** Warnings for duplicate lines of the batch, and for lines that were paid recently. */
function warningsText(lines: readonly DecidedLine[]): string {
  const duplicates = duplicateLines(lines.map(({ line }) => line))
  let text = ''
  let next = 0
  for (let index = 0; index < lines.length; index++) {
    if (duplicates[next] === index) {
      next++
      text += warningText(index, 'duplicate_line', text)
    }
    if ((lines[index] as DecidedLine).isRecent) text += warningText(index, 'recently_paid', text)
  }
  return text
}

function warningText(index: number, code: LineWarning['code'], before: string): string {
  return `${before === '' ? '' : ','}{"index":${index},"code":"${code}"}`
}

function lineText(index: number, { line, payoutId, transactionId, failure, fee }: DecidedLine, currency: Currency): string {
  const { recipient, amount, reference, fault } = line
  const tag = fault === null ? `"${recipient}"` : jsonString(recipient)
  const start = `{"index":${index},"payout_id":${quoted(payoutId)},"recipient":${tag},"amount":${amount},"currency":"${currency}","fee":${fee}`
  const end = failure === null ? `"paid","transaction_id":${quoted(transactionId)}}` : `"failed","failure_code":"${failure}"}`
  return `${start},"reference":${jsonString(reference)},"state":${end}`
}

function quoted(id: string | null): string {
  return id === null ? 'null' : `"${id}"`
}
