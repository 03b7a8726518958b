// The layout around every page of the dashboard: merchant, environment and navigation. The environment is part of the
// address, so that a page and its forms do not depend on other browser windows.

import type { EngineApi } from '../../../../engine/api.ts'
import { WEBHOOK_EVENT_TYPES } from '../../../../engine/contract/webhook.ts'
import type { Environment } from '../../../../engine/kernel/environment.ts'
import { MERCHANT_CHANGES } from '../../../api/stream/merchant-changes.ts'
import { masked } from '../../../crypto/masked-token.ts'
import type { SessionPrincipal } from '../../../server/route.ts'
import type { Text } from '../../../text/text.ts'
import { type Fragment, type Html, html, type Title } from '../../shared/html.ts'
import type { Page } from '../../shared/layout.ts'
import { bottomMenu, type MenuPlace } from '../../shared/menu.ts'
import { WORDS } from '../../shared/shared-words.ts'
import { DASHBOARD_WORDS } from './dashboard-words.ts'
import { noteText, type Outcome } from './form-notes.ts'
import { COPIED } from './share-links.ts'
import { TEXTS } from './shell-messages.ts'

/** The places of the menu in groups. The first group has no name. A path with a slash is one of the server, not of the dashboard. */
const GROUPS = [
  ['', [['home', '', WORDS.home]]],
  [
    DASHBOARD_WORDS.charge,
    [
      ['charges', 'charges', DASHBOARD_WORDS.charges],
      ['counter', 'counter', TEXTS.counter],
      ['till', 'till', TEXTS.till],
      ['links', 'links', DASHBOARD_WORDS.paymentLinks],
      ['mandates', 'mandates', WORDS.directDebits],
      ['problems', 'problems', TEXTS.messages],
      ['bills', 'bills', DASHBOARD_WORDS.paidBills],
      ['biller', 'biller', WORDS.biller],
    ],
  ],
  [
    DASHBOARD_WORDS.pay,
    [
      ['payouts', 'payouts', DASHBOARD_WORDS.payouts],
      ['disbursements', 'disbursements', DASHBOARD_WORDS.bulkPayouts],
      ['schedules', 'schedules', DASHBOARD_WORDS.scheduledPayouts],
      ['contacts', 'contacts', DASHBOARD_WORDS.contacts],
    ],
  ],
  [
    TEXTS.balance,
    [
      ['transactions', 'transactions', DASHBOARD_WORDS.transactions],
      ['statements', 'statements', TEXTS.statements],
      ['top-ups', 'top-ups', WORDS.topUps],
      ['withdrawals', 'withdrawals', WORDS.withdrawals],
    ],
  ],
  [
    TEXTS.developers,
    [
      ['keys', 'keys', WORDS.apiKeys],
      ['webhooks', 'webhooks', DASHBOARD_WORDS.webhooks],
      ['api', 'api', 'API'],
      ['docs', '/docs', WORDS.documentation],
    ],
  ],
  [
    TEXTS.settings,
    [
      ['members', 'members', WORDS.members],
      ['notices', 'notices', TEXTS.notices],
      ['security', 'security', DASHBOARD_WORDS.security],
      ['account', 'account', WORDS.account],
    ],
  ],
] as const

/** Operations of the API that the places show: a member who may not call one does not see its place. Null: each member sees its own. */
const SHOWN: Readonly<Partial<Record<string, string | null>>> = {
  ...{ home: null, api: null, docs: null, notices: null, security: null, account: null },
  charges: 'listCharges',
  counter: 'createCharge',
  till: 'getTill',
  links: 'listPaymentLinks',
  mandates: 'listMandates',
  problems: 'listProblems',
  bills: 'listBillPayments',
  biller: 'getBiller',
  payouts: 'listPayouts',
  disbursements: 'listDisbursements',
  schedules: 'listSchedules',
  contacts: 'listContacts',
  transactions: 'listTransactions',
  statements: 'listTransactions',
  'top-ups': 'listTopUps',
  withdrawals: 'listWithdrawals',
  keys: 'listApiKeys',
  webhooks: 'listWebhookEndpoints',
  members: 'listMembers',
}

