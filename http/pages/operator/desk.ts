// Shared by all pages of the operator's desk: the session, the guards of forms, the layout.

import { AUDIT_ACCOUNT, type EngineApi } from '../../../engine/api.ts'
import type { OperatorRole } from '../../../engine/contract/operator.ts'
import type { KeptCurrencies } from '../../../engine/kernel/currency.ts'
import type { DemoLock } from '../../auth/demo-lock.ts'
import { endOf, isFormToken, type OperatorSession, type OperatorSessions } from '../../auth/operator/operator-sessions.ts'
import { masked } from '../../crypto/masked-token.ts'
import type { Seal } from '../../crypto/seal.ts'
import type { Call, Header, RouteShape } from '../../server/route.ts'
import { isSameSite } from '../../server/same-site.ts'
import { openedText, type SealedText, type Text } from '../../text/text.ts'
import type { ApiAnswer, ApiCalls, ApiRequest } from '../shared/api-calls.ts'
import { cookieValue, setCookie } from '../shared/cookies.ts'
import { type Fragment, type Html, html, type Title } from '../shared/html.ts'
import { answerPage, type Page, redirectTo } from '../shared/layout.ts'
import { bottomMenu, type MenuPlace } from '../shared/menu.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import type { ClusterView } from './cluster-view.ts'
import { OPERATOR_WORDS } from './operator-words.ts'
import { ROLE_NAMES } from './role-names.ts'

const TEXTS = texts({
  fr: {
    desk: 'Bureau',
    desk2: (title: Fragment) => html`${title} · Bureau`,
    itDoesNotComeFrom: 'Il ne vient pas de votre session. Rien n’a été fait : rechargez la page d’où il vient et recommencez.',
    backDesk: 'Revenir au bureau',
  },
  en: {
    desk: 'Desk',
    desk2: (title) => html`${title} · Desk`,
    itDoesNotComeFrom: 'It does not come from your session. Nothing was done: reload the page that it comes from and start again.',
    backDesk: 'Back to the desk',
  },
})

/** What the desk needs of the application. Its members are read when a handler runs. */
export interface DeskApp {
  readonly engine: Pick<EngineApi, 'query'>
  readonly seal: Pick<Seal, 'seal' | 'open' | 'openBytes'>
  readonly demoLock: Pick<DemoLock, 'merchantId'>
  readonly currencies: KeptCurrencies
  /** Returns null without a cluster. */
  clusterView(): ClusterView | null
}

export interface DeskParts {
  readonly app: DeskApp
  readonly api: ApiCalls
  readonly sessions: OperatorSessions
  /** True for HTTPS. The cookie is then sent over HTTPS alone. */
  readonly isSecure: boolean
}

export const DESK_PAGE = {
  tag: 'Pages',
  auth: 'public',
  idempotency: 'none',
  responses: [{ status: 200, description: 'The page.', contentType: 'text/html' }],
  errors: [],
} as const satisfies Partial<RouteShape>

export const DESK_FORM = { ...DESK_PAGE, method: 'POST', bodyType: 'form', bodyBytesMax: 16 * 1024 } as const

export type DeskCall<Body = unknown> = Pick<
  Call<Body>,
  'params' | 'queryText' | 'body' | 'browser' | 'acceptEncoding' | 'remoteAddress' | 'requestId' | 'answerAs' | 'once' | 'fail'
>

const SIGNED_IN = 'in'
/** Query of the login page for a browser that did not keep the session's cookie. */
export const LOST_SESSION = 'session=lost'

/** Fields of every form of the desk. */
export interface GuardedBody {
  readonly csrf?: string
}

/** Section of the desk that a page belongs to. The bar marks it. */
export type Place =
  | 'home'
  | 'billers'
  | 'merchants'
  | 'wallets'
  | 'funding'
  | 'requests'
  | 'approvals'
  | 'operators'
  | 'ledger'
  | 'rules'
  | 'fees'
  | 'audit'
  | 'cluster'
  | 'quotas'

export interface DeskView {
  readonly title: Title
  readonly place: Place
  /** Relative path from the page to `/`. */
  readonly root: string
  readonly body: Html
}

export class Desk {
  readonly sessions: OperatorSessions
  readonly #app: DeskApp
  readonly #api: ApiCalls
  readonly #isSecure: boolean

  constructor({ app, api, sessions, isSecure }: DeskParts) {
    this.#app = app
    this.sessions = sessions
    this.#api = api
    this.#isSecure = isSecure
  }

