// The events of a batch, stored as one: `batch.completed` holds all lines packed, and the payouts and the report are
// views that build their texts on first use. As separate texts a line took 740 bytes in the log, packed 230.
// Encoding, hashing and writing are most of a batch's cost.
import type { BatchLine, LineFault } from '../../contract/batch-line.ts'
import { CURRENCY } from '../../kernel/amount.ts'
import { assert } from '../../kernel/assert.ts'
import type { Environment } from '../../kernel/environment.ts'
import { itemsOf, jsonString } from '../../kernel/json.ts'
import { rfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber, Transaction } from '../../ledger/transaction.ts'
import { type StoredEvent, storedForm } from '../record.ts'
import type { BatchHead, DecidedLine } from './batch-line.ts'
import { reportText } from './payout-report.ts'
import { type Payout, type PayoutFailure, payoutText } from './payout-state.ts'

/** A payout of a batch: reads as one of its own does, and takes no room in the log. */
export class BatchPayout implements StoredEvent {
  readonly type: 'payout.paid' | 'payout.failed'
  readonly version = 1
  readonly account: AccountNumber
  readonly packed = ''
  readonly #head: BatchHead
  readonly #decided: DecidedLine
  #payload: Payout | null = null

  constructor(head: BatchHead, decided: DecidedLine) {
    this.type = decided.failure === null ? 'payout.paid' : 'payout.failed'
    this.account = head.merchant
    this.#head = head
    this.#decided = decided
  }

  get text(): string {
    return payoutText(this.payload)
  }

  /** Index keys of its lists, computed without building the payout. */
  get id(): string {
    return this.#decided.payoutId as string
  }

  get state(): Payout['state'] {
    return this.#decided.failure === null ? 'paid' : 'failed'
  }

  get recipient(): string {
    return this.#decided.line.recipient
  }

  get reference(): string {
    return this.#decided.line.reference
  }

  get schedule_id(): string | null {
    return this.#head.scheduleId
  }

  get payload(): Payout {
    this.#payload ??= payoutOf(this.#head, this.#decided)
    return this.#payload
  }
}

/** The report. In memory it stands behind the payouts of its lines. */
export class BatchCompleted implements StoredEvent {
  readonly type = 'batch.completed'
  readonly version = 1
  readonly account: AccountNumber
  payload: object | null = null
  readonly #head: BatchHead
  readonly #lines: readonly DecidedLine[]

  constructor(head: BatchHead, lines: readonly DecidedLine[]) {
    this.account = head.merchant
    this.#head = head
    this.#lines = lines
  }

  get id(): string {
    return this.#head.id
  }

  get head(): BatchHead {
    return this.#head
  }

