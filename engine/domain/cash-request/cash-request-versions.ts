// A cash request as it stands: its creation in the log, and what became of it.
import { assert } from '../../kernel/assert.ts'
import type { Position } from '../../kernel/position.ts'
import { rfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Accepted, type Context, event, type Past } from '../decision.ts'
import { payloadOf, type StoredEvent } from '../record.ts'
import type { Fee } from '../rules/fees.ts'
import type { AllowedMovement, MovementRules } from '../rules/movement-rules.ts'
import type { State } from '../state.ts'
import { cashRequestIndexKey } from './cash-request-index-keys.ts'
import {
  CASH_REQUEST_ENDS,
  type CashRequest,
  type CashRequestChange,
  type CashRequestEnd,
  type CashRequestKind,
  type RequestedWithdrawal,
  type TopUp,
  type Withdrawal,
} from './cash-request-state.ts'

/** By kind: the record. */
export interface CashRequestOf {
  readonly top_up: TopUp
  readonly withdrawal: Withdrawal
}

export interface FoundCashRequest<Kind extends CashRequestKind = CashRequestKind> {
  readonly request: CashRequestOf[Kind]
  /** Account number of the merchant. */
  readonly account: AccountNumber
  /** Position of its creation. */
  readonly position: Position
  /** The fee that a withdrawal holds beside its amount; null without one. */
  readonly heldFee: Fee | null
}

/** Returns null when no request of the kind has the id. */
export function findCashRequest<Kind extends CashRequestKind>(
  state: State,
  past: Pick<Past, 'eventAt' | 'latest'>,
  kind: Kind,
  id: string,
): FoundCashRequest<Kind> | null {
  const open = state.cashRequests.open.get(id)
  if (open !== undefined) {
    if (open.kind !== kind) return null
    const { account, position } = open
    return { request: createdRequest(past, position) as CashRequestOf[Kind], account, position, heldFee: heldFeeOf(past, position) }
  }
  const ends: readonly string[] = CASH_REQUEST_ENDS[kind].map((end) => `${kind}.${end}`)
  const ended = past.latest(cashRequestIndexKey(id), (event) => ends.includes(event.type) && payloadOf<CashRequestChange>(event).id === id)
  if (ended === null) return null
  const position = payloadOf<CashRequestChange>(ended).created_position
  return { request: endedRequest(ended, past) as CashRequestOf[Kind], account: ended.account, position, heldFee: null }
}

/** Returns the request in the state of the event that ended it. */
export function endedRequest(ended: StoredEvent, past: Pick<Past, 'eventAt'>): CashRequest {
  const { created_position, ...changes } = payloadOf<CashRequestChange>(ended)
  // Keys keep the order of the creation.
  return { ...createdRequest(past, created_position), ...changes } as CashRequest
}

function createdRequest(past: Pick<Past, 'eventAt'>, position: Position): CashRequest {
  const created = past.eventAt(position)
  assert(created.type.endsWith('.requested'), 'a cash request knows where it was created')
  return requestOf(created)
}

/** The request as its creation left it. */
function requestOf(created: StoredEvent): CashRequest {
  const { fee_plan: _, ...request } = payloadOf<CashRequest & Pick<RequestedWithdrawal, 'fee_plan'>>(created)
  return request
}

function heldFeeOf(past: Pick<Past, 'eventAt'>, position: Position): Fee | null {
  const { fee_plan: plan, fee: amount } = payloadOf<Partial<RequestedWithdrawal>>(past.eventAt(position))
  if (plan === undefined || amount === undefined) return null
  return { on: 'withdrawal', plan, amount, borne_by: 'merchant', refundable: false }
}

const endedText = (ended: StoredEvent, past: Pick<Past, 'eventAt'>): string => JSON.stringify(endedRequest(ended, past))

/** Events whose text is not the request. */
export const CASH_REQUEST_DOCUMENTS = {
  'withdrawal.requested@1': (created: StoredEvent) => JSON.stringify(requestOf(created)),
  'top_up.confirmed@1': endedText,
  'top_up.refused@1': endedText,
  'top_up.cancelled@1': endedText,
  'withdrawal.paid@1': endedText,
  'withdrawal.refused@1': endedText,
  'withdrawal.cancelled@1': endedText,
} as const

/** What the end of a request changes in it. */
export interface CashRequestOutcome {
  readonly state: CashRequestEnd
  readonly confirmed_amount?: number
  readonly settlement_reference?: string
  readonly reason?: string
}

export interface EndOfRequest {
  readonly found: FoundCashRequest
  readonly kind: CashRequestKind
  readonly outcome: CashRequestOutcome
  /** Null where no money moves. */
  readonly moved: { readonly rules: MovementRules; readonly movement: AllowedMovement } | null
  /** Events beside the end itself, such as the audit. */
  readonly more: readonly StoredEvent[]
}

/** Returns `ok` and the request in its final state. */
export function endRequest(context: Context, { found, kind, outcome, moved, more }: EndOfRequest): Accepted {
  const { state, confirmed_amount, settlement_reference = null, reason = null } = outcome
  const transaction_id = moved === null ? null : context.newId()
  const { reference } = found.request
  const change: CashRequestChange = {
    id: found.request.id,
    state,
    ...(confirmed_amount === undefined ? {} : { confirmed_amount }),
    settlement_reference,
    reason,
    transaction_id,
    finished_at: rfc3339(context.timeMs),
    created_position: found.position,
  }
  return {
    environment: found.request.environment,
    events: [event(`${kind}.${state}`, 1, found.account, change), ...more],
    transactions:
      moved === null || transaction_id === null
        ? []
        : [moved.rules.transaction(moved.movement, { id: transaction_id, reference, eventIndex: 0 })],
    frames: [],
    kind: 'ok',
    body: 0,
  }
}

/** Returns `ok` and the request as it is, without any effect. */
export function unchangedRequest({ request }: FoundCashRequest): Accepted {
  const { environment } = request
  return { environment, events: [], transactions: [], frames: [], kind: 'ok', body: JSON.stringify(request) }
}

/** Fields that a new request leaves open. */
export function unfinished(
  timeMs: TimeMs,
): Pick<CashRequest, 'settlement_reference' | 'reason' | 'transaction_id' | 'created_at' | 'finished_at'> {
  return { settlement_reference: null, reason: null, transaction_id: null, created_at: rfc3339(timeMs), finished_at: null }
}
