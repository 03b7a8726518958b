// Answers of routes that sign a user in, and of those that check a password.
import { publicMerchant, publicSession } from '../../../engine/api.ts'
import type { SignedIn } from '../../../engine/contract/dashboard.ts'
import type { DashboardAccess, OpenedSession } from '../../auth/dashboard/dashboard-access.ts'
import type { NotOpened } from '../../auth/dashboard/sign-in-outcome.ts'
import { REPLAYED_HEADER } from '../../server/kept-answers.ts'
import type { Call, Header, SessionPrincipal } from '../../server/route.ts'

export interface SessionAnswerParts {
  readonly dashboard: DashboardAccess
}

export function answerOpened(parts: SessionAnswerParts, call: Call, status: number, opened: OpenedSession | NotOpened): void {
  if (!('token' in opened)) return answerNotOpened(call, opened)
  const principal = parts.dashboard.sessions.principal(opened.session, 'live')
  call.answerAs(status, JSON.stringify(signedIn(parts, principal)), opened.isReplay ? [...opened.cookies, REPLAYED_HEADER] : opened.cookies)
}

export function answerNotOpened(call: Call, { status, body, retryAfterS, isReplay }: NotOpened): void {
  const headers: Header[] = retryAfterS === null ? [] : [['Retry-After', String(retryAfterS)]]
  call.answerAs(status, body, isReplay === true ? [...headers, REPLAYED_HEADER] : headers)
}

export function signedIn(
  { dashboard }: SessionAnswerParts,
  { merchant, user, role, session, environment, csrfToken }: SessionPrincipal,
): SignedIn {
  const { id, email, created_at, email_confirmed_at } = user
  return {
    merchant: publicMerchant(merchant) as SignedIn['merchant'],
    user: {
      ...{ id, email, role, created_at },
      email_confirmed: email_confirmed_at !== undefined,
      totp_enabled: dashboard.secondFactors.isActive(id),
    },
    session: publicSession(session, session.id),
    environment,
    csrf_token: csrfToken,
  }
}
