// The routes of the public documents. They read no account and no session.

import { Type } from '../../../engine/contract/schema.ts'
import { type Route, type RouteShape, route } from '../../server/route.ts'
import { html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { type DocsCall, DocsFrame, type DocsParts, docsLanguage, writtenTitle } from './docs-frame.ts'
import { ErrorPages } from './error-pages.ts'
import { EventPages } from './event-pages.ts'
import { ReferencePages } from './reference-pages.ts'
import { DocsSearch } from './search.ts'
import { isWrittenName, WrittenPages } from './written-pages.ts'

const TEXTS = texts({
  fr: {
    contentsDocumentation: 'Sommaire de la documentation',
  },
  en: {
    contentsDocumentation: 'Contents of the documentation',
  },
})

const PAGE = {
  method: 'GET',
  tag: 'Pages',
  auth: 'public',
  idempotency: 'none',
  responses: [{ status: 200, description: 'The page.', contentType: 'text/html' }],
  errors: [],
  atEveryNode: true,
} as const satisfies Partial<RouteShape>

export function docsRoutes(api: DocsParts): readonly Route[] {
  const pages = new WrittenPages()
  const frame = new DocsFrame(pages)
  const errors = new ErrorPages(pages, api)
  const reference = new ReferencePages(api)
  const events = new EventPages(reference)
  const search = new DocsSearch({ pages, errors, reference, events })
  const missing = (call: DocsCall, root: string): void => frame.answer(call, missingView(root))
  const row = (about: Pick<RouteShape, 'path' | 'operationId' | 'summary'>, handle: (call: DocsCall) => unknown): Route =>
    route({
      ...PAGE,
      ...about,
      handle: (call) => void handle(call),
      ...(about.path.includes('{') ? { params: { name: Type.String() } } : {}),
    })
  return [
    row({ path: '/docs', operationId: 'showDocs', summary: 'The first page of the documents' }, (call) => {
      const language = docsLanguage(call)
      const { title } = pages.page('index', language)
      search.prepare(language)
      frame.answer(call, { place: 'home', root: '', title: writtenTitle(title), article: html`${pages.rendered('index', language, '')}` })
    }),
    row({ path: '/docs/search', operationId: 'searchDocs', summary: 'Sections of the documents that answer a search' }, (call) =>
      search.view(call).then(
        (view) => frame.answer(call, view),
        (error: unknown) => call.fail(error),
      ),
    ),
    row({ path: '/docs/reference', operationId: 'showReference', summary: 'All routes of the API' }, (call) =>
      frame.answer(call, reference.list()),
    ),
    row({ path: '/docs/reference/{name}', operationId: 'showReferenceOfRoute', summary: 'One route of the API' }, (call) => {
      const view = reference.one(String(call.params[0]), docsLanguage(call))
      return view === null ? missing(call, '../../') : frame.answer(call, view)
    }),
    row({ path: '/docs/events', operationId: 'showEvents', summary: 'All calls that leave the service' }, (call) =>
      frame.answer(call, events.list(docsLanguage(call))),
    ),
    row({ path: '/docs/events/{name}', operationId: 'showEventType', summary: 'Fields and example of an event type' }, (call) => {
      const view = events.one(String(call.params[0]), docsLanguage(call))
      return view === null ? missing(call, '../../') : frame.answer(call, view)
    }),
    row({ path: '/docs/errors', operationId: 'showErrors', summary: 'All error codes' }, (call) =>
      frame.answer(call, errors.list(docsLanguage(call))),
    ),
    row({ path: '/docs/errors/{name}', operationId: 'showError', summary: 'Cause and remedy of an error code' }, (call) => {
      const view = errors.one(String(call.params[0]), docsLanguage(call))
      return view === null ? missing(call, '../../') : frame.answer(call, view)
    }),
    row({ path: '/docs/{name}', operationId: 'showDocument', summary: 'A document' }, (call) => {
      const name = String(call.params[0])
      if (!isWrittenName(name)) return missing(call, '../')
      const language = docsLanguage(call)
      const { title } = pages.page(name, language)
      search.prepare(language)
      frame.answer(call, { place: name, root: '../', title: writtenTitle(title), article: html`${pages.rendered(name, language, '../')}` })
    }),
  ]
}

function missingView(root: string) {
  const article = html`<h1>${WORDS.pageNotFound}</h1><p><a class="alone" href="${root}docs">${TEXTS.contentsDocumentation}</a></p>`
  return { place: 'search', root, status: 404, title: WORDS.pageNotFound, article } as const
}
