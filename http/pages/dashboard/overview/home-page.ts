// The home page: the balance, today's totals, the chart of thirty days, and the newest records.

import type { Balance } from '../../../../engine/contract/balance.ts'
import type { Charge } from '../../../../engine/contract/charge.ts'
import type { Payout } from '../../../../engine/contract/payout.ts'
import type { Till } from '../../../../engine/contract/till.ts'
import type { Route } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import { amountKeyboard, countedText, currencySymbol } from '../../shared/amount-text.ts'
import type { ApiAnswer, ApiError } from '../../shared/api-calls.ts'
import { timeText } from '../../shared/date-text.ts'
import { formField } from '../../shared/form-field.ts'
import { type Fragment, type Html, html } from '../../shared/html.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { failedBillNotice, failedEventNotice } from '../bills/failed-deliveries.ts'
import { chargeColumns } from '../get-paid/charge-pages.ts'
import { payoutColumns } from '../pay-out/payout-pages.ts'
import { failedRunNotices } from '../schedules/failed-runs.ts'
import { failure, formStart, heading, live, money, table } from '../shared/dashboard-parts.ts'
import { type DashboardParts, formRow, pageRow, type Sent, type Visit } from '../shared/dashboard-visit.ts'
import { DASHBOARD_WORDS } from '../shared/dashboard-words.ts'
import { amountOf } from '../shared/typed-text.ts'
import { dayChart } from './chart.ts'
import { type DayTotal, DayTotalsReader } from './day-totals.ts'
import { firstStepRows, firstSteps } from './first-steps.ts'
import { TEXTS } from './home-page-messages.ts'
import { waitingPart } from './waiting.ts'

const CHART_DAYS = 30
const NEWEST = '5'

interface Newest<Row> {
  readonly data: readonly Row[]
}

export function homeRows(parts: DashboardParts): readonly Route[] {
  const totals = new DayTotalsReader()
  return [
    ...firstStepRows(parts),
    pageRow(parts, { path: '', operationId: 'showHome', needs: null, summary: 'Home', show: (visit) => showHome(visit, totals, null) }),
    formRow(parts, {
      path: '/test-deposits',
      operationId: 'sendTestDeposit',
      needs: 'createTestDeposit',
      summary: 'Play money',
      fields: ['amount'],
      act: (visit, sent) => deposit(visit, sent, totals),
    }),
    formRow(parts, {
      path: '/test-wallets',
      operationId: 'sendTestWallet',
      needs: 'createTestWallet',
      summary: 'A test wallet',
      fields: ['tag'],
      act: async (visit, { tag, key }) => {
        const answer = await visit.ask('createTestWallet', { body: { tag }, idempotencyKey: key })
        if (answer.ok) visit.goTo('', 'wallet_made')
        else await showHome(visit, totals, answer.error)
      },
    }),
  ]
}

async function deposit(visit: Visit, { amount, key }: Sent<'amount' | 'key'>, totals: DayTotalsReader): Promise<void> {
  const answer = await visit.ask('createTestDeposit', { body: { amount: amountOf(amount, visit.currency) }, idempotencyKey: key })
  if (answer.ok) visit.goTo('', 'deposited')
  else await showHome(visit, totals, answer.error)
}

async function showHome(visit: Visit, totals: DayTotalsReader, error: ApiError | null): Promise<void> {
  if (!visit.may('getBalance')) return showOwnHome(visit, error)
  const { app, principal, environment } = visit
  const [waiting, runs, bills, events, balance, charges, payouts, days] = await Promise.all([
    waitingPart(visit),
    failedRunNotices(visit),
    failedBillNotice(visit),
    failedEventNotice(visit),
    visit.ask<Balance>('getBalance'),
    visit.ask<Newest<Charge>>('listCharges', { query: { limit: NEWEST } }),
    visit.ask<Newest<Payout>>('listPayouts', { query: { limit: NEWEST } }),
    totals.read(app.engine, principal.account, app.engine.query('engine.time', null), CHART_DAYS),
  ])
  const today = days.at(-1)
  const hasRows = <Row>(answer: ApiAnswer<Newest<Row>>): boolean => !answer.ok || answer.body.data.length > 0
  const steps = await firstSteps(visit, { hasCharge: hasRows(charges), hasPayout: hasRows(payouts) })
  const body = html`${heading(WORDS.home, [visit.button('createCharge', 'charges/new', DASHBOARD_WORDS.requestPayment), visit.button('createPayout', 'payouts/new', DASHBOARD_WORDS.pay, 'quiet')])}
${failure(error)}${runs}${bills}${events}
${live(
  'tiles',
  html`<div class="tiles">
${tile(DASHBOARD_WORDS.availableBalance, balance.ok ? money(balance.body.available, balance.body.currency) : '—', balance.ok && balance.body.pending > 0 && html`${TEXTS.whichReserved(money(balance.body.pending, balance.body.currency))}`)}
${todayTiles(today, days.at(-2), visit.currency)}
</div>`,
)}
${waiting}
${steps}
${live('chart', html`<section class="card">${dayChart(visit, days)}</section>`)}
${environment === 'test' && playground(visit)}
${chargesPart(visit, charges)}
<section><div class="section-head"><h2>${TEXTS.latestPayouts}</h2><a class="alone" href="${visit.to('payouts')}">${TEXTS.allPayouts}</a></div>${live('payouts', table(TEXTS.latestPayouts, payoutColumns(visit), payouts.ok ? payouts.body.data : [], DASHBOARD_WORDS.noPayoutsYet))}</section>`
  visit.show(
    {
      title: WORDS.home,
      place: 'home',
      live: ['charge.', 'payout.', 'bill.', 'mandate.', 'problem.', 'balance.', 'withdrawal.', 'top_up.'],
      body,
    },
    error === null ? 200 : 400,
  )
}