  get engine(): DeskApp['engine'] {
    return this.#app.engine
  }

  get currencies(): KeptCurrencies {
    return this.#app.currencies
  }

  /** Id of the demo's merchant on a production server; null where there is none. */
  get demoMerchantId(): string | null {
    return this.#app.demoLock.merchantId
  }

  cluster(): ClusterView | null {
    return this.#app.clusterView()
  }

  get seal(): DeskApp['seal'] {
    return this.#app.seal
  }

  /**
   * Runs `show` with the operator's session. Without one it redirects to the login page; an operator without one of the roles gets
   * 403. `root` is the relative path to `/`.
   */
  signedIn(call: DeskCall, root: string, show: (session: OperatorSession) => void, roles?: readonly OperatorRole[]): void {
    const session = this.session(call)
    // The first page after the login has a session, unless the browser refused its cookie.
    const isLost = new URLSearchParams(call.queryText).has('ok', SIGNED_IN)
    if (session === null) redirectTo(call, `${root}operator/login${isLost ? `?${LOST_SESSION}` : ''}`)
    else if (roles === undefined || mayAct(session, roles)) show(session)
    else this.answer(call, session, { title: WORDS.accessDenied, place: 'home', root, body: FORBIDDEN }, 403)
  }

  /** Does the same for forms, which also need the session's CSRF token and this origin. */
  ownForm(call: DeskCall<GuardedBody>, root: string, go: (session: OperatorSession) => void, roles?: readonly OperatorRole[]): void {
    const guarded = (session: OperatorSession): void => {
      if (isSameSite(call) && isFormToken(call.body.csrf ?? '', session)) go(session)
      else answerPage(call, 403, refusedPage(root))
    }
    this.signedIn(call, root, guarded, roles)
  }

