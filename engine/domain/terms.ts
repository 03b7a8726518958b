// Under which terms each record is filed in the index. A list is the intersection of its terms; whoever looks one
// up checks the record, because terms are stored as hashes.
import type { Term } from '../kernel/term.ts'
import type { AccountNumber } from '../ledger/transaction.ts'
import { CHARGE_MOVES, type Charge, type ChargeMove } from './charge/state.ts'
import { batchIdOf } from './payout/batch-events.ts'
import type { Payout } from './payout/state.ts'
import { type LogRecord, payloadOf, type StoredEvent } from './record.ts'
import { SCHEDULE_CHANGES, type ScheduleChange } from './schedule/state.ts'
import type { Frame } from './stream/state.ts'
import type { DeliveryAttempt, MerchantEvent, ReopenedDelivery } from './webhook/events.ts'

/** Numbers are in the archive: add, never reuse. A changed meaning needs the archive rebuilt. */
const KIND = {
  idempotency: 1,
  audit: 2,
  transaction: 10,
  transactions: 11,
  transactionsByType: 12,
  transactionsByReference: 13,
  frames: 14,
  payout: 20,
  payouts: 21,
  payoutsByState: 22,
  payoutsByRecipient: 23,
  payoutsByReference: 24,
  batch: 25,
  payoutsBySchedule: 26,
  charge: 30,
  chargeById: 31,
  charges: 32,
  chargesByState: 33,
  chargesByReference: 34,
  chargesByCustomer: 35,
  merchantEvent: 60,
  merchantEvents: 61,
  merchantEventsByType: 62,
  delivery: 63,
  deliveryAttempts: 64,
  undelivered: 65,
  schedule: 40,
  schedules: 41,
  scheduleRuns: 42,
} as const

const PAYOUT_FILTERS = {
  state: KIND.payoutsByState,
  recipient: KIND.payoutsByRecipient,
  reference: KIND.payoutsByReference,
  schedule_id: KIND.payoutsBySchedule,
} as const

export type PayoutFilter = keyof typeof PAYOUT_FILTERS

/** Receives each term of a record and the index of the event that it leads to. */
export interface Filing {
  file(kind: number, owner: number, value: string, eventIndex: number): void
}

export const AUDIT_TERM: Term = { kind: KIND.audit, owner: 0, value: '' }

/** `owner` 0: the scope is part of the value. */
export function idempotencyTerm(scope: string, key: string): Term {
  return { kind: KIND.idempotency, owner: 0, value: `${scope}:${key}` }
}

export function payoutTerm(id: string): Term {
  return { kind: KIND.payout, owner: 0, value: id }
}

/** The report of a batch. The payouts of its lines stand in the same record, so they need no term for it. */
export function batchTerm(id: string): Term {
  return { kind: KIND.batch, owner: 0, value: id }
}

/** All payouts of a merchant's account, or those with the filter's value. */
export function payoutsTerm(merchant: AccountNumber, filter?: PayoutFilter, value = ''): Term {
  return { kind: filter === undefined ? KIND.payouts : PAYOUT_FILTERS[filter], owner: merchant, value }
}

/** What became of a schedule since its creation. */
export function scheduleTerm(id: string): Term {
  return { kind: KIND.schedule, owner: 0, value: id }
}

/** The creation of each schedule of a merchant's account. */
export function schedulesTerm(merchant: AccountNumber): Term {
  return { kind: KIND.schedules, owner: merchant, value: '' }
}

export function scheduleRunsTerm(merchant: AccountNumber, id: string): Term {
  return { kind: KIND.scheduleRuns, owner: merchant, value: id }
}

/** Every version of the charge that goes by this token. */
export function chargeTerm(token: string): Term {
  return { kind: KIND.charge, owner: 0, value: token }
}

/** The first version of the charge with this id: it says the token. */
export function chargeByIdTerm(id: string): Term {
  return { kind: KIND.chargeById, owner: 0, value: id }
}

