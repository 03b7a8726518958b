// What operators decide about billers: whether the directory shows them, and which logo. Each decision leaves its line
// in the audit trail, in the same record.
import { rfc3339 } from '../../kernel/time.ts'
import type { AccountNumber } from '../../ledger/transaction.ts'
import type { Context, Decision } from '../decision.ts'
import { subjectOfMerchant } from '../operator/audit-subject.ts'
import { type Act, operatorActed } from '../operator/operator-decide.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { outboxEvents } from '../webhook/merchant-event.ts'
import { BILLER_MOVE_TABLE, type BillerMove, type BillerProfile } from './biller-state.ts'
import { answered, billerEvent, billerOf, mayMove, merchantOf, operatorBiller, publicBiller, reviewState } from './biller-versions.ts'

/** What an operator does with a profile. */
export type Curation = Exclude<BillerMove, 'submitted'>

export interface CurateBiller {
  readonly type: 'CurateBiller'
  readonly slug: string
  readonly curation: Curation
  /** For a rejection or a suspension; empty otherwise. */
  readonly reason: string
  /** The `submitted_at` that the operator has seen; null accepts the current one. */
  readonly submittedAt: string | null
  readonly logosBase: string
}

export interface CurateLogo {
  readonly type: 'CurateLogo'
  readonly slug: string
  readonly curation: 'logo_approved' | 'logo_rejected'
  /** The file that the operator has seen; null accepts the current one. */
  readonly file: string | null
  readonly logosBase: string
}

/** By the test helper: the biller is there for test wallets, and waits for an operator to be there for all. */
export interface ApproveTestBiller {
  readonly type: 'ApproveTestBiller'
  readonly merchant: AccountNumber
  readonly logosBase: string
}

/** Names in the audit trail. */
const ACTIONS = {
  approved: 'biller.approve',
  rejected: 'biller.reject',
  suspended: 'biller.suspend',
  reinstated: 'biller.reinstate',
  logo_approved: 'biller.logo.approve',
  logo_rejected: 'biller.logo.reject',
} as const satisfies Record<Curation | CurateLogo['curation'], string>

export const CURATE_BILLER_REJECTIONS = ['biller_not_found', 'invalid_directory_state'] as const

/**
 * Returns `ok` and the biller. Rejections: biller_not_found, invalid_directory_state (also when something else was
 * submitted since).
 */
export function decideCurateBiller(
  state: State,
  command: CurateBiller,
  context: Context,
): Decision<(typeof CURATE_BILLER_REJECTIONS)[number]> {
  const { slug, curation, reason, submittedAt, logosBase } = command
  const before = state.billers.profiles.get(slug)
  if (before === undefined) return { refusal: 'biller_not_found' }
  const from = curation === 'suspended' ? before.directory_state : reviewState(before)
  const isSeen = submittedAt === null || submittedAt === before.submitted_at
  if (!mayMove(from, curation) || !isSeen) return { refusal: 'invalid_directory_state' }
  const biller = moved(before, curation, reason, context)
  const details = reason === '' ? {} : { reason }
  const events = [
    billerEvent(state, curation, biller),
    acted(state, context, biller, curation, details),
    ...webhookEvents(state, context, biller, curation, logosBase),
  ]
  return answered('live', events, operatorBiller(state, biller, logosBase))
}

export const CURATE_LOGO_REJECTIONS = ['biller_not_found', 'invalid_directory_state'] as const

/**
 * Returns `ok` and the biller. Rejections: biller_not_found, invalid_directory_state (no logo waits, or another one
 * than was seen).
 */
export function decideCurateLogo(state: State, command: CurateLogo, context: Context): Decision<(typeof CURATE_LOGO_REJECTIONS)[number]> {
  const { slug, curation, file, logosBase } = command
  const before = state.billers.profiles.get(slug)
  if (before === undefined) return { refusal: 'biller_not_found' }
  if (before.pending_logo === null || (file !== null && file !== before.pending_logo.file)) return { refusal: 'invalid_directory_state' }
  const { pending_logo } = before
  const logo = curation === 'logo_approved' ? pending_logo : before.logo
  const biller: BillerProfile = { ...before, logo, pending_logo: null }
  const audit = acted(state, context, biller, curation, { file: pending_logo.file })
  return answered('live', [billerEvent(state, curation, biller), audit], operatorBiller(state, biller, logosBase))
}

export const APPROVE_TEST_BILLER_REJECTIONS = ['biller_not_found', 'invalid_directory_state'] as const

/** Returns `ok` and the profile. Rejections: biller_not_found, invalid_directory_state. */
export function decideApproveTestBiller(
  state: State,
  command: ApproveTestBiller,
  context: Context,
): Decision<(typeof APPROVE_TEST_BILLER_REJECTIONS)[number]> {
  const { merchant, logosBase } = command
  const before = billerOf(state, merchant)
  if (before === undefined) return { refusal: 'biller_not_found' }
  if (!mayMove(before.directory_state, 'approved')) return { refusal: 'invalid_directory_state' }
  const biller: BillerProfile = { ...moved(before, 'approved', '', context), live: false }
  const seen = publicBiller(biller, logosBase)
  const outbox = outboxEvents(state, context, { account: merchant, type: 'biller.approved', about: { data: seen } })
  return answered('test', [billerEvent(state, 'approved', biller), ...outbox], seen)
}

function moved(before: BillerProfile, curation: Curation, reason: string, { timeMs }: Context): BillerProfile {
  const biller: BillerProfile = { ...before, directory_state: BILLER_MOVE_TABLE[curation].to }
  switch (curation) {
    case 'approved':
      return { ...biller, live: true, published_at: rfc3339(timeMs) }
    case 'rejected':
      return { ...biller, reject_reason: reason }
    case 'suspended':
      return { ...biller, suspend_reason: reason }
    case 'reinstated':
      return { ...biller, suspend_reason: null }
  }
}

/** Endpoints of both environments: the profile belongs to both. */
function webhookEvents(state: State, context: Context, biller: BillerProfile, curation: Curation, logosBase: string): StoredEvent[] {
  if (curation !== 'approved' && curation !== 'rejected') return []
  const { live, test } = merchantOf(state, biller).accounts
  const data = publicBiller(biller, logosBase)
  return [live, test].flatMap((account) => outboxEvents(state, context, { account, type: `biller.${curation}`, about: { data } }))
}

function acted(
  state: State,
  context: Context,
  { slug, merchant_id }: BillerProfile,
  curation: keyof typeof ACTIONS,
  details: Act['details'],
): StoredEvent {
  const subject = subjectOfMerchant(state, merchant_id)
  return operatorActed(context, { action: ACTIONS[curation], target: slug, subject, environment: null, details })
}
