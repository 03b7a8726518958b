// Under which terms each record is filed in the index. Changes nothing, and asks nothing but the record.
import type { AccountNumber } from '../ledger/transaction.ts'
import type { BillPayment, BillRefunded, FulfillmentEnded, Quote } from './bill/bill-state.ts'
import { BILLER_DECISIONS, type Biller, type ProductVersion } from './biller/biller-state.ts'
import { CHARGE_MOVES, type Charge, type ChargeChange } from './charge/charge-state.ts'
import type { CodeRun } from './code-run/code-run-state.ts'
import { MANDATE_MOVES, type MandateChange, type MandateVersion } from './mandate/mandate-state.ts'
import { BatchPayout, batchIdOf } from './payout/batch-events.ts'
import type { Payout } from './payout/payout-state.ts'
import { type LogRecord, payloadOf, type StoredEvent } from './record.ts'
import { SCHEDULE_CHANGES, type ScheduleChange } from './schedule/schedule-state.ts'
import type { Frame } from './stream/stream-state.ts'
import { codeRunsBlock, KIND } from './terms.ts'
import type { DeliveryAttempt, MerchantEvent, ReopenedDelivery } from './webhook/webhook-events.ts'

/** Receives each term of a record and the index of the event that it leads to. */
export interface Filing {
  file(kind: number, owner: number, value: string, eventIndex: number): void
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
  fileFrames(frames, filing)
  for (let index = 0; index < events.length; index++) {
    const event = events[index] as StoredEvent
    EVENT_TERMS.get(event.type)?.(event, index, filing)
  }
}

/** Frames of one account that follow each other are filed by the first of them: a payment has two for who receives it. */
function fileFrames(frames: readonly Frame[], filing: Filing): void {
  let before = -1
  for (let index = 0; index < frames.length; index++) {
    const { account } = frames[index] as Frame
    if (account !== before) filing.file(KIND.frames, account, '', index)
    before = account
  }
}

const EVENT_TERMS: ReadonlyMap<string, (event: StoredEvent, index: number, filing: Filing) => void> = new Map([
  ['payout.paid', filePayout],
  ['payout.failed', filePayout],
  ['batch.completed', fileBatch],
  ['schedule.created', ({ account }: StoredEvent, index: number, filing: Filing) => filing.file(KIND.schedules, account, '', index)],
  ...SCHEDULE_CHANGES.map((change): [string, typeof fileScheduleChange] => [change, fileScheduleChange]),
  ['mandate.created', fileMandate],
  ...MANDATE_MOVES.map((move): [string, typeof fileMandateVersion] => [`mandate.${move}`, fileMandateVersion]),
  ['charge.created', fileCharge],
  ...CHARGE_MOVES.map((move): [string, typeof fileChargeMove] => [`charge.${move}`, fileChargeMove]),
  ['quote.created', (event: StoredEvent, index: number, filing: Filing) => filing.file(KIND.quote, 0, payloadOf<Quote>(event).id, index)],
  ['bill.paid', fileBill],
  ['bill.fulfilled', fileBillOutcome],
  ['bill.refunded', fileBillOutcome],
  ...BILLER_DECISIONS.map((type): [string, typeof fileBillerDecision] => [type, fileBillerDecision]),
  ['product.saved', fileProductVersion],
  ['code_run.recorded', fileCodeRun],
  ['merchant_event.recorded', fileMerchantEvent],
  ['delivery.attempted', fileAttempt],
  ['delivery.reopened', fileReopened],
  ['operator.acted', (_event: StoredEvent, index: number, filing: Filing) => filing.file(KIND.audit, 0, '', index)],
])

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

function fileMandate(event: StoredEvent, index: number, filing: Filing): void {
  const { mandate, customer } = payloadOf<MandateVersion>(event)
  const merchant = event.account
  fileMandateVersion(event, index, filing)
  filing.file(KIND.mandateByToken, 0, mandate.token, index)
  filing.file(KIND.mandates, merchant, '', index)
  filing.file(KIND.mandatesByCustomer, merchant, mandate.customer_tag, index)
  if (mandate.reference !== '') filing.file(KIND.mandatesByReference, merchant, mandate.reference, index)
  filing.file(KIND.mandatesOfWallet, customer, '', index)
}

function fileMandateVersion(event: StoredEvent, index: number, filing: Filing): void {
  const { mandate, payment } = payloadOf<MandateVersion | MandateChange>(event)
  filing.file(KIND.mandate, 0, mandate.id, index)
  if (payment !== null) filing.file(KIND.mandatePayments, event.account, mandate.id, index)
}

function fileBatch(event: StoredEvent, index: number, filing: Filing): void {
  filing.file(KIND.batch, 0, batchIdOf(event), index)
  filing.file(KIND.batches, event.account, '', index)
}

function filePayout(event: StoredEvent, index: number, filing: Filing): void {
  const payout = event instanceof BatchPayout ? event : payloadOf<Payout>(event)
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
  const { token, state } = payloadOf<Charge | ChargeChange>(event)
  filing.file(KIND.charge, 0, token, index)
  filing.file(KIND.chargesByState, event.account, state, index)
}

function fileBillerDecision(event: StoredEvent, index: number, filing: Filing): void {
  filing.file(KIND.billerDecisions, 0, payloadOf<Biller>(event).slug, index)
}

function fileProductVersion(event: StoredEvent, index: number, filing: Filing): void {
  const { biller, slug } = payloadOf<ProductVersion>(event)
  filing.file(KIND.productVersions, 0, `${biller}/${slug}`, index)
}

function fileBill(event: StoredEvent, index: number, filing: Filing): void {
  const { charge_id, product, biller_ref, quote_id } = payloadOf<BillPayment>(event)
  const merchant = event.account
  filing.file(KIND.bill, 0, charge_id, index)
  if (quote_id !== null) filing.file(KIND.quote, 0, quote_id, index)
  filing.file(KIND.bills, merchant, '', index)
  filing.file(KIND.billsByProduct, merchant, product, index)
  if (biller_ref !== '') filing.file(KIND.billsByReference, merchant, biller_ref, index)
}

function fileBillOutcome(event: StoredEvent, index: number, filing: Filing): void {
  filing.file(KIND.bill, 0, payloadOf<FulfillmentEnded | BillRefunded>(event).charge_id, index)
}

function fileCodeRun(event: StoredEvent, index: number, filing: Filing): void {
  const { product, number } = payloadOf<CodeRun>(event)
  filing.file(KIND.codeRuns, event.account, codeRunsBlock(product, number), index)
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