const CHARGE_FILTERS = { reference: KIND.chargesByReference, customer_tag: KIND.chargesByCustomer } as const

export type ChargeFilter = keyof typeof CHARGE_FILTERS

/** The first versions of all charges of a merchant's account, or of those with the filter's value, which never changes. */
export function chargesTerm(merchant: AccountNumber, filter?: ChargeFilter, value = ''): Term {
  return { kind: filter === undefined ? KIND.charges : CHARGE_FILTERS[filter], owner: merchant, value }
}

/** The versions by which charges of a merchant's account came into this state; some have left it since. */
export function chargesInStateTerm(merchant: AccountNumber, state: ChargeMove): Term {
  return { kind: KIND.chargesByState, owner: merchant, value: state }
}

/** The merchant's event with this id. */
export function merchantEventTerm(id: string): Term {
  return { kind: KIND.merchantEvent, owner: 0, value: id }
}

/** What the merchant of the account was told of, all of it or one type. */
export function merchantEventsTerm(merchant: AccountNumber, type?: string): Term {
  return { kind: type === undefined ? KIND.merchantEvents : KIND.merchantEventsByType, owner: merchant, value: type ?? '' }
}

/** What became of the delivery of an event to an endpoint; null stands for a charge's own address. */
export function deliveryTerm(eventId: string, endpointId: string | null): Term {
  return { kind: KIND.delivery, owner: 0, value: `${eventId}:${endpointId ?? ''}` }
}

/** The delivery log of an endpoint. */
export function deliveryAttemptsTerm(merchant: AccountNumber, endpointId: string): Term {
  return { kind: KIND.deliveryAttempts, owner: merchant, value: endpointId }
}

/** Attempts that failed, and events with a delivery that was never begun: some of them were delivered since. */
export function undeliveredTerm(merchant: AccountNumber): Term {
  return { kind: KIND.undelivered, owner: merchant, value: '' }
}

export function transactionTerm(id: string): Term {
  return { kind: KIND.transaction, owner: 0, value: id }
}

/** All transactions of an account, or those of the type or with the reference. */
export function transactionsTerm(account: AccountNumber, filter?: 'type' | 'reference', value = ''): Term {
  if (filter === undefined) return { kind: KIND.transactions, owner: account, value: '' }
  return { kind: filter === 'type' ? KIND.transactionsByType : KIND.transactionsByReference, owner: account, value }
}

const EVENT_TERMS: ReadonlyMap<string, (event: StoredEvent, index: number, filing: Filing) => void> = new Map([
  ['payout.paid', filePayout],
  ['payout.failed', filePayout],
  ['batch.completed', (event: StoredEvent, index: number, filing: Filing) => filing.file(KIND.batch, 0, batchIdOf(event), index)],
  ['schedule.created', ({ account }: StoredEvent, index: number, filing: Filing) => filing.file(KIND.schedules, account, '', index)],
  ...SCHEDULE_CHANGES.map((change): [string, typeof fileScheduleChange] => [change, fileScheduleChange]),
  ['charge.created', fileCharge],
  ...CHARGE_MOVES.map((move): [string, typeof fileChargeMove] => [`charge.${move}`, fileChargeMove]),
  ['merchant_event.recorded', fileMerchantEvent],
  ['delivery.attempted', fileAttempt],
  ['delivery.reopened', fileReopened],
  ['operator.acted', (_event: StoredEvent, index: number, filing: Filing) => filing.file(KIND.audit, 0, '', index)],
])

/** The stream frames of a wallet; the index of a hit counts within the record's frames. */
export function framesTerm(wallet: AccountNumber): Term {
  return { kind: KIND.frames, owner: wallet, value: '' }
}

