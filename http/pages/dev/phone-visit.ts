// A request for a page of the signed-in simulated phone: its session, its calls to the wallet API, and its answers. Every
// row checks that the browser is on this machine.

import { type Schema, type Static, Type } from '../../../engine/contract/schema.ts'
import type { Seal } from '../../crypto/seal.ts'
import { later } from '../../server/later.ts'
import { type Call, type Route, type RouteShape, route } from '../../server/route.ts'
import { composed } from '../../text/text.ts'
import { type ApiAnswer, type ApiCalls, type ApiError, type ApiRequest, newFormKey } from '../shared/api-calls.ts'
import { type Html, html, type Title } from '../shared/html.ts'
import { answerPage, redirectTo } from '../shared/layout.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { FORM_BYTES_MAX, PATH_PART_LENGTH_MAX, TYPED_LENGTH_MAX } from './dev-limits.ts'
import { devPage } from './dev-page.ts'
import { DEV_WORDS } from './dev-words.ts'
import { onlyHere, onlyOurForm } from './local-guard.ts'
import { openFor, type PhoneSession, sealFor, sessionOf, type Tried, type TriedError } from './phone-progress.ts'

const TEXTS = texts({
  fr: {
    impossibleForMoment: 'Impossible pour le moment',
    impossible: 'Impossible',
    screensPhone: 'Écrans du téléphone',
  },
  en: {
    impossibleForMoment: 'Impossible for the moment',
    impossible: 'Impossible',
    screensPhone: 'Screens of the phone',
  },
})

export interface VisitParts {
  readonly seal: Pick<Seal, 'seal' | 'open'>
  readonly api: ApiCalls
}

type VisitCall<Body = unknown> = Pick<
  Call<Body>,
  'params' | 'queryText' | 'body' | 'browser' | 'acceptEncoding' | 'isLocal' | 'remoteAddress' | 'requestId' | 'answerAs' | 'ask' | 'fail'
>

const PLACES = [
  ['home', '', WORDS.home],
  ['send', '/send', WORDS.send],
  ['bills', '/bills', DEV_WORDS.bills],
  ['mandates', '/mandates', WORDS.directDebits],
  ['history', '/history', DEV_WORDS.history],
] as const

export type PhonePlace = (typeof PLACES)[number][0]

export interface ShownScreen {
  readonly title: Title
  readonly here: PhonePlace
  readonly body: Html
}

export class PhoneVisit {
  readonly call: VisitCall
  readonly session: PhoneSession
  /** Relative path to `/`. */
  readonly root: string
  readonly query: URLSearchParams
  readonly #parts: VisitParts

  constructor(parts: VisitParts, call: VisitCall, session: PhoneSession, root: string) {
    this.#parts = parts
    this.call = call
    this.session = session
    this.root = root
    this.query = new URLSearchParams(call.queryText)
  }

  /** Calls the wallet API with the access token of the phone. */
  ask<Body>(operationId: string, request: Omit<ApiRequest, 'operationId' | 'as' | 'from'> = {}): Promise<ApiAnswer<Body>> {
    return this.#parts.api.ask<Body>({ ...request, operationId, as: { bearer: this.session.accessToken }, from: this.call })
  }

  param(at: number): string {
    return String(this.call.params[at])
  }

  /** Returns the address of a screen: `to('/bills')`. */
  to(path = ''): string {
    return `${this.root}dev/phone${path}`
  }

  show({ here, body, ...shown }: ShownScreen, status = 200): void {
    const page = {
      title: html`${shown.title}, ${`@${this.session.tag}`}`,
      root: this.root,
      here: 'phone',
      body: html`${phoneMenu(this.to(), here)}${body}`,
    } as const
    answerPage(this.call, status, devPage(page))
  }

  goTo(path: string): void {
    redirectTo(this.call, this.to(path))
  }

  /** Shows an error of the API that ends the page. An ended session leads to the sign-in. */
  refuse({ code, message }: Pick<ApiError, 'code' | 'message'>, here: PhonePlace): void {
    if (code === 'unauthorized') return this.goTo('')
    const body = html`<section class="card narrow ending is-neutral"><h1>${TEXTS.impossibleForMoment}</h1><p role="alert">${message}</p>
<p><a href="${this.to()}">${WORDS.backHomePage}</a></p></section>`
    this.show({ title: TEXTS.impossible, here, body }, code === 'not_found' ? 404 : 200)
  }

  /** Returns the rejected form that led to this page, or a new one. */
  tried(path: string): Tried {
    return this.unsealed<Tried>(path, 's') ?? this.fresh()
  }

  /** Returns a form that was not sent before. */
  fresh(): Tried {
    return { key: newFormKey(), values: {}, error: null }
  }

  /** Redirects to a form again, with what was typed. */
  again(path: string, tried: Tried): void {
    this.goTo(`${path}${path.includes('?') ? '&' : '?'}s=${this.sealed(path, cut(tried))}`)
  }

