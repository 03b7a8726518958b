// Notices of what was not delivered in the last days: paid bills whose code failed, and events that the merchant's server did not
// take.
import type { BillPayment } from '../../../engine/contract/bill.ts'
import type { Event } from '../../../engine/contract/webhook.ts'
import { type Fragment, html } from '../html.ts'
import { dateText, money, prettyCount, theirs } from './dashboard-parts.ts'
import type { RowPage } from './row-reader.ts'
import type { Visit } from './visit.ts'

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
  const row = ({ transaction_id, paid_at, amount, biller_ref }: BillPayment): Fragment =>
    html`<li><a href="${visit.to(`bills/${transaction_id}`)}">${dateText(paid_at)}</a>, ${money(amount)} ${biller_ref !== '' && theirs(biller_ref)}</li>`
  return html`<section class="reasons" role="status"><p>Factures payées qui n’ont pas été livrées ces ${DAYS_READ} derniers jours : <b>${countText(rows.length, isCut)}</b>. Relancez la livraison, ou remboursez le client.</p>
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
  return html`<section class="reasons" role="status"><p>Évènements que votre serveur n’a pas reçus ces ${DAYS_READ} derniers jours, après tous les essais : <b>${countText(rows.length, isCut)}</b>.</p>
<ul>${rows.slice(0, ROWS_SHOWN).map(row)}</ul>
<p><a class="alone" href="${visit.to('events')}?delivery_success=false">Voir les évènements à renvoyer</a></p></section>`
}

function countText(count: number, isCut: boolean): Fragment {
  return isCut ? html`au moins ${prettyCount(count)}` : prettyCount(count)
}
