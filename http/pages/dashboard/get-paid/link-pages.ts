// Payment links: the list, one link with its QR code and its actions, the form for a new one, and the page to print.

import type { PaymentLink } from '../../../../engine/contract/payment-link.ts'
import { qrSvg } from '../../../api/checkout/qr.ts'
import type { Route } from '../../../server/route.ts'
import { Text } from '../../../text/text.ts'
import { amountIn } from '../../../workers/gateways/message.ts'
import { amountKeyboard, currencySymbol, wantedAmount } from '../../shared/amount-text.ts'
import type { ApiError } from '../../shared/api-calls.ts'
import { describedBy, formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { answerPage, PAGE_HEADERS } from '../../shared/layout.ts'
import { languageOf } from '../../shared/page-language.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { SEARCH, stateFilter } from '../lists/list-filters.ts'
import { type ListNoun, listRows } from '../lists/list-page.ts'
import {
  areaField,
  badge,
  type Column,
  confirmedAction,
  dateText,
  facts,
  failure,
  formStart,
  heading,
  live,
  money,
  type Tone,
  theirs,
} from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { moveRow } from '../shared/record-moves.ts'
import { addressField, copyable, copyButton, shareLinks } from '../shared/share-links.ts'
import { amountOf, countOf, filled, timeOf } from '../shared/typed-text.ts'
import { TEXTS } from './link-pages-messages.ts'
import { linkPoster, posterColour } from './link-poster.ts'

const STATES: Readonly<Record<PaymentLink['state'], readonly [words: Text | string, tone: Tone]>> = {
  active: [WORDS.active, 'good'],
  closed: [TEXTS.closed, 'calm'],
}

/** Charges of links are the only news that change a link's figures. */
const LIVE = ['charge.'] as const

function columns(visit: Visit): readonly Column<PaymentLink>[] {
  return [
    {
      name: WORDS.description,
      isProse: true,
      cell: ({ id, description }) => html`<a href="${visit.to(`links/${id}`)}">${theirs(description)}</a>`,
    },
    { name: WORDS.state, card: 'state', cell: ({ state }) => badge(...STATES[state]) },
    { name: WORDS.amount, card: 'amount', isFigure: true, cell: amountPart },
    { name: DASHBOARD_WORDS.received, isFigure: true, cell: ({ collected_amount, currency }) => money(collected_amount, currency) },
    { name: WORDS.payments, isFigure: true, cell: paymentsText },
    { name: DASHBOARD_WORDS.created, cell: ({ created_at }) => dateText(created_at) },
  ]
}

function amountPart({ amount, currency }: PaymentLink): Fragment {
  return amount === null ? TEXTS.anyAmount : money(amount, currency)
}

function paymentsText({ payments_count, max_payments }: PaymentLink): Fragment {
  return max_payments === null ? payments_count : html`${WORDS.of(payments_count, max_payments)}`
}

export const LINKS: ListNoun<PaymentLink> = {
  place: 'links',
  title: DASHBOARD_WORDS.paymentLinks,
  path: 'links',
  operationId: 'listPaymentLinks',
  filters: [SEARCH, stateFilter(STATES)],
  columns,
  csvFields: {
    id: true,
    url: true,
    state: true,
    amount: true,
    currency: true,
    description: true,
    reference: true,
    max_payments: true,
    payments_count: true,
    collected_amount: true,
    expires_at: true,
    created_at: true,
    closed_at: true,
    created_by: false,
    environment: false,
  },
  counted: [TEXTS.link, TEXTS.links],
  total: ({ collected_amount }) => ({ group: DASHBOARD_WORDS.received, amount: collected_amount }),
  empty: TEXTS.noPaymentLinksYet,
  live: LIVE,
  actions: (visit) => visit.button('createPaymentLink', 'links/new', TEXTS.createLink),
}

const FIELDS = ['description', 'amount', 'reference', 'max_payments', 'date', 'time'] as const

type LinkForm = Sent<(typeof FIELDS)[number]>

const NOTHING: LinkForm = { description: '', amount: '', reference: '', max_payments: '', date: '', time: '' }

export function linkRows(parts: DashboardParts): readonly Route[] {
  return [
    ...listRows(parts, LINKS),
    pageRow(parts, {
      path: '/links/new',
      operationId: 'showLinkForm',
      needs: 'createPaymentLink',
      summary: 'Make a payment link',
      show: (visit) => showForm(visit, NOTHING, null),
    }),
    formRow(parts, {
      path: '/links/new',
      operationId: 'sendLink',
      needs: 'createPaymentLink',
      summary: 'Make a payment link',
      fields: FIELDS,
      act: createLink,
    }),
    pageRow(parts, {
      path: '/links/{id}',
      operationId: 'showLink',
      needs: 'getPaymentLink',
      summary: 'A payment link',
      show: (visit) => showLink(visit, null),
    }),
    pageRow(parts, {
      path: '/links/{id}/qr.svg',
      operationId: 'showLinkQr',
      needs: 'getPaymentLink',
      summary: 'The QR code of its address',
      show: showQr,
    }),
    pageRow(parts, {
      path: '/links/{id}/print',
      operationId: 'showLinkPoster',
      needs: 'getPaymentLink',
      summary: 'The page to print',
      show: showPoster,
    }),
    moveRow(parts, {
      path: '/links/{id}/close',
      operationId: 'closePaymentLink',
      note: 'link_closed',
      done: (visit) => `links/${visit.params[0]}`,
      again: showLink,
    }),
  ]
}

async function createLink(visit: Visit, sent: LinkForm & Sent<'key'>): Promise<void> {
  const { description, reference } = sent
  const limits = { max_payments: countOf(sent.max_payments), expires_at: expiryOf(sent) }
  const body = filled({ description, amount: amountOf(sent.amount, visit.currency), reference, ...limits })
  const answer = await visit.ask<PaymentLink>('createPaymentLink', { body, idempotencyKey: sent.key })
  if (answer.ok) visit.goTo(`links/${answer.body.id}`, 'link_created')
  else showForm(visit, sent, answer.error)
}

/** A day without a time ends at midnight: the link is open on that day. */
function expiryOf({ date, time }: Pick<LinkForm, 'date' | 'time'>): string {
  return date === '' && time === '' ? '' : timeOf(date, time === '' ? '23:59' : time)
}

const SPELLING: Readonly<Record<string, Text | string>> = {
  description: TEXTS.typeDescription,
  max_payments: DASHBOARD_WORDS.typeWholeNumberFrom1,
  expires_at: TEXTS.chooseDateAndTimeIn,
}

function showForm(visit: Visit, form: LinkForm, error: ApiError | null): void {
  const spelling: typeof SPELLING = { ...SPELLING, amount: DASHBOARD_WORDS.typeAmountOrNone(wantedAmount(visit.currency)) }
  const about = (name: string): Text | string | null => (error?.param === name ? (spelling[name] ?? error.message) : null)
  const isElsewhere = error !== null && !['reference', ...Object.keys(spelling)].includes(error.param ?? '')
  const body = html`${heading(TEXTS.createPaymentLink)}
<p>${TEXTS.addressAndQrCodeDo}</p>
<form class="form card" method="post" action="${visit.to('links/new')}" novalidate>${formStart(visit)}
${failure(isElsewhere ? error : null)}
${areaField({ name: 'description', label: WORDS.description, hint: DASHBOARD_WORDS.customerReadsItWhenPaying, value: form.description, rows: 2, error: about('description') })}
${formField({ name: 'amount', label: DASHBOARD_WORDS.amountIn(currencySymbol(visit.currency)), hint: TEXTS.leaveItEmptyLetCustomer, value: form.amount, maxLength: 20, isRequired: false, inputMode: amountKeyboard(visit.currency), error: about('amount') })}
${formField({ name: 'reference', label: DASHBOARD_WORDS.reference, hint: TEXTS.itDescriptionEachPaymentLink, value: form.reference, maxLength: 255, isRequired: false, error: about('reference') })}
${formField({ name: 'max_payments', label: DASHBOARD_WORDS.maximumNumberPayments, hint: TEXTS.linkThenClosesLeaveIt, value: form.max_payments, maxLength: 10, isRequired: false, inputMode: 'numeric', error: about('max_payments') })}
${expiryField(form, about('expires_at'))}
<button type="submit">${TEXTS.createLink2}</button>
</form>`
  visit.show({ title: TEXTS.createPaymentLink, place: 'links', body }, error === null ? 200 : 400)
}

/** Renders the two fields of the last day and time. */
function expiryField({ date, time }: LinkForm, error: Text | string | null): Html {
  return html`<div class="pair"><div class="field"><label for="date">${DASHBOARD_WORDS.expiresOn}</label><p class="hint" id="date-hint">${TEXTS.linkClosesThenLeaveIt}</p><input id="date" name="date" type="date" value="${date}"${describedBy('date', true, error !== null)}>
${error !== null && html`<p class="error" id="date-error">${error}</p>`}</div>
<div class="field"><label for="time">${DASHBOARD_WORDS.atUtcTimeAbidjan}</label><input id="time" name="time" type="time" value="${time}"></div></div>`
}

async function showLink(visit: Visit, error: ApiError | null): Promise<void> {
  const answer = await visit.ask<PaymentLink>('getPaymentLink', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const link = answer.body
  const here = visit.to(`links/${link.id}`)
  const isActive = link.state === 'active'
  const body = html`${live('title', heading(TEXTS.paymentLink, badge(...STATES[link.state])))}
${failure(error)}
${live('code', isActive && codeCard(visit, here, link))}
${live(
  'facts',
  facts([
    [WORDS.description, theirs(link.description)],
    [DASHBOARD_WORDS.received, money(link.collected_amount, link.currency)],
    [WORDS.payments, paymentsText(link)],
    [WORDS.amount, link.amount === null ? TEXTS.customerTypesIt : money(link.amount, link.currency)],
    [WORDS.reference, theirs(link.reference)],
    [DASHBOARD_WORDS.created, dateText(link.created_at)],
    [TEXTS.expires, link.expires_at !== null && dateText(link.expires_at)],
    [TEXTS.closed, link.closed_at !== null && dateText(link.closed_at)],
    [WORDS.identifier, copyable('id', link.id)],
  ]),
)}
${live('actions', isActive && html`<div class="actions">${confirmedAction(visit, `${here}/close`, { ask: TEXTS.closeLink, warn: TEXTS.finalPrintedQrCodeAnd, go: TEXTS.closeLink })}</div>`)}`
  visit.show({ title: TEXTS.paymentLink, place: 'links', live: LIVE, body }, error === null ? 200 : 409)
}

/** Renders the code and the ways to pass the address on. Copying needs a script, so its button is hidden without one. */
function codeCard(visit: Visit, here: string, link: PaymentLink): Html {
  const text = messageText(visit, link)
  return html`<section class="card code-card"><img class="code" src="${here}/qr.svg" width="216" height="216" alt="${DASHBOARD_WORDS.qrCodePaymentAddress}">
<div class="beside"><p>${TEXTS.showSendOrPrintAddress}</p>
${addressField('address', DASHBOARD_WORDS.paymentAddress, link.url)}
<div class="actions">${copyButton('address', DASHBOARD_WORDS.copyAddress)}
${shareLinks(text)}
<a class="button quiet" href="${here}/print">${TEXTS.printPoster}</a></div></div></section>`
}

function messageText({ principal, call }: Visit, { amount, currency, description, url }: PaymentLink): string {
  const sum = amount === null ? '' : new Text((language) => ` ${amountIn(amount, language, currency)}`)
  return TEXTS.pay(sum, principal.merchant.name, description, url).in(languageOf(call).language)
}

async function showQr(visit: Visit): Promise<void> {
  const answer = await visit.ask<PaymentLink>('getPaymentLink', { params: visit.params })
  if (!answer.ok) return visit.missing()
  visit.call.answerAs(200, qrSvg(answer.body.url), [...PAGE_HEADERS, ['Content-Type', 'image/svg+xml']])
}

/** A closed link has no poster: nothing can be paid by it. */
async function showPoster(visit: Visit): Promise<void> {
  const answer = await visit.ask<PaymentLink>('getPaymentLink', { params: visit.params })
  if (!answer.ok) return visit.missing()
  const link = answer.body
  if (link.state === 'closed') return visit.goTo(`links/${link.id}`)
  const { root, principal } = visit
  const { logo } = principal.merchant
  const poster = linkPoster({
    ...{ link, merchantName: principal.merchant.name, root, here: visit.to(`links/${link.id}`) },
    logo: logo === undefined ? null : `${root}logos/${logo.file}`,
    colour: posterColour(visit.query.get('colour')),
  })
  answerPage(visit.call, 200, poster)
}
