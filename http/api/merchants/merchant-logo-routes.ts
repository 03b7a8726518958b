// The logo of a merchant: owners send and remove it, operators decide whether customers see it.
import { AUDIT_ACCOUNT, type EngineApi } from '../../../engine/api.ts'
import { uuid } from '../../../engine/contract/common.ts'
import { Merchant } from '../../../engine/contract/merchant.ts'
import {
  ApproveLogoBody,
  ListLogoChangesQuery,
  type LogoChange,
  MERCHANT_LOGO_BYTES_MAX,
  MERCHANT_LOGO_SIDE_PX_MAX,
  MerchantAccount,
  type MerchantLogoChange,
  MerchantLogoChangeList,
  MerchantLogoForm,
  RefuseLogoBody,
} from '../../../engine/contract/merchant-account.ts'
import type { Static } from '../../../engine/contract/schema.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type Route, route, type SessionPrincipal } from '../../server/route.ts'
import { logoOf, logosBase, type PublicAddress } from '../billers/logo-file.ts'
import { MERCHANT } from '../operator/operator-examples.ts'
import { ACCOUNT } from './merchant-account-routes.ts'

export interface MerchantLogoParts extends PublicAddress {
  readonly engine: Pick<EngineApi, 'query'>
}

const PATH = '/v1/dashboard/account/logo'
const BOUNDS = { bytesMax: MERCHANT_LOGO_BYTES_MAX, sidePxMax: MERCHANT_LOGO_SIDE_PX_MAX, types: ['png', 'jpeg'] } as const
/** Larger than a logo, so that a file that is too large gets the error of its own. */
const FORM_BYTES_MAX = 512 * 1024

const LOGO_URL = `https://api.example/logos/${'3f'.repeat(32)}.png`
const LOGO_CHANGE: LogoChange = {
  ...{ state: 'requested', logo_url: LOGO_URL, reason: null },
  ...{ requested_at: '2026-11-20T10:00:00.000Z', decided_at: null },
}
const WAITING: MerchantLogoChange = {
  ...{ merchant_id: MERCHANT.id, merchant_name: MERCHANT.name, shown_logo_url: null },
  ...LOGO_CHANGE,
}
const SENT: MerchantAccount = { ...ACCOUNT, logo_change: LOGO_CHANGE }
const MERCHANT_ID = { id: uuid({ description: 'Id of the merchant.' }) }

export function merchantLogoRoutes(parts: MerchantLogoParts): readonly Route[] {
  return [...ownRoutes(parts), listRoute(parts), ...decisionRoutes()]
}

type UploadCall = Call<Static<typeof MerchantLogoForm>, Record<string, unknown>, SessionPrincipal>

function ownRoutes(parts: MerchantLogoParts): readonly Route[] {
  const submit = (call: Pick<UploadCall, 'principal' | 'submit'>, logo: { file: string; base64: string } | null): void => {
    const { merchant, caller, account } = call.principal
    call.submit({ type: 'SetMerchantLogo', merchantId: merchant.id, actedBy: caller, logo, logosBase: logosBase(parts) }, account)
  }
  return [
    route({
      method: 'POST',
      path: PATH,
      operationId: 'setMerchantLogo',
      tag: 'Dashboard',
      summary: 'Send the logo of the merchant',
      description: SET_DESCRIPTION,
      auth: 'session',
      memberRole: 'owner',
      idempotency: 'accepted',
      bodyType: 'multipart',
      body: MerchantLogoForm,
      bodyBytesMax: FORM_BYTES_MAX,
      bodyTooLarge: 'logo_too_large',
      responses: [{ status: 200, description: 'The account from now on.', schema: MerchantAccount, example: SENT }],
      commands: ['SetMerchantLogo'],
      unreachable: ['not_found'],
      errors: ['logo_required', 'logo_too_large', 'invalid_logo_format', 'logo_not_square', 'logo_too_small'],
      handle: (call) => {
        const logo = logoOf(call.body.file as Buffer | undefined, BOUNDS)
        if (typeof logo === 'string') return call.refuse(logo, 'file')
        submit(call, { file: logo.file, base64: logo.base64 })
      },
    }),
    route({
      method: 'DELETE',
      path: PATH,
      operationId: 'deleteMerchantLogo',
      tag: 'Dashboard',
      summary: 'Remove the logo of the merchant',
      description: 'The logo that customers see, and the one that waits: from the answer on. An owner alone. X-Environment has no effect.',
      auth: 'session',
      memberRole: 'owner',
      idempotency: 'none',
      responses: [{ status: 200, description: 'The account from now on.', schema: MerchantAccount, example: ACCOUNT }],
      commands: ['SetMerchantLogo'],
      unreachable: ['not_found'],
      errors: [],
      handle: (call) => submit(call, null),
    }),
  ]
}

