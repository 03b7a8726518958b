// Activity of a merchant: what its keys and members did, for its owners.
import type { ActivityEntry, EngineApi } from '../../../engine/api.ts'
import { Activity, ActivityQuery, type ActivityRow } from '../../../engine/contract/activity.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type Route, route, type SessionPrincipal } from '../../server/route.ts'
import { ACTIVITY_WORDS } from '../../text/activity-words.ts'
import { acceptedLanguage, type Language } from '../../text/language.ts'

interface ActivityParts {
  readonly engine: Pick<EngineApi, 'query'>
}

export function activityRoutes(parts: ActivityParts): readonly Route[] {
  return [
    route({
      method: 'GET',
      path: '/v1/dashboard/activity',
      operationId: 'listActivity',
      tag: 'Dashboard',
      summary: 'List who did what',
      description: DESCRIPTION,
      auth: 'session',
      memberRole: 'owner',
      idempotency: 'none',
      query: ActivityQuery,
      responses: [
        {
          status: 200,
          description: 'One page, newest first.',
          schema: Activity,
          example: { data: [ROW], has_more: false, next_cursor: null },
        },
      ],
      errors: [],
      handle: (call) => answerActivity(parts, call),
    }),
  ]
}

const DESCRIPTION = `Acts of keys and members on disbursements, the payout policy and API keys, of the environment that X-Environment chooses, and sign-ins to
the dashboard. What an operator did is not among them. A page may end early when very many had to be looked at: go on with \`next_cursor\`.`

const ROW: ActivityRow = {
  at: '2026-11-20T10:00:00.000Z',
  action: 'disbursement.approve',
  summary: 'Versement groupé approuvé',
  by: { kind: 'member', id: '019aa0fb-f5e9-7a2b-9c3d-4e5f60718293', name: 'awa@boutique-awa.example' },
  environment: 'live',
  disbursement_id: '019aa12f-0000-7e1a-8c4d-5e6f708192a3',
  amount: 1_250_000,
  currency: 'XOF',
  reference: 'PAIE-2026-11',
}

function answerActivity({ engine }: ActivityParts, call: Call<unknown, ActivityQuery, SessionPrincipal>): void {
  const { principal, query } = call
  const page = engine.query('activity.list', { merchantId: principal.merchant.id, environment: principal.environment, query })
  const language = acceptedLanguage(call.browser.acceptLanguage)
  answerPage(call, page === null ? null : { ...page, rows: page.rows.map((row) => rowText(JSON.parse(row) as ActivityEntry, language)) })
}

function rowText({ at, action, ...more }: ActivityEntry, language: Language): string {
  return JSON.stringify({ at, action, summary: ACTIVITY_WORDS[action][language], ...more } satisfies ActivityRow)
}