  get text(): string {
    return reportText(this.#head, this.#lines)
  }

  /** Version 1: `{id, reference, schedule_id, lines}`, see `packedLine`. */
  get packed(): string {
    const { id, reference, scheduleId } = this.#head
    const start = `{"id":"${id}","reference":${jsonString(reference)},"schedule_id":${scheduleId === null ? 'null' : `"${scheduleId}"`}`
    let lines = ''
    for (let index = 0; index < this.#lines.length; index++) {
      lines += (index === 0 ? '' : ',') + packedLine(this.#lines[index] as DecidedLine)
    }
    return `${start},"lines":[${lines}]}`
  }
}

/** Without its text, which is long. */
export function batchIdOf(event: StoredEvent): string {
  const stored = storedForm(event)
  assert(stored instanceof BatchCompleted, 'a batch is read by its own events')
  return stored.id
}

/** Id, environment and time of a batch, without its text, which is long. */
export function batchHeadOf(event: StoredEvent): Pick<BatchHead, 'id' | 'environment' | 'created_at'> {
  const stored = storedForm(event)
  assert(stored instanceof BatchCompleted, 'a batch is read by its own events')
  return stored.head
}

/** What the log has of a line; amount, reference and id of its transaction stand in the transaction. */
type PackedLine =
  | readonly [payoutId: string, recipient: string, note: string]
  | readonly [payoutId: string | null, recipient: string, note: string, amount: number | null, reference: string, failure: PayoutFailure]

interface PackedBatch {
  readonly id: string
  readonly reference: string
  readonly schedule_id: string | null
  readonly lines: readonly PackedLine[]
}

/** The same text as `JSON.stringify` of a PackedLine. */
function packedLine({ line, payoutId, failure }: DecidedLine): string {
  const { recipient, note, amount, reference, fault } = line
  const start = `[${payoutId === null ? 'null' : `"${payoutId}"`},${fault === null ? `"${recipient}"` : jsonString(recipient)},${jsonString(note)}`
  return failure === null ? `${start}]` : `${start},${amount},${jsonString(reference)},"${failure}"]`
}

/** The events of a batch out of what the log has of it, in the order in which they were decided. */
export function unpackBatch(
  text: string,
  about: {
    readonly account: AccountNumber
    readonly environment: Environment
    readonly timeMs: TimeMs
    readonly transactions: readonly Transaction[]
  },
): StoredEvent[] {
  const { id, reference, schedule_id, lines } = JSON.parse(text) as PackedBatch
  const { account, environment, timeMs, transactions } = about
  const head: BatchHead = { id, merchant: account, environment, reference, scheduleId: schedule_id, created_at: rfc3339(timeMs) }
  const decided: DecidedLine[] = []
  const events: StoredEvent[] = []
  let paid = 0
  for (const packed of lines) {
    const line = packed.length === 3 ? paidLine(packed, transactions[paid++]) : failedLine(packed)
    decided.push(line)
    if (line.payoutId !== null) events.push(new BatchPayout(head, line))
  }
  assert(paid === transactions.length, 'each paid line of a batch has its transaction')
  events.push(new BatchCompleted(head, decided))
  return events
}

/** One payout out of what the log has of its batch; null where the text has no such event. */
export function unpackPayout(text: string, eventIndex: number, about: OnePayout): StoredEvent | null {
  const at = text.indexOf(LINES) + LINES.length
  let payouts = 0
  let paid = 0
  for (const { start, end, commas } of itemsOf(text, at)) {
    const isPaid = commas === PAID_COMMAS
    if (isPaid || text[start + 1] !== 'n') {
      if (payouts++ === eventIndex) return payoutAt(text, JSON.parse(text.slice(start, end)) as PackedLine, paid, about)
    }
    if (isPaid) paid++
  }
  return null
}

interface OnePayout {
  readonly account: AccountNumber
  readonly environment: Environment
  readonly timeMs: TimeMs
  /** The record's transaction at this place among them. */
  transactionAt(index: number): Transaction
}

function payoutAt(text: string, packed: PackedLine, paidBefore: number, about: OnePayout): BatchPayout {
  const { account, environment, timeMs } = about
  const { id, reference, schedule_id } = JSON.parse(`${text.slice(0, text.indexOf(LINES))}}`) as Omit<PackedBatch, 'lines'>
  const head: BatchHead = { id, merchant: account, environment, reference, scheduleId: schedule_id, created_at: rfc3339(timeMs) }
  return new BatchPayout(head, packed.length === 3 ? paidLine(packed, about.transactionAt(paidBefore)) : failedLine(packed))
}

/** Where the lines of a packed batch begin. No text of a merchant's before it can hold this: its quotes would be escaped. */
const LINES = ',"lines":['
/** Between the values of a line that was paid. */
const PAID_COMMAS = 2

function paidLine([payoutId, recipient, note]: readonly [string, string, string], transaction: Transaction | undefined): DecidedLine {
  const posting = transaction?.postings[0]
  assert(transaction !== undefined && posting !== undefined, 'a paid line of a batch has its transaction')
  const line: BatchLine = { recipient, amount: posting.amount, reference: transaction.reference, note, fault: null }
  return { line, payoutId, transactionId: transaction.id, failure: null }
}

function failedLine([payoutId, recipient, note, amount, reference, failure]: Extract<PackedLine, { length: 6 }>): DecidedLine {
  const fault = payoutId === null ? (failure as LineFault) : null
  return { line: { recipient, amount, reference, note, fault }, payoutId, transactionId: null, failure }
}

/** Two literals: objects put together by spreading took eight times as long. */
function payoutOf(head: BatchHead, { line, payoutId, transactionId, failure }: DecidedLine): Payout {
  const { recipient, amount, reference, note } = line
  const { environment, id: batch_id, scheduleId: schedule_id, created_at } = head
  assert(payoutId !== null && amount !== null, 'a malformed line makes no payout')
  const id = payoutId
  if (failure === null) {
    const transaction_id = transactionId as string
    return {
      id,
      recipient,
      amount,
      currency: CURRENCY,
      reference,
      state: 'paid',
      transaction_id,
      note,
      environment,
      batch_id,
      schedule_id,
      created_at,
    }
  }
  return {
    id,
    recipient,
    amount,
    currency: CURRENCY,
    reference,
    state: 'failed',
    failure_code: failure,
    note,
    environment,
    batch_id,
    schedule_id,
    created_at,
  }
}
