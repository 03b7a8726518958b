// Rules for what an operator should look at: locked PINs, refused withdrawals, a first large withdrawal, one that empties an account, a
// large first payout, a jump of takings, many new wallets, limits that were reached. Each reads a bounded number of records; none
// changes anything. Each leads to where an operator can act.

import type { QueryAnswer } from '../../../engine/api.ts'
import type { Merchant } from '../../../engine/contract/merchant.ts'
import type { Payout } from '../../../engine/contract/payout.ts'
import type { Environment } from '../../../engine/kernel/environment.ts'
import { timeOfId } from '../../../engine/kernel/ids.ts'
import { isPhone } from '../../../engine/kernel/recipient.ts'
import { parseRfc3339, type TimeMs } from '../../../engine/kernel/time.ts'
import type { Text } from '../../text/text.ts'
import { DAY_MS, type DayTotal, type DayTotalsReader } from '../dashboard/overview/day-totals.ts'
import { amountText } from '../shared/amount-text.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { texts } from '../shared/texts.ts'
import type { Desk, DeskCall } from './desk.ts'
import { environmentBadge, type ListPage } from './operator-parts.ts'
import type { OpenRequests } from './waiting-list.ts'

const TEXTS = texts({
  fr: {
    nothingUnusualAtMoment: 'Rien d’inhabituel pour le moment.',
    pinLockedAfterTooMany: (tag: Fragment) => html`<bdi>@${tag}</bdi> : code PIN bloqué après trop d’essais faux`,
    pinLockedTimesInRow: (tag: Fragment, locks: Fragment) => html`<bdi>@${tag}</bdi> : code PIN bloqué ${locks} fois de suite`,
    accountLessThanDaysWithdraw: (name: Fragment, newdays: Fragment, asked: Fragment) =>
      html`<bdi>${name}</bdi> : compte de moins de ${newdays} jours, ${asked} à retirer`,
    withdrawNearlyWholeBalance: (name: Fragment, asked: Fragment) => html`<bdi>${name}</bdi> : ${asked} à retirer, presque tout son solde`,
    withdrawalsRefusedInDays: (name: Fragment, refused: Fragment, newdays: Fragment) =>
      html`<bdi>${name}</bdi> : ${refused} retraits refusés en ${newdays} jours`,
    receivedTodayFarMoreThan: (name: Fragment, takings: Fragment) =>
      html`<bdi>${name}</bdi> : ${takings} encaissés aujourd’hui, bien plus que d’habitude`,
    paidOutTodayFirstPayouts: (name: Fragment, payouts: Fragment) =>
      html`<bdi>${name}</bdi> : ${payouts} versés aujourd’hui, ses premiers versements de la semaine`,
    firstLargeWithdrawal: (name: Fragment, asked: Fragment) => html`<bdi>${name}</bdi> : ${asked} à retirer, son premier retrait`,
    paidNewWallets: (name: Fragment, wallets: Fragment) =>
      html`<bdi>${name}</bdi> : ${wallets} portefeuilles ouverts depuis moins de deux jours payés aujourd’hui`,
    reachedItsLimit: (name: Fragment, payouts: number) =>
      html`<bdi>${name}</bdi> : ${payouts === 1 ? 'un versement refusé' : `${payouts} versements refusés`} aujourd’hui, au-dessus de ses limites`,
    payeesReachedLimits: (name: Fragment, payouts: number) =>
      html`<bdi>${name}</bdi> : ${payouts === 1 ? 'un versement refusé' : `${payouts} versements refusés`} aujourd’hui, le destinataire a atteint sa limite`,
    seeRequest: 'Décider',
    seeMovements: 'Voir les mouvements',
    seeLimits: 'Voir les limites',
    seeWallet: 'Voir le portefeuille',
  },
  en: {
    nothingUnusualAtMoment: 'Nothing unusual at the moment.',
    pinLockedAfterTooMany: (tag) => html`<bdi>@${tag}</bdi>: PIN locked after too many wrong attempts`,
    pinLockedTimesInRow: (tag, locks) => html`<bdi>@${tag}</bdi>: PIN locked ${locks} times in a row`,
    accountLessThanDaysWithdraw: (name, newdays, asked) =>
      html`<bdi>${name}</bdi>: account of less than ${newdays} days, ${asked} to withdraw`,
    withdrawNearlyWholeBalance: (name, asked) => html`<bdi>${name}</bdi>: ${asked} to withdraw, nearly the whole balance`,
    withdrawalsRefusedInDays: (name, refused, newdays) => html`<bdi>${name}</bdi>: ${refused} withdrawals refused in ${newdays} days`,
    receivedTodayFarMoreThan: (name, takings) => html`<bdi>${name}</bdi>: ${takings} received today, far more than usual`,
    paidOutTodayFirstPayouts: (name, payouts) => html`<bdi>${name}</bdi>: ${payouts} paid out today, the first payouts of the week`,
    firstLargeWithdrawal: (name, asked) => html`<bdi>${name}</bdi>: ${asked} to withdraw, its first withdrawal`,
    paidNewWallets: (name, wallets) => html`<bdi>${name}</bdi>: ${wallets} wallets less than two days old paid today`,
    reachedItsLimit: (name, payouts) =>
      html`<bdi>${name}</bdi>: ${payouts === 1 ? 'a payout' : `${payouts} payouts`} refused today, above its limits`,
    payeesReachedLimits: (name, payouts) =>
      html`<bdi>${name}</bdi>: ${payouts === 1 ? 'a payout' : `${payouts} payouts`} refused today, the recipient reached its limit`,
    seeRequest: 'Decide',
    seeMovements: 'See the movements',
    seeLimits: 'See the limits',
    seeWallet: 'See the wallet',
  },
})

