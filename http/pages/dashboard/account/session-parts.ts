// Password and open sessions of the user, on the security page. Sessions are shown in words: browser, system and age.

import type { DashboardSession } from '../../../../engine/contract/dashboard.ts'
import { parseRfc3339 } from '../../../../engine/kernel/time.ts'
import type { Route } from '../../../server/route.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { agoText } from '../../shared/date-text.ts'
import { formField } from '../../shared/form-field.ts'
import { type Html, html } from '../../shared/html.ts'
import { actionButton, badge, confirmedAction, dateText, failure, formStart } from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { browserWords } from './browser-words.ts'
import { TEXTS } from './session-parts-messages.ts'

/** Shows the security page with an error of one of its forms. */
type ShowError = (visit: Visit, form: 'password' | 'sessions', error: ApiError) => Promise<void>

export function sessionRows(parts: DashboardParts, showError: ShowError): readonly Route[] {
  return [
    formRow(parts, {
      path: '/security/password',
      operationId: 'sendPassword',
      needs: 'changePassword',
      summary: 'Change the password',
      fields: ['password', 'new_password'],
      act: async (visit, { password, new_password }) => {
        const answer = await visit.ask('changePassword', { body: { password, new_password } })
        if (answer.ok) visit.goTo('security', 'password_changed')
        else await showError(visit, 'password', answer.error)
      },
    }),
    formRow(parts, {
      path: '/security/sessions/end-others',
      operationId: 'sendOtherSessionsEnd',
      needs: 'deleteSession',
      summary: 'End all other sessions',
      fields: [],
      act: async (visit) => {
        for (const { id, current } of await sessionsOf(visit)) if (!current) await visit.ask('deleteSession', { params: [id] })
        visit.goTo('security', 'sessions_ended')
      },
    }),
    formRow(parts, {
      path: '/security/sessions/{id}/end',
      operationId: 'sendSessionEnd',
      needs: 'deleteSession',
      summary: 'End a session',
      fields: [],
      act: async (visit) => {
        const answer = await visit.ask('deleteSession', { params: visit.params })
        if (answer.ok) visit.goTo('security', 'session_ended')
        else await showError(visit, 'sessions', answer.error)
      },
    }),
  ]
}

async function sessionsOf(visit: Visit): Promise<readonly DashboardSession[]> {
  const answer = await visit.ask<{ readonly data: readonly DashboardSession[] }>('listSessions', { query: { limit: '100' } })
  return answer.ok ? answer.body.data : []
}

export function passwordForm(visit: Visit, error: ApiError | null): Html {
  const message = error?.code === 'invalid_credentials' ? TEXTS.currentPasswordIncorrect : error?.message
  return html`<form class="form card" id="password-form" method="post" action="${visit.to('security/password')}" novalidate>${formStart(visit)}
<h2>${TEXTS.changePassword}</h2>
${failure(message === undefined ? null : { message })}
${formField({ name: 'password', label: TEXTS.currentPassword, type: 'password', maxLength: 128, autocomplete: 'current-password' })}
${formField({ name: 'new_password', label: DASHBOARD_WORDS.newPassword, hint: TEXTS.atLeast10CharactersOther, type: 'password', maxLength: 128, autocomplete: 'new-password' })}
<button type="submit">${TEXTS.changePassword2}</button></form>`
}

export async function sessionSection(visit: Visit, error: ApiError | null): Promise<Html> {
  const rows = await sessionsOf(visit)
  const nowMs = visit.app.engine.query('engine.time', null)
  const card = ({ id, user_agent, current, created_at, expires_at }: DashboardSession): Html => html`<section class="card">
<p><b>${browserWords(user_agent)}</b> ${current && badge(TEXTS.session, 'good')}</p>
<p class="hint">${TEXTS.signedInClosesOn(agoText(parseRfc3339(created_at), nowMs), dateText(expires_at))}</p>
${!current && actionButton(visit, visit.to(`security/sessions/${id}/end`), TEXTS.closeSession)}</section>`
  const others = rows.filter(({ current }) => !current).length
  return html`<section><h2>${TEXTS.openSessions}</h2>
${failure(error)}
<div class="stack">${rows.map(card)}</div>
${
  others > 0 &&
  confirmedAction(visit, visit.to('security/sessions/end-others'), {
    ask: TEXTS.closeAllOtherSessions,
    warn: TEXTS.theyHaveSignInAgain,
    go: TEXTS.closeOthers,
  })
}</section>`
}
