// A forgotten password, and the confirmation of an e-mail address.
import type { EngineApi } from '../../../engine/api.ts'
import { Done } from '../../../engine/contract/auth.ts'
import { ConfirmEmailBody, PasswordResetBody, ResetPasswordBody } from '../../../engine/contract/dashboard.ts'
import { errorValue } from '../../../engine/contract/errors.ts'
import type { DashboardAccess } from '../../auth/dashboard/dashboard-access.ts'
import type {} from '../../auth/dashboard/sign-in-outcome.ts'
import { opaqueTokenHash } from '../../crypto/opaque-token.ts'
import { answerRefusal } from '../../server/answer-refusal.ts'
import { later } from '../../server/later.ts'
import { type Call, type Route, route } from '../../server/route.ts'
import { acceptedLanguage } from '../../text/language.ts'
import { nameInMessages } from '../../workers/gateways/merchant-name.ts'
import { DONE } from '../shared-examples.ts'
import { CONFIRM_TOKEN, RESET_TOKEN, SIGNUP_REQUEST } from './dashboard-examples.ts'
import { answerNotOpened } from './session-answers.ts'

export interface RecoveryRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly dashboard: DashboardAccess
}

export function recoveryRoutes(parts: RecoveryRoutesParts): readonly Route[] {
  return [...passwordRoutes(parts), ...emailRoutes(parts)]
}

function passwordRoutes(parts: RecoveryRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/dashboard/password-reset',
      operationId: 'requestPasswordReset',
      tag: 'Dashboard',
      summary: 'Ask for a new password',
      description: `The same answer, in the same time, for known and unknown addresses. A known one gets a link that is good for 30 minutes; the newest three work, and one that
is used ends all. At most five an hour go to one address. At most 20 requests an hour from one address, 80 from an IPv4 /24 or IPv6 /48.`,
      auth: 'public',
      idempotency: 'accepted',
      body: PasswordResetBody,
      bodyExample: { email: SIGNUP_REQUEST.email },
      responses: [{ status: 202, description: 'An e-mail is on its way where the address has a user.', schema: Done, example: DONE }],
      commands: ['RequestPasswordReset'],
      errors: ['rate_limited'],
      handle: (call) => requestReset(parts, call),
    }),
    route({
      method: 'POST',
      path: '/v1/dashboard/password-reset/confirm',
      operationId: 'resetPassword',
      tag: 'Dashboard',
      summary: 'Set the new password',
      description:
        'All sessions of the user end, a lock of the address too. TOTP stays. A used, replaced or expired token: 400 `invalid_token`.',
      auth: 'public',
      idempotency: 'accepted',
      secretFields: ['password'],
      body: ResetPasswordBody,
      bodyExample: { token: RESET_TOKEN, password: 'trois pirogues sur la lagune' },
      responses: [{ status: 200, description: 'Set.', schema: Done, example: DONE }],
      commands: ['ResetPassword'],
      errors: ['weak_password', 'rate_limited'],
      handle: (call) => later(call, () => resetPassword(parts, call)),
    }),
  ]
}

function emailRoutes(parts: RecoveryRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/dashboard/email-confirmation',
      operationId: 'requestEmailConfirmation',
      tag: 'Dashboard',
      summary: 'Send the link that confirms the address again',
      description:
        'Sign-up sends the first one. At most one a minute; a confirmed address gets none. The link is good for 7 days and once.',
      auth: 'session',
      memberRole: 'viewer',
      idempotency: 'accepted',
      responses: [{ status: 202, description: 'On its way.', schema: Done, example: DONE }],
      commands: ['RequestEmailConfirmation'],
      unreachable: ['not_found'],
      errors: [],
      handle: (call) => {
        const { user, account } = call.principal
        const name = nameInMessages(parts.engine, account)
        const link = parts.dashboard.links.confirmation(user.email, name, acceptedLanguage(call.browser.acceptLanguage))
        call.submit({ type: 'RequestEmailConfirmation', userId: user.id, link }, account)
      },
    }),
    route({
      method: 'POST',
      path: '/v1/dashboard/email-confirmation/confirm',
      operationId: 'confirmEmail',
      tag: 'Dashboard',
      summary: 'Confirm the address',
      description: '`token` is that of the link in the e-mail; it is used once.',
      auth: 'public',
      idempotency: 'accepted',
      body: ConfirmEmailBody,
      bodyExample: { token: CONFIRM_TOKEN },
      responses: [{ status: 200, description: 'Confirmed.', schema: Done, example: DONE }],
      commands: ['ConfirmEmail'],
      errors: [],
      handle: (call) => call.submit({ type: 'ConfirmEmail', tokenHash: opaqueTokenHash(call.body.token) }, mailboxOf(parts)),
    }),
  ]
}

function requestReset(parts: RecoveryRoutesParts, call: Call<PasswordResetBody>): void {
  const { dashboard } = parts
  const waitS = dashboard.resetWaitS(call.remoteAddress)
  if (waitS > 0) return refuseForS(call, waitS)
  const email = call.body.email.toLowerCase()
  const link = dashboard.links.reset(email, acceptedLanguage(call.browser.acceptLanguage))
  call.submit({ type: 'RequestPasswordReset', email, link }, mailboxOf(parts))
}

async function resetPassword(parts: RecoveryRoutesParts, call: Call<ResetPasswordBody>): Promise<void> {
  const { token, password } = call.body
  const command = await parts.dashboard.passwordReset(call, token, password)
  if ('type' in command) call.submit(command, mailboxOf(parts))
  else answerNotOpened(call, command)
}

function refuseForS(call: Pick<Call, 'answerAs'>, waitS: number): void {
  answerRefusal(call, { kind: 'rate_limited', body: errorValue('rate_limited') }, waitS)
}

/** Mailbox of commands of callers without an account. */
function mailboxOf({ engine }: RecoveryRoutesParts): number {
  return engine.query('accounts.settlement', { environment: 'live' })
}
