// TOTP of a user (RFC 6238). The code was checked outside against the secret; here a time step counts once, and so does a
// recovery code.
import { rfc3339 } from '../../kernel/time.ts'
import { type Context, type Decision, event } from '../decision.ts'
import { emailEvents, type OutgoingEmail } from '../message/outgoing.ts'
import { subjectOfMerchant } from '../operator/audit-subject.ts'
import { operatorActed } from '../operator/operator-decide.ts'
import type { StoredEvent } from '../record.ts'
import type { State } from '../state.ts'
import { accept, accountOf, cleared, countedWrong } from './dashboard-events.ts'
import type { DashboardUserRow, TotpRow } from './dashboard-state.ts'

/** What the user sent: a code that is right for a time step, a recovery code, or neither. */
export type SecondFactor =
  | { readonly kind: 'step'; readonly step: number }
  | { readonly kind: 'recovery'; readonly hash: string }
  | { readonly kind: 'wrong' }

export interface EnrolTotp {
  readonly type: 'EnrolTotp'
  readonly userId: string
  readonly sealedSecret: string
}

/** The caller has checked the code against `sealedSecret`. */
export interface EnableTotp {
  readonly type: 'EnableTotp'
  readonly userId: string
  readonly sealedSecret: string
  readonly step: number
  /** Keyed hashes of the recovery codes. */
  readonly recovery: readonly string[]
}

/** The caller has checked the password. */
export interface DisableTotp {
  readonly type: 'DisableTotp'
  readonly userId: string
  /** Of the password that was checked. */
  readonly generation: number
  readonly countKey: string
  readonly secondFactor: SecondFactor
}

/** The caller has checked the password. */
export interface RenewRecoveryCodes extends Omit<DisableTotp, 'type'> {
  readonly type: 'RenewRecoveryCodes'
  /** Keyed hashes of the new codes. */
  readonly recovery: readonly string[]
}

/** Returns the events of a used factor, none for a user without TOTP, or the code of the rejection. */
export function secondFactor(
  state: State,
  user: DashboardUserRow,
  factor: SecondFactor | null,
): readonly StoredEvent[] | 'totp_required' | 'totp_incorrect' {
  const totp = state.dashboard.totps.get(user.id)
  if (totp?.is_active !== true) return []
  if (factor === null) return 'totp_required'
  const isStep = factor.kind === 'step' && factor.step > totp.last_step
  const isRecovery = factor.kind === 'recovery' && totp.recovery.includes(factor.hash)
  if (!isStep && !isRecovery) return 'totp_incorrect'
  const used = { user_id: user.id, last_step: isStep ? factor.step : null, recovery: isRecovery ? factor.hash : null }
  return [event('totp.used', 1, accountOf(state, user), used)]
}

export const ENROL_TOTP_REJECTIONS = ['not_found', 'totp_already_enabled'] as const

/** Returns `ok`. An earlier enrolment without its confirmation is replaced. Rejections: not_found, totp_already_enabled. */
export function decideEnrolTotp(
  state: State,
  { userId, sealedSecret }: EnrolTotp,
  context: Context,
): Decision<(typeof ENROL_TOTP_REJECTIONS)[number]> {
  const user = state.dashboard.users.get(userId)
  if (user === undefined) return { refusal: 'not_found' }
  if (state.dashboard.totps.get(userId)?.is_active === true) return { refusal: 'totp_already_enabled' }
  const enrolled = { user_id: userId, sealed_secret: sealedSecret, created_at: rfc3339(context.timeMs) }
  return accept([event('totp.enrolled', 1, accountOf(state, user), enrolled)], { ok: true })
}

export const ENABLE_TOTP_REJECTIONS = ['totp_already_enabled', 'totp_not_enrolled'] as const

/** Returns `ok`. Rejections: totp_already_enabled, totp_not_enrolled (also when another secret was enrolled meanwhile). */
export function decideEnableTotp(state: State, command: EnableTotp): Decision<(typeof ENABLE_TOTP_REJECTIONS)[number]> {
  const { userId, sealedSecret, step, recovery } = command
  const user = state.dashboard.users.get(userId)
  const totp = state.dashboard.totps.get(userId)
  if (totp?.is_active === true) return { refusal: 'totp_already_enabled' }
  if (user === undefined || totp?.sealed_secret !== sealedSecret) return { refusal: 'totp_not_enrolled' }
  const enabled = { user_id: userId, last_step: step, recovery }
  return accept([event('totp.enabled', 1, accountOf(state, user), enabled)], { ok: true })
}

