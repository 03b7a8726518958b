// Search in the documents, in the reader's language. It runs on the server over an index that is made behind the first document that a reader opens, and
// reads a bounded number of words. A search without a result offers words that are spelled alike, and the guides.

import { ERROR_CODES } from '../../../engine/contract/errors.ts'
import { errorStatus } from '../../server/outcome-status.ts'
import { ERROR_MESSAGES } from '../../text/error-messages.ts'
import type { Language } from '../../text/language.ts'
import { type Fragment, type Html, html } from '../shared/html.ts'
import { WORDS } from '../shared/shared-words.ts'
import { texts } from '../shared/texts.ts'
import { type DocsCall, type DocsView, docsLanguage } from './docs-frame.ts'
import { DocsIndex, type IndexedSection } from './docs-index.ts'
import { EXCERPT_LENGTH, SEARCH_LENGTH_MAX } from './docs-limits.ts'
import { DOCS_WORDS } from './docs-words.ts'
import type { ErrorPages } from './error-pages.ts'
import type { EventPages } from './event-pages.ts'
import { FRENCH_SUMMARIES } from './french-summaries.ts'
import { anchorOf } from './markdown.ts'
import type { ReferencePages } from './reference-pages.ts'
import { EVENT_WORDS, LISTS } from './search-synonyms.ts'
import { WRITTEN_NAMES, type WrittenPages } from './written-pages.ts'

const TEXTS = texts({
  fr: {
    search: 'Recherche',
    typeQuestionErrorCodeOr: 'Tapez une question, un code d’erreur ou une route.',
    resultsFor: (typed: Fragment, length: Fragment) => html`Résultats pour <bdi>${typed}</bdi>\u00a0: ${length}`,
    allPages: 'Toutes les pages',
    similarWords: 'Mots proches',
  },
  en: {
    search: 'Search',
    typeQuestionErrorCodeOr: 'Type a question, an error code or a route.',
    resultsFor: (typed, length) => html`Results for <bdi>${typed}</bdi>: ${length}`,
    allPages: 'All pages',
    similarWords: 'Similar words',
  },
})

interface SearchParts {
  readonly pages: WrittenPages
  readonly errors: ErrorPages
  readonly reference: ReferencePages
  readonly events: EventPages
}

const GUIDE_WEIGHT = 4
const LIST_WEIGHT = 5
const ERROR_WEIGHT = 1.2

export class DocsSearch {
  readonly #parts: SearchParts
  readonly #indexes = new Map<Language, Promise<DocsIndex>>()

  constructor(parts: SearchParts) {
    this.#parts = parts
  }

  async view(call: DocsCall): Promise<DocsView> {
    const language = docsLanguage(call)
    const typed = (new URLSearchParams(call.queryText).get('q') ?? '').slice(0, SEARCH_LENGTH_MAX)
    const index = await this.#index(language)
    const found = index.find(typed)
    const words = typed === '' || found.length > 0 ? [] : index.suggestions(typed)
    const rows = found.map(
      ({ address, page, heading, text }) =>
        html`<li><a class="alone" href="${address}"><bdi>${heading}</bdi></a>${heading !== page && html` <span class="hint"><bdi>${page}</bdi></span>`}<p><bdi>${excerpt(text)}</bdi></p></li>`,
    )
    const article = html`<h1>${TEXTS.search}</h1>
${typed === '' ? html`<p>${TEXTS.typeQuestionErrorCodeOr}</p>` : html`<p>${TEXTS.resultsFor(typed, found.length)}</p>`}
${found.length > 0 ? html`<ul class="found">${rows}</ul>` : this.#offer(words, language)}`
    return { place: 'search', root: '../', title: TEXTS.search, typed, article }
  }

  /** Starts the index behind the answer of another page: readers of a document search next, and the first one would wait for it. */
  prepare(language: Language): void {
    if (!this.#indexes.has(language)) setImmediate(() => void this.#index(language))
  }

  async find(typed: string, language: Language): Promise<readonly IndexedSection[]> {
    return (await this.#index(language)).find(typed)
  }

  #offer(words: readonly string[], language: Language): Html {
    const search = (word: string): Html =>
      html`<li><a class="alone" href="search?q=${encodeURIComponent(word)}"><bdi>${word}</bdi></a></li>`
    const guide = (name: (typeof WRITTEN_NAMES)[number]): Html =>
      html`<li><a class="alone" href="${name}"><bdi>${this.#parts.pages.page(name, language).title}</bdi></a></li>`
    return html`${words.length > 0 && html`<h2>${TEXTS.similarWords}</h2><ul class="routes">${words.map(search)}</ul>`}
<h2>${TEXTS.allPages}</h2>
<ul class="routes">${WRITTEN_NAMES.map(guide)}<li><a class="alone" href="reference">${DOCS_WORDS.apiReference}</a></li><li><a class="alone" href="events">${WORDS.events}</a></li><li><a class="alone" href="errors">${DOCS_WORDS.errorCodes}</a></li></ul>`
  }

  #index(language: Language): Promise<DocsIndex> {
    const known = this.#indexes.get(language)
    if (known !== undefined) return known
    const made = DocsIndex.of(language, this.#sections(language))
    this.#indexes.set(language, made)
    return made
  }

  #sections(language: Language): readonly IndexedSection[] {
    const { pages, errors, reference, events } = this.#parts
    return [
      ...WRITTEN_NAMES.flatMap((name) => {
        const { title, sections } = pages.page(name, language)
        return sections.map(({ heading, text }, at) =>
          section({
            address: at === 0 ? name : `${name}#${anchorOf(heading.replaceAll(/[`*]/g, ''))}`,
            page: title,
            heading,
            names: '',
            text,
            weight: GUIDE_WEIGHT,
          }),
        )
      }),
      ...LISTS[language].map(([address, heading]) =>
        section({ address, page: heading, heading, names: '', text: '', weight: LIST_WEIGHT }),
      ),
      ...ERROR_CODES.map((code) =>
        section({
          address: `errors/${code}`,
          page: code,
          heading: code,
          names: `${code} ${errorStatus(code)} http`,
          text: `${language === 'fr' ? ERROR_MESSAGES.fr[code] : ''} ${errors.text(code, language)}`,
          weight: ERROR_WEIGHT,
        }),
      ),
      ...events.calls().map(({ name, summary, description }) =>
        section({
          address: `events/${name}`,
          page: name,
          heading: name,
          names: `${name} ${EVENT_WORDS}`,
          text: [summary, description].map((text) => reference.french.said(text, language).text).join(' '),
          weight: 1,
        }),
      ),
      ...reference.routes().map((route) => {
        const { operationId, method, path, summary } = route
        const heading = language === 'fr' ? (FRENCH_SUMMARIES[operationId] ?? summary) : summary
        const text = `${method} ${path} ${heading === summary ? '' : summary} ${reference.french.described(route, language).text}`
        return section({
          address: `reference/${operationId}`,
          page: heading,
          heading,
          names: `${method} ${path} ${operationId}`,
          text,
          weight: 1,
        })
      }),
    ]
  }
}

/** Text without the marks of Markdown. */
function section(source: IndexedSection): IndexedSection {
  const text = source.text
    .replaceAll(/^\{\{.*\}\}$|^```.*$/gm, '')
    .replaceAll(/\]\([^)]*\)|[`*[\]|#]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return { ...source, heading: source.heading.replaceAll(/[`*]/g, ''), text }
}

function excerpt(text: string): string {
  return text.length <= EXCERPT_LENGTH ? text : `${text.slice(0, EXCERPT_LENGTH)}…`
}
