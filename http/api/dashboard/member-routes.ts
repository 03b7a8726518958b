// Members of a merchant: the list, invitations by e-mail, and removal.
import type { EngineApi } from '../../../engine/api.ts'
import { Done } from '../../../engine/contract/auth.ts'
import { PageQuery, uuid } from '../../../engine/contract/common.ts'
import {
  AcceptInvitationBody,
  Deleted,
  InviteMemberBody,
  Member,
  MemberList,
  ResetTotpBody,
  SignedIn,
} from '../../../engine/contract/dashboard.ts'
import type { DashboardAccess } from '../../auth/dashboard/dashboard-access.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { CallLimit } from '../../server/call-limit.ts'
import { later } from '../../server/later.ts'
import { type Call, type Route, route, type SessionPrincipal } from '../../server/route.ts'
import { INVITATIONS_PER_HOUR } from '../../server/server-limits.ts'
import { acceptedLanguage } from '../../text/language.ts'
import { nameInMessages } from '../../workers/gateways/merchant-name.ts'
import { DONE } from '../shared-examples.ts'
import { INVITATION_TOKEN, INVITE_REQUEST, INVITED, SIGNED_IN, SIGNUP_REQUEST } from './dashboard-examples.ts'
import { answerNotOpened, answerOpened } from './session-answers.ts'

const HOUR_MS = 3_600_000

export interface MemberRoutesParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly dashboard: DashboardAccess
}

export function memberRoutes(parts: MemberRoutesParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/dashboard/members',
      operationId: 'listMembers',
      tag: 'Dashboard',
      summary: 'List members',
      description: 'Users of the merchant and open invitations. X-Environment has no effect.',
      auth: 'session',
      idempotency: 'none',
      query: PageQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: MemberList,
          example: { data: [INVITED], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) =>
        answerPage(call, parts.engine.query('dashboardMembers.list', { merchantId: call.principal.merchant.id, query: call.query })),
    }),
    route({
      method: 'POST',
      path: '/v1/dashboard/members',
      operationId: 'inviteMember',
      tag: 'Dashboard',
      summary: 'Invite a member',
      description: INVITE_DESCRIPTION,
      auth: 'session',
      idempotency: 'accepted',
      callLimit: new CallLimit(INVITATIONS_PER_HOUR, { windowMs: HOUR_MS }),
      body: InviteMemberBody,
      bodyExample: INVITE_REQUEST,
      responses: [{ status: 201, description: 'Invited; the e-mail is on its way.', schema: Member, example: INVITED }],
      commands: ['InviteMember'],
      unreachable: ['not_found'],
      errors: [],
      handle: (call) => invite(parts, call),
    }),
    acceptRoute(parts),
    resetTotpRoute(parts),
    route({
      method: 'DELETE',
      path: '/v1/dashboard/members/{id}',
      operationId: 'removeMember',
      tag: 'Dashboard',
      summary: 'Remove a member or withdraw an invitation',
      description: 'Sessions of the member end with the answer. The last owner stays: 409 `last_owner`.',
      auth: 'session',
      idempotency: 'none',
      params: { id: uuid({ description: 'Id of the member.' }) },
      responses: [{ status: 200, description: 'Removed.', schema: Deleted, example: { id: INVITED.id, deleted: true } }],
      commands: ['RemoveMember'],
      errors: [],
      handle: (call) => {
        const { merchant, account } = call.principal
        call.submit({ type: 'RemoveMember', merchantId: merchant.id, memberId: String(call.params[0]).toLowerCase() }, account)
      },
    }),
  ]
}

const INVITE_DESCRIPTION = `Sends a link that is good for 7 days and once. Inviting an address again replaces its invitation. An address with a user, of this or another merchant,
is 409 \`email_taken\`: an address belongs to one merchant. A merchant has 100 members at most, open invitations included,
and sends 30 invitations an hour.`

function acceptRoute(parts: MemberRoutesParts): Route {
  return route({
    method: 'POST',
    path: '/v1/dashboard/members/accept',
    operationId: 'acceptInvitation',
    tag: 'Dashboard',
    summary: 'Accept an invitation',
    description: 'Makes the user with this password and signs it in. A used, withdrawn or expired token: 400 `invalid_token`.',
    auth: 'public',
    idempotency: 'accepted',
    checksReplays: true,
    secretFields: ['password'],
    body: AcceptInvitationBody,
    bodyExample: { token: INVITATION_TOKEN, password: SIGNUP_REQUEST.password },
    setsSession: true,
    responses: [{ status: 201, description: 'The member, signed in.', schema: SignedIn, example: SIGNED_IN }],
    commands: ['AcceptInvitation'],
    errors: ['weak_password', 'unauthorized', 'rate_limited'],
    handle: (call) => {
      const { token, password } = call.body
      later(call, async () => answerOpened(parts, call, 201, await parts.dashboard.acceptInvitation(call, token, password)))
    },
  })
}

function resetTotpRoute(parts: MemberRoutesParts): Route {
  return route({
    method: 'POST',
    path: '/v1/dashboard/members/{id}/reset-totp',
    operationId: 'resetMemberTotp',
    tag: 'Dashboard',
    summary: 'Turn TOTP of another member off',
    description: `For a member who lost phone and recovery codes. The password of the member stays, an e-mail says what happened. Owners cannot reset
their own: another owner or an operator of the service does. \`password\` is the caller's own; wrong ones count as at login.`,
    auth: 'session',
    idempotency: 'accepted',
    checksReplays: true,
    secretFields: ['password'],
    params: { id: uuid({ description: 'Id of the member.' }) },
    body: ResetTotpBody,
    bodyExample: { password: SIGNUP_REQUEST.password },
    responses: [{ status: 200, description: 'Off.', schema: Done, example: DONE }],
    commands: ['CountWrongPassword', 'ResetTotp'],
    errors: ['insufficient_role'],
    handle: (call) => later(call, () => resetTotp(parts, call)),
  })
}

async function resetTotp(
  { engine, dashboard }: MemberRoutesParts,
  call: Call<ResetTotpBody, Record<string, unknown>, SessionPrincipal>,
): Promise<void> {
  const { user, merchant, account } = call.principal
  const userId = String(call.params[0]).toLowerCase()
  if (userId === user.id) return call.refuse('insufficient_role')
  const refusal = await dashboard.changes.refusalOf(call, call.principal, call.body.password)
  if (refusal !== null) return answerNotOpened(call, refusal)
  const email = engine.query('dashboardUsers.byId', { id: userId })?.email ?? ''
  const notice = dashboard.links.totpReset(email, nameInMessages(engine, account), acceptedLanguage(call.browser.acceptLanguage))
  call.submit({ type: 'ResetTotp', merchantId: merchant.id, userId, operatorReason: null, notice }, account)
}

function invite({ engine, dashboard }: MemberRoutesParts, call: Call<InviteMemberBody, Record<string, unknown>, SessionPrincipal>): void {
  const { user, account } = call.principal
  const email = call.body.email.toLowerCase()
  const { role } = call.body
  const link = dashboard.links.invitation(email, nameInMessages(engine, account), role, acceptedLanguage(call.browser.acceptLanguage))
  call.submit({ type: 'InviteMember', userId: user.id, email, role, link }, account)
}
