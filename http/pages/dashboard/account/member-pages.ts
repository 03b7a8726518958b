// Members of the merchant: the list, invitations and removal.

import { MEMBER_ROLES, type Member, type MemberRole } from '../../../../engine/contract/dashboard.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { formField } from '../../shared/form-field.ts'
import { type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { badge, confirmedAction, dateText, failure, formStart, heading, selectField, theirs } from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { TEXTS } from './member-pages-messages.ts'

export const ROLE_NAMES: Readonly<Record<MemberRole, Text | string>> = {
  viewer: TEXTS.viewer,
  cashier: TEXTS.cashier,
  manager: TEXTS.manager,
  owner: WORDS.owner,
}

const ROLE_TEXTS: Readonly<Record<MemberRole, Text | string>> = {
  viewer: TEXTS.viewerReadsEverythingChangesNothing,
  cashier: TEXTS.cashierChargesAndCreatesPayment,
  manager: TEXTS.managerAlsoPaysRefundsAnd,
  owner: TEXTS.ownerDoesEverythingManagesMembers,
}

export function memberRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, { path: '/members', operationId: 'showMembers', summary: 'Members', show: (visit) => showMembers(visit, null) }),
    formRow(parts, {
      path: '/members',
      operationId: 'sendInvitation',
      needs: 'inviteMember',
      summary: 'Invite a member',
      fields: ['email', 'role'],
      act: invite,
    }),
    formRow(parts, {
      path: '/members/{id}/reset-totp',
      operationId: 'sendMemberTotpReset',
      needs: 'resetMemberTotp',
      summary: 'Turn TOTP of a member off',
      fields: ['password'],
      act: resetTotp,
    }),
    formRow(parts, {
      path: '/members/{id}/remove',
      operationId: 'sendMemberRemoval',
      needs: 'removeMember',
      summary: 'Remove a member',
      fields: [],
      act: async (visit) => {
        const answer = await visit.ask('removeMember', { params: visit.params })
        if (answer.ok) visit.goTo('members', 'member_removed')
        else await showMembers(visit, answer.error)
      },
    }),
  ]
}

async function resetTotp(visit: Visit, { password, key }: Sent<'password' | 'key'>): Promise<void> {
  const answer = await visit.ask('resetMemberTotp', { params: visit.params, body: { password }, idempotencyKey: key })
  if (answer.ok) return visit.goTo('members', 'totp_reset')
  const { error } = answer
  const isPassword = error.code === 'invalid_credentials' || error.param === 'password'
  await showMembers(visit, isPassword ? { ...error, message: DASHBOARD_WORDS.notPassword } : error)
}

async function invite(visit: Visit, { email, role, key }: Sent<'email' | 'role' | 'key'>): Promise<void> {
  const answer = await visit.ask<Member>('inviteMember', { body: { email: email.trim(), role }, idempotencyKey: key })
  if (answer.ok) visit.goTo('members', 'member_invited')
  else await showMembers(visit, answer.error, { email, role })
}

type Invitation = Sent<'email' | 'role'>

const NOTHING: Invitation = { email: '', role: 'cashier' }

async function showMembers(visit: Visit, error: ApiError | null, typed = NOTHING): Promise<void> {
  const answer = await visit.ask<{ readonly data: readonly Member[] }>('listMembers', { query: { limit: '100' } })
  const isOwner = visit.principal.role === 'owner'
  const body = html`${heading(WORDS.members)}
<p class="hint">${TEXTS.onePersonOneAccessEach}</p>
${failure(error)}
${members(visit, answer.ok ? answer.body.data : [], isOwner)}
${isOwner && invitationForm(visit, typed)}`
  visit.show({ title: WORDS.members, place: 'members', body }, error === null ? 200 : 400)
}

function members(visit: Visit, rows: readonly Member[], isOwner: boolean): Html {
  const remove = ({ id, state }: Member): Html =>
    confirmedAction(visit, visit.to(`members/${id}/remove`), {
      ask: state === 'invited' ? TEXTS.withdrawInvitation : WORDS.remove,
      warn: state === 'invited' ? TEXTS.linkWasSentWillOpen : TEXTS.sessionsMemberCloseAtOnce,
      go: state === 'invited' ? TEXTS.withdrawInvitation : TEXTS.removeMember,
    })
  const card = (member: Member): Html => html`<section class="card" aria-label="${member.email}">
<p><b>${theirs(member.email)}</b> ${member.state === 'active' ? badge(WORDS.active, 'good') : badge(TEXTS.invited, 'wait')}</p>
<p class="hint">${TEXTS.since(ROLE_NAMES[member.role], dateText(member.created_at))}</p>
${isOwner && html`<div class="actions">${remove(member)}${mayReset(visit, member) && resetForm(visit, member)}</div>`}</section>`
  return html`<div class="stack">${rows.map(card)}</div>`
}

/** Asks for the password of the owner: an open session alone must not turn the second factor of another member off. */
function resetForm(visit: Visit, { id }: Member): Html {
  return html`<details class="confirm"><summary class="button quiet">${WORDS.lostPhone}</summary>
<form class="form card" method="post" action="${visit.to(`members/${id}/reset-totp`)}">${formStart(visit)}
<p>${TEXTS.twoStepVerificationMemberOff}</p>
<div class="field"><label for="password-${id}">${DASHBOARD_WORDS.password2}</label><input id="password-${id}" name="password" type="password" maxlength="128" required autocomplete="current-password"></div>
<button type="submit" class="danger">${TEXTS.turnOffVerification}</button></form></details>`
}

/** Owners do not reset their own second factor: another owner or the service does. */
function mayReset({ app, principal }: Visit, { id, state }: Member): boolean {
  return state === 'active' && id !== principal.user.id && app.dashboard.secondFactors.isActive(id)
}

function invitationForm(visit: Visit, typed: Invitation): Html {
  return html`<form class="form card" method="post" action="${visit.to('members')}" novalidate>${formStart(visit)}
<h2>${TEXTS.invitePerson}</h2>
${formField({ name: 'email', label: WORDS.eMailAddress, hint: TEXTS.invitationValidFor7Days, type: 'email', value: typed.email, maxLength: 254 })}
${selectField(
  'role',
  WORDS.role,
  MEMBER_ROLES.map((role) => ({ value: role, words: ROLE_NAMES[role] })),
  typed.role,
)}
<ul class="hint">${MEMBER_ROLES.map((role) => html`<li>${ROLE_TEXTS[role]}</li>`)}</ul>
<button type="submit">${TEXTS.sendInvitation}</button></form>`
}
