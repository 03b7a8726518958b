// What waits for an operator: top-ups to confirm, withdrawals to pay, merchants to activate. Each form carries its own key.
import type { MerchantActivation } from '../../../engine/contract/activation.ts'
import { uuid } from '../../../engine/contract/common.ts'
import type { MerchantLogoChange, MerchantNameChange } from '../../../engine/contract/merchant-account.ts'
import type { OperatorRole } from '../../../engine/contract/operator.ts'
import { type Static, Type } from '../../../engine/contract/schema.ts'
import type { OperatorTopUp } from '../../../engine/contract/top-up.ts'
import type { OperatorWithdrawal } from '../../../engine/contract/withdrawal.ts'
import type { OperatorWithdrawalAccount } from '../../../engine/contract/withdrawal-account.ts'
import { type Currency, decimalsOf } from '../../../engine/kernel/currency.ts'
import { parseRfc3339 } from '../../../engine/kernel/time.ts'
import { answerActivationFile } from '../../api/merchants/activation-file-routes.ts'
import type { OperatorSession } from '../../auth/operator/operator-sessions.ts'
import { later } from '../../server/later.ts'
import { type Route, route } from '../../server/route.ts'
import type { Text } from '../../text/text.ts'
import { groupedAccount } from '../dashboard/balance/withdrawal-account-pages.ts'
import { amountInput, amountText, currencySymbol, typedAmount, wantedAmount } from '../shared/amount-text.ts'
import { type ApiAnswer, newFormKey } from '../shared/api-calls.ts'
import { agoText } from '../shared/date-text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { csrfField, DESK_FORM, DESK_PAGE, type Desk, type DeskCall, mayAct } from './desk.ts'
import { dossierPart } from './dossier.ts'
import { answerMissing } from './missing.ts'
import { environmentBadge, failurePart, type ListPage, moment } from './operator-parts.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { TEXTS } from './request-routes-messages.ts'

const FIELD = Type.Optional(Type.String())
const DecisionForm = Type.Object({ csrf: FIELD, key: FIELD, amount: FIELD, reference: FIELD, reason: FIELD, name: FIELD, logo_url: FIELD })

const FINANCE = ['finance'] as const
const ADMIN = ['admin'] as const

type Decided = Static<typeof DecisionForm>

/** By the address of its form: the operation, and what it says when it is done. */
const DECISIONS = {
  'top-ups/confirm': ['confirmTopUp', TEXTS.topUpCredited],
  'top-ups/refuse': ['refuseTopUp', TEXTS.topUpRefused],
  'withdrawals/pay': ['payWithdrawal', TEXTS.withdrawalPaid],
  'withdrawals/refuse': ['refuseWithdrawal', TEXTS.withdrawalRefusedAmountReturned],
  'accounts/confirm': ['confirmWithdrawalAccount', TEXTS.accountConfirmed],
  'activations/activate': ['activateMerchant', TEXTS.merchantActivated],
  'activations/refuse': ['refuseMerchant', TEXTS.activationRefused],
  'names/approve': ['approveMerchantName', TEXTS.nameApproved],
  'names/refuse': ['refuseMerchantName', TEXTS.nameRefused],
  'logos/approve': ['approveMerchantLogo', TEXTS.logoApproved],
  'logos/refuse': ['refuseMerchantLogo', TEXTS.logoRefused],
} as const

const WAITS = TEXTS.requestedSecondPersonFinanceMust

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
    fileRoute(desk),
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
        kind === 'activations' || kind === 'names' || kind === 'logos' ? ADMIN : FINANCE,
      ),
  })
}

const FILE_ROOT = '../../../../../'

/** The bytes are no answer that a page could ask the API for. Every role reads them, as in the API. */
function fileRoute(desk: Desk): Route {
  return route({
    ...DESK_PAGE,
    method: 'GET',
    path: '/operator/requests/activations/{id}/files/{file}',
    operationId: 'readActivationFile',
    summary: 'A file of an activation',
    params: { id: uuid({ description: 'Id of the merchant.' }), file: uuid({ description: 'Id of the file.' }) },
    handle: (call) =>
      desk.signedIn(call, FILE_ROOT, (session) => {
        if (answerActivationFile(desk, call)) return
        answerMissing(desk, call, session, { place: 'requests', root: FILE_ROOT, message: TEXTS.noSuchFile })
      }),
  })
}