  /** Returns a value for the address of a page; it holds on that page alone. */
  sealed(path: string, value: object): string {
    return encodeURIComponent(sealFor(this.#parts.seal, path, value))
  }

  unsealed<Value>(path: string, name: string): Value | null {
    return this.opened<Value>(path, this.query.get(name) ?? '')
  }

  opened<Value>(path: string, sealed: string): Value | null {
    return openFor<Value>(this.#parts.seal, path, sealed)
  }
}

function cut(tried: Tried): Tried {
  const values = Object.entries(tried.values).map(([name, value]) => [name, value.slice(0, TYPED_LENGTH_MAX)] as const)
  return { ...tried, values: Object.fromEntries(values) }
}

/** Returns the API's error at its field: the PIN, or the field that the API names. */
export function triedError(error: ApiError, fields: Readonly<Record<string, string>> = {}): TriedError {
  const left = error.attempts_left === undefined ? null : DEV_WORDS.attemptsLeft(error.attempts_left)
  const isPin = error.code === 'pin_incorrect' || error.code === 'pin_locked' || error.param === 'pin'
  return {
    field: isPin ? 'pin' : (fields[error.param ?? ''] ?? 'form'),
    message: left === null ? error.message : composed`${error.message} ${left}`,
  }
}

export function phoneMenu(home: string, here: PhonePlace): Html {
  return html`<nav class="places phone-menu" aria-label="${TEXTS.screensPhone}">${PLACES.map(
    ([place, path, name]) => html`<a href="${home}${path}"${place === here && html` aria-current="page"`}>${name}</a>`,
  )}</nav>`
}

const PAGE = {
  tag: 'Pages',
  auth: 'public',
  idempotency: 'none',
  responses: [{ status: 200, description: 'The page.', contentType: 'text/html' }],
  errors: [],
} as const satisfies Partial<RouteShape>

interface RowShape {
  /** Path after `/dev/phone`. */
  readonly path: string
  readonly operationId: string
  readonly summary: string
}

export interface ScreenRow extends RowShape {
  show(visit: PhoneVisit): Promise<void>
}

export function screenRow(parts: VisitParts, row: ScreenRow): Route {
  const { operationId, summary } = row
  const where = placeOf(row.path)
  return route({
    ...PAGE,
    ...where.shape,
    method: 'GET',
    operationId,
    summary,
    handle: (call) => onlyHere(call, where.root, () => signedIn(parts, call, where.root, (visit) => row.show(visit))),
  })
}

export interface FormRow<Name extends string> extends RowShape {
  readonly fields: readonly Name[]
  /** Matches the names of the inputs of a biller's form. */
  readonly rowNames?: RegExp
  act(visit: PhoneVisit, sent: Readonly<Record<Name | 'key', string>>, rows: Readonly<Record<string, string>>): Promise<void>
}

/** Returns the route of a form. `f` prevents forgery; `key` is its idempotency key, so that a form sent twice acts once. */
export function formRow<Name extends string>(parts: VisitParts, row: FormRow<Name>): Route {
  const { operationId, summary, fields, rowNames } = row
  const where = placeOf(row.path)
  const names = [...fields, 'key', 'f']
  const body = Type.Object(Object.fromEntries(names.map((name) => [name, Type.Optional(Type.String())])))
  return route({
    ...PAGE,
    ...where.shape,
    method: 'POST',
    bodyType: 'form',
    bodyBytesMax: FORM_BYTES_MAX,
    ...(rowNames === undefined ? {} : { rowNames }),
    operationId,
    summary,
    body,
    handle: (call: Call<Static<typeof body>>) => {
      const given = call.body as Readonly<Record<string, string | undefined>>
      const sent = Object.fromEntries(names.map((name) => [name, given[name] ?? ''])) as Record<Name | 'key', string>
      const rows = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? '']))
      onlyOurForm(call, where.root, () => signedIn(parts, call, where.root, (visit) => row.act(visit, sent, rows)))
    },
  })
}

function signedIn(parts: VisitParts, call: VisitCall, root: string, go: (visit: PhoneVisit) => Promise<void>): void {
  const session = sessionOf(parts.seal, call.browser)
  if (session === null) return redirectTo(call, `${root}dev/phone`)
  later(call, () => go(new PhoneVisit(parts, call, session, root)))
}

function placeOf(path: string): { readonly shape: Pick<RouteShape, 'path' | 'params'>; readonly root: string } {
  const whole = `/dev/phone${path}`
  const names = [...whole.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name))
  const params: Record<string, Schema> = Object.fromEntries(names.map((name) => [name, Type.String({ maxLength: PATH_PART_LENGTH_MAX })]))
  return { shape: { path: whole, params }, root: '../'.repeat(whole.split('/').length - 2) }
}
