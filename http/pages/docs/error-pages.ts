// One page for each error code: status, message, cause, remedy, and the routes that answer it. Cause and remedy are the two
// paragraphs of the code's section in `errors.md`.

import { ERROR_CODES, type ErrorCode } from '../../../engine/contract/errors.ts'
import { errorStatus } from '../../server/outcome-status.ts'
import type { Route } from '../../server/route.ts'
import { errorsOf } from '../../server/route-errors.ts'
import { ERROR_MESSAGES } from '../../text/error-messages.ts'
import { errorText } from '../../text/error-text.ts'
import type { Language } from '../../text/language.ts'
import { type Html, html, type WrittenHtml } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { type DocsParts, type DocsView, writtenTitle } from './docs-frame.ts'
import { DOCS_WORDS } from './docs-words.ts'
import { codeBlock } from './samples.ts'
import type { WrittenPages } from './written-pages.ts'

const TEXTS = texts({
  fr: {
    status: 'Statut',
    message: 'Message',
    cause: 'Cause',
    remedy: 'Remède',
    httpStatus: (errorStatus: number) => `Statut HTTP ${errorStatus}`,
    routes: 'Routes',
    nearlyAllRoutes: 'Presque toutes les routes.',
    noRouteService: 'Aucune route de ce service.',
  },
  en: {
    status: 'Status',
    message: 'Message',
    cause: 'Cause',
    remedy: 'Remedy',
    httpStatus: (errorStatus) => `HTTP status ${errorStatus}`,
    routes: 'Routes',
    nearlyAllRoutes: 'Nearly all routes.',
    noRouteService: 'No route of this service.',
  },
})

/** Beyond so many, a page names no routes: nearly all answer the code. */
const ROUTES_SHOWN_MAX = 40
const ROOT = '../../'

export class ErrorPages {
  readonly #pages: WrittenPages
  readonly #api: DocsParts
  #routes: ReadonlyMap<ErrorCode, readonly Route[]> | null = null

  constructor(pages: WrittenPages, api: DocsParts) {
    this.#pages = pages
    this.#api = api
  }

  list(language: Language): DocsView {
    const { title } = this.#pages.page('errors', language)
    const intro = this.#pages.inline(this.#pages.page('errors', language).sections[0]?.text ?? '', language, '../')
    const rows = ERROR_CODES.map(
      (code) =>
        html`<tr role="row"><td role="cell" data-label="${WORDS.code}"><a class="alone" href="errors/${code}"><code>${code}</code></a></td><td role="cell" data-label="${TEXTS.status}">${errorStatus(code)}</td><td role="cell" data-label="${TEXTS.message}">${errorText({ code })}</td></tr>`,
    )
    const article = html`<h1><bdi>${title}</bdi></h1>${intro}
<div class="scroll" tabindex="0"><table role="table"><thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">${WORDS.code}</th><th role="columnheader" scope="col">${TEXTS.status}</th><th role="columnheader" scope="col">${TEXTS.message}</th></tr></thead><tbody role="rowgroup">${rows}</tbody></table></div>`
    return { place: 'errors', title: writtenTitle(title), root: '../', article }
  }

  /** Returns null for a code that does not exist. */
  one(name: string, language: Language): DocsView | null {
    const code = ERROR_CODES.find((known) => known === name)
    if (code === undefined) return null
    const { cause, remedy } = this.#help(code, language)
    const article = html`<p><a class="alone" href="../errors">${DOCS_WORDS.errorCodes}</a></p>
<h1><code>${code}</code></h1>
<p>${errorText({ code })}</p>
<h2>${TEXTS.cause}</h2>${cause}
<h2>${TEXTS.remedy}</h2>${remedy}
<h2>${WORDS.answer}</h2><p>${TEXTS.httpStatus(errorStatus(code))}</p>
${codeBlock(JSON.stringify({ code, message: ERROR_MESSAGES.fr[code] }, null, 2))}
<h2>${TEXTS.routes}</h2>${this.#routesOf(code)}`
    return { place: 'errors', title: writtenTitle(code), root: ROOT, article }
  }

  /** Returns cause and remedy as text, for the search. */
  text(code: ErrorCode, language: Language): string {
    return this.#pages.page('errors', language).sections.find(({ heading }) => heading === code)?.text ?? ''
  }

  #help(code: ErrorCode, language: Language): { readonly cause: WrittenHtml; readonly remedy: WrittenHtml } {
    const [cause = '', remedy = ''] = this.text(code, language).split(/\n\n+/)
    return { cause: this.#pages.inline(cause, language, ROOT), remedy: this.#pages.inline(remedy, language, ROOT) }
  }

  #routesOf(code: ErrorCode): Html {
    this.#routes ??= routesByCode(this.#api.routes())
    const routes = this.#routes.get(code) ?? []
    if (routes.length > ROUTES_SHOWN_MAX) return html`<p>${TEXTS.nearlyAllRoutes}</p>`
    if (routes.length === 0) return html`<p>${TEXTS.noRouteService}</p>`
    return html`<ul class="routes">${routes.map(({ method, path, operationId }) => html`<li><a class="alone" href="../reference/${operationId}"><code>${method} ${path}</code></a></li>`)}</ul>`
  }
}

function routesByCode(routes: readonly Route[]): ReadonlyMap<ErrorCode, readonly Route[]> {
  const found = new Map<ErrorCode, Route[]>()
  for (const route of routes) {
    for (const code of [...errorsOf(route).values()].flat()) found.set(code, [...(found.get(code) ?? []), route])
  }
  return found
}
