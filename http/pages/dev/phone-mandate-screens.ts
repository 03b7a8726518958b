// Mandates on the simulated phone: the requests of merchants, approval with the PIN, rejection and cancellation.
import type { EngineApi } from '../../../engine/api.ts'
import type { WalletMandate } from '../../../engine/contract/mandate.ts'
import type { Route } from '../../server/route.ts'
import { termsText } from '../../workers/gateways/mandate-text.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { MANDATES_SHOWN_MAX } from './dev-limits.ts'
import { formError, formStart, pinField, receipt, ticket, when } from './phone-parts.ts'
import type { Tried } from './phone-progress.ts'
import { formRow, type PhoneVisit, screenRow, triedError, type VisitParts } from './phone-visit.ts'

export interface MandateParts extends VisitParts {
  readonly engine: Pick<EngineApi, 'query'>
}

export function mandateRows(parts: MandateParts): readonly Route[] {
  return [
    screenRow(parts, { path: '/mandates', operationId: 'showPhoneMandates', summary: 'Mandates of the wallet', show: showMandates }),
    screenRow(parts, { path: '/mandates/{id}', operationId: 'showPhoneMandate', summary: 'A mandate', show: showMandate }),
    screenRow(parts, {
      path: '/mandates/by-token/{token}',
      operationId: 'findPhoneMandate',
      summary: 'The mandate of an approval address',
      show: (visit) => findMandate(parts, visit),
    }),
    ...(['approve', 'reject', 'cancel'] as const).map((verb) =>
      formRow(parts, {
        path: `/mandates/{id}/${verb}`,
        operationId: `${verb}PhoneMandate`,
        summary: `The form: ${verb} a mandate`,
        fields: ['pin'],
        act: (visit, sent) => decide(visit, verb, sent),
      }),
    ),
  ]
}

const STATES: Readonly<Record<WalletMandate['state'], { readonly words: string; readonly tone: string }>> = {
  pending: { words: 'À approuver', tone: 'is-test' },
  active: { words: 'Actif', tone: 'is-good' },
  paused: { words: 'Suspendu', tone: 'is-bad' },
  cancelled: { words: 'Annulé', tone: '' },
  rejected: { words: 'Refusé', tone: '' },
  expired: { words: 'Expiré', tone: '' },
}

async function showMandates(visit: PhoneVisit): Promise<void> {
  const answer = await visit.ask<{ readonly data: readonly WalletMandate[] }>('listMyMandates', {
    query: { limit: String(MANDATES_SHOWN_MAX) },
  })
  if (!answer.ok) return visit.refuse(answer.error, 'mandates')
  const { data } = answer.body
  const body = html`<section class="card" aria-labelledby="titre">
<h1 id="titre">Prélèvements</h1>
<p class="hint">Les marchands que ce portefeuille autorise à prélever, et ceux qui le demandent.</p>
${data.length === 0 ? html`<p class="hint">Aucun prélèvement pour le moment.</p>` : html`<ol class="lines">${data.map(mandateRow)}</ol>`}
</section>`
  visit.show({ title: 'Prélèvements', here: 'mandates', body })
}

function stateBadge(state: WalletMandate['state']): Html {
  const { words, tone } = STATES[state]
  return html`<span class="badge ${tone}">${words}</span>`
}

function mandateRow(mandate: WalletMandate): Html {
  return html`<li><a href="mandates/${mandate.id}"><bdi>${mandate.merchant_name}</bdi></a> ${stateBadge(mandate.state)} <span class="hint">${termsText(mandate)}</span></li>`
}

async function showMandate(visit: PhoneVisit): Promise<void> {
  const id = visit.param(0)
  const answer = await visit.ask<WalletMandate>('getMyMandate', { params: [id] })
  if (!answer.ok) return visit.refuse(answer.error, 'mandates')
  const mandate = answer.body
  const tried = visit.tried(`/mandates/${id}`)
  const time = (at: string | null): Fragment => at !== null && when(at)
  const body = html`${ticket(
    html`Prélèvements de <b><bdi>${mandate.merchant_name}</bdi></b>`,
    html`<span class="amount is-terms">${termsText(mandate)}</span>`,
    mandate.description !== '' && html`<p class="words"><bdi>${mandate.description}</bdi></p>`,
  )}
<section class="card narrow" aria-labelledby="etat"><h2 id="etat">Autorisation</h2>
<p role="status">${stateBadge(mandate.state)}</p>
${receipt([
  ['Référence', mandate.reference !== '' && html`<bdi>${mandate.reference}</bdi>`],
  ['Premier', time(mandate.start_at)],
  ['Prochain', time(mandate.next_charge_at)],
  ['Fin', time(mandate.end_at)],
  ['Paiements', mandate.max_payments === null ? mandate.payments_count : `${mandate.payments_count} sur ${mandate.max_payments}`],
])}
${formError(tried)}
${forms(mandate, tried)}
<p class="back"><a class="alone" href="../mandates">Tous les prélèvements</a></p>
</section>`
  visit.show({ title: tried.error === null ? 'Prélèvement' : 'Erreur : prélèvement', here: 'mandates', body })
}

function forms({ id, state }: WalletMandate, tried: Tried): Fragment {
  const ending = (verb: string, words: string): Html =>
    html`<form class="form" method="post" action="${id}/${verb}">${formStart(tried.key)}<button type="submit" class="quiet">${words}</button></form>`
  const approval = html`<form class="form" method="post" action="${id}/approve" novalidate>${formStart(tried.key)}
${pinField(tried)}
<button type="submit">Approuver</button></form>`
  if (state === 'pending') return [approval, ending('reject', 'Refuser')]
  if (state === 'paused') return [approval, ending('cancel', 'Mettre fin')]
  return state === 'active' && ending('cancel', 'Mettre fin')
}

async function decide(
  visit: PhoneVisit,
  verb: 'approve' | 'reject' | 'cancel',
  { pin, key }: Readonly<Record<'pin' | 'key', string>>,
): Promise<void> {
  const id = visit.param(0)
  const path = `/mandates/${id}`
  const operation = verb === 'approve' ? 'approveMandate' : (`${verb}MyMandate` as const)
  const body = verb === 'approve' ? { body: { pin } } : {}
  // Each form of the page has its own key.
  const answer = await visit.ask(operation, { params: [id], idempotencyKey: key === '' ? '' : `${key}-${verb}`, ...body })
  if (answer.ok) return visit.goTo(path)
  visit.again(path, { key, values: {}, error: triedError(answer.error) })
}

async function findMandate({ engine }: MandateParts, visit: PhoneVisit): Promise<void> {
  const found = engine.query('mandates.byToken', { token: visit.param(0) })
  if (found === null) return visit.refuse({ code: 'not_found', message: 'Ce prélèvement n’existe pas.' }, 'mandates')
  visit.goTo(`/mandates/${found.mandate.id}`)
}
