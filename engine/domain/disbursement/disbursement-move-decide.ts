// What persons do with a disbursement: start, approve, reject, pause, resume, cancel. Each is one turn, and the first one wins.
import type { Caller } from '../../contract/created-by.ts'
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Accepted, Context, Decision } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import type { State } from '../state.ts'
import { disbursementEntered, released, running, started } from './disbursement-moves.ts'
import {
  type DisbursementAct,
  type DisbursementProgress,
  type DisbursementRow,
  type DisbursementState,
  disbursementOf,
  personOf,
} from './disbursement-state.ts'
import { disbursementChanged, findDisbursement, progressOf } from './disbursement-versions.ts'

export const DISBURSEMENT_VERBS = ['start', 'approve', 'reject', 'pause', 'resume', 'cancel'] as const

export type DisbursementVerb = (typeof DISBURSEMENT_VERBS)[number]

interface Move {
  readonly merchant: AccountNumber
  readonly id: string
  readonly by: Caller
}

/** Plans money: a start, and the decision of a second person. */
export interface ReleaseDisbursement extends Move {
  readonly type: 'ReleaseDisbursement'
  readonly verb: 'start' | 'approve' | 'reject'
  /** Of a rejection, which needs one. */
  readonly reason?: string
}

/** Leaves money where it is. */
export interface MoveDisbursement extends Move {
  readonly type: 'MoveDisbursement'
  readonly verb: 'pause' | 'resume' | 'cancel'
}

export const MOVE_DISBURSEMENT_REJECTIONS = ['not_found', 'invalid_disbursement_state', ...MERCHANT_STOPS] as const

export const RELEASE_DISBURSEMENT_REJECTIONS = [
  ...MOVE_DISBURSEMENT_REJECTIONS,
  'second_person_required',
  'unauthorized',
  'no_valid_lines',
  'invalid_request',
] as const

type Rejection = (typeof RELEASE_DISBURSEMENT_REJECTIONS)[number]

/** From which states each verb leads on. */
const FROM = {
  start: ['ready'],
  approve: ['awaiting_approval'],
  reject: ['awaiting_approval'],
  pause: ['running'],
  resume: ['paused'],
  cancel: ['ready', 'awaiting_approval', 'scheduled', 'running', 'paused'],
} as const satisfies Record<DisbursementVerb, readonly DisbursementState[]>

/** Verbs after which lines may be paid. */
const PAYS: ReadonlySet<DisbursementVerb> = new Set(['start', 'approve', 'resume'])

/**
 * Returns `ok` and the record. Rejections, in this precedence: not_found, invalid_disbursement_state, unauthorized and
 * second_person_required (approve, reject), no_valid_lines (start), invalid_request (reject without a reason), MERCHANT_STOPS (start,
 * approve).
 */
export function decideReleaseDisbursement(state: State, command: ReleaseDisbursement, context: Context): Decision<Rejection> {
  const row = ownDisbursement(state, command, context)
  if (row === null) return { refusal: 'not_found' }
  const { verb, by } = command
  if (!leadsOn(row, verb)) return { refusal: 'invalid_disbursement_state' }
  const refusal = verb === 'start' ? null : secondPersonRefusal(state, row, by)
  if (refusal !== null) return { refusal }
  if (verb === 'start' && row.plan.valid_count === 0) return { refusal: 'no_valid_lines' }
  if (verb === 'reject' && command.reason === undefined) return { refusal: 'invalid_request', param: 'reason', reason: 'rejection_reason' }
  const stop = PAYS.has(verb) ? state.merchants.stopOf(row.account) : null
  if (stop !== null) return { refusal: stop }
  return answered(state, context, row, moved(state, row, command, context), actOf(command))
}

/**
 * Returns `ok` and the record, of a cancelled one that is cancelled again too. Rejections, in this precedence: not_found,
 * invalid_disbursement_state, MERCHANT_STOPS (resume).
 */
export function decideMoveDisbursement(
  state: State,
  command: MoveDisbursement,
  context: Context,
): Decision<(typeof MOVE_DISBURSEMENT_REJECTIONS)[number]> {
  const row = ownDisbursement(state, command, context)
  if (row === null) return { refusal: 'not_found' }
  const { merchant, verb } = command
  if (verb === 'cancel' && row.status.state === 'cancelled') return answered(state, context, row, row)
  if (!leadsOn(row, verb)) return { refusal: 'invalid_disbursement_state' }
  const stop = PAYS.has(verb) ? state.merchants.stopOf(merchant) : null
  if (stop !== null) return { refusal: stop }
  return answered(state, context, row, moved(state, row, command, context), actOf(command))
}

function ownDisbursement(state: State, { merchant, id }: Move, { past }: Context): DisbursementRow | null {
  const row = findDisbursement(state, past, id)
  return row?.account === merchant ? row : null
}

function leadsOn({ status }: DisbursementRow, verb: DisbursementVerb): boolean {
  return (FROM[verb] as readonly DisbursementState[]).includes(status.state)
}

/** The approver may have been removed after its request was authenticated. */
function secondPersonRefusal(
  { merchants, dashboard }: State,
  { account, person }: DisbursementRow,
  by: Caller,
): 'unauthorized' | 'second_person_required' | null {
  const merchantId = merchants.byAccount(account)?.id ?? ''
  const madeBy = by.kind === 'key' ? merchants.keyMaker(merchantId, by.id) : null
  const isThere = by.kind === 'key' ? madeBy !== undefined : dashboard.users.get(by.id)?.merchant_id === merchantId
  if (!isThere) return 'unauthorized'
  return personOf(by, madeBy ?? null) === person ? 'second_person_required' : null
}

function moved(
  state: State,
  row: DisbursementRow,
  command: MoveDisbursement | ReleaseDisbursement,
  context: Context,
): DisbursementProgress {
  const { by } = command
  const progress = progressOf(row)
  const { status } = progress
  const at = rfc3339(context.timeMs)
  switch (command.verb) {
    case 'start':
      return started(state, row.account, { plan: row.plan, progress }, context)
    case 'approve': {
      const approval = { state: 'approved', by, at, reason: null } as const
      return released({ plan: row.plan, progress: { ...progress, status: { ...status, approval } } }, context)
    }
    case 'reject': {
      const approval = { state: 'rejected', by, at, reason: command.reason ?? '' } as const
      return { ...progress, status: { ...status, state: 'rejected', approval }, due_ms: null }
    }
    case 'pause':
      return { ...progress, status: { ...status, state: 'paused', pause_reason: 'requested' }, due_ms: null }
    case 'resume':
      return running(progress, context.timeMs)
    case 'cancel': {
      // No second person is asked any more.
      const approval = status.approval?.state === 'pending' ? null : status.approval
      return { ...progress, status: { ...status, state: 'cancelled', approval, pause_reason: null, cancelled_at: at }, due_ms: null }
    }
  }
}

function actOf({ verb, by }: MoveDisbursement | ReleaseDisbursement): DisbursementAct {
  return { verb, by }
}

function answered(state: State, context: Context, row: DisbursementRow, progress: DisbursementProgress, act?: DisbursementAct): Accepted {
  const { account, plan } = row
  const disbursement = disbursementOf(plan, progress.status)
  const isSame = progress === row
  return {
    environment: plan.environment,
    events: isSame ? [] : [disbursementChanged(account, row, progress, act), ...disbursementEntered(state, context, row, disbursement)],
    transactions: [],
    frames: [],
    kind: 'ok',
    body: JSON.stringify(disbursement),
  }
}
