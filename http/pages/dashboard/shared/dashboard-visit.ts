// One request of a signed-in user for a page of the dashboard: user, environment and paths. The guards are here: a page
// needs a session, and a form needs the CSRF token of its session.

import { type Schema, Type } from '../../../../engine/contract/schema.ts'
import { ENVIRONMENTS, type Environment } from '../../../../engine/kernel/environment.ts'
import { later } from '../../../server/later.ts'
import { EXHAUSTED, type RateLimiter } from '../../../server/rate-limit.ts'
import { type Call, type Header, type Route, type RouteShape, route, type SessionPrincipal } from '../../../server/route.ts'
import { isCsrfToken } from '../../../server/route-guards.ts'
import { isOwnOrigin, isSameSite } from '../../../server/same-site.ts'
import type { Text } from '../../../text/text.ts'
import type { ApiAnswer, ApiCalls, ApiError, ApiRequest } from '../../shared/api-calls.ts'
import { type Fragment, html } from '../../shared/html.ts'
import { answerPage, redirectTo } from '../../shared/layout.ts'
import { WORDS } from '../../shared/shared-words.ts'
import type { DashboardApp } from './dashboard-app.ts'
import { FORM_BYTES_MAX } from './dashboard-limits.ts'
import { TEXTS } from './dashboard-visit-messages.ts'
import type { FormTable } from './form-table.ts'
import { askedPage, loginAddress } from './login-address.ts'
import { type Around, type ShownPage, shell, simplePage } from './shell.ts'

export interface DashboardParts {
  readonly app: DashboardApp
  readonly api: ApiCalls
  /** Rate limit of page requests. */
  readonly rate: RateLimiter
  readonly forms: FormTable
}

export type PageCall<Body = unknown> = Pick<
  Call<Body>,
  'params' | 'queryText' | 'body' | 'browser' | 'acceptEncoding' | 'remoteAddress' | 'requestId' | 'answerAs' | 'fail'
>

export class Visit implements Around {
  readonly app: DashboardApp
  readonly call: PageCall
  readonly principal: SessionPrincipal
  readonly environment: Environment
  readonly currency: SessionPrincipal['merchant']['currency']
  /** Path parameters after the environment. */
  readonly params: readonly string[]
  readonly query: URLSearchParams
  /** Relative path from this page to the root of the server. */
  readonly root: string
  readonly #api: ApiCalls
  readonly #forms: FormTable

  constructor({ app, api, forms }: DashboardParts, call: PageCall, principal: SessionPrincipal, root: string) {
    this.app = app
    this.#api = api
    this.#forms = forms
    this.call = call
    this.principal = principal
    this.environment = principal.environment
    this.currency = principal.merchant.currency
    this.params = call.params.slice(1)
    this.query = new URLSearchParams(call.queryText)
    this.root = root
  }

  /** Returns the relative address of another page of the dashboard in this environment. */
  to(path = ''): string {
    return `${this.root}dashboard/${this.environment}${path === '' ? '' : `/${path}`}`
  }

  /** Calls the API as the signed-in user. */
  ask<Body>(operationId: string, request: Omit<ApiRequest, 'operationId' | 'as' | 'from'> = {}): Promise<ApiAnswer<Body>> {
    return this.#api.ask<Body>({ ...request, operationId, as: this.principal, from: this.call })
  }

  /** Returns the first validation error of a body by the operation's schema, or null. */
  faultIn(operationId: string, body: object): ApiError | null {
    return this.#api.faultIn(operationId, body)
  }

  /** Returns whether the member's role may call the operation. True for null; undefined is closed to cashiers alone. */
  may(operationId: string | null | undefined): boolean {
    const { role } = this.principal
    return operationId === undefined ? role !== 'cashier' : operationId === null || this.#api.isAllowed(operationId, role)
  }