/** Amounts below it are never suspicious. */
const LARGE = 500_000
/** A merchant is new for so many days. */
const NEW_DAYS = 7
/** Takings of a day are a jump from so many times the mean of the days before. */
const JUMP = 5
/** Part of the balance from which a withdrawal empties the account. */
const NEARLY_ALL = 0.9
const REFUSED_MIN = 2
const LOCKS_SHOWN = 10
/** Maximum of merchants whose records one view reads: of each kind, and in all. */
const MERCHANTS_OF_KIND = 8
const MERCHANTS_READ = 16
/** Payouts of the last day that one view reads of a merchant. */
const PAYOUTS_READ = 100
/** A wallet is new for so long. */
const NEW_WALLET_MS = 2 * DAY_MS
const NEW_WALLETS_MIN = 5
const DAYS_READ = 8

/** What the rules read of a merchant, in the live environment. */
export interface MerchantFigures {
  readonly id: string
  readonly name: string
  readonly currency: string
  readonly createdMs: number
  readonly available: number
  /** Amounts of open withdrawals. */
  readonly withdrawals: readonly number[]
  /** Withdrawals that were refused in the last seven days. */
  readonly refused: number
  /** Whether a withdrawal was ever paid to it. */
  readonly hasWithdrawn: boolean
  /** New wallets among those that it paid in the last day. */
  readonly newWallets: number
  /** Payouts of the last day that failed by its own limits, and by those of their recipients. */
  readonly aboveOwnLimits: number
  readonly aboveLimitsOfPayee: number
  /** The last days, oldest first, today included. */
  readonly days: readonly DayTotal[]
}

interface Suspicion {
  readonly text: Html
  /** Path from the desk to where an operator can act, and the words of its link. */
  readonly path: string
  readonly act: Text
  readonly environment: Environment
}

