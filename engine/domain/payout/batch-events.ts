// The events of a batch, stored as one: `batch.completed` holds all lines packed, and the payouts and the report are
// views that build their texts on first use. As separate texts a line took 740 bytes in the log, packed 230.
// Encoding, hashing and writing are most of a batch's cost.
import { assert } from '../../kernel/assert.ts'
import { ByteWriter } from '../../kernel/byte-writer.ts'
import type { Currency } from '../../kernel/currency.ts'
import { endOfArray } from '../../kernel/json.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber, Transaction } from '../../ledger/transaction.ts'
import type { PackedContext, PackedForm, PackedOneContext } from '../noun-module.ts'
import { type StoredEvent, storedForm } from '../record.ts'
import type { BatchForm, BatchHead, DecidedLine } from './batch-line.ts'
import type { Payout } from './payout-state.ts'

const FIRST_BYTES = 64 * 1024
/** Every batch is packed here: joined from parts, one of 500 lines left 0.4 MB of garbage. */
const out = new ByteWriter(FIRST_BYTES)

/** A payout of a batch: reads as one of its own does, and takes no room in the log. */
export class BatchPayout implements StoredEvent {
  readonly type: 'payout.paid' | 'payout.failed'
  readonly version: number
  readonly account: AccountNumber
  readonly packed = ''
  readonly #head: BatchHead
  readonly #decided: DecidedLine
  #payload: Payout | null = null

  constructor(head: BatchHead, decided: DecidedLine) {
    this.type = decided.failure === null ? 'payout.paid' : 'payout.failed'
    this.version = head.form.payoutVersion
    this.account = head.merchant
    this.#head = head
    this.#decided = decided
  }

  get text(): string {
    return this.#head.form.payoutText(this.payload)
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

  get payload(): Payout {
    this.#payload ??= this.#head.form.payout(this.#head, this.#decided)
    return this.#payload
  }
}

/** The report. In memory it stands behind the payouts of its lines. */
export class BatchCompleted implements StoredEvent {
  readonly type: 'batch.completed' | 'disbursement.paid'
  readonly version: number
  readonly account: AccountNumber
  payload: object | null = null
  readonly #head: BatchHead
  readonly #lines: readonly DecidedLine[]
  /** Made once: the daily budget of log bytes counts it, and the encoder writes it. */
  #packed: string | null = null

  constructor(head: BatchHead, lines: readonly DecidedLine[]) {
    this.type = head.disbursementId === null ? 'batch.completed' : 'disbursement.paid'
    this.version = head.form.batchVersion
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
    return this.#head.form.reportText(this.#head, this.#lines)
  }

  get lines(): readonly DecidedLine[] {
    return this.#lines
  }

  /** The note of each line, in its order: the report has none. */
  get notes(): readonly string[] {
    return this.#lines.map(({ line }) => line.note)
  }

  /** `{id, reference, schedule_id, currency, recent?, lines}` in every form; each packs its lines in its own way. */
  get packed(): string {
    this.#packed ??= this.#pack()
    return this.#packed
  }

