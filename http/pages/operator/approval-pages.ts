// Movements of live money that wait for a second operator, on the desk: the list, and approving or refusing one.

import type { Approval } from '../../../engine/contract/approval.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import type { OperatorTopUp } from '../../../engine/contract/top-up.ts'
import type { OperatorWithdrawal } from '../../../engine/contract/withdrawal.ts'
import { parseRfc3339 } from '../../../engine/kernel/time.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { amountText } from '../shared/amount-text.ts'
import { newFormKey } from '../shared/api-calls.ts'
import { agoText } from '../shared/date-text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { TEXTS } from './approval-pages-messages.ts'
import { APPROVAL_NAMES, accountName } from './approval-words.ts'
import { csrfField, DESK_FORM, DESK_PAGE, type Desk, type DeskCall, mayAct } from './desk.ts'
import { answerMissing } from './missing.ts'
import { cursorOf, type ListPage, moment, pager } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { changedRules, ruleChangePart } from './rule-change-words.ts'
import { readOpenRequests } from './waiting-list.ts'

const FIELD = Type.Optional(Type.String())
const DecisionForm = Type.Object({ csrf: FIELD, key: FIELD, reason: FIELD })
const PARAMS = { id: Type.String({ maxLength: 64 }) }
const FINANCE = ['finance'] as const
const ADMIN = ['admin'] as const
const REASON_LENGTH_MAX = 500

export function approvalPages(desk: Desk): readonly Route[] {
  const decision = (verb: 'approve' | 'refuse', operationId: string, summary: string): Route =>
    route({
      ...DESK_FORM,
      path: `/operator/approvals/{id}/${verb}`,
      params: PARAMS,
      operationId,
      summary,
      body: DecisionForm,
      handle: (call) => desk.ownForm(call, '../../../', () => later(call, () => decide(desk, call, verb)), [...FINANCE, ...ADMIN]),
    })
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/approvals',
      operationId: 'showOperatorApprovals',
      summary: 'Movements that wait for a second operator',
      handle: (call) => desk.signedIn(call, '../', (session) => later(call, () => show(desk, call, session))),
    }),
    decision('approve', 'sendOperatorApproval', 'Approve a movement'),
    decision('refuse', 'sendOperatorRefusal', 'Refuse a movement'),
  ]
}

async function show(desk: Desk, call: DeskCall, session: OperatorSession): Promise<void> {
  const query = cursorOf(call.queryText)
  const answer = await desk.ask<ListPage<Approval>>(call, { operationId: 'listApprovals', query })
  if (!answer.ok)
    return answerMissing(desk, call, session, { place: 'approvals', root: '../', message: answer.error.message, status: answer.status })
  const { data, next_cursor } = answer.body
  const nowMs = desk.engine.query('engine.time', null)
  const { topUps, withdrawals } = await readOpenRequests(desk, call)
  const about = (approval: Approval): Fragment => requestPart(approval, topUps, withdrawals)
  const body = html`<h1>${TEXTS.movementsApprove}</h1>
<p class="hint">${TEXTS.nothingBeforeSecondPerson}</p>
${data.length === 0 && html`<p class="hint">${TEXTS.noMovementWaiting}</p>`}
<div class="stack">${data.map((approval) => card(desk, session, { approval, request: about(approval), nowMs }))}</div>
${pager('approvals', query, next_cursor)}`
  desk.answer(call, session, { title: OPERATOR_WORDS.approvals, place: 'approvals', root: '../', body })
}

/** Renders what the merchant asked for; nothing for a movement that an operator began. */
function requestPart({ id, request_id }: Approval, topUps: readonly OperatorTopUp[], withdrawals: readonly OperatorWithdrawal[]): Fragment {
  if (request_id === null) return null
  const isOf = ({ approval_id }: { readonly approval_id: string | null }): boolean => approval_id === id
  const topUp = topUps.find(isOf)
  if (topUp !== undefined)
    return html`<div><dt>${TEXTS.announcedByMerchant}</dt><dd>${TEXTS.reference(amountText(topUp.amount, topUp.currency), topUp.payment_reference)}</dd></div>`
  const withdrawal = withdrawals.find(isOf)
  if (withdrawal === undefined) return html`<div><dt>${OPERATOR_WORDS.request}</dt><dd><code>${request_id}</code></dd></div>`
  const { kind, name, account } = withdrawal.destination
  return html`<div><dt>${kind === 'bank' ? OPERATOR_WORDS.bank : WORDS.mobileMoney}</dt><dd><bdi>${name}</bdi>, <code>${account}</code></dd></div>`
}

