// Creation of a disbursement: its lines are judged once and stored, and nothing is paid before its start.
import type { BatchLine } from '../../contract/batch-line.ts'
import type { Caller } from '../../contract/created-by.ts'
import { duplicateLines } from '../../contract/duplicate-lines.ts'
import type { PayoutFailureCode } from '../../contract/errors.ts'
import { type Amount, isAmount } from '../../kernel/amount.ts'
import { rfc3339, type TimeMs } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { MERCHANT_STOPS } from '../merchant/merchant-state.ts'
import { quotaRefusal } from '../quotas.ts'
import { RecipientChecks } from '../recipient-check/recipient-checks.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { LINES_PER_TURN, LIVE_DISBURSEMENTS } from './disbursement-limits.ts'
import { disbursementOutbox, NEW_STATUS, started } from './disbursement-moves.ts'
import {
  type Disbursement,
  type DisbursementCreated,
  type DisbursementLines,
  type DisbursementPlan,
  type DisbursementProgress,
  disbursementOf,
  type PackedDisbursementLine,
  personOf,
} from './disbursement-state.ts'

export interface DisbursementOrder {
  /** The merchant's account; it determines the environment. */
  readonly merchant: AccountNumber
  readonly lines: readonly BatchLine[]
  readonly reference: string
  readonly startAtMs: TimeMs | null
  readonly onInsufficientBalance: Disbursement['on_insufficient_balance']
  readonly by: Caller
}

export interface CreateDisbursement extends DisbursementOrder {
  readonly type: 'CreateDisbursement'
  readonly start: 'manual' | 'auto'
}

export const CREATE_DISBURSEMENT_REJECTIONS = [...MERCHANT_STOPS, 'quota_exceeded'] as const

/** Returns `created` and the record. Rejections, in this precedence: MERCHANT_STOPS, quota_exceeded. */
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
  const checks = new RecipientChecks(state, merchant, context)
  const judged = judgedLines(command, checks, context)
  const made = planned(state, command, { judged, retryOf: null, isStarted: command.start === 'auto' }, context)
  return {
    environment: checks.environment,
    events: [...made.events, ...checks.events()],
    transactions: [],
    frames: [],
    kind: 'created',
    body: JSON.stringify(made.disbursement),
  }
}

const DUPLICATE_BIT = 1
const RECENT_BIT = 2

/** Each line with the first thing that makes it invalid, and its warnings. */
export function judgedLines(
  { merchant, lines }: Pick<DisbursementOrder, 'merchant' | 'lines'>,
  checks: RecipientChecks,
  context: Context,
): PackedDisbursementLine[] {
  const duplicates = new Set(duplicateLines(lines))
  return lines.map((line, index) => {
    const { recipient, amount, reference, note } = line
    const fault = faultOf(line, checks)
    const isRecent = fault === null && amount !== null && context.wasPaidRecently({ merchant, recipient, amount })
    const warnings = (duplicates.has(index) ? DUPLICATE_BIT : 0) | (isRecent ? RECENT_BIT : 0)
    return [recipient, amount, reference, note, fault, warnings]
  })
}

/** A recipient beyond the budget of unknown ones is judged at the turn of its line. */
function faultOf({ fault, recipient }: BatchLine, checks: RecipientChecks): PayoutFailureCode | null {
  if (fault !== null) return fault
  return checks.walletOf(recipient) === 'recipient_not_found' ? 'recipient_not_found' : null
}

interface Judged {
  readonly judged: readonly PackedDisbursementLine[]
  readonly retryOf: string | null
  readonly isStarted: boolean
}

/** The events of a new disbursement, which begin its record. */
export function planned(
  state: State,
  { merchant, reference, startAtMs, onInsufficientBalance, by }: Omit<DisbursementOrder, 'lines'>,
  { judged, retryOf, isStarted }: Judged,
  context: Context,
): { readonly events: readonly StoredEvent[]; readonly disbursement: Disbursement } {
  const madeBy = by.kind === 'key' ? (state.merchants.keyMaker(state.merchants.byAccount(merchant)?.id ?? '', by.id) ?? null) : null
  const { accounts } = state
  const plan: DisbursementPlan = {
    id: context.newId(),
    reference,
    currency: accounts.currency(merchant) as DisbursementPlan['currency'],
    environment: accounts.environment(merchant),
    start_at: startAtMs === null ? null : rfc3339(startAtMs),
    on_insufficient_balance: onInsufficientBalance,
    ...countsOf(judged),
    created_by: by,
    retry_of: retryOf,
    created_at: rfc3339(context.timeMs),
  }
  const fresh: DisbursementProgress = { status: NEW_STATUS, cursor: 0, due_ms: null, turns: [], is_retried: false }
  const progress = isStarted ? started(state, merchant, { plan, progress: fresh }, context) : fresh
  const created: DisbursementCreated = { plan, person: personOf(by, madeBy), progress }
  const events = [event('disbursement.created', 1, merchant, created)]
  for (let at = 0; at < judged.length; at += LINES_PER_TURN) {
    const lines: DisbursementLines = { lines: judged.slice(at, at + LINES_PER_TURN) }
    events.push(event('disbursement.lines', 1, merchant, lines))
  }
  const disbursement = disbursementOf(plan, progress.status)
  return { events: [...events, ...disbursementOutbox(state, context, merchant, disbursement)], disbursement }
}

function countsOf(judged: readonly PackedDisbursementLine[]) {
  let total: Amount = 0
  let valid: Amount = 0
  let validCount = 0
  let warnings = 0
  for (const [, amount, , , fault, bits] of judged) {
    if (isAmount(amount)) total += amount
    if (bits !== 0) warnings++
    if (fault !== null || amount === null) continue
    valid += amount
    validCount++
  }
  return {
    total_count: judged.length,
    total_amount: total,
    valid_count: validCount,
    valid_amount: valid,
    invalid_count: judged.length - validCount,
    warnings_count: warnings,
  }
}
