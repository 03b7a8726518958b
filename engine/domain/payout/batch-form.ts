// How batches are written and read: their packed lines, their payouts and their report.
import type { BatchLine, LineFault } from '../../contract/batch-line.ts'
import type { Amount } from '../../kernel/amount.ts'
import { assert } from '../../kernel/assert.ts'
import type { ByteWriter } from '../../kernel/byte-writer.ts'
import type { Transaction } from '../../ledger/transaction.ts'
import type { BatchForm, BatchHead, DecidedLine } from './batch-line.ts'
import { reportText } from './payout-report.ts'
import { type Payout, type PayoutFailure, payoutText } from './payout-state.ts'

/** The newest form. The next version replaces it here and keeps this one in a file of its own. */
export const BATCH_FORM: BatchForm = {
  batchVersion: 1,
  payoutVersion: 1,
  isPaid: (valuesCount) => valuesCount < FAILED_VALUES,
  packLine,
  paidLine,
  failedLine,
  payout: payoutOf,
  payoutText,
  reportText,
}

/** The log has these of a line; amount, reference and id of its transaction stand in the transaction. */
type PaidValues = readonly [payoutId: string, recipient: string, note: string, fee?: Amount]
type FailedValues = readonly [
  payoutId: string | null,
  recipient: string,
  note: string,
  amount: number | null,
  reference: string,
  failure: PayoutFailure,
]

const FAILED_VALUES = 6
const QUOTE = 0x22
const COMMA = 0x2c
const CLOSE = 0x5d

/** The same text as `JSON.stringify` of the values. */
function packLine(out: ByteWriter, { line, payoutId, failure, fee }: DecidedLine): void {
  const { recipient, note, amount, reference } = line
  if (payoutId === null) out.text('[null,')
  else {
    out.text('["')
    out.text(payoutId)
    out.text('",')
  }
  out.jsonText(recipient)
  out.unit(COMMA)
  out.jsonText(note)
  if (failure !== null) {
    out.unit(COMMA)
    if (amount === null) out.text('null')
    else out.number(amount)
    out.unit(COMMA)
    out.jsonText(reference)
    out.text(',"')
    out.text(failure)
    out.unit(QUOTE)
  } else if (fee !== 0) {
    out.unit(COMMA)
    out.number(fee)
  }
  out.unit(CLOSE)
}

function paidLine([payoutId, recipient, note, fee = 0]: PaidValues, { id, reference, postings }: Transaction): DecidedLine {
  const [posting] = postings
  assert(posting !== undefined, 'the transaction of a paid line has a posting')
  const line: BatchLine = { recipient, amount: posting.amount, reference, note, fault: null }
  return { line, payoutId, transactionId: id, failure: null, fee, isRecent: false }
}

function failedLine([payoutId, recipient, note, amount, reference, failure]: FailedValues): DecidedLine {
  const fault = payoutId === null ? (failure as LineFault) : null
  return { line: { recipient, amount, reference, note, fault }, payoutId, transactionId: null, failure, fee: 0, isRecent: false }
}

/** Two literals: objects put together by spreading took eight times as long. */
function payoutOf(head: BatchHead, { line, payoutId, transactionId, failure, fee }: DecidedLine): Payout {
  const { recipient, amount, reference, note } = line
  const { environment, currency, scheduleId: schedule_id, disbursementId: disbursement_id, created_at } = head
  const batch_id = disbursement_id === null ? head.id : null
  assert(payoutId !== null && amount !== null, 'a malformed line makes no payout')
  const id = payoutId
  if (failure === null) {
    const transaction_id = transactionId as string
    return {
      id,
      recipient,
      amount,
      currency,
      fee,
      reference,
      state: 'paid',
      transaction_id,
      note,
      environment,
      batch_id,
      schedule_id,
      disbursement_id,
      created_at,
    }
  }
  return {
    id,
    recipient,
    amount,
    currency,
    fee,
    reference,
    state: 'failed',
    failure_code: failure,
    note,
    environment,
    batch_id,
    schedule_id,
    disbursement_id,
    created_at,
  }
}
