// Notices of what was not delivered in the last days: paid bills whose code failed, and events that the merchant's server did not
// take.

import type { BillPayment } from '../../../../engine/contract/bill.ts'
import type { Event } from '../../../../engine/contract/webhook.ts'
import { countText } from '../../shared/amount-text.ts'
import { type Fragment, html } from '../../shared/html.ts'
import { texts } from '../../shared/texts.ts'
import { dateText, money, theirs } from '../shared/dashboard-parts.ts'
import type { Visit } from '../shared/dashboard-visit.ts'
import type { RowPage } from '../shared/row-reader.ts'
import { readProductNames } from './product-names.ts'

const TEXTS = texts({
  fr: {
    failedDelivery: (count: Fragment) => html`${count} livraison en échec`,
    failedDeliveries: (count: Fragment) => html`${count} livraisons en échec`,
    paidBillsWereNotDelivered: (daysread: Fragment, deliveries: Fragment) =>
      html`<b>${deliveries}</b> ces ${daysread} derniers jours : le client a payé et n’a rien reçu. Relancez la livraison, ou remboursez le client.`,
    eventsServerDidNotReceive: (daysread: Fragment, countText: Fragment) =>
      html`Évènements que votre serveur n’a pas reçus ces ${daysread} derniers jours, après tous les essais : <b>${countText}</b>.`,
    seeEventsSendAgain: 'Voir les évènements à renvoyer',
    atLeast: (count: Fragment) => html`au moins ${count}`,
  },
  en: {
    failedDelivery: (count) => html`${count} failed delivery`,
    failedDeliveries: (count) => html`${count} failed deliveries`,
    paidBillsWereNotDelivered: (daysread, deliveries) =>
      html`<b>${deliveries}</b> in the last ${daysread} days: the customer paid and received nothing. Run the delivery again, or refund the customer.`,
    eventsServerDidNotReceive: (daysread, countText) =>
      html`Events that your server did not receive in the last ${daysread} days, after all attempts: <b>${countText}</b>.`,
    seeEventsSendAgain: 'See the events to send again',
    atLeast: (count) => html`at least ${count}`,
  },
})

const DAYS_READ = 7
const DAY_MS = 86_400_000
const ROWS_READ = '100'
/** The others are on their list. */
const ROWS_SHOWN = 3

interface Failed<Row> {
  readonly rows: readonly Row[]
  readonly isCut: boolean
}

async function readFailed<Row>(
  visit: Visit,
  operationId: string,
  query: Readonly<Record<string, string>>,
  isFailed: (row: Row) => boolean,
): Promise<Failed<Row>> {
  const since = new Date(visit.app.engine.query('engine.time', null) - DAYS_READ * DAY_MS).toISOString()
  const answer = await visit.ask<RowPage<Row>>(operationId, { query: { ...query, created_from: since, limit: ROWS_READ } })
  if (!answer.ok) return { rows: [], isCut: false }
  return { rows: answer.body.data.filter(isFailed), isCut: answer.body.next_cursor !== null }
}

/** A paid bill that was not delivered costs its customer money: it stands above the list too. */
export async function failedBillNotice(visit: Visit): Promise<Fragment> {
  const isFailed = ({ state, fulfillment }: BillPayment): boolean => state === 'paid' && fulfillment.state === 'failed'
  const { rows, isCut } = await readFailed(visit, 'listBillPayments', {}, isFailed)
  if (rows.length === 0) return null
  const names = await readProductNames(visit)
  const row = (payment: BillPayment): Fragment => {
    const { transaction_id, paid_at, amount, currency, biller_ref } = payment
    return html`<li><a href="${visit.to(`bills/${transaction_id}`)}">${dateText(paid_at)}</a>, ${theirs(names.titleOf(payment))}, ${money(amount, currency)} ${biller_ref !== '' && theirs(biller_ref)}</li>`
  }
  const count = leastText(rows.length, isCut)
  const deliveries = rows.length === 1 && !isCut ? TEXTS.failedDelivery(count) : TEXTS.failedDeliveries(count)
  return html`<section class="reasons" role="status"><p>${TEXTS.paidBillsWereNotDelivered(DAYS_READ, deliveries)}</p>
<ul>${rows.slice(0, ROWS_SHOWN).map(row)}</ul></section>`
}

/** Events whose delivery was given up. */
export async function failedEventNotice(visit: Visit): Promise<Fragment> {
  const { rows, isCut } = await readFailed<Event>(
    visit,
    'listEvents',
    { delivery_success: 'false' },
    ({ delivery_state }) => delivery_state === 'failed',
  )
  if (rows.length === 0) return null
  const row = ({ id, type, created_at }: Event): Fragment =>
    html`<li><a href="${visit.to(`events/${id}`)}">${dateText(created_at)}</a>, <code>${type}</code></li>`
  return html`<section class="reasons" role="status"><p>${TEXTS.eventsServerDidNotReceive(DAYS_READ, leastText(rows.length, isCut))}</p>
<ul>${rows.slice(0, ROWS_SHOWN).map(row)}</ul>
<p><a class="alone" href="${visit.to('events')}?delivery_success=false">${TEXTS.seeEventsSendAgain}</a></p></section>`
}

function leastText(count: number, isCut: boolean): Fragment {
  return isCut ? TEXTS.atLeast(countText(count)) : countText(count)
}
