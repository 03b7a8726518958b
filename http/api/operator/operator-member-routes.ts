// Members of a merchant for operators: the list, and the reset of a lost second factor.
import { AUDIT_ACCOUNT, type EngineApi } from '../../../engine/api.ts'
import { Done } from '../../../engine/contract/auth.ts'
import { PageQuery, uuid } from '../../../engine/contract/common.ts'
import { MemberList } from '../../../engine/contract/dashboard.ts'
import { ResetMemberTotpBody } from '../../../engine/contract/operator.ts'
import type { DashboardAccess } from '../../auth/dashboard/dashboard-access.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type OperatorPrincipal, type Route, route } from '../../server/route.ts'
import { nameInMessages } from '../../workers/gateways/merchant-name.ts'
import { INVITED } from '../dashboard/dashboard-examples.ts'
import { DONE } from '../shared-examples.ts'

export interface OperatorMemberParts {
  readonly engine: Pick<EngineApi, 'query'>
  readonly dashboard: Pick<DashboardAccess, 'links'>
}

const MERCHANT_ID = { id: uuid({ description: 'Id of the merchant.' }) }

export function operatorMemberRoutes(parts: OperatorMemberParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/operator/merchants/{id}/members',
      operationId: 'listMerchantMembers',
      tag: 'Operator',
      summary: 'List the members of a merchant',
      description: 'Users of the dashboard and open invitations; empty for a merchant without any.',
      auth: 'operator',
      idempotency: 'none',
      params: MERCHANT_ID,
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
      handle: (call) => {
        const merchantId = String(call.params[0]).toLowerCase()
        if (parts.engine.query('merchants.byId', { id: merchantId }) === null) return call.refuse('not_found')
        answerPage(call, parts.engine.query('dashboardMembers.list', { merchantId, query: call.query }))
      },
    }),
    route({
      method: 'POST',
      path: '/v1/operator/merchants/{id}/members/{user_id}/reset-totp',
      operationId: 'resetTotpOfMember',
      tag: 'Operator',
      summary: 'Turn TOTP of a member off',
      description: `For a member who lost phone and recovery codes, after a check of identity outside the service. The password of the member stays, an
e-mail says what happened, and the audit trail has the reason. The desk asks for the operator's own token once more.`,
      auth: 'operator',
      idempotency: 'accepted',
      params: { ...MERCHANT_ID, user_id: uuid({ description: 'Id of the member.' }) },
      body: ResetMemberTotpBody,
      bodyExample: { reason: 'Pièce d’identité vérifiée au bureau de Dakar.' },
      responses: [{ status: 200, description: 'Off.', schema: Done, example: DONE }],
      commands: ['ResetTotp'],
      errors: [],
      handle: (call) => resetTotp(parts, call),
    }),
  ]
}

function resetTotp(
  { engine, dashboard }: OperatorMemberParts,
  call: Call<ResetMemberTotpBody, Record<string, unknown>, OperatorPrincipal>,
): void {
  const [merchantId = '', userId = ''] = call.params.map((id) => String(id).toLowerCase())
  const email = engine.query('dashboardUsers.byId', { id: userId })?.email ?? ''
  const merchant = engine.query('merchants.byId', { id: merchantId })
  const notice = dashboard.links.totpReset(email, merchant === null ? null : nameInMessages(engine, merchant.accounts.live))
  call.submit({ type: 'ResetTotp', merchantId, userId, operatorReason: call.body.reason, notice }, AUDIT_ACCOUNT)
}