/** With the rest of the menu, five places share the width of a phone. */
const DAILY_MAX = 4

type MenuGroup = (typeof GROUPS)[number]
type MenuRow = MenuGroup[1][number]

const PLACES: readonly MenuRow[] = GROUPS.flatMap(([, rows]): readonly MenuRow[] => rows)

/** The places of a day's work, in the bar of small screens: the first ones that a member may see. */
const DAILY: readonly (readonly [Place, words: Text, MenuPlace['icon']])[] = [
  ['home', WORDS.home, 'home'],
  ['charges', DASHBOARD_WORDS.charge, 'in'],
  ['payouts', DASHBOARD_WORDS.pay, 'out'],
  ['transactions', DASHBOARD_WORDS.transactions, 'list'],
  ['counter', TEXTS.counter, 'check'],
  ['till', TEXTS.till, 'list'],
]

export type Place = MenuRow[0] | 'search' | 'none'

export interface ShownPage {
  readonly title: Title
  readonly place: Place
  /** Prefixes of the events and changes after which the page's live regions are read again. */
  readonly live?: readonly string[]
  /** What the message after a form says instead of its own text. */
  readonly outcome?: Outcome
  readonly body: Html
}

/** The part of a visit that the layout needs. */
export interface Around {
  readonly environment: Environment
  readonly principal: SessionPrincipal
  readonly query: URLSearchParams
  /** Relative path from the page to the root of the server. */
  readonly root: string
  readonly app: { readonly engine: Pick<EngineApi, 'query'> }
  to(path?: string): string
  /** Whether the member's role may call the operation of the API. True for null; undefined is closed to cashiers alone. */
  may(operationId: string | null | undefined): boolean
}

export function shell(visit: Around, { title, place, live = [], outcome, body }: ShownPage): Page {
  const { root, environment, principal } = visit
  const note = noteText(visit.query.get('ok') ?? '')
  const bar = html`<span class="owner"><bdi>${principal.merchant.name}</bdi></span>${environmentSwitch(visit)}${findForm(visit, place)}${bell(visit)}`
  const whole = html`${environment === 'test' && TEST_STRIP}
<div class="board">
<div class="side"><nav aria-label="${WORDS.dashboard}">${menuGroups(visit, place, () => true)}</nav>${logout(visit)}</div>
<div class="content" id="contenu" tabindex="-1"${live.length > 0 && html` data-news="${visit.to('news')}" data-types="${typesOf(live)}"`}>
${stopStrip(visit)}
${note !== null && html`<p class="notice is-${outcome?.tone ?? 'good'}" role="status">${outcome?.words ?? note}</p>`}
${body}
${live.length > 0 && html`<p class="unseen" role="status" data-changed></p>`}
${COPIED}
</div>
</div>`
  return {
    title: environment === 'test' ? TEXTS.test(title) : TEXTS.production(title),
    root,
    bar,
    contentId: 'contenu',
    look: 'dashboard/shared/dashboard.css',
    script: 'dashboard/shared/dashboard.js',
    menu: bottomMenu({
      label: WORDS.menu,
      places: daily(visit).map(([name, words, icon]) => ({ address: visit.to(pathOf(name)), words, icon, isHere: name === place })),
      rest: html`${menuGroups(visit, place, (name) => !daily(visit).some(([shown]) => shown === name))}${logout(visit)}`,
    }),
    body: whole,
  }
}

/** Renders the groups of the menu with the places that are wanted. */
function menuGroups(visit: Around, here: Place, isWanted: (place: Place) => boolean): Html {
  const isShown = ([place]: MenuRow): boolean => isWanted(place) && maySee(visit, place)
  const groups = GROUPS.map(([name, rows]) => ({ name, rows: (rows as readonly MenuRow[]).filter(isShown) }))
  const row = ([place, path, words]: MenuRow): Html =>
    html`<li><a href="${path.startsWith('/') ? visit.root + path.slice(1) : visit.to(path)}"${place === here && html` aria-current="page"`}>${words}</a></li>`
  return html`${groups.map(
    ({ name, rows }) =>
      rows.length > 0 &&
      html`${name !== '' && html`<p class="menu-group" aria-hidden="true">${name}</p>`}<ul${name !== '' && html` aria-label="${name}"`}>${rows.map(row)}</ul>`,
  )}`
}