  session(call: Pick<Call, 'browser'>): OperatorSession | null {
    return this.sessions.find(cookieValue(call.browser, this.#cookieName))
  }

  /** Sets the session cookie and redirects to the first page. */
  welcome(call: DeskCall, cookie: string): void {
    redirectTo(call, `../operator?ok=${SIGNED_IN}`, [this.#cookie(this.#cookieName, cookie, null)])
  }

  /** Marks the session as ended in the log, deletes its cookie and redirects to the login page. */
  farewell(call: DeskCall, { id }: OperatorSession): void {
    const command = { type: 'KeepAnswer', account: AUDIT_ACCOUNT, kind: 'ok' } as const
    const leave = (): void => redirectTo(call, 'login', [this.#cookie(this.#cookieName, '', 0)])
    call.once(command, AUDIT_ACCOUNT, '', leave, endOf(id))
  }

  /** Calls the API as the operator of the session. */
  ask<Body>(call: DeskCall, request: Omit<ApiRequest, 'as' | 'from'>): Promise<ApiAnswer<Body>> {
    // A session that ended meanwhile is answered `unauthorized`.
    return this.#api.ask<Body>({ ...request, as: this.session(call)?.principal ?? { bearer: '' }, from: call })
  }

  /** Redirects to a page, which shows the notice once. */
  redirectWith(call: DeskCall, address: string, notice: Text): void {
    redirectTo(call, address, [this.#cookie(this.#noticeName, this.seal.seal(NOTICE, JSON.stringify(notice)), NOTICE_S)])
  }

  answer(call: DeskCall, session: OperatorSession, view: DeskView, status = 200): void {
    const sealed = cookieValue(call.browser, this.#noticeName)
    const renewed = this.sessions.renewed(session)
    const cookies: Header[] = []
    if (renewed !== null) cookies.push(this.#cookie(this.#cookieName, renewed, null))
    if (sealed !== '') cookies.push(this.#cookie(this.#noticeName, '', 0))
    answerPage(call, status, framed(view, session, openNotice(this.seal, sealed)), cookies)
  }

  get #cookieName(): string {
    return this.#isSecure ? '__Host-operator' : 'operator'
  }

  get #noticeName(): string {
    return `${this.#cookieName}-notice`
  }

  #cookie(name: string, value: string, maxAgeS: number | null): Header {
    return setCookie({ name, value, path: '/', sameSite: 'strict', isSecure: this.#isSecure, maxAgeS })
  }
}

/** Field that notices are sealed for, and the lifetime of their cookie in seconds. */
const NOTICE = 'operator-notice'
const NOTICE_S = 60

/** Returns null for a value that `redirectWith` did not create. */
function openNotice(seal: DeskApp['seal'], sealed: string): Text | null {
  try {
    return sealed === '' ? null : openedText(JSON.parse(seal.open(NOTICE, sealed)) as SealedText)
  } catch {
    return null
  }
}

/** Returns whether the operator has one of the roles. The holder of OPERATOR_TOKEN has every role. */
export function mayAct({ principal: { role } }: OperatorSession, roles: readonly OperatorRole[]): boolean {
  return role === 'root' || roles.includes(role)
}

const FORBIDDEN = html`<section class="card ending is-neutral">
<h1>${WORDS.accessDenied}</h1>
<p>${WORDS.roleDoesNotAllowOperation}</p>
</section>`

export function csrfField({ csrfToken }: OperatorSession): Html {
  return html`<input type="hidden" name="csrf" value="${masked(csrfToken)}">`
}

const PLACES: readonly (readonly [Place, string, Text | string])[] = [
  ['home', 'operator', WORDS.home],
  ['billers', 'operator/billers', OPERATOR_WORDS.billers],
  ['merchants', 'operator/merchants', OPERATOR_WORDS.merchants],
  ['wallets', 'operator/wallets', OPERATOR_WORDS.wallets],
  ['requests', 'operator/requests', OPERATOR_WORDS.requests],
  ['funding', 'operator/funding', OPERATOR_WORDS.movements],
  ['ledger', 'operator/ledger', OPERATOR_WORDS.trialBalance],
  ['rules', 'operator/rules', OPERATOR_WORDS.rules],
  ['fees', 'operator/fees', OPERATOR_WORDS.fees],
  ['approvals', 'operator/approvals', OPERATOR_WORDS.approvals],
  ['operators', 'operator/operators', OPERATOR_WORDS.operators],
  ['audit', 'operator/audit', WORDS.log],
  ['cluster', 'operator/cluster', OPERATOR_WORDS.nodes],
  ['quotas', 'operator/quotas', OPERATOR_WORDS.quotas],
]

/** The places of a day's work, in the bar of small screens. */
const DAILY: readonly (readonly [Place, words: Text | string, MenuPlace['icon']])[] = [
  ['home', WORDS.home, 'home'],
  ['requests', OPERATOR_WORDS.requests, 'inbox'],
  ['approvals', WORDS.approve, 'check'],
  ['merchants', OPERATOR_WORDS.merchants, 'people'],
]

function framed({ title, place, root, body }: DeskView, session: OperatorSession, notice: Text | null): Page {
  const logout = html`<form class="out" method="post" action="${root}operator/logout">${csrfField(session)}<span class="hint">${nameOf(session)}</span> <button type="submit" class="is-link">${WORDS.signOut}</button></form>`
  const link = ([name, path, text]: (typeof PLACES)[number]): Html =>
    html`<a href="${root}${path}"${name === place && html` aria-current="page"`}>${text}</a>`
  const bar = html`${logout}
<nav class="places" aria-label="${TEXTS.desk}">${PLACES.map(link)}</nav>`
  const others = PLACES.filter(([name]) => !DAILY.some(([daily]) => daily === name))
  const menu = bottomMenu({
    label: WORDS.menu,
    places: DAILY.map(([name, words, icon]) => ({ address: `${root}${pathOf(name)}`, words, icon, isHere: name === place })),
    rest: html`<ul>${others.map((other) => html`<li>${link(other)}</li>`)}</ul>${logout}`,
  })
  const said: Fragment = notice !== null && html`<p class="said" role="status">${notice}</p>`
  return { title: TEXTS.desk2(title), root, bar, menu, look: 'operator/desk.css', body: html`${said}${body}` }
}

function pathOf(place: Place): string {
  return PLACES.find(([name]) => name === place)?.[1] ?? 'operator'
}

function nameOf({ principal: { operator, role } }: OperatorSession): Fragment {
  return role === 'root' ? OPERATOR_WORDS.mainAccess : html`<bdi>${operator.name}</bdi> · ${ROLE_NAMES[role]}`
}

function refusedPage(root: string): Page {
  const body = html`<section class="card ending is-neutral">
<h1>${WORDS.formRejected}</h1>
<p>${TEXTS.itDoesNotComeFrom}</p>
<p><a href="${root}operator">${TEXTS.backDesk}</a></p>
</section>`
  return { title: WORDS.formRejected, root, body }
}