  #pack(): string {
    const { id, reference, scheduleId, disbursementId, currency, form } = this.#head
    const { packLine } = form
    const disbursement = disbursementId === null ? '' : `,"disbursement_id":"${disbursementId}"`
    out.clear()
    out.text(`{"id":"${id}","reference":`)
    out.jsonText(reference)
    out.text(`,"schedule_id":${scheduleId === null ? 'null' : `"${scheduleId}"`},"currency":"${currency}"${disbursement}`)
    out.text(this.#packedRecent())
    out.text(LINES)
    for (let index = 0; index < this.#lines.length; index++) {
      if (index > 0) out.unit(COMMA)
      packLine(out, this.#lines[index] as DecidedLine)
    }
    out.text(']}')
    return out.takeText()
  }

  /** Indexes of the lines that were paid recently; absent without one. */
  #packedRecent(): string {
    const recent = this.#lines.flatMap(({ isRecent }, index) => (isRecent ? [index] : []))
    return recent.length === 0 ? '' : `,"recent":[${recent.join()}]`
  }
}

/** The lines of a turn of a disbursement, in their order. */
export function paidLinesOf(event: StoredEvent): readonly DecidedLine[] {
  const stored = storedForm(event)
  assert(stored instanceof BatchCompleted, 'the lines of a turn are read by its own events')
  return stored.lines
}

/** The disbursement that a turn belongs to; null for a batch. */
export function disbursementIdOf(event: StoredEvent): string | null {
  const stored = storedForm(event)
  assert(stored instanceof BatchCompleted, 'a turn is read by its own events')
  return stored.head.disbursementId
}

/** Without its text, which is long. */
export function batchIdOf(event: StoredEvent): string {
  const stored = storedForm(event)
  assert(stored instanceof BatchCompleted, 'a batch is read by its own events')
  return stored.id
}

/** Id, environment, time and schedule of a batch, without its text, which is long. */
export function batchHeadOf(event: StoredEvent): Pick<BatchHead, 'id' | 'environment' | 'created_at' | 'scheduleId'> {
  const stored = storedForm(event)
  assert(stored instanceof BatchCompleted, 'a batch is read by its own events')
  return stored.head
}

export function batchNotesOf(event: StoredEvent): readonly string[] {
  const stored = storedForm(event)
  assert(stored instanceof BatchCompleted, 'a batch is read by its own events')
  return stored.notes
}

/** How the log's text of a batch of this form is read. */
export function packedBatch(form: BatchForm, type: BatchCompleted['type'] = 'batch.completed'): PackedForm {
  return {
    types: ['payout.paid', 'payout.failed', type],
    count: (bytes) => payoutsIn(bytes) + 1,
    unpack: (text, context) => unpackBatch(form, text, context),
    unpackOne: (text, eventIndex, context) => unpackPayout(form, text, eventIndex, context),
  }
}

interface PackedBatch {
  readonly id: string
  readonly reference: string
  readonly schedule_id: string | null
  readonly currency: Currency
  readonly disbursement_id?: string
  readonly recent?: readonly number[]
  readonly lines: readonly PackedLine[]
}

type PackedLine = readonly unknown[]

/** The events of a batch out of what the log has of it, in the order in which they were decided. */
function unpackBatch(form: BatchForm, text: string, context: PackedContext): StoredEvent[] {
  const { lines, ...packedHead } = JSON.parse(text) as PackedBatch
  // Fees stand behind the payouts.
  const transactions = context.transactions.filter(({ type }) => type === 'payout')
  const head = headOf(form, packedHead, context)
  const recent = new Set(packedHead.recent)
  const decided: DecidedLine[] = []
  const events: StoredEvent[] = []
  let paid = 0
  for (const values of lines) {
    const isPaid = form.isPaid(values.length)
    const read = isPaid ? paidLine(form, values, transactions[paid++] ?? null) : form.failedLine(values as never)
    const line = recent.has(decided.length) ? { ...read, isRecent: true } : read
    decided.push(line)
    if (line.payoutId !== null) events.push(new BatchPayout(head, line))
  }
  assert(paid === transactions.length, 'each paid line of a batch has its transaction')
  events.push(new BatchCompleted(head, decided))
  return events
}

/** One payout out of what the log has of its batch; null where the text has no such event. */
function unpackPayout(form: BatchForm, bytes: Buffer, eventIndex: number, context: PackedOneContext): StoredEvent | null {
  const linesAt = bytes.indexOf(LINES, 0, 'latin1')
  const lineAt = payoutLineAt(bytes, linesAt + LINES.length, eventIndex)
  if (lineAt < 0) return null
  const values = JSON.parse(bytes.toString('utf8', lineAt, endOfArray(bytes, lineAt))) as PackedLine
  const head = headOf(form, JSON.parse(`${bytes.toString('utf8', 0, linesAt)}}`) as PackedHead, context)
  const isPaid = form.isPaid(values.length)
  const line = isPaid ? paidLine(form, values, context.transactionOf(eventIndex)) : form.failedLine(values as never)
  return new BatchPayout(head, line)
}

/** Returns where the line of the payout begins, -1 where there are fewer payouts. */
function payoutLineAt(bytes: Buffer, linesAt: number, eventIndex: number): number {
  let payouts = 0
  for (let at = linesAt; bytes[at] === OPEN; at = endOfArray(bytes, at) + 1) {
    // A malformed line has no id and no payout.
    if (bytes[at + 1] === QUOTE && payouts++ === eventIndex) return at
  }
  return -1
}

/** Number of lines that have a payout. */
function payoutsIn(bytes: Buffer): number {
  let payouts = 0
  for (let at = bytes.indexOf(LINES, 0, 'latin1') + LINES.length; bytes[at] === OPEN; at = endOfArray(bytes, at) + 1) {
    if (bytes[at + 1] === QUOTE) payouts++
  }
  return payouts
}

const OPEN = 0x5b
const QUOTE = 0x22
const COMMA = 0x2c

/** Where the lines of a packed batch begin. No text of a merchant's before it can hold this: its quotes would be escaped. */
const LINES = ',"lines":['

type PackedHead = Omit<PackedBatch, 'lines'>
type HeadContext = Pick<PackedContext, 'account' | 'environment' | 'timeMs'>

function headOf(form: BatchForm, packed: PackedHead, { account, environment, timeMs }: HeadContext): BatchHead {
  const { id, reference, schedule_id, currency, disbursement_id = null } = packed
  return {
    id,
    merchant: account,
    environment,
    currency,
    reference,
    scheduleId: schedule_id,
    disbursementId: disbursement_id,
    created_at: rfc3339(timeMs),
    form,
  }
}

function paidLine(form: BatchForm, values: PackedLine, transaction: Transaction | null): DecidedLine {
  assert(transaction !== null, 'a paid line of a batch has its transaction')
  return form.paidLine(values as never, transaction)
}
