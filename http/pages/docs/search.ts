// Search in the documents: the sections that have all words of the query, those with a word in their heading first. It runs on the
// server over an index that is made at the first search, and reads a bounded number of words.
import { ERROR_CODES } from '../../../engine/contract/errors.ts'
import type { Language } from '../../text/language.ts'
import { html, titled } from '../html.ts'
import { type DocsCall, type DocsView, docsLanguage } from './docs-frame.ts'
import { EXCERPT_LENGTH, SEARCH_LENGTH_MAX, SEARCH_RESULTS_MAX, SEARCH_WORDS_MAX } from './docs-limits.ts'
import type { ErrorPages } from './error-pages.ts'
import { anchorOf, folded } from './markdown.ts'
import type { ReferencePages } from './reference-pages.ts'
import { WRITTEN_NAMES, type WrittenPages } from './written-pages.ts'

interface SearchParts {
  readonly pages: WrittenPages
  readonly errors: ErrorPages
  readonly reference: ReferencePages
}

interface Entry {
  /** Relative to `/docs/`. */
  readonly address: string
  readonly page: string
  readonly heading: string
  readonly text: string
  /** Heading, and heading with text, as they are compared. */
  readonly foldedHeading: string
  readonly foldedAll: string
}

export class DocsSearch {
  readonly #parts: SearchParts
  readonly #indexes = new Map<Language, readonly Entry[]>()

  constructor(parts: SearchParts) {
    this.#parts = parts
  }

  view(call: DocsCall): DocsView {
    const language = docsLanguage(call)
    const typed = (new URLSearchParams(call.queryText).get('q') ?? '').slice(0, SEARCH_LENGTH_MAX)
    const found = this.find(typed, language)
    const rows = found.map(
      ({ address, page, heading, text }) =>
        html`<li><a class="alone" href="${address}"><bdi>${heading}</bdi></a>${heading !== page && html` <span class="hint"><bdi>${page}</bdi></span>`}<p><bdi>${excerpt(text)}</bdi></p></li>`,
    )
    const article = html`<h1>Recherche</h1>
${typed === '' ? html`<p>Tapez un mot, un code d’erreur ou une route.</p>` : html`<p>Résultats pour <bdi>${typed}</bdi>\u00a0: ${found.length}</p>`}
<ul class="found">${rows}</ul>`
    return { place: 'search', root: '../', title: titled`Recherche`, typed, article }
  }

  find(typed: string, language: Language): readonly Entry[] {
    const words = folded(typed)
      .split(/\s+/)
      .filter((word) => word !== '')
      .slice(0, SEARCH_WORDS_MAX)
    if (words.length === 0) return []
    const matches = this.#index(language).filter(({ foldedAll }) => words.every((word) => foldedAll.includes(word)))
    const rank = ({ foldedHeading }: Entry): number => words.filter((word) => foldedHeading.includes(word)).length
    return matches.toSorted((one, other) => rank(other) - rank(one)).slice(0, SEARCH_RESULTS_MAX)
  }

  #index(language: Language): readonly Entry[] {
    const known = this.#indexes.get(language)
    if (known !== undefined) return known
    const { pages, errors, reference } = this.#parts
    const made = [
      ...WRITTEN_NAMES.flatMap((name) => {
        const { title, sections } = pages.page(name, language)
        return sections.map(({ heading, text }, at) =>
          entry(at === 0 ? name : `${name}#${anchorOf(heading.replaceAll(/[`*]/g, ''))}`, title, heading, text),
        )
      }),
      ...ERROR_CODES.map((code) => entry(`errors/${code}`, code, code, errors.text(code, language))),
      ...reference
        .routes()
        .map(({ operationId, method, path, summary }) =>
          entry(`reference/${operationId}`, summary, summary, `${method} ${path} ${operationId}`),
        ),
    ]
    this.#indexes.set(language, made)
    return made
  }
}

function entry(address: string, page: string, heading: string, source: string): Entry {
  const text = source
    .replaceAll(/^\{\{.*\}\}$|^```.*$/gm, '')
    .replaceAll(/\]\([^)]*\)|[`*[\]|#]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
  const foldedHeading = folded(heading)
  return { address, page, heading: heading.replaceAll(/[`*]/g, ''), text, foldedHeading, foldedAll: `${foldedHeading} ${folded(text)}` }
}

function excerpt(text: string): string {
  return text.length <= EXCERPT_LENGTH ? text : `${text.slice(0, EXCERPT_LENGTH)}…`
}
