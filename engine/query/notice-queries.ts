// Query for the texts of notices: what happened, read from the events that caused them.
import { billIndexKey } from '../domain/bill/bill-index-keys.ts'
import type { FulfillmentEnded, RecordedBillPayment } from '../domain/bill/bill-state.ts'
import type { BillerProfile } from '../domain/biller/biller-state.ts'
import type { CashRequestChange } from '../domain/cash-request/cash-request-state.ts'
import { endedRequest } from '../domain/cash-request/cash-request-versions.ts'
import type { DashboardSessionRow } from '../domain/dashboard/dashboard-state.ts'
import type { DisbursementChanged, DisbursementCreated } from '../domain/disbursement/disbursement-state.ts'
import type { MerchantLogoDecided } from '../domain/merchant/merchant-logo.ts'
import type { MerchantActivation, MerchantNameRefused } from '../domain/merchant/merchant-state.ts'
import { payloadOf, type StoredEvent } from '../domain/record.ts'
import type { ScheduleRan, ScheduleRunEnded } from '../domain/schedule/schedule-state.ts'
import type { DeliveryAttempt } from '../domain/webhook/webhook-events.ts'
import { type Position, sequenceOf } from '../kernel/position.ts'
import { rfc3339 } from '../kernel/time.ts'
import type { Reads } from './reads.ts'

/** An event without its words. */
export interface NoticeCause {
  /** Type of the event; of a disbursement the state that it led to. */
  readonly type: string
  readonly at: string
  /** Part of the address of its page behind the kind; empty where the kind has one page. */
  readonly id: string
  readonly amount: number | null
  /** ISO 4217. */
  readonly currency: string
  /** Why, in the words of an operator or of the merchant's own system; empty where there is none. */
  readonly reason: string
  /** Of a run: lines that were not paid, and all. */
  readonly failedCount: number
  readonly totalCount: number
  /** User agent of a new device; empty elsewhere. */
  readonly device: string
}

export interface PositionsInput {
  readonly positions: readonly Position[]
}

/** Returns what the events at the positions were, in their order. */
export function noticeCauses(reads: Reads, { positions }: PositionsInput): NoticeCause[] {
  return positions.map((position) => {
    const event = reads.history.eventAt(position)
    const at = rfc3339(reads.history.record(sequenceOf(position)).timeMs)
    return { type: event.type, at, ...NOTHING, currency: reads.state.accounts.currency(event.account), ...detailsOf(reads, event) }
  })
}

const NOTHING = { id: '', amount: null, reason: '', failedCount: 0, totalCount: 0, device: '' } as const

function detailsOf(reads: Reads, event: StoredEvent): Partial<NoticeCause> {
  switch (event.type) {
    case 'merchant.activation_refused':
      return { reason: payloadOf<{ readonly activation: MerchantActivation }>(event).activation.reason ?? '' }
    case 'merchant.name_refused':
      return { reason: payloadOf<MerchantNameRefused>(event).name_change.reason ?? '' }
    case 'merchant.logo_refused':
      return { reason: payloadOf<MerchantLogoDecided>(event).logo_change?.reason ?? '' }
    case 'top_up.confirmed':
    case 'top_up.refused':
    case 'withdrawal.paid':
    case 'withdrawal.refused':
      return cashDetails(reads, event)
    case 'schedule.ran':
    case 'schedule.run_ended': {
      const { schedule_id: id, run } = payloadOf<ScheduleRan | ScheduleRunEnded>(event)
      return { type: 'schedule.ran', id, failedCount: run.failed_count, totalCount: run.failed_count + run.paid_count }
    }
    case 'disbursement.created':
    case 'disbursement.changed':
      return disbursementDetails(reads, event)
    case 'bill.fulfilled':
      return billDetails(reads, event)
    case 'delivery.attempted':
      return { id: payloadOf<DeliveryAttempt>(event).event_id }
    case 'biller.rejected':
      return { reason: payloadOf<BillerProfile>(event).reject_reason ?? '' }
    case 'biller.suspended':
      return { reason: payloadOf<BillerProfile>(event).suspend_reason ?? '' }
    case 'dashboard_session.opened':
      return { device: payloadOf<DashboardSessionRow>(event).user_agent }
    default:
      return {}
  }
}

/** The type is the state that the event led to. */
function disbursementDetails({ history }: Reads, event: StoredEvent): Partial<NoticeCause> {
  const { created_position, progress } = payloadOf<DisbursementChanged>(event)
  const created = event.type === 'disbursement.created' ? event : history.eventAt(created_position)
  const { plan } = payloadOf<DisbursementCreated>(created)
  const { state, failed_count: failedCount, approval } = progress.status
  const about = { id: plan.id, amount: plan.valid_amount, failedCount, totalCount: plan.valid_count }
  return { type: `disbursement.${state}`, ...about, reason: approval?.reason ?? '' }
}

function cashDetails({ history }: Reads, event: StoredEvent): Partial<NoticeCause> {
  const request = endedRequest(event, history)
  const { confirmed_amount } = payloadOf<CashRequestChange>(event)
  return { id: request.id, amount: confirmed_amount ?? request.amount, reason: request.reason ?? '' }
}

function billDetails({ history }: Reads, event: StoredEvent): Partial<NoticeCause> {
  const { charge_id, fulfillment } = payloadOf<FulfillmentEnded>(event)
  const isPaid = (found: StoredEvent): boolean =>
    found.type === 'bill.paid' && payloadOf<RecordedBillPayment>(found).charge_id === charge_id
  const paid = history.latest(billIndexKey(charge_id), isPaid)
  if (paid === null) return { reason: fulfillment.error ?? '' }
  const { transaction_id: id, amount } = payloadOf<RecordedBillPayment>(paid)
  return { id, amount, reason: fulfillment.error ?? '' }
}