async function decide(desk: Desk, call: DeskCall<Decided>, session: OperatorSession, address: Address): Promise<void> {
  const [operationId, done] = DECISIONS[address]
  const { key, amount, reference, reason, name, logo_url } = call.body
  const body = {
    ...(amount === undefined ? {} : { amount: typedAmount(amount, currencyOf(desk, call)) }),
    ...(reference === undefined ? {} : { reference: reference.trim() }),
    ...(reason === undefined ? {} : { reason: reason.trim() }),
    ...(name === undefined ? {} : { name }),
    ...(logo_url === undefined ? {} : { logo_url }),
  }
  const sent = Object.keys(body).length === 0 ? {} : { body }
  const answer = await desk.ask(call, { operationId, params: call.params, ...sent, ...(key === undefined ? {} : { idempotencyKey: key }) })
  if (answer.ok) desk.redirectWith(call, '../../../requests', answer.status === 202 ? WAITS : done)
  else await show(desk, call, session, answer)
}

type Refused = Extract<ApiAnswer<unknown>, { ok: false }>

async function show(desk: Desk, call: DeskCall, session: OperatorSession, refused: Refused | null): Promise<void> {
  const root = refused === null ? '../' : '../../../../'
  const ask = async <Row extends Waiting>(operationId: string): Promise<readonly Row[]> => {
    const answer = await desk.ask<ListPage<Row>>(call, { operationId, query: { limit: '100' } })
    // What waits longest comes first.
    return answer.ok ? answer.body.data.toSorted((one, other) => (sinceOf(one) < sinceOf(other) ? -1 : 1)) : []
  }
  const [topUps, withdrawals, accounts, activations, names, logos] = await Promise.all([
    ask<OperatorTopUp>('listOpenTopUps'),
    ask<OperatorWithdrawal>('listOpenWithdrawals'),
    ask<OperatorWithdrawalAccount>('listWaitingWithdrawalAccounts'),
    ask<MerchantActivation>('listActivations'),
    ask<MerchantNameChange>('listNameChanges'),
    ask<MerchantLogoChange>('listLogoChanges'),
  ])
  const at: Place = { base: `${root}operator/requests`, session, nowMs: desk.engine.query('engine.time', null) }
  const body = html`<h1>${OPERATOR_WORDS.requests}</h1>
${refused !== null && failurePart(spelling(currencyOf(desk, call))[refused.error.param ?? ''] ?? refused.error.message)}
${sections([
  [WORDS.topUps, topUps.map((row) => topUpCard(at, row))],
  [WORDS.withdrawals, withdrawals.map((row) => withdrawalCard(at, row))],
  [TEXTS.withdrawalAccounts, accounts.map((row) => accountCard(at, row))],
  [TEXTS.activations, activations.map((row) => activationCard(at, row))],
  [TEXTS.names, names.map((row) => nameCard(at, row))],
  [TEXTS.logos, logos.map((row) => logoCard(at, row))],
])}`
  desk.answer(call, session, { title: OPERATOR_WORDS.requests, place: 'requests', root, body }, refused?.status ?? 200)
}

/** The currency of the top-up that the form is about. */
function currencyOf({ engine, currencies }: Desk, { params }: DeskCall): Currency {
  const topUp = engine.query('cashRequests.forOperator', { kind: 'top_up', id: String(params[0]) })
  return topUp === null ? currencies[0] : (JSON.parse(topUp) as { readonly currency: Currency }).currency
}

/** Texts about the fields of the forms. */
function spelling(currency: Currency): Readonly<Record<string, Text | string>> {
  const isWhole = decimalsOf(currency) === 0
  return {
    amount: isWhole ? TEXTS.typeReceivedWholeAmount(currencySymbol(currency)) : TEXTS.typeReceivedAmount(wantedAmount(currency)),
    reference: TEXTS.typeReferenceTransfer140Characters,
    reason: OPERATOR_WORDS.typeReason500CharactersAt,
  }
}

