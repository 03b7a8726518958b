// The routes of biller review. A decision uses the API's route, so the audit trail records it in the same way. It names the
// version that the operator saw, so that a later change is not approved unseen.

import type { BillerComparison, BillerProfile, DirectoryState } from '../../../engine/api.ts'
import { DIRECTORY_STATES, type OperatorBiller } from '../../../engine/contract/biller.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { type ApiRequest, newFormKey } from '../shared/api-calls.ts'

import { redirectTo } from '../shared/layout.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { comparedProduct, comparedProfile } from './biller-comparison.ts'
import { type BillerView, billerBody, type ComparedProduct, queueBody } from './biller-page.ts'
import { DESK_FORM, DESK_PAGE, type Desk, type DeskCall } from './desk.ts'
import { answerMissing } from './missing.ts'
import { cursorOf, type ListPage } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'

const TEXTS = texts({
  fr: {
    noBillerHasName: 'Aucun facturier ne porte ce nom.',
    approvedDirectoryShowsIt: 'Approuvé : l’annuaire le montre.',
    refusedMerchantWillReadReason: 'Refusé : le marchand lira le motif.',
    suspendedDirectoryNoLongerShows: 'Suspendu : l’annuaire ne le montre plus.',
    restoredDirectoryShowsItAgain: 'Rétabli : l’annuaire le montre à nouveau.',
    logoApproved: 'Logo approuvé.',
    logoRefused: 'Logo refusé.',
    nothingWasDecidedStateOr: 'Rien n’a été décidé : l’état ou le contenu a changé entre-temps. Regardez à nouveau.',
  },
  en: {
    noBillerHasName: 'No biller has this name.',
    approvedDirectoryShowsIt: 'Approved: the directory shows it.',
    refusedMerchantWillReadReason: 'Refused: the merchant will read the reason.',
    suspendedDirectoryNoLongerShows: 'Suspended: the directory no longer shows it.',
    restoredDirectoryShowsItAgain: 'Restored: the directory shows it again.',
    logoApproved: 'Logo approved.',
    logoRefused: 'Logo refused.',
    nothingWasDecidedStateOr: 'Nothing was decided: the state or the content has changed meanwhile. Look again.',
  },
})

const FIELD = Type.Optional(Type.String())
const DecisionForm = Type.Object({ csrf: FIELD, key: FIELD, reason: FIELD, submitted_at: FIELD, file: FIELD })

const CURATOR = ['curator'] as const

type DecisionCall = DeskCall<Static<typeof DecisionForm>>

/** Maximum number of waiting logos on the page. */
const WAITING_LOGOS_MAX = 100

export function billerRoutes(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/billers',
      operationId: 'showOperatorBillers',
      summary: 'What waits for a decision',
      handle: (call) => desk.signedIn(call, '../', (session) => later(call, () => showQueue(desk, call, session))),
    }),
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/billers/{slug}',
      operationId: 'showOperatorBiller',
      summary: 'One biller, with what changed',
      handle: (call) => desk.signedIn(call, '../../', (session) => later(call, () => showBiller(desk, call, session))),
    }),
    ...ACTIONS.map((action) => decisionRoute(desk, action)),
  ]
}

async function showQueue(desk: Desk, call: DeskCall, session: OperatorSession): Promise<void> {
  const wanted = new URLSearchParams(call.queryText).get('state')
  const directoryState: DirectoryState = DIRECTORY_STATES.find((state) => state === wanted) ?? 'in_review'
  const query = cursorOf(call.queryText)
  const answer = await desk.ask<ListPage<OperatorBiller>>(call, {
    operationId: 'listBillers',
    query: { ...query, directory_state: directoryState },
  })
  if (!answer.ok)
    return answerMissing(desk, call, session, { place: 'billers', root: '../', message: answer.error.message, status: answer.status })
  const body = queueBody({
    directoryState,
    page: answer.body,
    waitingLogos: desk.engine.query('billers.waitingLogos', { limit: WAITING_LOGOS_MAX }),
    query,
  })
  desk.answer(call, session, { title: OPERATOR_WORDS.billers, place: 'billers', root: '../', body })
}

