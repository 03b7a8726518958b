// The user's own account: merchant, address and its confirmation.

import type { Route } from '../../../server/route.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { actionButton, badge, facts, failure, heading, theirs } from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { TEXTS } from './account-pages-messages.ts'

export function accountRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/account',
      operationId: 'showAccount',
      needs: null,
      summary: 'The user’s account',
      show: (visit) => showAccount(visit, null),
    }),
    formRow(parts, {
      path: '/account/confirmation',
      operationId: 'sendConfirmationLink',
      needs: 'requestEmailConfirmation',
      summary: 'Send the confirmation link again',
      fields: [],
      act: async (visit, { key }) => {
        const answer = await visit.ask('requestEmailConfirmation', { idempotencyKey: key })
        if (answer.ok) visit.goTo('account', 'confirmation_sent')
        else showAccount(visit, answer.error)
      },
    }),
  ]
}

function showAccount(visit: Visit, error: ApiError | null): void {
  const { user, merchant } = visit.principal
  const body = html`${heading(WORDS.account)}
${facts([
  [TEXTS.business, theirs(merchant.name)],
  [WORDS.eMailAddress, emailPart(visit)],
  [
    TEXTS.languagePages,
    html`<a href="?lang=fr" lang="fr" hreflang="fr"><bdi>Français</bdi></a> <a href="?lang=en" lang="en" hreflang="en"><bdi>English</bdi></a>`,
  ],
  [DASHBOARD_WORDS.password, html`<a href="${visit.to('security')}#password-form">${TEXTS.change}</a>`],
  [
    DASHBOARD_WORDS.twoStepVerification,
    html`<a href="${visit.to('security')}#second-factor">${visit.app.dashboard.secondFactors.isActive(user.id) ? DASHBOARD_WORDS.on : DASHBOARD_WORDS.off}</a>`,
  ],
  [TEXTS.merchantIdentifier, merchant.id],
])}
${failure(error)}
<p class="hint">${TEXTS.nameBusinessCustomersReadIt}</p>
${visit.may('inviteMember') && html`<p class="hint">${TEXTS.eMailAddressChangeIt(visit.to('members'))}</p>`}`
  visit.show({ title: WORDS.account, place: 'account', body }, error === null ? 200 : 400)
}

function emailPart(visit: Visit): Html {
  const { email, email_confirmed_at } = visit.principal.user
  const state =
    email_confirmed_at === undefined
      ? html`${badge(TEXTS.confirm, 'wait')} ${actionButton(visit, visit.to('account/confirmation'), TEXTS.sendLinkAgain)}`
      : badge(TEXTS.confirmed, 'good')
  return html`${theirs(email)} ${state}`
}