interface Waiting {
  readonly created_at?: string
  readonly requested_at?: string | null
}

function sinceOf({ created_at, requested_at }: Waiting): string {
  return created_at ?? requested_at ?? ''
}

interface Place {
  readonly base: string
  readonly session: OperatorSession
  readonly nowMs: number
}

/** What waits, by its kind; the kinds of which nothing waits in one line. */
function sections(kinds: readonly (readonly [title: Text | string, cards: readonly Html[]])[]): Html {
  const empty = kinds.filter(([, cards]) => cards.length === 0).map(([title]) => title)
  const shown = kinds.filter(([, cards]) => cards.length > 0)
  if (shown.length === 0) return html`<p class="hint">${TEXTS.noRequestsYet}</p>`
  return html`${shown.map(([title, cards]) => html`<h2>${title}</h2><div class="stack">${cards}</div>`)}
${empty.length > 0 && html`<p class="hint">${TEXTS.nothingElse} ${empty.map((title, at) => html`${at > 0 && ', '}${title}`)}.</p>`}`
}

function topUpCard(
  at: Place,
  { id, amount, currency, payment_reference, merchant_id, merchant_name, environment, created_at, approval_id }: OperatorTopUp,
): Html {
  const fields = html`${field(`amount-${id}`, 'amount', TEXTS.receivedAmount(currencySymbol(currency)), 20, amountInput(amount, currency))}
${field(`reference-${id}`, 'reference', WORDS.referenceReceivedTransfer, 140)}`
  return html`<section class="card" aria-labelledby="r-${id}"><h3 id="r-${id}">${amountText(amount, currency)} ${environmentBadge(environment)}</h3>
<p>${TEXTS.reference(merchantLink(at, merchant_id, merchant_name), payment_reference, since(at, created_at))}</p>
${approval_id === null ? decisions(at, FINANCE, html`${form(at, `top-ups/${id}/confirm`, TEXTS.credit, fields)}${refusal(at, id, `top-ups/${id}/refuse`)}`) : waitingPart(at)}</section>`
}

function withdrawalCard(
  at: Place,
  { id, amount, currency, destination, merchant_id, merchant_name, environment, created_at, approval_id }: OperatorWithdrawal,
): Html {
  const { kind, name, account } = destination
  const paid = form(at, `withdrawals/${id}/pay`, TEXTS.markAsPaid, field(`reference-${id}`, 'reference', TEXTS.referenceSentTransfer, 140))
  return html`<section class="card" aria-labelledby="r-${id}"><h3 id="r-${id}">${amountText(amount, currency)} ${environmentBadge(environment)}</h3>
<p>${merchantLink(at, merchant_id, merchant_name)}, ${since(at, created_at)}</p>
<p>${kind === 'bank' ? OPERATOR_WORDS.bank : WORDS.mobileMoney}${WORDS.colon} <bdi>${name}</bdi>, <code>${groupedAccount(account)}</code></p>
${approval_id === null ? decisions(at, FINANCE, html`${paid}${refusal(at, id, `withdrawals/${id}/refuse`)}`) : waitingPart(at)}</section>`
}

function accountCard(
  at: Place,
  { id, kind, name, account, provider, merchant_id, merchant_name, created_at, usable_from }: OperatorWithdrawalAccount,
): Html {
  const place = kind === 'bank' ? OPERATOR_WORDS.bank : html`${WORDS.mobileMoney} ${provider}`
  return html`<section class="card" aria-labelledby="r-${id}"><h3 id="r-${id}">${merchantLink(at, merchant_id, merchant_name)}</h3>
<p>${place}${WORDS.colon} <bdi>${name}</bdi>, <code>${groupedAccount(account)}</code></p>
<p>${since(at, created_at)}. ${TEXTS.usableByItselfFrom(moment(usable_from))}</p>
${decisions(at, FINANCE, html`<p class="hint">${TEXTS.confirmWhenMerchantSaid}</p>${form(at, `accounts/${id}/confirm`, TEXTS.confirmAccount, null)}`)}</section>`
}

