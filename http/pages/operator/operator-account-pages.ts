// Operators with a name, on the desk: the list, and for administrators making and revoking them. The token of one that is made at
// once is shown once; one that waits for another person gets its token by e-mail.

import { type CreatedOperator, OPERATOR_ROLES, type Operator, type OperatorRequest } from '../../../engine/contract/operator.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { type ApiAnswer, newFormKey } from '../shared/api-calls.ts'
import { type Column, dataTable } from '../shared/data-table.ts'
import { formField } from '../shared/form-field.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { csrfField, DESK_FORM, DESK_PAGE, type Desk, type DeskCall, mayAct } from './desk.ts'
import { answerMissing } from './missing.ts'
import { TEXTS } from './operator-account-pages-messages.ts'
import { cursorOf, failurePart, type ListPage, moment, pager } from './operator-parts.ts'
import { operatorRequestCards } from './operator-request-pages.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { ROLE_NAMES } from './role-names.ts'

const FIELD = Type.Optional(Type.String())
const CreateForm = Type.Object({ csrf: FIELD, key: FIELD, name: FIELD, email: FIELD, role: FIELD })
const RevokeForm = Type.Object({ csrf: FIELD })
const ADMIN = ['admin'] as const

export function operatorAccountPages(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/operators',
      operationId: 'showOperators',
      summary: 'Operators with a name',
      handle: (call) => desk.signedIn(call, '../', (session) => later(call, () => show(desk, call, session, null))),
    }),
    route({
      ...DESK_FORM,
      path: '/operator/operators',
      operationId: 'sendOperator',
      summary: 'Make an operator',
      body: CreateForm,
      handle: (call) => desk.ownForm(call, '../', (session) => later(call, () => create(desk, call, session)), ADMIN),
    }),
    route({
      ...DESK_FORM,
      path: '/operator/operators/{id}/revoke',
      params: { id: Type.String({ maxLength: 64 }) },
      operationId: 'sendOperatorRevocation',
      summary: 'Revoke an operator',
      body: RevokeForm,
      handle: (call) => desk.ownForm(call, '../../../', () => later(call, () => revoke(desk, call)), ADMIN),
    }),
  ]
}

type Refused = Extract<ApiAnswer<unknown>, { ok: false }>

async function show(desk: Desk, call: DeskCall, session: OperatorSession, refused: Refused | null): Promise<void> {
  const query = cursorOf(call.queryText)
  const answer = await desk.ask<ListPage<Operator>>(call, { operationId: 'listOperators', query })
  if (!answer.ok)
    return answerMissing(desk, call, session, { place: 'operators', root: '../', message: answer.error.message, status: answer.status })
  const { data, next_cursor } = answer.body
  const requested = await desk.ask<ListPage<OperatorRequest>>(call, { operationId: 'listOperatorRequests', query: { limit: '100' } })
  const requests = requested.ok ? requested.body.data : []
  const mayChange = mayAct(session, ADMIN)
  const body = html`<h1>${OPERATOR_WORDS.operators}</h1>
<p class="hint">${TEXTS.onePersonOneTokenLog}</p>
${data.length === 0 && html`<p class="hint">${TEXTS.noOperatorsYet}</p>`}
${operatorRequestCards(session, requests, desk.engine.query('engine.time', null))}
<div class="stack">${data.length > 0 && operatorTable(session, data, mayChange)}
${pager('operators', query, next_cursor)}
${mayChange && createForm(session, refused?.error.message ?? null)}</div>`
  desk.answer(call, session, { title: OPERATOR_WORDS.operators, place: 'operators', root: '../', body }, refused?.status ?? 200)
}

function operatorTable(session: OperatorSession, rows: readonly Operator[], mayChange: boolean): Html {
  const revokeForm = (id: string): Fragment =>
    mayChange &&
    html`<details><summary>${WORDS.revoke}</summary><form method="post" action="operators/${id}/revoke">${csrfField(session)}<p>${TEXTS.tokenAndSessionsWillOpen}</p><button type="submit" class="quiet">${OPERATOR_WORDS.revokeAccess}</button></form></details>`
  const columns: readonly Column<Operator>[] = [
    { name: WORDS.name, isHeader: true, cell: ({ name }) => html`<bdi>${name}</bdi>` },
    { name: WORDS.eMailAddress, card: 'about', cell: ({ email }) => html`<bdi>${email}</bdi>` },
    { name: WORDS.role, card: 'state', cell: ({ role }) => ROLE_NAMES[role] },
    { name: WORDS.since, cell: ({ created_at }) => moment(created_at) },
    { name: WORDS.action, card: 'action', cell: ({ id }) => revokeForm(id) },
  ]
  return dataTable({ name: OPERATOR_WORDS.operators, columns, rows })
}

function createForm(session: OperatorSession, error: Text | string | null): Html {
  return html`<form class="form card narrow" method="post" action="operators" novalidate>
${csrfField(session)}<input type="hidden" name="key" value="${newFormKey()}">
<h2>${TEXTS.newOperator}</h2>
${error !== null && failurePart(error)}
${formField({ name: 'name', label: WORDS.name, maxLength: 100 })}
${formField({ name: 'email', label: WORDS.eMailAddress, type: 'email', maxLength: 254 })}
<div class="field"><label for="role">${WORDS.role}</label><select id="role" name="role">${[...OPERATOR_ROLES].reverse().map((role) => html`<option value="${role}">${ROLE_TEXTS[role]}</option>`)}</select></div>
<button type="submit">${TEXTS.createAccess}</button>
</form>`
}

const ROLE_TEXTS: Readonly<Record<Operator['role'], Text | string>> = {
  admin: TEXTS.administrationOperatorsMerchantsAndKeys,
  finance: TEXTS.financeDepositsWithdrawalsAndApprovals,
  curator: TEXTS.billersReviewAndPublication,
  support: TEXTS.supportReadsOnly,
}

/** Answers the page with the token, without a redirect: an address must not contain it. */
async function create(desk: Desk, call: DeskCall<Static<typeof CreateForm>>, session: OperatorSession): Promise<void> {
  const { key = '', name = '', email = '', role = '' } = call.body
  const answer = await desk.ask<CreatedOperator>(call, {
    operationId: 'createOperator',
    body: { name: name.trim(), email: email.trim(), role },
    idempotencyKey: key,
  })
  if (!answer.ok) return show(desk, call, session, answer)
  if (answer.status === 202) return desk.redirectWith(call, 'operators', WAITING)
  const body = html`<h1>${TEXTS.newOperator}</h1>
<section class="card narrow"><p>${TEXTS.copyTokenNowItShown(answer.body.name)}</p>
<p><label for="token">${TEXTS.token}</label><input id="token" value="${answer.body.token}" readonly></p>
<p><a href="operators">${TEXTS.iHaveCopiedToken}</a></p></section>`
  desk.answer(call, session, { title: TEXTS.newOperator, place: 'operators', root: '../', body }, answer.status)
}

async function revoke(desk: Desk, call: DeskCall): Promise<void> {
  const answer = await desk.ask(call, { operationId: 'revokeOperator', params: [String(call.params[0])] })
  const notice = answer.ok ? (answer.status === 202 ? REVOCATION_WAITING : OPERATOR_WORDS.accessRevoked) : answer.error.message
  desk.redirectWith(call, '../../operators', notice)
}

const WAITING = TEXTS.accessWaitsForAnotherPerson
const REVOCATION_WAITING = TEXTS.revocationWaitsForAnotherPerson
