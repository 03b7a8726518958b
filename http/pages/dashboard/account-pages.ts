// The user's own account: password and sessions.
import type { DashboardSession } from '../../../engine/contract/dashboard.ts'
import type { Route } from '../../server/route.ts'
import type { ApiError } from '../api-calls.ts'
import { formField } from '../form-field.ts'
import { type Html, html } from '../html.ts'
import { browserWords } from './browser-words.ts'
import { actionButton, badge, dateText, facts, failure, formStart, heading, theirs } from './dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from './visit.ts'

export function accountRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/account',
      operationId: 'showAccount',
      summary: 'The user’s account',
      show: (visit) => showAccount(visit, null),
    }),
    formRow(parts, {
      path: '/account/password',
      operationId: 'sendPassword',
      summary: 'Change the password',
      fields: ['password', 'new_password'],
      act: changePassword,
    }),
    formRow(parts, {
      path: '/account/confirmation',
      operationId: 'sendConfirmationLink',
      summary: 'Send the confirmation link again',
      fields: [],
      act: async (visit, { key }) => {
        const answer = await visit.ask('requestEmailConfirmation', { idempotencyKey: key })
        if (answer.ok) visit.goTo('account', 'confirmation_sent')
        else await showAccount(visit, answer.error)
      },
    }),
    formRow(parts, {
      path: '/account/sessions/{id}/end',
      operationId: 'sendSessionEnd',
      summary: 'End a session',
      fields: [],
      act: async (visit) => {
        const answer = await visit.ask('deleteSession', { params: visit.params })
        if (answer.ok) visit.goTo('account', 'session_ended')
        else await showAccount(visit, answer.error)
      },
    }),
  ]
}

async function changePassword(visit: Visit, { password, new_password }: Sent<'password' | 'new_password'>): Promise<void> {
  const answer = await visit.ask('changePassword', { body: { password, new_password } })
  if (answer.ok) visit.goTo('account', 'password_changed')
  else await showAccount(visit, answer.error)
}

async function showAccount(visit: Visit, error: ApiError | null): Promise<void> {
  const { user, merchant } = visit.principal
  const answer = await visit.ask<{ readonly data: readonly DashboardSession[] }>('listSessions', { query: { limit: '100' } })
  const body = html`${heading('Compte')}
${facts([
  ['Commerce', theirs(merchant.name)],
  ['Adresse e-mail', emailPart(visit)],
  [
    'Validation en deux étapes',
    html`<a href="${visit.to('security')}">${visit.app.dashboard.secondFactors.isActive(user.id) ? 'Active' : 'Inactive'}</a>`,
  ],
  ['Identifiant du marchand', merchant.id],
])}
<form class="form card" method="post" action="${visit.to('account/password')}" novalidate>${formStart(visit)}
<h2>Changer de mot de passe</h2>
${failure(error === null ? null : { message: wrongPassword(error) })}
${formField({ name: 'password', label: 'Mot de passe actuel', type: 'password', maxLength: 128, autocomplete: 'current-password' })}
${formField({ name: 'new_password', label: 'Nouveau mot de passe', hint: 'Vos autres sessions seront fermées.', type: 'password', maxLength: 128, autocomplete: 'new-password' })}
<button type="submit">Changer le mot de passe</button></form>
<section><h2>Sessions ouvertes</h2>${sessions(visit, answer.ok ? answer.body.data : [])}</section>`
  visit.show({ title: 'Compte', place: 'account', body }, error?.code === 'invalid_credentials' ? 401 : error === null ? 200 : 400)
}

function emailPart(visit: Visit): Html {
  const { email, email_confirmed_at } = visit.principal.user
  if (email_confirmed_at !== undefined) return html`${theirs(email)} ${badge('Confirmée', 'good')}`
  return html`${theirs(email)} ${badge('À confirmer', 'wait')} ${actionButton(visit, visit.to('account/confirmation'), 'Renvoyer le lien')}`
}

function wrongPassword({ code, message }: ApiError): string {
  return code === 'invalid_credentials' ? 'Le mot de passe actuel n’est pas le bon.' : message
}

function sessions(visit: Visit, rows: readonly DashboardSession[]): Html {
  const card = ({ id, user_agent, current, created_at, expires_at }: DashboardSession): Html => html`<section class="card">
<p><b>${browserWords(user_agent)}</b> ${current && badge('Celle-ci', 'good')}</p>
<p class="hint">Ouverte le ${dateText(created_at)}, se ferme le ${dateText(expires_at)}</p>
${actionButton(visit, visit.to(`account/sessions/${id}/end`), 'Fermer')}</section>`
  return html`<div class="stack">${rows.map(card)}</div>`
}