function listRoute(parts: MerchantLogoParts): Route {
  return route({
    method: 'GET',
    path: '/v1/operator/logo-changes',
    operationId: 'listLogoChanges',
    tag: 'Operator',
    summary: 'List new logos of merchants',
    description: 'Those that wait for a decision, unless `state` says another.',
    auth: 'operator',
    idempotency: 'none',
    query: ListLogoChangesQuery,
    responses: [
      {
        status: 200,
        description: 'One page, newest merchant first.',
        schema: MerchantLogoChangeList,
        example: { data: [WAITING], has_more: false, next_cursor: null },
      },
    ],
    errors: [],
    handle: (call) => {
      const { state = 'requested', ...query } = call.query
      answerPage(call, parts.engine.query('merchants.logoChanges', { state, query, logosBase: logosBase(parts) }))
    },
  })
}

function decisionRoutes(): readonly Route[] {
  return [
    route({
      method: 'POST',
      path: '/v1/operator/merchants/{id}/logo/approve',
      operationId: 'approveMerchantLogo',
      tag: 'Operator',
      summary: 'Approve the new logo of a merchant',
      description: APPROVE_DESCRIPTION,
      auth: 'operator',
      idempotency: 'accepted',
      params: MERCHANT_ID,
      body: ApproveLogoBody,
      bodyExample: { logo_url: LOGO_URL },
      responses: [{ status: 200, description: 'The merchant.', schema: Merchant, example: MERCHANT }],
      commands: ['ReviewMerchantLogo'],
      errors: [],
      handle: (call) => {
        const merchantId = String(call.params[0]).toLowerCase()
        // The name of a file is that of its content, under any host.
        const file = call.body.logo_url.slice(call.body.logo_url.lastIndexOf('/') + 1)
        call.submit({ type: 'ReviewMerchantLogo', merchantId, decision: { approved: true, file } }, AUDIT_ACCOUNT)
      },
    }),
    route({
      method: 'POST',
      path: '/v1/operator/merchants/{id}/logo/refuse',
      operationId: 'refuseMerchantLogo',
      tag: 'Operator',
      summary: 'Refuse the new logo of a merchant',
      description:
        'The merchant sees the reason, and its customers what they saw before. Without a logo that waits: 409 `request_not_open`.',
      auth: 'operator',
      idempotency: 'accepted',
      params: MERCHANT_ID,
      body: RefuseLogoBody,
      bodyExample: { reason: 'Ce logo est celui d’une autre entreprise.' },
      responses: [{ status: 200, description: 'The merchant.', schema: Merchant, example: MERCHANT }],
      commands: ['ReviewMerchantLogo'],
      errors: [],
      handle: (call) => {
        const merchantId = String(call.params[0]).toLowerCase()
        call.submit({ type: 'ReviewMerchantLogo', merchantId, decision: { approved: false, reason: call.body.reason } }, AUDIT_ACCOUNT)
      },
    }),
  ]
}

const SET_DESCRIPTION = `An owner alone. Customers see it on the pages of charges and payment links, on receipts and on posters, once an operator has approved
it; the decision goes out as a notice of kind \`activation\`. Another logo replaces the one that waits; the one that customers see withdraws it. Its type is
read from its content. An Idempotency-Key compares the file alone, not the form around it. A logo counts against the bytes that an account may write in a
day: 429 \`rate_limited\`. X-Environment has no effect.`

const APPROVE_DESCRIPTION = `Customers see the logo at once. \`logo_url\` is that of the logo that the operator has seen: 409 \`request_not_open\` where another
one waits, or none.`
