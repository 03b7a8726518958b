// New operators and revocations that wait for another person, on the desk: their cards, and approving or refusing one.

import type { OperatorRequest } from '../../../engine/contract/operator.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import { parseRfc3339 } from '../../../engine/kernel/time.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { newFormKey } from '../shared/api-calls.ts'
import { agoText } from '../shared/date-text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { csrfField, DESK_FORM, type Desk, type DeskCall, mayAct } from './desk.ts'
import { moment } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { ROLE_NAMES } from './role-names.ts'

const TEXTS = texts({
  fr: {
    openAccess: 'Ouvrir un accès',
    administrationAloneDecides: 'Seule l’administration décide.',
    anotherPersonDecidesAboutAccess: 'Une autre personne décide de votre accès.',
    approveAccess: 'Approuver l’accès',
    approveRevocation: 'Approuver la révocation',
    accessOpenTokenLeavesBy: 'L’accès est ouvert. Le jeton part par e-mail.',
    requestRefused: 'La demande est refusée.',
  },
  en: {
    openAccess: 'Open an access',
    administrationAloneDecides: 'Administration alone decides.',
    anotherPersonDecidesAboutAccess: 'Another person decides about your access.',
    approveAccess: 'Approve the access',
    approveRevocation: 'Approve the revocation',
    accessOpenTokenLeavesBy: 'The access is open. The token leaves by e-mail.',
    requestRefused: 'The request is refused.',
  },
})

const FIELD = Type.Optional(Type.String())
const DecisionForm = Type.Object({ csrf: FIELD, key: FIELD, reason: FIELD })
const ADMIN = ['admin'] as const
const REASON_LENGTH_MAX = 500

export function operatorRequestPages(desk: Desk): readonly Route[] {
  const decision = (verb: 'approve' | 'refuse', operationId: string, summary: string): Route =>
    route({
      ...DESK_FORM,
      path: `/operator/operators/requests/{id}/${verb}`,
      params: { id: Type.String({ maxLength: 64 }) },
      operationId,
      summary,
      body: DecisionForm,
      handle: (call) => desk.ownForm(call, '../../../../', () => later(call, () => decide(desk, call, verb)), ADMIN),
    })
  return [
    decision('approve', 'sendNewOperatorApproval', 'Approve a new operator'),
    decision('refuse', 'sendNewOperatorRefusal', 'Refuse a new operator'),
  ]
}

/** Renders the requests; nothing when none waits. */
export function operatorRequestCards(session: OperatorSession, requests: readonly OperatorRequest[], nowMs: number): Fragment {
  return (
    requests.length > 0 &&
    html`<h2>${OPERATOR_WORDS.accessesApprove}</h2><div class="stack">${requests.map((one) => card(session, one, nowMs))}</div>`
  )
}

function card(session: OperatorSession, request: OperatorRequest, nowMs: number): Html {
  const { id, kind, name, email, role, requested_by, created_at } = request
  return html`<article class="card" aria-labelledby="o-${id}">
<h3 id="o-${id}"><bdi>${name}</bdi></h3>
<dl class="facts">
<div><dt>${OPERATOR_WORDS.request}</dt><dd>${kind === 'create' ? TEXTS.openAccess : OPERATOR_WORDS.revokeAccess}</dd></div>
<div><dt>${WORDS.eMailAddress}</dt><dd><bdi>${email}</bdi></dd></div>
<div><dt>${WORDS.role}</dt><dd>${ROLE_NAMES[role]}</dd></div>
<div><dt>${OPERATOR_WORDS.requestedBy}</dt><dd><bdi>${requested_by.id === null ? OPERATOR_WORDS.mainAccess : requested_by.name}</bdi>, ${moment(created_at)} (${agoText(parseRfc3339(created_at), nowMs)})</dd></div>
</dl>
${decisionForms(session, request)}
</article>`
}

function decisionForms(session: OperatorSession, { id, kind, operator_id, requested_by }: OperatorRequest): Fragment {
  if (!mayAct(session, ADMIN)) return html`<p class="hint">${TEXTS.administrationAloneDecides}</p>`
  const start = html`${csrfField(session)}<input type="hidden" name="key" value="${newFormKey()}">`
  const own = session.principal.operator.id
  if (kind === 'revoke' && operator_id === own && requested_by.id !== own)
    return html`<p class="hint">${TEXTS.anotherPersonDecidesAboutAccess}</p>`
  const isOwn = requested_by.id === own || (kind === 'revoke' && operator_id === own)
  return html`${isOwn && html`<p class="hint">${OPERATOR_WORDS.requestedItAnotherPersonMust}</p>`}
${!isOwn && html`<form class="form" method="post" action="operators/requests/${id}/approve">${start}<button type="submit">${kind === 'create' ? TEXTS.approveAccess : TEXTS.approveRevocation}</button></form>`}
<form class="form" method="post" action="operators/requests/${id}/refuse">${start}
<div class="field"><label for="reason-${id}">${WORDS.reasonRefusal}</label><input id="reason-${id}" name="reason" type="text" maxlength="${REASON_LENGTH_MAX}" required autocomplete="off"></div>
<button type="submit" class="quiet">${WORDS.refuse}</button></form>`
}

async function decide(desk: Desk, call: DeskCall<Static<typeof DecisionForm>>, verb: 'approve' | 'refuse'): Promise<void> {
  const { key = '', reason = '' } = call.body
  const answer = await desk.ask<OperatorRequest>(call, {
    operationId: verb === 'approve' ? 'approveOperator' : 'refuseOperator',
    params: [String(call.params[0])],
    ...(verb === 'refuse' ? { body: { reason: reason.trim() } } : {}),
    idempotencyKey: key,
  })
  const revoked = OPERATOR_WORDS.accessRevoked
  const opened = TEXTS.accessOpenTokenLeavesBy
  const done = verb === 'refuse' ? TEXTS.requestRefused : answer.ok && answer.body.kind === 'revoke' ? revoked : opened
  const missing = verb === 'refuse' && reason.trim() === '' ? OPERATOR_WORDS.typeReason : null
  desk.redirectWith(call, '../../../operators', answer.ok ? done : (missing ?? answer.error.message))
}
