// What waits for an operator: top-ups to confirm, withdrawals to pay, merchants to activate. Each form carries its own key.
import type { MerchantActivation } from '../../../engine/contract/activation.ts'
import { uuid } from '../../../engine/contract/common.ts'
import type { OperatorRole } from '../../../engine/contract/operator.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import type { OperatorTopUp } from '../../../engine/contract/top-up.ts'
import type { OperatorWithdrawal } from '../../../engine/contract/withdrawal.ts'
import { parseRfc3339 } from '../../../engine/kernel/time.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import { prettyAmount } from '../../workers/gateways/message.ts'
import { type ApiAnswer, newFormKey } from '../api-calls.ts'
import { ACTIVATION_LABELS } from '../dashboard/activation-page.ts'
import { agoText } from '../date-text.ts'
import { type Fragment, type Html, html } from '../html.ts'
import { typedAmount } from '../typed-amount.ts'
import { csrfField, DESK_FORM, DESK_PAGE, type Desk, type DeskCall, mayAct } from './desk.ts'
import { environmentBadge, failurePart, type ListPage, moment } from './operator-parts.ts'

const FIELD = Type.Optional(Type.String())
const DecisionForm = Type.Object({ csrf: FIELD, key: FIELD, amount: FIELD, reference: FIELD, reason: FIELD })

const FINANCE = ['finance'] as const
const ADMIN = ['admin'] as const

type Decided = Static<typeof DecisionForm>

/** By the address of its form: the operation, and what it says when it is done. */
const DECISIONS = {
  'top-ups/confirm': ['confirmTopUp', 'L’approvisionnement est crédité.'],
  'top-ups/refuse': ['refuseTopUp', 'L’approvisionnement est refusé.'],
  'withdrawals/pay': ['payWithdrawal', 'Le retrait est payé.'],
  'withdrawals/refuse': ['refuseWithdrawal', 'Le retrait est refusé : le montant est rendu.'],
  'activations/activate': ['activateMerchant', 'Le marchand est activé.'],
  'activations/refuse': ['refuseMerchant', 'L’activation est refusée.'],
} as const

const WAITS = 'Demandé : une seconde personne de la finance doit approuver ce mouvement. Rien n’a bougé.'

type Address = keyof typeof DECISIONS

export function requestRoutes(desk: Desk): readonly Route[] {
  return [
    route({
      ...DESK_PAGE,
      method: 'GET',
      path: '/operator/requests',
      operationId: 'showOperatorRequests',
      summary: 'Requests that wait',
      handle: (call) => desk.signedIn(call, '../', (session) => later(call, () => show(desk, call, session, null))),
    }),
    ...(Object.keys(DECISIONS) as Address[]).map((address) => decisionRoute(desk, address)),
  ]
}

function decisionRoute(desk: Desk, address: Address): Route {
  const [kind, verb] = address.split('/')
  const [operationId] = DECISIONS[address]
  return route({
    ...DESK_FORM,
    path: `/operator/requests/${kind}/{id}/${verb}`,
    operationId: `${operationId}Form`,
    summary: verb ?? '',
    params: { id: uuid({ description: 'Id of the request or the merchant.' }) },
    body: DecisionForm,
    handle: (call) =>
      desk.ownForm(
        call,
        '../../../../',
        (session) => later(call, () => decide(desk, call, session, address)),
        kind === 'activations' ? ADMIN : FINANCE,
      ),
  })
}

async function decide(desk: Desk, call: DeskCall<Decided>, session: OperatorSession, address: Address): Promise<void> {
  const [operationId, done] = DECISIONS[address]
  const { key, amount, reference, reason } = call.body
  const body = {
    ...(amount === undefined ? {} : { amount: typedAmount(amount) }),
    ...(reference === undefined ? {} : { reference: reference.trim() }),
    ...(reason === undefined ? {} : { reason: reason.trim() }),
  }
  const sent = Object.keys(body).length === 0 ? {} : { body }
  const answer = await desk.ask(call, { operationId, params: call.params, ...sent, ...(key === undefined ? {} : { idempotencyKey: key }) })
  if (answer.ok) desk.redirectWith(call, '../../../requests', answer.status === 202 ? WAITS : done)
  else await show(desk, call, session, answer)
}

type Refused = Extract<ApiAnswer<unknown>, { ok: false }>

async function show(desk: Desk, call: DeskCall, session: OperatorSession, refused: Refused | null): Promise<void> {
  const root = refused === null ? '../' : '../../../../'
  const ask = <Row>(operationId: string): Promise<readonly Row[]> =>
    desk.ask<ListPage<Row>>(call, { operationId, query: { limit: '100' } }).then((answer) => (answer.ok ? answer.body.data : []))
  const [topUps, withdrawals, activations] = await Promise.all([
    ask<OperatorTopUp>('listOpenTopUps'),
    ask<OperatorWithdrawal>('listOpenWithdrawals'),
    ask<MerchantActivation>('listActivations'),
  ])
  const at: Place = { base: `${root}operator/requests`, session, nowMs: desk.engine.query('engine.time', null) }
  const body = html`<h1>Demandes</h1>
${refused !== null && failurePart(SPELLING[refused.error.param ?? ''] ?? refused.error.message)}
${section(
  'Approvisionnements',
  topUps.map((row) => topUpCard(at, row)),
)}
${section(
  'Retraits',
  withdrawals.map((row) => withdrawalCard(at, row)),
)}
${section(
  'Activations',
  activations.map((row) => activationCard(at, row)),
)}`
  desk.answer(call, session, { title: 'Demandes', place: 'requests', root, body }, refused?.status ?? 200)
}

