// The second factor of a user: enrolment with its QR code, confirmation with recovery codes, and its end.
import { Done } from '../../../engine/contract/auth.ts'
import {
  ConfirmTotpBody,
  DisableTotpBody,
  RecoveryCodes,
  RenewRecoveryCodesBody,
  TotpEnrolment,
} from '../../../engine/contract/dashboard.ts'
import { isSuccess } from '../../../engine/contract/outcome-kind.ts'
import type { DashboardAccess } from '../../auth/dashboard/dashboard-access.ts'
import type {} from '../../auth/dashboard/sign-in-outcome.ts'
import { otpauthUrl } from '../../auth/dashboard/totp.ts'
import { answerRefusal } from '../../server/answer-refusal.ts'
import { later } from '../../server/later.ts'
import { type Call, type OutcomeListener, type Route, route, type SessionPrincipal } from '../../server/route.ts'
import { qrSvg } from '../checkout/qr.ts'
import { DONE } from '../shared-examples.ts'
import { RECOVERY, SIGNUP_REQUEST, TOTP_ENROLMENT } from './dashboard-examples.ts'
import { answerNotOpened } from './session-answers.ts'

export interface TotpRoutesParts {
  readonly dashboard: DashboardAccess
}

/** Shown by authenticator apps. */
const ISSUER = 'Cauri'

export function totpRoutes(parts: TotpRoutesParts): readonly Route[] {
  return [enrolRoute(parts), confirmRoute(parts), renewalRoute(parts), disableRoute(parts)]
}

function enrolRoute(parts: TotpRoutesParts): Route {
  return route({
    method: 'POST',
    path: '/v1/dashboard/totp/enroll',
    operationId: 'enrollTotp',
    tag: 'Dashboard',
    summary: 'Begin with TOTP',
    description: `A new secret for an authenticator app (RFC 6238: SHA-1, 6 digits, 30 s), as text, address and QR code. Nothing changes at login until
\`totp/confirm\`. An enrolment that was not confirmed is replaced.`,
    auth: 'session',
    memberRole: 'viewer',
    idempotency: 'accepted',
    responses: [{ status: 200, description: 'The secret, this once.', schema: TotpEnrolment, example: TOTP_ENROLMENT }],
    commands: ['EnrolTotp'],
    unreachable: ['not_found'],
    errors: [],
    handle: (call) => enrol(parts, call),
    present: (call, _outcome, kept) => call.answer(200, kept),
  })
}

function confirmRoute(parts: TotpRoutesParts): Route {
  return route({
    method: 'POST',
    path: '/v1/dashboard/totp/confirm',
    operationId: 'confirmTotp',
    tag: 'Dashboard',
    summary: 'Turn TOTP on',
    description:
      'With the first code of the app. Logins need a code from now on. Open sessions go on. From ten minutes after the login on, `password` is required: 401 `password_required`, also for the replay of an Idempotency-Key. Wrong ones count as at login.',
    auth: 'session',
    memberRole: 'viewer',
    idempotency: 'accepted',
    checksReplays: true,
    secretFields: ['password', 'totp'],
    body: ConfirmTotpBody,
    bodyExample: { totp: '492039' },
    responses: [{ status: 200, description: 'On. The recovery codes, this once.', schema: RecoveryCodes, example: RECOVERY }],
    commands: ['CountWrongPassword', 'EnableTotp'],
    errors: ['password_required', 'totp_incorrect'],
    handle: (call) => later(call, () => confirm(parts, call)),
  })
}

function renewalRoute(parts: TotpRoutesParts): Route {
  return route({
    method: 'POST',
    path: '/v1/dashboard/totp/recovery-codes',
    operationId: 'renewRecoveryCodes',
    tag: 'Dashboard',
    summary: 'Make new recovery codes',
    description: 'With the password and a code, or a recovery code. Wrong ones count as at login. The earlier recovery codes end.',
    auth: 'session',
    memberRole: 'viewer',
    idempotency: 'accepted',
    checksReplays: true,
    secretFields: ['password', 'totp'],
    body: RenewRecoveryCodesBody,
    bodyExample: { password: SIGNUP_REQUEST.password, totp: '492039' },
    responses: [{ status: 200, description: 'The new recovery codes, this once.', schema: RecoveryCodes, example: RECOVERY }],
    commands: ['CountWrongPassword', 'RenewRecoveryCodes'],
    errors: [],
    handle: (call) => later(call, () => renew(parts, call)),
  })
}

function disableRoute(parts: TotpRoutesParts): Route {
  return route({
    method: 'POST',
    path: '/v1/dashboard/totp/disable',
    operationId: 'disableTotp',
    tag: 'Dashboard',
    summary: 'Turn TOTP off',
    description: 'With the password and a code, or a recovery code. Wrong ones count as at login. The recovery codes end.',
    auth: 'session',
    memberRole: 'viewer',
    idempotency: 'accepted',
    secretFields: ['password', 'totp'],
    body: DisableTotpBody,
    bodyExample: { password: SIGNUP_REQUEST.password, totp: '492039' },
    responses: [{ status: 200, description: 'Off.', schema: Done, example: DONE }],
    commands: ['CountWrongPassword', 'DisableTotp'],
    errors: [],
    handle: (call) => {
      later(call, async () => answerNotOpened(call, await parts.dashboard.changes.disableTotp(call, call.principal, call.body)))
    },
  })
}

type TotpCall<Body = unknown> = Call<Body, Record<string, unknown>, SessionPrincipal>

function enrol({ dashboard }: TotpRoutesParts, call: TotpCall): void {
  const { user, account } = call.principal
  const { secret, command } = dashboard.secondFactors.enrol(user.id)
  const otpauth_url = otpauthUrl(secret, user.email, ISSUER)
  const body: TotpEnrolment = { secret, otpauth_url, qr_svg: qrSvg(otpauth_url) }
  call.once(command, account, JSON.stringify(body), answering(call))
}

async function confirm({ dashboard }: TotpRoutesParts, call: TotpCall<ConfirmTotpBody>): Promise<void> {
  const { user, account } = call.principal
  const refusal = await dashboard.changes.refusalOf(call, call.principal, call.body.password)
  if (refusal !== null) return answerNotOpened(call, refusal)
  const confirmed = dashboard.secondFactors.confirm(user.id, call.body.totp, call.idempotency)
  if (typeof confirmed === 'string') return call.refuse(confirmed, confirmed === 'totp_incorrect' ? 'totp' : undefined)
  call.once(confirmed.command, account, JSON.stringify({ recovery_codes: confirmed.recoveryCodes }), answering(call))
}

async function renew({ dashboard }: TotpRoutesParts, call: TotpCall<RenewRecoveryCodesBody>): Promise<void> {
  const renewal = await dashboard.changes.recoveryRenewal(call, call.principal, call.body)
  if ('status' in renewal) return answerNotOpened(call, renewal)
  const { command, codes } = renewal
  call.once(command, call.principal.account, JSON.stringify({ recovery_codes: codes }), answering(call))
}

/** Answers what is kept sealed for the key. */
function answering(call: Pick<Call, 'answer' | 'answerAs'>): OutcomeListener {
  return (outcome, kept) => {
    if (isSuccess(outcome.kind)) call.answer(200, kept)
    else answerRefusal(call, outcome, outcome.retryAfterS)
  }
}
