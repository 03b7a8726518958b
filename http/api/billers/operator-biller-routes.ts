// Decisions of operators about billers. The log record of a decision also contains its entry in the audit trail.
import { AUDIT_ACCOUNT, type CommandOf, type EngineApi } from '../../../engine/api.ts'
import {
  ApproveBillerQuery,
  CurateLogoQuery,
  ListBillersQuery,
  OperatorBiller,
  OperatorBillerList,
  ReasonBody,
} from '../../../engine/contract/biller.ts'
import { Type } from '../../../engine/contract/schema.ts'
import { parseTime } from '../../../engine/contract/time-text.ts'
import { rfc3339 } from '../../../engine/kernel/time.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type OperatorPrincipal, type Route, type RouteShape, route } from '../../server/route.ts'
import { OPERATOR_BILLER } from './biller-examples.ts'
import { logosBase, type PublicAddress } from './logo-file.ts'

const PATH = '/v1/operator/billers'
const CURATORS = ['curator'] as const

export interface OperatorBillerRoutesParts extends PublicAddress {
  readonly engine: Pick<EngineApi, 'query'>
}

export function operatorBillerRoutes(parts: OperatorBillerRoutesParts): readonly Route[] {
  return [
    listRoute(parts),
    getRoute(parts),
    approveRoute(parts),
    reasonRoute(parts, 'rejected', 'reject', 'Refuse what is under review'),
    reasonRoute(parts, 'suspended', 'suspend', 'Take a biller out of the directory for a while'),
    route({
      ...shapeOf('reinstate', 'Put a suspended biller back', 'published'),
      description: 'Wallets find and pay it again.',
      auth: 'operator',
      operatorRoles: CURATORS,
      handle: (call) => curate(parts, call, 'reinstated', '', null),
    }),
    logoRoute(parts, 'logo_approved', 'approve', 'Show the logo that waits'),
    logoRoute(parts, 'logo_rejected', 'reject', 'Refuse the logo that waits; the displayed one stays'),
  ]
}

function listRoute(parts: OperatorBillerRoutesParts): Route {
  return route({
    method: 'GET',
    path: PATH,
    operationId: 'listBillers',
    tag: 'Operator',
    summary: 'List billers',
    description: '`directory_state=in_review` is what waits, with what only the test helper has approved.',
    auth: 'operator',
    idempotency: 'none',
    query: ListBillersQuery,
    responses: [
      {
        status: 200,
        description: 'One page, newest first.',
        schema: OperatorBillerList,
        example: { data: [OPERATOR_BILLER], has_more: false, next_cursor: null },
      },
    ],
    errors: [],
    handle: (call) => list(parts, call),
  })
}

function getRoute(parts: OperatorBillerRoutesParts): Route {
  return route({
    method: 'GET',
    path: `${PATH}/{slug}`,
    operationId: 'getBillerOfOperator',
    tag: 'Operator',
    summary: 'Get a biller',
    description: 'The profile, and what waits for a decision.',
    auth: 'operator',
    idempotency: 'none',
    params: { slug: Type.String({ description: 'Slug of the biller.', examples: ['energie-du-sahel'] }) },
    responses: [{ status: 200, description: 'The biller.', schema: OperatorBiller, example: OPERATOR_BILLER }],
    errors: ['biller_not_found'],
    handle: (call) => {
      const input = { slug: String(call.params[0]), logosBase: logosBase(parts) }
      const biller = parts.engine.query('billers.forOperator', input)
      if (biller === null) return call.refuse('biller_not_found')
      call.answer(200, JSON.stringify(biller))
    },
  })
}

function approveRoute(parts: PublicAddress): Route {
  return route({
    ...shapeOf('approve', 'Publish what is under review', 'published'),
    description: 'Send the `submitted_at` of what you have seen: what was changed since is then not approved unseen.',
    auth: 'operator',
    operatorRoles: CURATORS,
    query: ApproveBillerQuery,
    handle: (call) => {
      const { submitted_at } = call.query
      const submittedMs = submitted_at === undefined ? null : parseTime(submitted_at)
      curate(parts, call, 'approved', '', submittedMs === null ? null : rfc3339(submittedMs))
    },
  })
}

const REASON_ABOUT = {
  rejected: '`reason` is shown to the merchant, who may correct and submit again.',
  suspended: '`reason` is shown to the merchant. Wallets neither find nor pay the biller until it is reinstated.',
} as const

function reasonRoute(parts: PublicAddress, curation: keyof typeof REASON_ABOUT, action: string, summary: string): Route {
  return route({
    ...shapeOf(action, summary, curation),
    description: REASON_ABOUT[curation],
    auth: 'operator',
    operatorRoles: CURATORS,
    body: ReasonBody,
    bodyExample: { reason: 'Le logo est illisible.' },
    handle: (call) => curate(parts, call, curation, call.body.reason, null),
  })
}

function logoRoute(parts: PublicAddress, curation: CommandOf<'CurateLogo'>['curation'], action: string, summary: string): Route {
  return route({
    ...shapeOf(`logo/${action}`, summary, 'published'),
    description: 'Send the `file` of what you have seen: one that came since is then not decided on unseen.',
    auth: 'operator',
    operatorRoles: CURATORS,
    query: CurateLogoQuery,
    handle: (call) => {
      const { file = null } = call.query
      call.submit({ type: 'CurateLogo', slug: String(call.params[0]), curation, file, logosBase: logosBase(parts) }, AUDIT_ACCOUNT)
    },
  })
}

/** Returns the fields that the routes of all decisions share. */
function shapeOf(action: string, summary: string, state: OperatorBiller['directory_state']): Omit<RouteShape, 'auth'> {
  return {
    method: 'POST',
    path: `${PATH}/{slug}/${action}`,
    operationId: `${action.replace(/\/(.)/, (_, letter: string) => letter.toUpperCase())}Biller`,
    tag: 'Operator',
    summary,
    idempotency: 'accepted',
    params: { slug: Type.String({ description: 'Slug of the biller.', examples: ['energie-du-sahel'] }) },
    responses: [
      { status: 200, description: 'The biller.', schema: OperatorBiller, example: { ...OPERATOR_BILLER, directory_state: state } },
    ],
    commands: [action.startsWith('logo/') ? 'CurateLogo' : 'CurateBiller'],
    errors: [],
  }
}

type OperatorCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, OperatorPrincipal>

function curate(
  parts: PublicAddress,
  call: OperatorCall,
  curation: CommandOf<'CurateBiller'>['curation'],
  reason: string,
  submittedAt: string | null,
): void {
  const slug = String(call.params[0])
  call.submit({ type: 'CurateBiller', slug, curation, reason, submittedAt, logosBase: logosBase(parts) }, AUDIT_ACCOUNT)
}

function list(parts: OperatorBillerRoutesParts, call: OperatorCall<unknown, ListBillersQuery>): void {
  answerPage(call, parts.engine.query('billers.list', { query: call.query, logosBase: logosBase(parts) }))
}
