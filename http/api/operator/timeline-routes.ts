// Timelines and notes of merchants and wallets, for operators.
import { AUDIT_ACCOUNT, type CommandOf, type EngineApi, type QueryInput, type TimelineEntry } from '../../../engine/api.ts'
import { tagInput, uuid } from '../../../engine/contract/common.ts'
import { OPERATOR_ROLES } from '../../../engine/contract/operator.ts'
import { CreateNoteBody, Note, Timeline, TimelineQuery, type TimelineRow } from '../../../engine/contract/timeline.ts'
import { normalizeTag } from '../../../engine/kernel/tag.ts'
import { answerPage } from '../../lists/list-answers.ts'
import { type Call, type OperatorPrincipal, type Route, route } from '../../server/route.ts'
import { acceptedLanguage } from '../../text/language.ts'
import { timelineSummary } from '../../text/timeline-words.ts'
import { OPERATOR } from './operator-examples.ts'

interface TimelineParts {
  readonly engine: Pick<EngineApi, 'query'>
}

type Target = CommandOf<'AddNote'>['target']
type TimelineCall = Call<unknown, TimelineQuery, OperatorPrincipal>

/** What differs between the timelines of merchants and of wallets. */
interface Kind {
  readonly noun: 'merchant' | 'wallet'
  readonly path: string
  readonly params: Route['params'] & object
  readonly target: (param: string) => Target | null
}

const MERCHANT: Kind = {
  noun: 'merchant',
  path: '/v1/operator/merchants/{id}',
  params: { id: uuid({ description: 'Id of the merchant.' }) },
  target: (param) => ({ merchantId: param.toLowerCase() }),
}

const WALLET: Kind = {
  noun: 'wallet',
  path: '/v1/operator/wallets/{tag}',
  params: { tag: tagInput({ description: 'Tag of the wallet, with or without its `@`.' }) },
  target: (param) => {
    const tag = normalizeTag(param)
    return tag === null ? null : { tag }
  },
}

export function timelineRoutes(parts: TimelineParts): readonly Route[] {
  return [MERCHANT, WALLET].flatMap((kind) => [timelineRoute(parts, kind), noteRoute(kind)])
}

function timelineRoute(parts: TimelineParts, { noun, path, params, target }: Kind): Route {
  return route({
    method: 'GET',
    path: `${path}/timeline`,
    operationId: noun === 'merchant' ? 'getMerchantTimeline' : 'getWalletTimeline',
    tag: 'Operator',
    summary: `Everything about a ${noun}, newest first`,
    description:
      'Movements, requests, decisions of operators, sign-ins and notes in one list. A payout that failed is a request, and says why. A page may end early when very many had to be looked at: go on with `next_cursor`.',
    auth: 'operator',
    idempotency: 'none',
    params,
    query: TimelineQuery,
    responses: [
      {
        status: 200,
        description: 'One page, newest first.',
        schema: Timeline,
        example: { data: [NOTE_ROW, MOVEMENT_ROW], has_more: false, next_cursor: null },
      },
    ],
    errors: [noun === 'merchant' ? 'not_found' : 'wallet_not_found'],
    handle: (call) => answerTimeline(parts, call, target(String(call.params[0]))),
  })
}

function noteRoute({ noun, path, params, target }: Kind): Route {
  return route({
    method: 'POST',
    path: `${path}/notes`,
    operationId: noun === 'merchant' ? 'addMerchantNote' : 'addWalletNote',
    tag: 'Operator',
    summary: `Write a note on a ${noun}`,
    description: 'For other operators; it stands in the timeline and in the audit trail, and is never changed.',
    auth: 'operator',
    operatorRoles: OPERATOR_ROLES,
    idempotency: 'accepted',
    params,
    body: CreateNoteBody,
    bodyExample: { text: NOTE_ROW.summary },
    responses: [{ status: 201, description: 'The note.', schema: Note, example: NOTE }],
    commands: ['AddNote'],
    unreachable: [noun === 'merchant' ? 'wallet_not_found' : 'not_found'],
    errors: [],
    handle: (call) => {
      const about = target(String(call.params[0]))
      if (about === null) return call.refuse('wallet_not_found')
      const { text, environment = 'live' } = call.body
      call.submit({ type: 'AddNote', target: about, environment, text }, AUDIT_ACCOUNT)
    },
  })
}

const NOTE_ROW = {
  at: '2026-11-20T11:00:00.000Z',
  kind: 'note',
  summary: 'Appelé : nouvelle adresse confirmée par le registre du commerce.',
  operator: { id: OPERATOR.id, name: OPERATOR.name },
} satisfies TimelineRow

const NOTE: Note = { id: '019aa12f-0000-7e1a-8c4d-5e6f708192a3', ...NOTE_ROW, kind: 'note' }

const MOVEMENT_ROW: TimelineRow = {
  at: '2026-11-20T10:00:00.000Z',
  kind: 'movement',
  summary: 'Paiement encaissé · @awa_diallo',
  amount: 12_500,
  currency: 'XOF',
  reference: 'CMD-118',
  transaction_id: '019aa0fb-f5e9-7a2b-9c3d-4e5f60718293',
}

function answerTimeline({ engine }: TimelineParts, call: TimelineCall, target: Target | null): void {
  if (target === null) return call.refuse('wallet_not_found')
  const { query } = call
  const subject: QueryInput<'timeline.list'>['subject'] =
    'tag' in target ? { kind: 'wallet', tag: target.tag } : { kind: 'merchant', id: target.merchantId }
  const page = engine.query('timeline.list', { subject, environment: query.environment ?? 'live', query })
  if (page === 'unknown') return call.refuse(subject.kind === 'wallet' ? 'wallet_not_found' : 'not_found')
  const language = acceptedLanguage(call.browser.acceptLanguage)
  answerPage(call, page === null ? null : { ...page, rows: page.rows.map((row) => rowText(JSON.parse(row) as TimelineEntry, language)) })
}

function rowText(entry: TimelineEntry, language: ReturnType<typeof acceptedLanguage>): string {
  const { at, kind, what: _what, other: _other, said: _said, failed: _failed, why: _why, ...more } = entry
  return JSON.stringify({ at, kind, summary: timelineSummary(entry, language), ...more } satisfies TimelineRow)
}