export const DISABLE_TOTP_REJECTIONS = ['rate_limited', 'invalid_credentials', 'totp_incorrect', 'totp_not_enabled'] as const

type DisableTotpDecision = Decision<(typeof DISABLE_TOTP_REJECTIONS)[number]>

/** Returns `ok`. Rejections: rate_limited while the address is locked, invalid_credentials, totp_not_enabled, totp_incorrect. */
export function decideDisableTotp(state: State, command: DisableTotp, context: Context): DisableTotpDecision {
  const { userId } = command
  return withFactor(state, command, context, (account) => [event('totp.disabled', 1, account, { user_id: userId })])
}

/** Returns `ok`: the earlier codes end. Rejections are those of DisableTotp. */
export function decideRenewRecoveryCodes(state: State, command: RenewRecoveryCodes, context: Context): DisableTotpDecision {
  const { userId: user_id, recovery, secondFactor: factor } = command
  return withFactor(state, command, context, (account, totp) => {
    const last_step = factor.kind === 'step' ? factor.step : totp.last_step
    return [event('totp.enabled', 1, account, { user_id, last_step, recovery })]
  })
}

/** Decides a change of the second factor that needs one of its codes, used like that of a login. */
function withFactor(
  state: State,
  command: Omit<DisableTotp, 'type'>,
  context: Context,
  changed: (account: number, totp: TotpRow) => readonly StoredEvent[],
): DisableTotpDecision {
  const { userId, generation, countKey } = command
  const count = state.dashboard.passwordCount(countKey, context.timeMs)
  if (count.locked_until_ms > context.timeMs) return { refusal: 'rate_limited' }
  const user = state.dashboard.users.get(userId)
  if (user === undefined || user.generation !== generation) return { refusal: 'invalid_credentials' }
  const totp = state.dashboard.totps.get(userId)
  if (totp?.is_active !== true) return { refusal: 'totp_not_enabled' }
  const factor = secondFactor(state, user, command.secondFactor)
  if (typeof factor === 'string') return countedWrong(state, count, 'totp_incorrect', context)
  const account = accountOf(state, user)
  return accept([...changed(account, totp), ...cleared(account, count)], { ok: true })
}

/** An owner of the merchant or an operator, for a member without phone and recovery codes. */
export interface ResetTotp {
  readonly type: 'ResetTotp'
  readonly merchantId: string
  readonly userId: string
  /** Reason of the operator; null when an owner resets it. */
  readonly operatorReason: string | null
  /** The notice to the member. */
  readonly notice: OutgoingEmail
}

export const RESET_TOTP_REJECTIONS = ['not_found', 'totp_not_enabled'] as const

/** Returns `ok`; the member gets the e-mail, and sessions go on. Rejections: not_found, totp_not_enabled. */
export function decideResetTotp(state: State, command: ResetTotp, context: Context): Decision<(typeof RESET_TOTP_REJECTIONS)[number]> {
  const { merchantId, userId, operatorReason, notice } = command
  const user = state.dashboard.users.get(userId)
  if (user === undefined || user.merchant_id !== merchantId) return { refusal: 'not_found' }
  if (state.dashboard.totps.get(userId)?.is_active !== true) return { refusal: 'totp_not_enabled' }
  const audit = operatorReason === null ? [] : [resetAudit(state, context, command, user.email)]
  const disabled = event('totp.disabled', 1, accountOf(state, user), { user_id: userId })
  return accept([disabled, ...audit, ...emailEvents(state, context, merchantId, notice)], { ok: true })
}

function resetAudit(state: State, context: Context, { merchantId, userId, operatorReason }: ResetTotp, email: string): StoredEvent {
  return operatorActed(context, {
    ...{ action: 'member.totp_reset', target: userId, subject: subjectOfMerchant(state, merchantId), environment: null },
    details: { merchant_id: merchantId, email, reason: operatorReason },
  })
}
