// The dashboard's routes for its users and their sessions. Only http/auth handles passwords and tokens; no command has them.
import type { EngineApi } from '../../../engine/api.ts'
import { Done } from '../../../engine/contract/auth.ts'
import { PageQuery, uuid } from '../../../engine/contract/common.ts'
import { ChangePasswordBody, DashboardSessionList, Deleted, LoginBody, SignedIn, SignupBody } from '../../../engine/contract/dashboard.ts'
import type { DashboardAccess } from '../../auth/dashboard/dashboard-access.ts'
import type {} from '../../auth/dashboard/sign-in-outcome.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { later } from '../../server/later.ts'
import { type Call, type Route, route, type SessionPrincipal } from '../../server/route.ts'
import { DONE } from '../shared-examples.ts'
import { DASHBOARD_SESSION, LOGIN_REQUEST, SIGNED_IN, SIGNUP_REQUEST } from './dashboard-examples.ts'
import { answerNotOpened, answerOpened, signedIn } from './session-answers.ts'

export interface DashboardRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly dashboard: DashboardAccess
}

export function dashboardRoutes(parts: DashboardRoutesParts): readonly Route[] {
  return [...signInRoutes(parts), ...accountRoutes(parts), ...sessionRoutes(parts)]
}

function signInRoutes(parts: DashboardRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/dashboard/signup',
      operationId: 'signUpMerchant',
      tag: 'Dashboard',
      summary: 'Sign up a merchant',
      description: SIGNUP_DESCRIPTION,
      auth: 'public',
      idempotency: 'accepted',
      checksReplays: true,
      secretFields: ['password'],
      body: SignupBody,
      bodyExample: SIGNUP_REQUEST,
      setsSession: true,
      responses: [{ status: 201, description: 'The merchant, signed in.', schema: SignedIn, example: SIGNED_IN }],
      commands: ['SignUpMerchant'],
      errors: ['signup_closed', 'weak_password', 'unauthorized', 'rate_limited'],
      handle: (call) => {
        const { merchant_name: merchantName, email, password, currency } = call.body
        const form = { merchantName, email, password, ...(currency === undefined ? {} : { currency }) }
        later(call, async () => answerOpened(parts, call, 201, await parts.dashboard.signUp(call, form)))
      },
    }),
    route({
      method: 'POST',
      path: '/v1/dashboard/login',
      operationId: 'logInToDashboard',
      tag: 'Dashboard',
      summary: 'Log in',
      description: LOGIN_DESCRIPTION,
      auth: 'public',
      idempotency: 'accepted',
      checksReplays: true,
      secretFields: ['password', 'totp'],
      body: LoginBody,
      bodyExample: LOGIN_REQUEST,
      setsSession: true,
      responses: [{ status: 200, description: 'Signed in.', schema: SignedIn, example: SIGNED_IN }],
      commands: ['CountWrongPassword', 'OpenDashboardSession'],
      errors: ['unauthorized'],
      handle: (call) => {
        const { email, password, totp } = call.body
        later(call, async () => answerOpened(parts, call, 200, await parts.dashboard.logIn(call, email, password, totp)))
      },
    }),
  ]
}

const SIGNUP_DESCRIPTION = `With the setting \`SIGNUP=closed\`: 403 \`signup_closed\`; with \`approval\` the merchant moves no live money before its activation.

Makes a merchant with an empty account in each environment and its first user, and signs that user in: the session is in the
cookie that comes back. At most 300 sign-ups an hour from one address, 1 200 from an IPv4 /24 or IPv6 /48. With an Idempotency-Key
the same request again gives the same session, for the right password; 401 \`unauthorized\` after the end of that session.`

const LOGIN_DESCRIPTION = `An unknown address and a wrong password get the same answer, in the same time. The tenth wrong password in a row locks the address for 15
minutes, each further lock is twice as long, up to a day: 429 \`rate_limited\` with \`Retry-After\`, for the right password too and whether or not the
address has a user. At most 100 wrong passwords an hour from one address, 400 from an IPv4 /24 or IPv6 /48. Open sessions go on. A user has 20 sessions at
most: with one more, the oldest ends.

Where the user has enabled TOTP, the right password without \`totp\` is answered 401 \`totp_required\`. A wrong code, or one that was used before, is
401 \`totp_incorrect\` and counts like a wrong password. A recovery code is taken in the place of a code, each once.

A login also sets a device cookie, signed, HttpOnly, for a year, renewed by each login. With it the browser passes the lock of the address and the limits of
its network, and has ten tries and a lock of its own. Each count allows about 80 guesses in 32 hours, then 10 a day.
With an Idempotency-Key the same request again gives the same session while it is open, and 401 \`unauthorized\` after its end: log in with a new key. The password is checked each time.`