/** Files everything of the record, the order of calls being part of nothing. */
export function fileRecord(record: LogRecord, filing: Filing): void {
  const { idempotency, events, frames, transactions } = record
  if (idempotency !== null) filing.file(KIND.idempotency, 0, `${idempotency.scope}:${idempotency.key}`, 0)
  for (const { id, eventIndex, reference, type, postings } of transactions) {
    filing.file(KIND.transaction, 0, id, eventIndex)
    for (const { debit, credit } of postings) {
      fileTransaction(debit, type, reference, eventIndex, filing)
      fileTransaction(credit, type, reference, eventIndex, filing)
    }
  }
  for (let index = 0; index < frames.length; index++) filing.file(KIND.frames, (frames[index] as Frame).account, '', index)
  for (let index = 0; index < events.length; index++) {
    const event = events[index] as StoredEvent
    EVENT_TERMS.get(event.type)?.(event, index, filing)
  }
}

/** A transaction with several postings of one account files it once too often; readers drop doubles. */
function fileTransaction(account: AccountNumber, type: string, reference: string, index: number, filing: Filing): void {
  filing.file(KIND.transactions, account, '', index)
  filing.file(KIND.transactionsByType, account, type, index)
  if (reference !== '') filing.file(KIND.transactionsByReference, account, reference, index)
}

function fileScheduleChange(event: StoredEvent, index: number, filing: Filing): void {
  const { schedule_id } = payloadOf<ScheduleChange>(event)
  filing.file(KIND.schedule, 0, schedule_id, index)
  if (event.type === 'schedule.ran') filing.file(KIND.scheduleRuns, event.account, schedule_id, index)
}

function filePayout(event: StoredEvent, index: number, filing: Filing): void {
  const payout = payloadOf<Payout>(event)
  const merchant = event.account
  filing.file(KIND.payout, 0, payout.id, index)
  filing.file(KIND.payouts, merchant, '', index)
  filing.file(KIND.payoutsByState, merchant, payout.state, index)
  filing.file(KIND.payoutsByRecipient, merchant, payout.recipient, index)
  if (payout.reference !== '') filing.file(KIND.payoutsByReference, merchant, payout.reference, index)
  if (payout.schedule_id !== null) filing.file(KIND.payoutsBySchedule, merchant, payout.schedule_id, index)
}

function fileCharge(event: StoredEvent, index: number, filing: Filing): void {
  const { token, id, reference, customer_tag } = payloadOf<Charge>(event)
  const merchant = event.account
  filing.file(KIND.charge, 0, token, index)
  filing.file(KIND.chargeById, 0, id, index)
  filing.file(KIND.charges, merchant, '', index)
  if (reference !== '') filing.file(KIND.chargesByReference, merchant, reference, index)
  if (customer_tag !== '') filing.file(KIND.chargesByCustomer, merchant, customer_tag, index)
}

function fileChargeMove(event: StoredEvent, index: number, filing: Filing): void {
  const { token, state } = payloadOf<Charge>(event)
  filing.file(KIND.charge, 0, token, index)
  filing.file(KIND.chargesByState, event.account, state, index)
}

function fileMerchantEvent(event: StoredEvent, index: number, filing: Filing): void {
  const { id, type, deliveries } = payloadOf<MerchantEvent>(event)
  filing.file(KIND.merchantEvent, 0, id, index)
  filing.file(KIND.merchantEvents, event.account, '', index)
  filing.file(KIND.merchantEventsByType, event.account, type, index)
  if (deliveries.some(({ dropped }) => dropped === true)) filing.file(KIND.undelivered, event.account, '', index)
}

function fileAttempt(event: StoredEvent, index: number, filing: Filing): void {
  const { event_id, endpoint_id, state } = payloadOf<DeliveryAttempt>(event)
  filing.file(KIND.delivery, 0, `${event_id}:${endpoint_id ?? ''}`, index)
  if (endpoint_id !== null) filing.file(KIND.deliveryAttempts, event.account, endpoint_id, index)
  if (state !== 'succeeded') filing.file(KIND.undelivered, event.account, '', index)
}

function fileReopened(event: StoredEvent, index: number, filing: Filing): void {
  const { event_id, delivery } = payloadOf<ReopenedDelivery>(event)
  filing.file(KIND.delivery, 0, `${event_id}:${delivery.endpoint_id ?? ''}`, index)
}
