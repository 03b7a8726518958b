// Live activation in the dashboard: the form, and the answer of the service.
import type { Activation } from '../../../engine/contract/activation.ts'
import type { Route } from '../../server/route.ts'
import type { ApiError } from '../api-calls.ts'
import { formField } from '../form-field.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { badge, dateText, facts, failure, formStart, heading, type Tone, theirs } from './dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from './visit.ts'

const STATES: Readonly<Record<Activation['state'], readonly [words: string, tone: Tone]>> = {
  none: ['À demander', 'calm'],
  requested: ['En cours d’examen', 'wait'],
  active: ['Activé', 'good'],
  refused: ['Refusé', 'bad'],
}

/** Label, maximum length and example of each field. */
export const ACTIVATION_LABELS = {
  legal_name: ['Raison sociale', 140, 'Le nom au registre du commerce, par exemple Boutique Awa SARL.'],
  registration_number: ['Numéro au registre (RCCM, NINEA…)', 64, 'Par exemple SN-DKR-2024-B-12345 ou CI-ABJ-2024-A-12345.'],
  address: ['Adresse', 255, 'Rue, quartier et ville, par exemple 12 rue Félix Faure, Dakar.'],
  contact_name: ['Personne à contacter', 140, 'Prénom et nom, par exemple Awa Diallo.'],
  contact_phone: ['Son numéro de téléphone, avec l’indicatif', 24, 'Avec + et l’indicatif du pays, par exemple +221 77 123 45 67.'],
  activity: ['Activité', 500, 'Ce que vous vendez, par exemple tissus et confection.'],
} as const

type Field = keyof typeof ACTIVATION_LABELS

const FIELDS = Object.keys(ACTIVATION_LABELS) as readonly Field[]

export function activationRows(parts: DashboardParts): readonly Route[] {
  return [
    pageRow(parts, {
      path: '/activation',
      operationId: 'showActivation',
      summary: 'Live activation',
      show: (visit) => show(visit, null, null),
    }),
    formRow(parts, {
      path: '/activation',
      operationId: 'sendActivation',
      needs: 'requestActivation',
      summary: 'Ask for live activation',
      fields: FIELDS,
      act: send,
    }),
  ]
}

async function send(visit: Visit, { key, ...sent }: Sent<Field | 'key'>): Promise<void> {
  const body = { ...sent, contact_phone: sent.contact_phone.replaceAll(/[\s.-]/g, '') }
  const answer = await visit.ask<Activation>('requestActivation', { body, idempotencyKey: key })
  if (answer.ok) visit.goTo('activation', 'activation_requested')
  else await show(visit, sent, answer.error)
}

async function show(visit: Visit, sent: Sent<Field> | null, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<Activation>('getActivation')
  if (!answer.ok) return visit.missing()
  const { state, reason, requested_at, decided_at, details } = answer.body
  const body = html`${heading('Activation', badge(...STATES[state]))}
${reason !== null && html`<p class="error">Refusé : <bdi>${reason}</bdi> Corrigez puis envoyez de nouveau.</p>`}
${
  requested_at !== null &&
  facts([
    ['Demandée le', dateText(requested_at)],
    ['Décidée le', decided_at !== null && dateText(decided_at)],
  ])
}
${state === 'active' ? active(answer.body) : form(visit, sent ?? details, error)}`
  visit.show({ title: 'Activation', place: 'account', body }, error === null ? 200 : 400)
}

function active({ details }: Activation): Fragment {
  return html`<p>Votre compte peut recevoir et envoyer de l’argent réel.</p>
${details !== null && facts(FIELDS.map((name) => [ACTIVATION_LABELS[name][0], theirs(details[name])] as const))}`
}

function form(visit: Visit, values: Readonly<Record<Field, string>> | null, error: ApiError | null): Html {
  const isHere = error !== null && (FIELDS as readonly string[]).includes(error.param ?? '')
  const field = (name: Field): Html => {
    const [label, maxLength, hint] = ACTIVATION_LABELS[name]
    return formField({ name, label, hint, value: values?.[name] ?? '', maxLength, error: error?.param === name ? error.message : null })
  }
  if (!visit.maySend(visit.to('activation')))
    return html`<p>Un propriétaire du compte demande l’activation. L’environnement de test reste ouvert.</p>`
  return html`<p>Avant de recevoir ou d’envoyer de l’argent réel, présentez votre commerce. L’environnement de test reste ouvert.</p>
<form class="form card" method="post" action="${visit.to('activation')}" novalidate>${formStart(visit)}
${failure(isHere ? null : error)}
${FIELDS.map(field)}
<button type="submit">Envoyer</button>
</form>`
}
