// What operators decide about billers. Every decision leaves a line in the audit trail, in the record of its effect.
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
import type { CurateLogo, Curation } from '../../../engine/domain/biller/biller-curation-decide.ts'
import { operatorBiller, reviewState } from '../../../engine/domain/biller/biller-versions.ts'
import { AUDIT_ACCOUNT } from '../../../engine/domain/operator/operator-decide.ts'
import { rfc3339 } from '../../../engine/kernel/time.ts'
import type { House } from '../../app/house.ts'
import { rowsPage } from '../../lists/lists.ts'
import { type Call, type OperatorPrincipal, type Route, type RouteShape, route } from '../../server/route.ts'
import { OPERATOR_BILLER } from './biller-examples.ts'
import { logosBase } from './logo-file.ts'

const PATH = '/v1/operator/billers'

export function operatorBillerRoutes(house: House): readonly Route[] {
  return [
    listRoute(house),
    getRoute(house),
    approveRoute(house),
    reasonRoute(house, 'rejected', 'reject', 'Refuse what is under review'),
    reasonRoute(house, 'suspended', 'suspend', 'Take a biller out of the directory for a while'),
    route({
      ...shapeOf('reinstate', 'Put a suspended biller back', 'published'),
      auth: 'operator',
      handle: (call) => curate(house, call, 'reinstated', '', null),
    }),
    logoRoute(house, 'logo_approved', 'approve', 'Show the logo that waits'),
    logoRoute(house, 'logo_rejected', 'reject', 'Refuse the logo that waits; the displayed one stays'),
  ]
}

function listRoute(house: House): Route {
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
    handle: (call) => list(house, call),
  })
}

function getRoute(house: House): Route {
  return route({
    method: 'GET',
    path: `${PATH}/{slug}`,
    operationId: 'getBillerOfOperator',
    tag: 'Operator',
    summary: 'Get a biller',
    auth: 'operator',
    idempotency: 'none',
    params: { slug: Type.String({ description: 'Slug of the biller.', examples: ['energie-du-sahel'] }) },
    responses: [{ status: 200, description: 'The biller.', schema: OperatorBiller, example: OPERATOR_BILLER }],
    errors: ['biller_not_found'],
    handle: (call) => {
      const { state } = house.engine
      const biller = state.billers.profiles.get(String(call.params[0]))
      if (biller === undefined) return call.refuse('biller_not_found')
      call.answer(200, JSON.stringify(operatorBiller(state, biller, logosBase(house))))
    },
  })
}

function approveRoute(house: House): Route {
  return route({
    ...shapeOf('approve', 'Publish what is under review', 'published'),
    description: 'Send the `submitted_at` of what you have seen: what was changed since is then not approved unseen.',
    auth: 'operator',
    query: ApproveBillerQuery,
    handle: (call) => {
      const { submitted_at } = call.query
      const submittedMs = submitted_at === undefined ? null : parseTime(submitted_at)
      curate(house, call, 'approved', '', submittedMs === null ? null : rfc3339(submittedMs))
    },
  })
}

function reasonRoute(house: House, curation: 'rejected' | 'suspended', action: string, summary: string): Route {
  return route({
    ...shapeOf(action, summary, curation),
    auth: 'operator',
    body: ReasonBody,
    bodyExample: { reason: 'Le logo est illisible.' },
    handle: (call) => curate(house, call, curation, call.body.reason, null),
  })
}

function logoRoute(house: House, curation: CurateLogo['curation'], action: string, summary: string): Route {
  return route({
    ...shapeOf(`logo/${action}`, summary, 'published'),
    description: 'Send the `file` of what you have seen: one that came since is then not decided on unseen.',
    auth: 'operator',
    query: CurateLogoQuery,
    handle: (call) => {
      const { file = null } = call.query
      call.submit({ type: 'CurateLogo', slug: String(call.params[0]), curation, file, logosBase: logosBase(house) }, AUDIT_ACCOUNT)
    },
  })
}

/** What all decisions have in common. */
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
    errors: ['biller_not_found', 'invalid_directory_state'],
  }
}

type OperatorCall<Body = unknown, Query = Record<string, unknown>> = Call<Body, Query, OperatorPrincipal>

function curate(house: House, call: OperatorCall, curation: Curation, reason: string, submittedAt: string | null): void {
  const slug = String(call.params[0])
  call.submit({ type: 'CurateBiller', slug, curation, reason, submittedAt, logosBase: logosBase(house) }, AUDIT_ACCOUNT)
}

function list(house: House, call: OperatorCall<unknown, ListBillersQuery>): void {
  const { state } = house.engine
  const { directory_state, ...query } = call.query
  const all = [...state.billers.profiles.values()]
  const rows = directory_state === undefined ? all : all.filter((biller) => reviewState(biller) === directory_state)
  const page = rowsPage(rows, query, (biller) => operatorBiller(state, biller, logosBase(house)))
  if (page === null) return call.refuse('invalid_parameter', 'cursor')
  call.answer(200, page)
}