interface ApprovalCard {
  readonly approval: Approval
  readonly request: Fragment
  readonly nowMs: number
}

const CAUSES: Readonly<Record<Approval['because'], Text>> = {
  amount: TEXTS.aboveAmount,
  day_sum: TEXTS.aboveDaySum,
  rules: TEXTS.changesRules,
}

function card(desk: Desk, session: OperatorSession, { approval, request, nowMs }: ApprovalCard): Html {
  const { id, kind, because, merchant_id, tag, environment, amount, reference, change } = approval
  const { requested_by, created_at, balance_before, balance_after, currency } = approval
  // Only a change of rules has none, and no amounts.
  const inCurrency = currency ?? ''
  const rules = changedRules(approval)
  const { reason }: { readonly reason?: unknown } = change ?? {}
  const name = accountName(desk, approval)
  const account =
    tag === null && merchant_id === null
      ? name
      : html`<a href="${merchant_id === null ? `wallets/${tag}?environment=${environment}` : `merchants/${merchant_id}`}">${name}</a>`
  return html`<article class="card" aria-labelledby="a-${id}">
<h2 id="a-${id}">${amount === null ? TEXTS.kindAndName(APPROVAL_NAMES[kind], name) : TEXTS.of(APPROVAL_NAMES[kind], amountText(amount, inCurrency), name)}</h2>
<dl class="facts">
<div><dt>${WORDS.account}</dt><dd>${account}</dd></div>
${request}
${typeof reason === 'string' && html`<div><dt>${WORDS.reason}</dt><dd><bdi>${reason}</bdi></dd></div>`}
${balance_before !== null && html`<div><dt>${TEXTS.balanceBefore}</dt><dd>${amountText(balance_before, inCurrency)}</dd></div>`}
${balance_after !== null && html`<div><dt>${TEXTS.balanceAfter}</dt><dd>${amountText(balance_after, inCurrency)}</dd></div>`}
${reference !== '' && html`<div><dt>${WORDS.reference}</dt><dd><bdi>${reference}</bdi></dd></div>`}
<div><dt>${OPERATOR_WORDS.requestedBy}</dt><dd>${requested_by.id === null ? OPERATOR_WORDS.mainAccess : html`<bdi>${requested_by.name}</bdi>`}, ${moment(created_at)} (${agoText(parseRfc3339(created_at), nowMs)})</dd></div>
</dl>
${rules !== null && ruleChangePart(rules)}
<p class="hint">${CAUSES[because]}</p>
${decisionForms(session, approval)}
</article>`
}

function decisionForms(session: OperatorSession, { id, kind, requested_by }: Approval): Fragment {
  const isRules = kind === 'rule_change'
  if (!mayAct(session, isRules ? ADMIN : FINANCE))
    return html`<p class="hint">${isRules ? TEXTS.administratorsAloneDecide : TEXTS.financeAloneDecides}</p>`
  const start = html`${csrfField(session)}<input type="hidden" name="key" value="${newFormKey()}">`
  const isOwn = requested_by.id === session.principal.operator.id
  return html`${isOwn && html`<p class="hint">${OPERATOR_WORDS.requestedItAnotherPersonMust}</p>`}
${!isOwn && html`<form class="form" method="post" action="approvals/${id}/approve">${start}<button type="submit">${TEXTS.approveAndCarryOut}</button></form>`}
<form class="form" method="post" action="approvals/${id}/refuse">${start}
<div class="field"><label for="reason-${id}">${WORDS.reasonRefusal}</label><input id="reason-${id}" name="reason" type="text" maxlength="${REASON_LENGTH_MAX}" required autocomplete="off"></div>
<button type="submit" class="quiet">${WORDS.refuse}</button></form>`
}

async function decide(desk: Desk, call: DeskCall<Static<typeof DecisionForm>>, verb: 'approve' | 'refuse'): Promise<void> {
  const { key = '', reason = '' } = call.body
  const answer = await desk.ask<Approval>(call, {
    operationId: verb === 'approve' ? 'approveMovement' : 'refuseMovement',
    params: [String(call.params[0])],
    ...(verb === 'refuse' ? { body: { reason: reason.trim() } } : {}),
    idempotencyKey: key,
  })
  const done = verb === 'approve' ? TEXTS.movementDone : TEXTS.movementRefusedNothingMoved
  const missing = verb === 'refuse' && reason.trim() === '' ? OPERATOR_WORDS.typeReason : null
  desk.redirectWith(call, '../../approvals', answer.ok ? done : (missing ?? answer.error.message))
}