/** Texts about the fields of the forms. */
const SPELLING: Readonly<Record<string, string>> = {
  amount: 'Saisissez le montant reçu : un nombre entier, en F CFA, supérieur à zéro.',
  reference: 'Saisissez la référence du virement, de 140 caractères au plus.',
  reason: 'Saisissez une raison, de 500 caractères au plus.',
}

interface Place {
  readonly base: string
  readonly session: OperatorSession
  readonly nowMs: number
}

function section(title: string, cards: readonly Html[]): Html {
  return html`<h2>${title}</h2>${cards.length === 0 ? html`<p class="hint">Aucune demande pour le moment.</p>` : html`<div class="stack">${cards}</div>`}`
}

function topUpCard(at: Place, { id, amount, payment_reference, merchant_name, environment, created_at, approval_id }: OperatorTopUp): Html {
  const fields = html`${field(`amount-${id}`, 'amount', 'Montant reçu (F CFA)', 20, String(amount))}
${field(`reference-${id}`, 'reference', 'Référence du virement reçu', 140)}`
  return html`<section class="card" aria-labelledby="r-${id}"><h3 id="r-${id}">${prettyAmount(amount)} ${environmentBadge(environment)}</h3>
<p><bdi>${merchant_name}</bdi>, référence <strong>${payment_reference}</strong>, ${since(at, created_at)}</p>
${approval_id === null ? decisions(at, FINANCE, html`${form(at, `top-ups/${id}/confirm`, 'Créditer', fields)}${refusal(at, id, `top-ups/${id}/refuse`)}`) : waitingPart(at)}</section>`
}

function withdrawalCard(
  at: Place,
  { id, amount, destination, merchant_name, environment, created_at, approval_id }: OperatorWithdrawal,
): Html {
  const { kind, name, account } = destination
  const paid = form(
    at,
    `withdrawals/${id}/pay`,
    'Marquer comme payé',
    field(`reference-${id}`, 'reference', 'Référence du virement envoyé', 140),
  )
  return html`<section class="card" aria-labelledby="r-${id}"><h3 id="r-${id}">${prettyAmount(amount)} ${environmentBadge(environment)}</h3>
<p><bdi>${merchant_name}</bdi>, ${since(at, created_at)}</p>
<p>${kind === 'bank' ? 'Banque' : 'Mobile money'} : <bdi>${name}</bdi>, <code>${account}</code></p>
${approval_id === null ? decisions(at, FINANCE, html`${paid}${refusal(at, id, `withdrawals/${id}/refuse`)}`) : waitingPart(at)}</section>`
}

function labelOf(name: string): string {
  return Object.hasOwn(ACTIVATION_LABELS, name) ? ACTIVATION_LABELS[name as keyof typeof ACTIVATION_LABELS][0] : name
}

function activationCard(at: Place, { merchant_id: id, merchant_name, requested_at, details }: MerchantActivation): Html {
  const rows = details === null ? [] : Object.entries(details)
  return html`<section class="card" aria-labelledby="r-${id}"><h3 id="r-${id}"><bdi>${merchant_name}</bdi></h3>
<p>${requested_at !== null && since(at, requested_at)}</p>
<dl class="facts">${rows.map(([name, value]) => html`<div><dt>${labelOf(name)}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>
${decisions(at, ADMIN, html`${form(at, `activations/${id}/activate`, 'Activer', null)}${refusal(at, id, `activations/${id}/refuse`)}`)}</section>`
}

/** Renders the time of a request and its age. */
function since({ nowMs }: Place, created: string): Html {
  return html`${moment(created)} (${agoText(parseRfc3339(created), nowMs)})`
}

function decisions({ session }: Place, roles: readonly OperatorRole[], forms: Html): Html {
  return mayAct(session, roles) ? forms : html`<p class="hint">Votre rôle ne permet pas d’en décider.</p>`
}

/** In place of the forms: every other decision is refused while a movement waits. */
function waitingPart({ base }: Place): Html {
  return html`<p class="hint">Une seconde personne doit décider : <a href="${base}/../approvals">Mouvements à approuver</a></p>`
}

function refusal(at: Place, id: string, path: string): Html {
  const reason = field(`reason-${id}`, 'reason', 'Raison, montrée au marchand', 500)
  return html`<details><summary>Refuser</summary>${form(at, path, 'Refuser', reason)}</details>`
}

/** The page has many forms, so the id of a field has that of its request. */
function field(id: string, name: string, label: string, maxLength: number, value = ''): Html {
  return html`<div class="field"><label for="${id}">${label}</label><input id="${id}" name="${name}" type="text" value="${value}" maxlength="${maxLength}" required autocomplete="off"></div>`
}

function form({ base, session }: Place, path: string, words: string, fields: Fragment): Html {
  return html`<form class="form" method="post" action="${base}/${path}">${csrfField(session)}<input type="hidden" name="key" value="${newFormKey()}">${fields}<button type="submit">${words}</button></form>`
}