function maySee(visit: Around, place: Place): boolean {
  return visit.may(SHOWN[place])
}

function daily(visit: Around): typeof DAILY {
  return DAILY.filter(([place]) => maySee(visit, place)).slice(0, DAILY_MAX)
}

function pathOf(place: Place): string {
  return PLACES.find(([name]) => name === place)?.[1] ?? ''
}

/** Returns events and changes by name, because an EventSource has no listener for all of them. */
function typesOf(prefixes: readonly string[]): string {
  return [...WEBHOOK_EVENT_TYPES, ...MERCHANT_CHANGES].filter((type) => prefixes.some((prefix) => type.startsWith(prefix))).join(' ')
}

/** The search box of every page. The search page has its own text in it. */
function findForm(visit: Around, place: Place): Html {
  const typed = place === 'search' ? visit.query.get('q') : ''
  return html`<form class="find" role="search" method="get" action="${visit.to('search')}"><input name="q" type="search" value="${typed}" maxlength="255" aria-label="${TEXTS.searchEverywhere}" placeholder="${WORDS.search}" autocomplete="off" autocapitalize="none" spellcheck="false"><button class="quiet" type="submit">${WORDS.search}</button></form>`
}

const BELL = html`<svg viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M6 16V11a6 6 0 0 1 12 0v5l2 2H4zM10 21h4"/></svg>`

/** The bell of every page: how many news are unread, as text and for assistive technology. */
function bell(visit: Around): Html {
  const unreadNews = visit.app.engine.query('news.unread', { userId: visit.principal.user.id })
  const words = unreadNews === 0 ? TEXTS.news : TEXTS.unreadNews(unreadNews)
  return html`<a class="bell" href="${visit.to('notices/received')}" aria-label="${words}" title="${words}">${BELL}${unreadNews > 0 && html`<b aria-hidden="true">${unreadNews}</b>`}</a>`
}

const NAMES: Readonly<Record<Environment, Text | string>> = { test: TEXTS.test2, live: WORDS.production }

function environmentSwitch(visit: Around): Html {
  const link = (environment: Environment): Html =>
    html`<a href="${visit.root}dashboard/${environment}"${environment === visit.environment && html` aria-current="true"`}>${NAMES[environment]}</a>`
  return html`<span class="switch" role="group" aria-label="${WORDS.environment}">${link('test')}${link('live')}</span>`
}

const TEST_STRIP: Fragment = html`<p class="strip">${TEXTS.testEnvironmentNoRealMoney}</p>`

/** Says why no money moves, and what to do. */
function stopStrip(visit: Around): Fragment {
  const { principal, environment } = visit
  const { suspension, activation } = principal.merchant
  if (suspension !== undefined) return html`<p class="error" role="status">${TEXTS.accountSuspendedNoMoneyMoves(suspension.reason)}</p>`
  if (environment === 'test' || activation === undefined || activation.state === 'active') return null
  return html`<p class="notice" role="status">${TEXTS.noRealMoneyMovesBefore(visit.to('activation'))}</p>`
}

function logout(visit: Around): Html {
  return html`<form class="leave" method="post" action="${visit.to('logout')}">${tokenField(visit)}<button class="quiet" type="submit">${WORDS.signOut}</button></form>`
}

/** Renders the CSRF token. Every form has it. */
export function tokenField({ principal }: Pick<Around, 'principal'>): Html {
  return html`<input type="hidden" name="csrf" value="${masked(principal.csrfToken)}">`
}

interface SimplePage {
  readonly root: string
  readonly title: Title
  readonly text: Text | string
}

/** Renders a page for visitors who are not signed in. */
export function simplePage({ root, text, ...shown }: SimplePage): Page {
  const title = shown.title
  const body = html`<section class="card ending is-neutral"><h1>${title}</h1><p>${text}</p><p><a href="${root}dashboard">${WORDS.dashboard}</a></p></section>`
  return { title, root, look: 'dashboard/shared/dashboard.css', body }
}