function activationCard(at: Place, { merchant_id: id, merchant_name, requested_at, details, files }: MerchantActivation): Html {
  return html`<section class="card" aria-labelledby="r-${id}"><h3 id="r-${id}">${merchantLink(at, id, merchant_name)}</h3>
<p>${requested_at !== null && since(at, requested_at)}</p>
${dossierPart(at.base, id, { details, files })}
${decisions(at, ADMIN, html`${form(at, `activations/${id}/activate`, TEXTS.activate, null)}${refusal(at, id, `activations/${id}/refuse`)}`)}</section>`
}

/** The form carries the name that is shown, so that no other one is approved. */
function nameCard(at: Place, { merchant_id: id, merchant_name, name, requested_at }: MerchantNameChange): Html {
  const shown = html`<input type="hidden" name="name" value="${name}">`
  return html`<section class="card" aria-labelledby="n-${id}"><h3 id="n-${id}">${merchantLink(at, id, merchant_name)}</h3>
<p>${TEXTS.newName}${WORDS.colon} <strong><bdi>${name}</bdi></strong>, ${since(at, requested_at)}</p>
<p class="hint">${TEXTS.customersRead}</p>
${decisions(at, ADMIN, html`${form(at, `names/${id}/approve`, TEXTS.approveName, shown)}${refusal(at, `n-${id}`, `names/${id}/refuse`)}`)}</section>`
}

/** The form carries the address of the logo that is shown, so that no other one is approved. */
function logoCard(at: Place, { merchant_id: id, merchant_name, logo_url, shown_logo_url, requested_at }: MerchantLogoChange): Html {
  const picture = (address: string | null, words: Text | string): Fragment =>
    address !== null &&
    html`<figure><img class="logo" src="${at.base}/../..${new URL(address).pathname}" width="96" height="96" alt="${words}"><figcaption class="hint">${words}</figcaption></figure>`
  const shown = html`<input type="hidden" name="logo_url" value="${logo_url}">`
  return html`<section class="card" aria-labelledby="l-${id}"><h3 id="l-${id}">${merchantLink(at, id, merchant_name)}</h3>
<p>${since(at, requested_at)}</p>
<div class="logos">${picture(shown_logo_url, WORDS.logoShown)}${picture(logo_url, WORDS.logoWaiting)}</div>
<p class="hint">${TEXTS.customersSee}</p>
${decisions(at, ADMIN, html`${form(at, `logos/${id}/approve`, TEXTS.approveLogo, shown)}${refusal(at, `l-${id}`, `logos/${id}/refuse`)}`)}</section>`
}

function merchantLink({ base }: Place, id: string, name: string): Html {
  return html`<a href="${base}/../merchants/${id}"><bdi>${name}</bdi></a>`
}

/** Renders the time of a request and its age. */
function since({ nowMs }: Place, created: string): Html {
  return html`${moment(created)} (${agoText(parseRfc3339(created), nowMs)})`
}

function decisions({ session }: Place, roles: readonly OperatorRole[], forms: Html): Html {
  return mayAct(session, roles) ? forms : html`<p class="hint">${TEXTS.roleDoesNotAllowDecision}</p>`
}

/** In place of the forms: every other decision is refused while a movement waits. */
function waitingPart({ base }: Place): Html {
  return html`<p class="hint">${TEXTS.secondPersonMustDecideMovements(base)}</p>`
}

function refusal(at: Place, id: string, path: string): Html {
  const reason = field(`reason-${id}`, 'reason', TEXTS.reasonShownMerchant, 500)
  return html`<details><summary>${WORDS.refuse}</summary>${form(at, path, WORDS.refuse, reason)}</details>`
}

/** The page has many forms, so the id of a field has that of its request. */
function field(id: string, name: string, label: Text | string, maxLength: number, value = ''): Html {
  return html`<div class="field"><label for="${id}">${label}</label><input id="${id}" name="${name}" type="text" value="${value}" maxlength="${maxLength}" required autocomplete="off"></div>`
}

function form({ base, session }: Place, path: string, words: Text | string, fields: Fragment): Html {
  return html`<form class="form" method="post" action="${base}/${path}">${csrfField(session)}<input type="hidden" name="key" value="${newFormKey()}">${fields}<button type="submit">${words}</button></form>`
}