async function showBiller(desk: Desk, call: DeskCall, session: OperatorSession): Promise<void> {
  const slug = String(call.params[0])
  const answer = await desk.ask<OperatorBiller>(call, { operationId: 'getBillerOfOperator', params: [slug] })
  const compared = desk.engine.query('billers.comparison', { slug })
  if (!answer.ok || compared === null)
    return answerMissing(desk, call, session, { place: 'billers', root: '../../', message: TEXTS.noBillerHasName })
  const { now: biller, decided, products } = compared
  const currency = desk.engine.query('merchants.byId', { id: answer.body.merchant_id })?.currency ?? desk.currencies[0]
  const missing = new URLSearchParams(call.queryText).get('missing')
  const missingReason = missing === 'reject' || missing === 'suspend' ? missing : null
  const view: BillerView = {
    session,
    biller: answer.body,
    decidedAt: decided?.decidedAt ?? null,
    rows: comparedProfile(decided?.profile ?? null, biller),
    logos: logosOf(biller, decided?.profile ?? null),
    products: products.map((product) => comparedWith(product, decided !== null, currency)),
    formKey: newFormKey(),
    missingReason,
  }
  const name = biller.display_name
  const title = missingReason === null ? name : WORDS.error(name)
  desk.answer(call, session, { title, place: 'billers', root: '../../', body: billerBody(view) })
}

function logosOf({ logo, pending_logo }: BillerProfile, decided: BillerProfile | null): BillerView['logos'] {
  return { before: decided?.logo?.file ?? null, now: logo?.file ?? null, pending: pending_logo?.file ?? null }
}

function comparedWith(
  { slug, state, before, now }: BillerComparison['products'][number],
  isDecided: boolean,
  currency: string,
): ComparedProduct {
  return {
    slug,
    title: now.title,
    isActive: state === 'active',
    rows: comparedProduct(before, now, currency),
    isNew: isDecided && before === null,
  }
}

const ACTIONS = ['approve', 'reject', 'suspend', 'reinstate', 'logo-approve', 'logo-reject'] as const

type Action = (typeof ACTIONS)[number]

const DONE: Readonly<Record<Action, Text>> = {
  approve: TEXTS.approvedDirectoryShowsIt,
  reject: TEXTS.refusedMerchantWillReadReason,
  suspend: TEXTS.suspendedDirectoryNoLongerShows,
  reinstate: TEXTS.restoredDirectoryShowsItAgain,
  'logo-approve': TEXTS.logoApproved,
  'logo-reject': TEXTS.logoRefused,
}

const OPERATIONS: Readonly<Record<Action, string>> = {
  approve: 'approveBiller',
  reject: 'rejectBiller',
  suspend: 'suspendBiller',
  reinstate: 'reinstateBiller',
  'logo-approve': 'logoApproveBiller',
  'logo-reject': 'logoRejectBiller',
}

function decisionRoute(desk: Desk, action: Action): Route {
  return route({
    ...DESK_FORM,
    path: `/operator/billers/{slug}/${action}`,
    operationId: `sendOperatorDecision-${action}`,
    summary: 'Decide',
    body: DecisionForm,
    handle: (call) => desk.ownForm(call, '../../../', () => later(call, () => decide(desk, call, action)), CURATOR),
  })
}

async function decide(desk: Desk, call: DecisionCall, action: Action): Promise<void> {
  const slug = String(call.params[0])
  const own = `../${encodeURIComponent(slug)}`
  const { reason = '', key = '' } = call.body
  if ((action === 'reject' || action === 'suspend') && reason.trim() === '') return redirectTo(call, `${own}?missing=${action}`)
  const answer = await desk.ask<OperatorBiller>(call, {
    operationId: OPERATIONS[action],
    params: [slug],
    ...seenOf(action, call.body),
    ...(FORM_KEY.test(key) ? { idempotencyKey: key } : {}),
  })
  const notice = answer.ok ? DONE[action] : answer.error.code === 'invalid_directory_state' ? CHANGED : answer.error.message
  desk.redirectWith(call, own, notice)
}

const FORM_KEY = /^form-[0-9a-f-]{36}-[a-z-]{1,16}$/
const CHANGED = TEXTS.nothingWasDecidedStateOr

/** Returns the version that the operator saw. */
function seenOf(
  action: Action,
  { reason = '', submitted_at = '', file = '' }: Static<typeof DecisionForm>,
): Pick<ApiRequest, 'query' | 'body'> {
  if (action === 'approve') return submitted_at === '' ? {} : { query: { submitted_at } }
  if (action === 'reject' || action === 'suspend') return { body: { reason: reason.replaceAll('\r\n', '\n').trim() } }
  return action === 'reinstate' || file === '' ? {} : { query: { file } }
}
