// An example of `data` for each type of event. A test validates each against its schema.
import type { EVENT_TYPES } from '../../../engine/contract/webhook.ts'
import { BATCH_REPORT } from '../batches/batch-examples.ts'
import { BILLER } from '../billers/biller-examples.ts'
import { BILL_PAYMENT } from '../bills/bill-examples.ts'
import {
  AWAITING_DISBURSEMENT,
  CANCELLED_DISBURSEMENT,
  COMPLETED_DISBURSEMENT,
  PAUSED_DISBURSEMENT,
  REJECTED_DISBURSEMENT,
} from '../disbursements/disbursement-examples.ts'
import { CANCELLED_MANDATE, MANDATE, MANDATE_PAYMENT, PENDING_MANDATE } from '../mandates/mandate-examples.ts'
import { OPEN_PROBLEM } from '../problems/problem-examples.ts'
import { FAILED_RUN } from '../schedules/schedule-examples.ts'
import { PAID_PAYOUT } from '../shared-examples.ts'
import { ENDPOINT, SUCCEEDED_CHARGE } from './webhook-examples.ts'

const UNPAID_CHARGE = { ...SUCCEEDED_CHARGE, payer_tag: null, transaction_id: null, paid_at: null }

const { transaction_id: _, ...unpaidPayout } = PAID_PAYOUT
const { environment: _environment, paid_at: _paidAt, fulfillment: _fulfillment, ...paidBill } = BILL_PAYMENT
const { transaction_id: _transaction, ...uncollected } = MANDATE_PAYMENT

export const EVENT_DATA = {
  'charge.succeeded': SUCCEEDED_CHARGE,
  'bill.paid': paidBill,
  'charge.expired': { ...UNPAID_CHARGE, state: 'expired' },
  'charge.cancelled': { ...UNPAID_CHARGE, state: 'cancelled', cancelled_at: '2026-11-20T10:12:30.400Z' },
  'charge.refunded': {
    ...SUCCEEDED_CHARGE,
    state: 'refunded',
    refunded_at: '2026-11-21T08:15:00.000Z',
    refund_transaction_id: '019aa5be-5ca0-7b3c-8d4e-5f6071829304',
  },
  'payout.paid': PAID_PAYOUT,
  'payout.failed': { ...unpaidPayout, state: 'failed', failure_code: 'insufficient_balance' },
  'batch.completed': BATCH_REPORT,
  'schedule.run_failed': FAILED_RUN,
  'disbursement.awaiting_approval': AWAITING_DISBURSEMENT,
  'disbursement.paused': PAUSED_DISBURSEMENT,
  'disbursement.completed': COMPLETED_DISBURSEMENT,
  'disbursement.cancelled': CANCELLED_DISBURSEMENT,
  'disbursement.rejected': REJECTED_DISBURSEMENT,
  'biller.approved': BILLER,
  'biller.rejected': { ...BILLER, directory_state: 'rejected', live: false, reject_reason: 'Le logo est illisible.', published_at: null },
  'mandate.approved': MANDATE,
  'mandate.rejected': { ...PENDING_MANDATE, state: 'rejected' },
  'mandate.paused': {
    ...MANDATE,
    state: 'paused',
    next_charge_at: null,
    failed_attempts: 4,
    payment: { ...uncollected, state: 'failed', failure_code: 'insufficient_balance', created_at: '2026-12-23T10:02:31.000Z' },
  },
  'mandate.cancelled': CANCELLED_MANDATE,
  'mandate.charged': { ...MANDATE, payment: MANDATE_PAYMENT },
  'problem.opened': OPEN_PROBLEM,
  ping: { endpoint_id: ENDPOINT.id },
} as const satisfies Record<(typeof EVENT_TYPES)[number], object>
