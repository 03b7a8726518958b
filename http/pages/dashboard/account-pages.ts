// The user's own account: merchant, address and its confirmation.
import type { Route } from '../../server/route.ts'
import type { ApiError } from '../api-calls.ts'
import { type Html, html } from '../html.ts'
import { actionButton, badge, facts, failure, heading, theirs } from './dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Visit } from './visit.ts'

export function accountRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/account',
      operationId: 'showAccount',
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
  const body = html`${heading('Compte')}
${facts([
  ['Commerce', theirs(merchant.name)],
  ['Adresse e-mail', emailPart(visit)],
  [
    'Langue des pages',
    html`<a href="?lang=fr" lang="fr" hreflang="fr"><bdi>Français</bdi></a> <a href="?lang=en" lang="en" hreflang="en"><bdi>English</bdi></a>`,
  ],
  ['Mot de passe', html`<a href="${visit.to('security')}#password-form">Changer</a>`],
  [
    'Validation en deux étapes',
    html`<a href="${visit.to('security')}#second-factor">${visit.app.dashboard.secondFactors.isActive(user.id) ? 'Active' : 'Inactive'}</a>`,
  ],
  ['Identifiant du marchand', merchant.id],
])}
${failure(error)}
<p class="hint">Nom du commerce : vos clients le lisent, il ne change qu’après vérification. Écrivez à notre équipe.</p>
${visit.may('inviteMember') && html`<p class="hint">Adresse e-mail : pour en changer, <a href="${visit.to('members')}">invitez la nouvelle adresse</a> avec votre rôle, puis retirez celle-ci.</p>`}`
  visit.show({ title: 'Compte', place: 'account', body }, error === null ? 200 : 400)
}

function emailPart(visit: Visit): Html {
  const { email, email_confirmed_at } = visit.principal.user
  const state =
    email_confirmed_at === undefined
      ? html`${badge('À confirmer', 'wait')} ${actionButton(visit, visit.to('account/confirmation'), 'Renvoyer le lien')}`
      : badge('Confirmée', 'good')
  return html`${theirs(email)} ${state}`
}
