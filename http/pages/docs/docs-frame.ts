// The frame of each document: contents, search and the article. The first page works without the script, which copies code and
// remembers the reader's programming language.

import { answerPublic } from '../../server/content-coding.ts'
import type { Call } from '../../server/route.ts'
import type { Language } from '../../text/language.ts'
import type { ApiCalls } from '../shared/api-calls.ts'
import { type Fragment, type Html, html, type Title } from '../shared/html.ts'
import { answerPage } from '../shared/layout.ts'
import { languageOf } from '../shared/page-language.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { SEARCH_LENGTH_MAX } from './docs-limits.ts'
import { DOCS_WORDS } from './docs-words.ts'
import { WRITTEN_NAMES, type WrittenName, type WrittenPages } from './written-pages.ts'

const TEXTS = texts({
  fr: {
    contents: 'Sommaire',
    searchDocumentation: 'Rechercher dans la documentation',
  },
  en: {
    contents: 'Contents',
    searchDocumentation: 'Search the documentation',
  },
})

/** What the documents need of the API: its routes, once they are served. */
export type DocsParts = Pick<ApiCalls, 'routes'>

export type DocsCall = Pick<Call, 'params' | 'queryText' | 'body' | 'browser' | 'acceptEncoding' | 'answerAs' | 'fail'>

/** Place of a document in the contents. */
export type DocsPlace = WrittenName | 'home' | 'reference' | 'events' | 'errors' | 'search'

export interface DocsView {
  readonly place: DocsPlace
  readonly title: Title
  /** Relative path to the root: `../` for `/docs/quickstart`. */
  readonly root: string
  readonly status?: number
  /** The search that was typed. */
  readonly typed?: string
  readonly article: Html
}

export class DocsFrame {
  readonly #pages: WrittenPages

  constructor(pages: WrittenPages) {
    this.#pages = pages
  }

  answer(call: DocsCall, view: DocsView): void {
    const { title, root, place, status = 200, typed = '', article } = view
    const body = html`<div class="docs" data-copy-text="${WORDS.copy}" data-copied-text="${WORDS.copied}">
<a class="to-contents" href="#sommaire">${TEXTS.contents}</a>
<nav class="contents" id="sommaire" aria-label="${TEXTS.contents}">${this.#contents(place, root, docsLanguage(call))}</nav>
<article id="article" tabindex="-1">${article}</article>
</div>`
    const bar = html`<form class="search" role="search" action="${root}docs/search"><label class="unseen" for="q">${TEXTS.searchDocumentation}</label><input id="q" name="q" type="search" value="${typed}" maxlength="${SEARCH_LENGTH_MAX}" placeholder="${WORDS.search}"></form>`
    // A page of what was searched is one of any number: it is not kept.
    const shown = place === 'search' ? call : kept(call)
    answerPage(shown, status, { title, root, bar, contentId: 'article', look: 'docs/docs.css', script: 'docs/docs.js', body })
  }

  #contents(place: DocsPlace, root: string, language: Language): Html {
    const row = (to: DocsPlace, path: string, name: Fragment): Html =>
      html`<li><a href="${root}docs${path}"${to === place && html` aria-current="page"`}>${name}</a></li>`
    return html`<ul>${row('home', '', html`${WORDS.documentation}`)}
${WRITTEN_NAMES.map((name) => row(name, `/${name}`, html`<bdi>${this.#pages.page(name, language).title}</bdi>`))}
${row('reference', '/reference', html`${DOCS_WORDS.apiReference}`)}${row('events', '/events', html`${WORDS.events}`)}${row('errors', '/errors', html`${DOCS_WORDS.errorCodes}`)}</ul>
<ul><li><a href="${root}dashboard">${WORDS.dashboard}</a></li></ul>`
  }
}

/** The call, with its answer kept compressed. */
function kept(call: DocsCall): DocsCall {
  const { params, queryText, body, browser, acceptEncoding } = call
  const answerAs: DocsCall['answerAs'] = (status, text, headers) => answerPublic(call, status, text, headers)
  return { params, queryText, body, browser, acceptEncoding, answerAs, fail: (error) => call.fail(error) }
}

/** Returns the title of a document, which is in its language already. */
export function writtenTitle(text: string): Title {
  return text
}

export function docsLanguage(call: DocsCall): Language {
  return languageOf(call).language
}