function accountRoutes(parts: DashboardRoutesParts): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/dashboard/logout',
      operationId: 'logOutOfDashboard',
      tag: 'Dashboard',
      summary: 'Log out',
      description:
        'Ends the session; the cookie opens nothing from then on. A replay of an Idempotency-Key needs the same cookie, no open session.',
      auth: 'session',
      memberRole: 'viewer',
      idempotency: 'accepted',
      endsToken: true,
      setsSession: true,
      responses: [{ status: 200, description: 'Logged out.', schema: Done, example: DONE }],
      commands: ['CloseDashboardSession'],
      unreachable: ['not_found'],
      errors: [],
      handle: (call) => logOut(parts, call),
      present: (call) => answerLoggedOut(parts, call),
    }),
    route({
      method: 'GET',
      path: '/v1/dashboard/me',
      operationId: 'getSignedIn',
      tag: 'Dashboard',
      summary: 'Who is signed in',
      description: 'The user, its merchant and role, and the `csrf_token` that requests of the session send back.',
      auth: 'session',
      cashierReads: true,
      idempotency: 'none',
      responses: [{ status: 200, description: 'The session, its user and merchant.', schema: SignedIn, example: SIGNED_IN }],
      errors: [],
      handle: (call) => call.answer(200, JSON.stringify(signedIn(parts, call.principal))),
    }),
    route({
      method: 'POST',
      path: '/v1/dashboard/password',
      operationId: 'changePassword',
      tag: 'Dashboard',
      summary: 'Change the password',
      description:
        'All other sessions of the user end. Wrong passwords count as at login. A replay of a key asks for no password and changes nothing.',
      auth: 'session',
      memberRole: 'viewer',
      idempotency: 'accepted',
      secretFields: ['password', 'new_password'],
      body: ChangePasswordBody,
      bodyExample: { password: SIGNUP_REQUEST.password, new_password: 'trois pirogues sur la lagune' },
      responses: [{ status: 200, description: 'Changed.', schema: Done, example: DONE }],
      commands: ['CountWrongPassword', 'ChangePassword'],
      errors: ['weak_password'],
      handle: (call) => {
        const { password, new_password: newPassword } = call.body
        later(call, async () =>
          answerNotOpened(call, await parts.dashboard.changes.changePassword(call, call.principal, { password, newPassword })),
        )
      },
    }),
  ]
}

function sessionRoutes(parts: DashboardRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/dashboard/sessions',
      operationId: 'listSessions',
      tag: 'Dashboard',
      summary: 'Where the user is signed in',
      description: 'Open sessions of the user, the current one among them.',
      auth: 'session',
      cashierReads: true,
      idempotency: 'none',
      query: PageQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: DashboardSessionList,
          example: { data: [DASHBOARD_SESSION], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => listSessions(parts, call),
    }),
    route({
      method: 'DELETE',
      path: '/v1/dashboard/sessions/{id}',
      operationId: 'deleteSession',
      tag: 'Dashboard',
      summary: 'End a session',
      description: 'It may be the one that asks.',
      auth: 'session',
      memberRole: 'viewer',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the session.' }) },
      responses: [{ status: 200, description: 'Ended.', schema: Deleted, example: { id: DASHBOARD_SESSION.id, deleted: true } }],
      commands: ['CloseDashboardSession'],
      errors: [],
      handle: (call) => {
        const { user, account } = call.principal
        call.submit({ type: 'CloseDashboardSession', userId: user.id, sessionId: String(call.params[0]).toLowerCase() }, account)
      },
    }),
  ]
}

type SessionCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, SessionPrincipal>

function logOut(parts: DashboardRoutesParts, call: SessionCall): void {
  const { user, session, account } = call.principal
  // A concurrent request may have closed the session. The answer is the same.
  call.once({ type: 'CloseDashboardSession', userId: user.id, sessionId: session.id }, account, '', () => answerLoggedOut(parts, call))
}

function answerLoggedOut(parts: DashboardRoutesParts, call: Pick<Call, 'answerAs'>): void {
  call.answerAs(200, '{"ok":true}', [parts.dashboard.sessions.closed()])
}

function listSessions(parts: DashboardRoutesParts, call: SessionCall<unknown, PageQuery>): void {
  const { user, session } = call.principal
  answerPage(call, parts.engine.query('dashboardSessions.list', { userId: user.id, currentId: session.id, query: call.query }))
}
