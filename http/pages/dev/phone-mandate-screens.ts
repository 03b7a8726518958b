// Mandates on the simulated phone: the requests of merchants, approval with the PIN, rejection and cancellation.

import type { EngineApi } from '../../../engine/api.ts'
import type { WalletMandate } from '../../../engine/contract/mandate.ts'
import type { Route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { mandateTerms } from '../shared/mandate-terms.ts'
import { WORDS } from '../shared/shared-words.ts'
import { MANDATES_SHOWN_MAX } from './dev-limits.ts'
import { TEXTS } from './phone-mandate-screens-messages.ts'
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

const STATES: Readonly<Record<WalletMandate['state'], { readonly words: Text | string; readonly tone: string }>> = {
  pending: { words: TEXTS.approve, tone: 'is-test' },
  active: { words: WORDS.active, tone: 'is-good' },
  paused: { words: WORDS.suspended, tone: 'is-bad' },
  cancelled: { words: WORDS.cancelled, tone: '' },
  rejected: { words: WORDS.refused, tone: '' },
  expired: { words: WORDS.expired, tone: '' },
}

async function showMandates(visit: PhoneVisit): Promise<void> {
  const answer = await visit.ask<{ readonly data: readonly WalletMandate[] }>('listMyMandates', {
    query: { limit: String(MANDATES_SHOWN_MAX) },
  })
  if (!answer.ok) return visit.refuse(answer.error, 'mandates')
  const { data } = answer.body
  const body = html`<section class="card" aria-labelledby="titre">
<h1 id="titre">${WORDS.directDebits}</h1>
<p class="hint">${TEXTS.merchantsWalletAllowsDebitIt}</p>
${data.length === 0 ? html`<p class="hint">${TEXTS.noDirectDebitsYet}</p>` : html`<ol class="lines">${data.map(mandateRow)}</ol>`}
</section>`
  visit.show({ title: WORDS.directDebits, here: 'mandates', body })
}

function stateBadge(state: WalletMandate['state']): Html {
  const { words, tone } = STATES[state]
  return html`<span class="badge ${tone}">${words}</span>`
}

function mandateRow(mandate: WalletMandate): Html {
  return html`<li><a href="mandates/${mandate.id}"><bdi>${mandate.merchant_name}</bdi></a> ${stateBadge(mandate.state)} <span class="hint">${mandateTerms(mandate)}</span></li>`
}

async function showMandate(visit: PhoneVisit): Promise<void> {
  const id = visit.param(0)
  const answer = await visit.ask<WalletMandate>('getMyMandate', { params: [id] })
  if (!answer.ok) return visit.refuse(answer.error, 'mandates')
  const mandate = answer.body
  const tried = visit.tried(`/mandates/${id}`)
  const time = (at: string | null): Fragment => at !== null && when(at)
  const body = html`${ticket(
    html`${TEXTS.directDebits(mandate.merchant_name)}`,
    html`<span class="amount is-terms">${mandateTerms(mandate)}</span>`,
    mandate.description !== '' && html`<p class="words"><bdi>${mandate.description}</bdi></p>`,
  )}
<section class="card narrow" aria-labelledby="etat"><h2 id="etat">${TEXTS.authorisation}</h2>
<p role="status">${stateBadge(mandate.state)}</p>
${receipt([
  [WORDS.reference, mandate.reference !== '' && html`<bdi>${mandate.reference}</bdi>`],
  [TEXTS.first, time(mandate.start_at)],
  [TEXTS.next, time(mandate.next_charge_at)],
  [WORDS.end, time(mandate.end_at)],
  [WORDS.payments, mandate.max_payments === null ? mandate.payments_count : WORDS.of(mandate.payments_count, mandate.max_payments)],
])}
${formError(tried)}
${forms(mandate, tried)}
<p class="back"><a class="alone" href="../mandates">${TEXTS.allDirectDebits}</a></p>
</section>`
  visit.show({ title: tried.error === null ? WORDS.directDebit : TEXTS.errorDirectDebit, here: 'mandates', body })
}

function forms({ id, state }: WalletMandate, tried: Tried): Fragment {
  const ending = (verb: string, words: Text | string): Html =>
    html`<form class="form" method="post" action="${id}/${verb}">${formStart(tried.key)}<button type="submit" class="quiet">${words}</button></form>`
  const approval = html`<form class="form" method="post" action="${id}/approve" novalidate>${formStart(tried.key)}
${pinField(tried)}
<button type="submit">${WORDS.approve}</button></form>`
  if (state === 'pending') return [approval, ending('reject', WORDS.refuse)]
  if (state === 'paused') return [approval, ending('cancel', TEXTS.end)]
  return state === 'active' && ending('cancel', TEXTS.end)
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
  if (found === null) return visit.refuse({ code: 'not_found', message: TEXTS.directDebitDoesNotExist }, 'mandates')
  visit.goTo(`/mandates/${found.mandate.id}`)
}
