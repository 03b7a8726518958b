// The text of a frame of a wallet's stream. It is derived from the frame's record each time, so that a replay has the
// same text.
import type { BillRefunded, RecordedBillPayment } from '../domain/bill/bill-state.ts'
import { billPaidData } from '../domain/bill/bill-versions.ts'
import { chargeOf } from '../domain/charge/charge-versions.ts'
import type { Past } from '../domain/decision.ts'
import { seenByCustomer } from '../domain/mandate/mandate-decide.ts'
import type { MandateVersion } from '../domain/mandate/mandate-state.ts'
import type { ProblemAnswered, ProblemOpened } from '../domain/problem/problem-state.ts'
import { shownProblem } from '../domain/problem/problem-versions.ts'
import { type LogRecord, payloadOf, type StoredEvent } from '../domain/record.ts'
import type { LimitNear } from '../domain/rules/near-limits.ts'
import type { State } from '../domain/state.ts'
import type { Frame, FrameType } from '../domain/stream/stream-state.ts'
import { assert } from '../kernel/assert.ts'
import { jsonString } from '../kernel/json.ts'
import { rfc3339, type TimeMs } from '../kernel/time.ts'
import type { AccountNumber, AppliedPosting, Transaction } from '../ledger/transaction.ts'
import { checkoutOf } from './checkout-record.ts'

/** Sources of a frame beside its record: the state, and the log when a record holds the change of a document. */
export interface FrameSource {
  readonly state: State
  readonly history: Pick<Past, 'eventAt'>
}

interface Source extends FrameSource {
  readonly record: LogRecord
  readonly frame: Frame
}

/** Returns the text of the frame as it is sent. */
export function frameText({ state, history }: FrameSource, record: LogRecord, frame: Frame): string {
  const { id, type } = frame
  return serverSentEvent(type, id, record.timeMs, FRAME_DATA[type]({ state, history, record, frame }))
}

/** A server-sent event (HTML, section 9.2). JSON text has no line break that would end the data. */
export function serverSentEvent(type: string, id: number, timeMs: TimeMs, data: string): string {
  return `id: ${id}\nevent: ${type}\ndata: {"id":${id},"type":"${type}","created_at":"${rfc3339(timeMs)}","data":${data}}\n\n`
}

/**
 * Returns JSON text. Payments are concatenated: a payout to a connected wallet costs 2 µs, and 7 µs by
 * JSON.stringify.
 */
const FRAME_DATA: Readonly<Record<FrameType, (source: Source) => string>> = {
  'payment.received': payment,
  'payment.sent': payment,
  'balance.updated': newBalance,
  'charge.updated': (source) => JSON.stringify(charge(source)),
  // The same data as the webhook event of that name.
  'bill.paid': (source) => JSON.stringify(billPaidData(payloadOf<RecordedBillPayment>(eventOf(source)))),
  'bill.refunded': (source) => JSON.stringify(billRefund(payloadOf<BillRefunded>(eventOf(source)))),
  'problem.answered': (source) => JSON.stringify(problem(source)),
  'limit.near': (source) => JSON.stringify(payloadOf<LimitNear>(eventOf(source))),
  'mandate.requested': (source) => JSON.stringify(mandate(source)),
  'device.added': (source) => JSON.stringify(device(source)),
  'session.revoked': (source) => JSON.stringify({ ...device(source), reason: reasonOf(source) }),
}

function payment(source: Source): string {
  const { frame } = source
  const { transaction, posting } = movement(source)
  const comesIn = posting.credit === frame.account
  const counterparty = nameOf(source, comesIn ? posting.debit : posting.credit)
  return (
    `{"transaction_id":"${transaction.id}","amount":${posting.amount},"currency":"${transaction.currency}",` +
    `"counterparty":${counterparty === null ? 'null' : jsonString(counterparty)},"reference":${jsonString(transaction.reference)},` +
    `"note":${jsonString(noteOf(eventOf(source)))},"balance_after":${balanceOf(posting, frame.account)}}`
  )
}

function newBalance(source: Source): string {
  const { transaction, posting } = movement(source)
  const balance = balanceOf(posting, source.frame.account)
  // Wallets have no holds yet, so the whole balance can be spent.
  return `{"available":${balance},"balance":${balance},"currency":"${transaction.currency}","transaction_id":"${transaction.id}"}`
}

/** Returns the data of the checkout page, with the handle for the payment. */
function charge(source: Source): object {
  const event = eventOf(source)
  const version = chargeOf(event, source.history)
  return { token: version.token, ...checkoutOf(nameOf(source, event.account) ?? '', version) }
}

/** Why it was refunded is the merchant's. */
function billRefund({ biller, product, amount, currency, charge_id, transaction_id, refund }: BillRefunded): object {
  const { refunded_at, refund_transaction_id } = refund
  return { biller, product, amount, currency, charge_id, transaction_id, refunded_at, refund_transaction_id }
}

/** Returns the mandate for its customer, without the merchant's own handles. */
function mandate(source: Source): object {
  const event = eventOf(source)
  const seen = seenByCustomer(source.state, { mandate: payloadOf<MandateVersion>(event).mandate, account: event.account })
  return { ...seen, merchant_name: nameOf(source, event.account) ?? '' }
}

/** Returns the problem as it was answered: a refund since has frames of its own. */
function problem(source: Source): object {
  const event = eventOf(source)
  const answered = payloadOf<ProblemAnswered>(event)
  const opened = payloadOf<ProblemOpened>(source.history.eventAt(answered.opened_position))
  return shownProblem(source.state, opened, event.account, { state: 'answered', answered })
}

/** Returns the device for its owner: the fields of the list of devices only. */
function device(source: Source): object {
  const { id, name, platform } = payloadOf<{ readonly id: string; readonly name: string; readonly platform: string }>(eventOf(source))
  return { id, name, platform }
}

/** Returns the reason. The event of a removed device has none. */
function reasonOf(source: Source): string {
  return payloadOf<{ readonly reason?: string }>(eventOf(source)).reason ?? 'removed'
}

function eventOf({ record, frame }: Source): StoredEvent {
  const event = record.events[frame.eventIndex]
  assert(event !== undefined, 'a frame is about an event of its record')
  return event
}

/** Returns the posting of the frame's event in which its account has a side. */
function movement({ record, frame }: Source): { readonly transaction: Transaction; readonly posting: AppliedPosting } {
  for (const transaction of record.transactions) {
    if (transaction.eventIndex !== frame.eventIndex) continue
    const posting = transaction.postings.find(({ debit, credit }) => debit === frame.account || credit === frame.account)
    if (posting !== undefined) return { transaction, posting }
  }
  assert(false, 'a frame about a payment stands beside its transaction')
}

function balanceOf({ credit, creditBalance, debitBalance }: AppliedPosting, account: AccountNumber): number {
  return credit === account ? creditBalance : debitBalance
}

/** Returns the tag of a wallet, the name that a merchant had then, null for settlement accounts. */
function nameOf({ state, record }: Pick<Source, 'state' | 'record'>, account: AccountNumber): string | null {
  return state.wallets.byAccount(account)?.tag ?? state.merchants.nameAt(account, record.sequence)
}

const WITH_NOTE: ReadonlySet<string> = new Set(['payout.paid', 'transfer.made'])

function noteOf(event: StoredEvent): string {
  return WITH_NOTE.has(event.type) ? payloadOf<{ readonly note: string }>(event).note : ''
}