/** Renders the list of what the rules find. */
export async function suspicionList(desk: Desk, call: DeskCall, requests: OpenRequests, totals: DayTotalsReader): Promise<Html> {
  const nowMs = desk.engine.query('engine.time', null)
  const locked = desk.engine.query('pins.locked', { limit: LOCKS_SHOWN }).map(lockSuspicion)
  const figures = await readFigures(desk, call, requests, totals)
  const found = [...figures.flatMap((merchant) => merchantSuspicions(merchant, nowMs)), ...locked]
  if (found.length === 0) return html`<p class="hint">${TEXTS.nothingUnusualAtMoment}</p>`
  return html`<ul class="suspicions">${found.map(({ text, path, act, environment }) => html`<li class="card"><p>${text} ${environmentBadge(environment)}</p><p><a class="alone" href="operator/${path}">${act}</a></p></li>`)}</ul>`
}

function lockSuspicion({ tag, environment, locks }: QueryAnswer<'pins.locked'>[number]): Suspicion {
  const text = locks === 1 ? html`${TEXTS.pinLockedAfterTooMany(tag)}` : html`${TEXTS.pinLockedTimesInRow(tag, locks)}`
  return { text, path: `wallets/${tag}?environment=${environment}`, act: TEXTS.seeWallet, environment }
}

/** Reads the merchants with open live withdrawals, then those that paid most today, then the newest. */
async function readFigures(
  desk: Desk,
  call: DeskCall,
  { withdrawals }: OpenRequests,
  totals: DayTotalsReader,
): Promise<readonly MerchantFigures[]> {
  const open = withdrawals.filter(({ environment }) => environment === 'live')
  const newest = await desk.ask<ListPage<Merchant>>(call, { operationId: 'listMerchants', query: { limit: String(MERCHANTS_OF_KIND) } })
  const ids = new Set([
    ...open.map(({ merchant_id }) => merchant_id),
    ...desk.engine.query('rules.paidMost', { environment: 'live', limit: MERCHANTS_OF_KIND }),
    ...(newest.ok ? newest.body.data.map(({ id }) => id) : []),
  ])
  const figures: MerchantFigures[] = []
  for (const id of [...ids].slice(0, MERCHANTS_READ)) {
    const amounts = open.filter(({ merchant_id }) => merchant_id === id).map(({ amount }) => amount)
    const read = await figuresOf(desk, id, amounts, totals)
    if (read !== null) figures.push(read)
  }
  return figures
}

async function figuresOf(
  { engine }: Desk,
  id: string,
  withdrawals: readonly number[],
  totals: DayTotalsReader,
): Promise<MerchantFigures | null> {
  const merchant = engine.query('merchants.byId', { id })
  if (merchant === null) return null
  const account = merchant.accounts.live
  const nowMs = engine.query('engine.time', null)
  const withdrawn = (query: object): number =>
    engine.query('cashRequests.list', { kind: 'withdrawal', account, slice: 'first', query })?.rows.length ?? 0
  return {
    ...{ id, name: merchant.name, currency: merchant.currency, createdMs: parseRfc3339(merchant.created_at), withdrawals },
    available: engine.query('accounts.balance', { account }).available,
    refused: withdrawn({ state: 'refused', created_from: new Date(nowMs - NEW_DAYS * DAY_MS).toISOString() }),
    hasWithdrawn: withdrawals.length > 0 && withdrawn({ state: 'paid', limit: 1 }) > 0,
    ...payoutsOfDay(engine, account, nowMs),
    days: await totals.read(engine, account, nowMs, DAYS_READ),
  }
}

type PayoutFigures = Pick<MerchantFigures, 'newWallets' | 'aboveOwnLimits' | 'aboveLimitsOfPayee'>

