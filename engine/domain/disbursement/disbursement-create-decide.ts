// Creation of a disbursement of lines that were judged and stored before it: nothing is paid before its start.
import type { Caller } from '../../contract/created-by.ts'
import { assert } from '../../kernel/assert.ts'
import { ACCOUNT_BALANCE_MAX } from '../../kernel/limits.ts'
import type { Position } from '../../kernel/position.ts'
import { rfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { quotaRefusal } from '../quotas.ts'
import type { StoredEvent } from '../record.ts'
import type { RunOrigin } from '../schedule/run-outcome.ts'
import type { State } from '../state.ts'
import type { DisbursementChunk } from './disbursement-judge-decide.ts'
import { JUDGED_PER_TURN, LIVE_DISBURSEMENTS } from './disbursement-limits.ts'
import { disbursementEntered, NEW_STATUS, started } from './disbursement-moves.ts'
import {
  type Disbursement,
  type DisbursementCreated,
  type DisbursementPlan,
  type DisbursementProgress,
  disbursementOf,
  personOf,
} from './disbursement-state.ts'

export interface DisbursementOrder {
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  readonly reference: string
  readonly startAtMs: TimeMs | null
  readonly onInsufficientBalance: Disbursement['on_insufficient_balance']
  readonly by: Caller
}

export interface CreateDisbursement extends DisbursementOrder {
  readonly type: 'CreateDisbursement'
  /** Parts of JUDGED_PER_TURN lines each, and the rest. */
  readonly chunks: readonly DisbursementChunk[]
  readonly start: 'manual' | 'auto'
}

export const CREATE_DISBURSEMENT_REJECTIONS = [...MERCHANT_STOPS, 'quota_exceeded', 'invalid_request'] as const

/** Returns `created` and the record. Rejections, in this precedence: MERCHANT_STOPS, quota_exceeded, invalid_request (no
 * account can hold the sum). */
export function decideCreateDisbursement(
  state: State,
  command: CreateDisbursement,
  context: Context,
): Decision<(typeof CREATE_DISBURSEMENT_REJECTIONS)[number]> {
  const { merchant } = command
  const stop = state.merchants.stopOf(merchant)
  if (stop !== null) return { refusal: stop }
  const full = quotaRefusal(state, LIVE_DISBURSEMENTS, merchant)
  if (full !== null) return full
  const sum = command.chunks.reduce((all, { total_amount }) => all + total_amount, 0)
  if (sum > ACCOUNT_BALANCE_MAX) return { refusal: 'invalid_request', param: 'items', reason: 'sum_above_account' }
  const start = { retryOf: null, isStarted: command.start === 'auto' }
  const made = planned(state, command, judgedLines(state, context, merchant, command.chunks, start), context)
  return {
    environment: state.accounts.environment(merchant),
    events: made.events,
    transactions: [],
    frames: [],
    kind: 'created',
    body: JSON.stringify(made.disbursement),
  }
}

/** What is paid, and what becomes of it at once. */
export interface PlannedLines {
  readonly counts: Pick<
    DisbursementPlan,
    'total_count' | 'total_amount' | 'valid_count' | 'valid_amount' | 'valid_fee_amount' | 'invalid_count' | 'warnings_count'
  >
  /** Where the lines are stored, and how many of each block are invalid. */
  readonly chunks: readonly Position[]
  readonly invalid: readonly number[]
  readonly retryOf: string | null
  /** Present: it is a run of a schedule. */
  readonly run?: RunOrigin
  readonly start: (fresh: DisbursementProgress, plan: DisbursementPlan) => DisbursementProgress
}

export interface MadeDisbursement {
  readonly events: readonly StoredEvent[]
  readonly disbursement: Disbursement
}

/** The events of a new disbursement, which begin its record. */
export function planned(
  state: State,
  { merchant, reference, startAtMs, onInsufficientBalance, by }: DisbursementOrder,
  { counts, chunks, invalid, retryOf, run, start }: PlannedLines,
  context: Context,
): MadeDisbursement {
  const madeBy = by.kind === 'key' ? (state.merchants.keyMaker(state.merchants.byAccount(merchant)?.id ?? '', by.id) ?? null) : null
  const { accounts } = state
  const plan: DisbursementPlan = {
    id: context.newId(),
    reference,
    currency: accounts.currency(merchant) as DisbursementPlan['currency'],
    environment: accounts.environment(merchant),
    start_at: startAtMs === null ? null : rfc3339(startAtMs),
    on_insufficient_balance: onInsufficientBalance,
    ...counts,
    created_by: by,
    retry_of: retryOf,
    created_at: rfc3339(context.timeMs),
  }
  const progress = start({ status: NEW_STATUS, cursor: 0, due_ms: null, turns: [], is_retried: false }, plan)
  const ofRun = run === undefined ? {} : { run }
  const created: DisbursementCreated = { plan, person: personOf(by, madeBy), ...ofRun, chunks, invalid, progress }
  const disbursement = disbursementOf(plan, progress.status)
  const entered = disbursementEntered(state, context, { account: merchant, ...ofRun }, disbursement)
  return { events: [event('disbursement.created', 1, merchant, created), ...entered], disbursement }
}

/** The lines that were judged for it. */
export function judgedLines(
  state: State,
  context: Context,
  merchant: AccountNumber,
  chunks: readonly DisbursementChunk[],
  { retryOf, isStarted }: { readonly retryOf: string | null; readonly isStarted: boolean },
): PlannedLines {
  return {
    counts: countsOf(chunks),
    chunks: chunks.map(({ position }) => position),
    invalid: chunks.flatMap((chunk) => chunk.invalid),
    retryOf,
    start: (progress, plan) => (isStarted ? started(state, merchant, { plan, progress }, context) : progress),
  }
}

function countsOf(chunks: readonly DisbursementChunk[]) {
  const counts = { total_count: 0, total_amount: 0, valid_count: 0, valid_amount: 0, valid_fee_amount: 0, warnings_count: 0 }
  for (const [index, chunk] of chunks.entries()) {
    const isWhole = chunk.total_count === JUDGED_PER_TURN || index === chunks.length - 1
    assert(isWhole, 'a line is found by its index')
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += chunk[name]
  }
  return { ...counts, invalid_count: counts.total_count - counts.valid_count }
}