/** The home page of a cashier: its till of the day, and its newest charges. */
async function showOwnHome(visit: Visit, error: ApiError | null): Promise<void> {
  const [waiting, till, charges] = await Promise.all([
    waitingPart(visit),
    visit.ask<Till>('getTill'),
    visit.ask<Newest<Charge>>('listCharges', { query: { limit: NEWEST } }),
  ])
  const body = html`${heading(WORDS.home, visit.button('createCharge', 'charges/new', DASHBOARD_WORDS.requestPayment))}
${failure(error)}
${live('tiles', till.ok && html`<div class="tiles">${ownTiles(till.body, visit.currency)}</div>`)}
${waiting}
${visit.environment === 'test' && playground(visit)}
${chargesPart(visit, charges)}`
  // After a failure the script keeps what the page shows.
  visit.show(
    { title: WORDS.home, place: 'home', live: ['charge.', 'problem.'], body },
    error === null ? (till.ok ? 200 : till.status) : 400,
  )
}

function ownTiles({ paid_count, paid_amount, refunded_count, refunded_amount }: Till, currency: string): Html {
  return html`${tile(TEXTS.receivedToday, money(paid_amount, currency), html`${countedText(paid_count, TEXTS.payment, TEXTS.payments)}`)}
${refunded_count > 0 && tile(TEXTS.refundedToday, money(refunded_amount, currency), false)}`
}

function chargesPart(visit: Visit, charges: ApiAnswer<Newest<Charge>>): Html {
  return html`<section><div class="section-head"><h2>${TEXTS.latestCharges}</h2><a class="alone" href="${visit.to('charges')}">${TEXTS.allCharges}</a></div>${live('charges', table(TEXTS.latestCharges, chargeColumns(visit), charges.ok ? charges.body.data : [], DASHBOARD_WORDS.noChargesYet))}</section>`
}

function tile(name: Text | string, value: Fragment, more: Fragment): Html {
  return html`<section class="tile"><h2>${name}</h2><p class="big">${value}</p>${more !== false && html`<p class="hint">${more}</p>`}</section>`
}

function todayTiles(today: DayTotal | undefined, yesterday: DayTotal | undefined, currency: string): Html | false {
  if (today === undefined) return false
  const { sinceMs } = today
  const since = sinceMs !== null && html` ${TEXTS.sinceReloadSumGoesOn(timeText(sinceMs))}`
  const count = (of: number, one: Text | string, many: Text | string): Fragment => html`${countedText(of, one, many)}${since}`
  const before = yesterday?.sinceMs === null ? yesterday : null
  const compared = (amount: number | undefined): Fragment => amount !== undefined && html` ${TEXTS.yesterday(money(amount, currency))}`
  return html`${tile(TEXTS.receivedToday, money(today.takings, currency), [count(today.takingsCount, TEXTS.payment, TEXTS.payments), compared(before?.takings), today.refunds > 0 && html` ${TEXTS.refunded(money(today.refunds, currency))}`])}
${tile(TEXTS.paidOutToday, money(today.payouts, currency), [count(today.payoutsCount, DASHBOARD_WORDS.payout, WORDS.payouts), compared(before?.payouts)])}`
}

/** Renders the helpers of the test environment: play money and test wallets. */
function playground(visit: Visit): Html {
  const [deposits, wallets] = [visit.to('test-deposits'), visit.to('test-wallets')]
  if (!visit.maySend(wallets)) return html``
  return html`<details class="card"><summary>${TEXTS.testMoneyAndWallets}</summary>
<div class="pair">
${
  visit.maySend(deposits) &&
  html`<form class="form" method="post" action="${deposits}">${formStart(visit)}
${formField({ name: 'amount', label: TEXTS.topUpTestBalance(currencySymbol(visit.currency)), value: '100000', maxLength: 15, inputMode: amountKeyboard(visit.currency) })}
<button type="submit">${DASHBOARD_WORDS.topUp}</button></form>`
}
<form class="form" method="post" action="${wallets}">${formStart(visit)}
${formField({ name: 'tag', label: TEXTS.createTestWallet, hint: TEXTS.itsTagPin2580Sms, maxLength: 21 })}
<button type="submit">${DASHBOARD_WORDS.create}</button></form>
</div></details>`
}