function payoutsOfDay(engine: Desk['engine'], account: number, nowMs: TimeMs): PayoutFigures {
  const query = { created_from: new Date(nowMs - DAY_MS).toISOString(), limit: PAYOUTS_READ }
  const payouts = (engine.query('payouts.list', { account, query })?.rows ?? []).map((row) => JSON.parse(row) as Payout)
  const failed = (code: Payout['failure_code']): number => payouts.filter(({ failure_code }) => failure_code === code).length
  const paid = new Set(payouts.filter(({ state }) => state === 'paid').map(({ recipient }) => recipient))
  return {
    newWallets: [...paid].filter((recipient) => isNewWallet(engine, recipient, nowMs)).length,
    aboveOwnLimits: failed('merchant_limit_exceeded'),
    aboveLimitsOfPayee: failed('recipient_limit_exceeded'),
  }
}

/** The id of a wallet has the time of its creation. */
function isNewWallet(engine: Desk['engine'], recipient: string, nowMs: TimeMs): boolean {
  const wallet = isPhone(recipient)
    ? engine.query('wallets.byPhone', { phone: recipient })
    : engine.query('wallets.byTag', { environment: 'live', tag: recipient })
  return wallet !== null && nowMs - (timeOfId(wallet.id) ?? 0) < NEW_WALLET_MS
}

/** Returns what the rules find about a merchant. */
export function merchantSuspicions(merchant: MerchantFigures, nowMs: number): readonly Suspicion[] {
  const { id, days } = merchant
  const page = `merchants/${id}`
  const found: Suspicion[] = []
  const find = (text: Html, act: Text, path: string): void => void found.push({ text, act, path, environment: 'live' })
  const withdrawal = withdrawalSuspicion(merchant, nowMs)
  if (withdrawal !== null) find(withdrawal, TEXTS.seeRequest, 'requests#withdrawals')
  const { name, currency, refused, newWallets, aboveOwnLimits, aboveLimitsOfPayee } = merchant
  const movements = `${page}?type=movement#timeline`
  if (refused >= REFUSED_MIN) find(TEXTS.withdrawalsRefusedInDays(name, refused, NEW_DAYS), TEXTS.seeMovements, `${page}#timeline`)
  if (newWallets >= NEW_WALLETS_MIN) find(TEXTS.paidNewWallets(name, newWallets), TEXTS.seeMovements, movements)
  if (aboveOwnLimits > 0) find(TEXTS.reachedItsLimit(name, aboveOwnLimits), TEXTS.seeLimits, `${page}#limits`)
  if (aboveLimitsOfPayee > 0) find(TEXTS.payeesReachedLimits(name, aboveLimitsOfPayee), TEXTS.seeMovements, movements)
  const today = days.at(-1)
  const before = days.slice(0, -1)
  if (today !== undefined) {
    const mean = before.reduce((sum, { takings }) => sum + takings, 0) / Math.max(1, before.length)
    if (today.takings >= LARGE && today.takings >= JUMP * mean)
      find(TEXTS.receivedTodayFarMoreThan(name, amountText(today.takings, currency)), TEXTS.seeMovements, movements)
    if (today.payouts >= LARGE && before.every(({ payoutsCount }) => payoutsCount === 0))
      find(TEXTS.paidOutTodayFirstPayouts(name, amountText(today.payouts, currency)), TEXTS.seeMovements, movements)
  }
  return found
}

/** A large withdrawal of a new account, of one that never withdrew, or of nearly the whole balance. */
function withdrawalSuspicion(merchant: MerchantFigures, nowMs: number): Html | null {
  const { name, currency, createdMs, available, withdrawals, hasWithdrawn } = merchant
  const asked = withdrawals.reduce((sum, amount) => sum + amount, 0)
  if (asked < LARGE) return null
  if (nowMs - createdMs < NEW_DAYS * DAY_MS) return TEXTS.accountLessThanDaysWithdraw(name, NEW_DAYS, amountText(asked, currency))
  if (!hasWithdrawn) return TEXTS.firstLargeWithdrawal(name, amountText(asked, currency))
  return asked >= NEARLY_ALL * (asked + available) ? TEXTS.withdrawNearlyWholeBalance(name, amountText(asked, currency)) : null
}