  /** Returns whether the member's role may send the form to the address, which `to` made. */
  maySend(address: string): boolean {
    return this.may(this.#forms.operationOf(address.slice(this.to().length)))
  }

  /** Renders a button that leads to the form of an operation; nothing for a member whose role may not call it. */
  button(operationId: string, path: string, words: Text | string, look: 'strong' | 'quiet' = 'strong'): Fragment {
    if (!this.may(operationId)) return null
    return html`<a class="button${look === 'quiet' && ' quiet'}" href="${this.to(path)}">${words}</a>`
  }

  show(page: ShownPage, status = 200): void {
    answerPage(this.call, status, shell(this, { ...page, title: page.title }))
  }

  /** Redirects to a page, which shows `note`. Its text is in form-notes.ts. */
  goTo(path: string, note?: string, more: readonly Header[] = []): void {
    const query = note === undefined ? '' : `${path.includes('?') ? '&' : '?'}ok=${note}`
    redirectTo(this.call, this.to(path) + query, more)
  }

  missing(): void {
    const body = html`<section class="card"><h1>${WORDS.pageNotFound}</h1><p>${TEXTS.itDoesNotExistOr}</p></section>`
    this.show({ title: WORDS.pageNotFound, place: 'none', body }, 404)
  }

  file(name: string, contentType: string, content: string): void {
    this.call.answerAs(200, content, [
      ['Content-Type', contentType],
      ['Content-Disposition', `attachment; filename="${name}"`],
    ])
  }
}

/** Fields that all page routes share. */
export const PAGE = {
  tag: 'Pages',
  auth: 'public',
  idempotency: 'none',
  responses: [{ status: 200, description: 'The page.', contentType: 'text/html' }],
  errors: [],
} as const satisfies Partial<RouteShape>

export const FORM = { ...PAGE, method: 'POST', bodyType: 'form', bodyBytesMax: FORM_BYTES_MAX } as const

export interface RowShape {
  /** Path after `/dashboard/{environment}`. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
}

export interface PageRow extends RowShape {
  /**
   * Operation of the API that the page's form calls, or that it reads: a member whose role may not call it gets 403. Null for a page that
   * shows each member its own alone. Absent: a cashier gets 403.
   */
  readonly needs?: string | null
  show(visit: Visit): Promise<void> | void
}

export function pageRow(parts: DashboardParts, row: PageRow): Route {
  const { path, operationId, summary, needs } = row
  const where = placeOf(path)
  return route({
    ...PAGE,
    ...where.shape,
    method: 'GET',
    operationId,
    summary,
    handle: (call) =>
      withVisit(parts, call, { path: where.shape.path, root: where.root, needs }, (visit) => later(call, async () => row.show(visit))),
  })
}

/** Fields of a form by name. Absent fields are ''. */
export type Sent<Name extends string = string> = Readonly<Record<Name, string>>

export interface FormRow<Name extends string> extends RowShape {
  /** Operation of the API that the form calls, as of a page; null for what changes no data. */
  readonly needs: string | null
  readonly fields: readonly Name[]
  /** Matches the names of inputs in rows that users add. */
  readonly rowNames?: RegExp
  readonly bytesMax?: number
  /** Handles the form. `rows` are the inputs of added rows. */
  act(visit: Visit, sent: Sent<Name | 'key'>, rows: Sent): Promise<void> | void
}

const FIELD = Type.Optional(Type.String())

/** Returns the route of a form. `csrf` prevents forgery; `key` is its idempotency key, so a form sent twice acts once. */
export function formRow<Name extends string>(parts: DashboardParts, row: FormRow<Name>): Route {
  const { path, operationId, summary, needs, fields, rowNames, bytesMax = FORM_BYTES_MAX } = row
  parts.forms.add(path, needs)
  const where = placeOf(path)
  const names = [...fields, 'key', 'csrf']
  const body = Type.Object(Object.fromEntries(names.map((name) => [name, FIELD])))
  return route({
    ...FORM,
    ...where.shape,
    bodyBytesMax: bytesMax,
    ...(rowNames === undefined ? {} : { rowNames }),
    operationId,
    summary,
    body,
    handle: (call) => {
      const given = call.body as Readonly<Record<string, string | undefined>>
      withVisit(parts, call, { path: where.shape.path, root: where.root, needs }, (visit) => {
        if (isForeign(call) || !isCsrfToken(given.csrf ?? '', visit.principal.csrfToken)) return refuseForm(visit)
        const sent = Object.fromEntries(names.map((name) => [name, given[name] ?? ''])) as Sent<Name | 'key'>
        const rows = Object.fromEntries(Object.entries(given).filter(([name]) => rowNames?.test(name) === true)) as Sent
        later(call, async () => row.act(visit, sent, rows))
      })
    },
  })
}

export interface FileRow<Name extends string> extends RowShape {
  /** Operation of the API that the form calls. */
  readonly needs: string
  /** Text fields beside the file. */
  readonly fields: readonly Name[]
  readonly bytesMax: number
  act(visit: Visit, file: Buffer | undefined, sent: Sent<Name | 'key'>): Promise<void> | void
}

/** Returns the route of a form with one file, named `file`. */
export function fileRow<Name extends string>(parts: DashboardParts, row: FileRow<Name>): Route {
  const { path, operationId, summary, needs, fields, bytesMax } = row
  parts.forms.add(path, needs)
  const where = placeOf(path)
  const names = [...fields, 'key', 'csrf']
  return route({
    ...FORM,
    ...where.shape,
    bodyType: 'multipart',
    bodyBytesMax: bytesMax,
    operationId,
    summary,
    body: Type.Object(Object.fromEntries(['file', ...names].map((name) => [name, FIELD]))),
    handle: (call) => {
      const given = call.body as Readonly<Record<string, Buffer | undefined>>
      withVisit(parts, call, { path: where.shape.path, root: where.root, needs }, (visit) => {
        const sent = Object.fromEntries(names.map((name) => [name, given[name]?.toString('utf8') ?? ''])) as Sent<Name | 'key' | 'csrf'>
        if (isForeign(call) || !isCsrfToken(sent.csrf, visit.principal.csrfToken)) return refuseForm(visit)
        // Browsers send an empty file when the user chose none.
        const file = given.file === undefined || given.file.length === 0 ? undefined : Buffer.from(given.file)
        later(call, async () => row.act(visit, file, sent))
      })
    },
  })
}

/** Returns whether the form comes from another site, by the headers of the browser. */
export function isForeign(call: Pick<Call, 'browser'>): boolean {
  return call.browser.fetchSite === 'none' ? !isOwnOrigin(call) : !isSameSite(call)
}

function refuseForm(visit: Visit): void {
  const body = html`<section class="card"><h1>${WORDS.formRejected}</h1>
<p>${TEXTS.sessionCouldNotBeVerified}</p></section>`
  visit.show({ title: WORDS.formRejected, place: 'none', body }, 403)
}

/** Answers 403 to a member whose role may not call the operation that the page or form is for. */
function refuseRole(visit: Visit): void {
  const body = html`<section class="card"><h1>${WORDS.accessDenied}</h1>
<p>${WORDS.roleDoesNotAllowOperation}</p>
<p>${TEXTS.askOwnerAccountDoIt} ${visit.may('listMembers') && html`<a href="${visit.to('members')}">${TEXTS.seeMembers}</a>`}</p></section>`
  visit.show({ title: WORDS.accessDenied, place: 'none', body }, 403)
}

interface Guarded {
  /** Path of the route. */
  readonly path: string
  /** Relative path from the page to the root of the server. */
  readonly root: string
  readonly needs: string | null | undefined
}

export function withVisit(parts: DashboardParts, call: PageCall, { path, root, needs }: Guarded, go: (visit: Visit) => void): void {
  const environment = ENVIRONMENTS.find((name) => name === call.params[0])
  if (environment === undefined)
    return answerPage(call, 404, simplePage({ root, title: WORDS.pageNotFound, text: TEXTS.addressLeadsNowhere }))
  const principal = parts.app.dashboard.sessions.check(call.browser.cookie, environment)
  if (principal === null) return redirectTo(call, `${root}dashboard/${loginAddress(call.queryText, askedPage(path, call))}`)
  const { account } = principal
  if (parts.rate.take(account, environment, performance.now()) !== EXHAUSTED) {
    const visit = new Visit(parts, call, principal, root)
    return visit.may(needs) ? go(visit) : refuseRole(visit)
  }
  const page = simplePage({ root, title: TEXTS.oneMoment, text: TEXTS.tooManyPagesWereRequested })
  answerPage(call, 429, page, [['Retry-After', '1']])
}

/** Returns path and parameters of a row, and the relative path to the root. */
export function placeOf(path: string): { readonly shape: Pick<RouteShape, 'path' | 'params'>; readonly root: string } {
  const whole = `/dashboard/{environment}${path}`
  const names = [...whole.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name))
  const params: Record<string, Schema> = Object.fromEntries(names.map((name) => [name, Type.String({ maxLength: 128 })]))
  return { shape: { path: whole, params }, root: '../'.repeat(whole.split('/').length - 2) }
}
