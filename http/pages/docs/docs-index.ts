// The search index of the documents in one language: BM25 over stems, with synonyms of the field. Titles, error codes, event types
// and routes weigh more than text. It is made at the first search.
import { stemmer as englishStem } from '@orama/stemmers/english'
import { stemmer as frenchStem } from '@orama/stemmers/french'
import { stopwords as englishStopWords } from '@orama/stopwords/english'
import { stopwords as frenchStopWords } from '@orama/stopwords/french'
import MiniSearch from 'minisearch'
import type { Language } from '../../text/language.ts'
import { SEARCH_RESULTS_MAX, SEARCH_WORDS_MAX } from './docs-limits.ts'
import { folded } from './markdown.ts'
import { SYNONYMS } from './search-synonyms.ts'

/** One section, error code, event type or route. */
export interface IndexedSection {
  /** Relative to `/docs/`. */
  readonly address: string
  /** Title of its page. */
  readonly page: string
  readonly heading: string
  /** Names in code that find it: error code and status, path, operation, event type. */
  readonly names: string
  readonly text: string
  /** Factor of its score: a guide answers questions sooner than a route. */
  readonly weight: number
}

const STEMMERS = { fr: frenchStem, en: englishStem } as const satisfies Record<Language, (word: string) => string>
const STOP_WORDS: Readonly<Record<Language, ReadonlySet<string>>> = {
  fr: new Set([...frenchStopWords, 'comment', 'combien', 'puis', 'peut', 'faire', 'faut', 'vers', 'tous', 'toutes'].map(folded)),
  en: new Set([...englishStopWords, 'can', 'how', 'much', 'many', 'do', 'need', 'get', 'a', 'd', 's'].map(folded)),
}
const FIELDS = ['heading', 'names', 'page', 'text'] as const
const BOOST = { heading: 5, names: 4, page: 2 } as const
/** A synonym finds less than the word itself. */
const SYNONYM_FACTOR = 0.5
/** How much a section gains that has more of the words. */
const COVERAGE_POWER = 1.5
const PREFIX_LENGTH_MIN = 3
/** A slice takes about a millisecond. */
const SECTIONS_PER_SLICE = 5
const SUGGESTIONS_MAX = 5
/** Edits that a word may need, as a share of its length: in a search that finds nothing, and in a suggestion. */
const FUZZINESS = 0.2
const SUGGESTION_FUZZINESS = 0.34

export class DocsIndex {
  readonly #language: Language
  readonly #sections: readonly IndexedSection[]
  readonly #index: MiniSearch<IndexedSection & { readonly id: number }>
  /** Words by their stem, as they are shown. */
  readonly #words: Map<string, string>

  private constructor(language: Language, sections: readonly IndexedSection[], words: Map<string, string>) {
    this.#language = language
    this.#sections = sections
    this.#words = words
    this.#index = new MiniSearch({
      fields: [...FIELDS],
      tokenize: wordsOf,
      processTerm: (word) => {
        const stem = stemOf(word, language)
        if (!words.has(stem)) words.set(stem, word)
        return [stem, ...(GROUPS[language].get(stem) ?? [])]
      },
    })
  }

  /** Makes the index in slices: payouts go on in between. */
  static async of(language: Language, sections: readonly IndexedSection[]): Promise<DocsIndex> {
    const made = new DocsIndex(language, sections, new Map())
    await made.#index.addAllAsync(
      sections.map((section, id) => ({ id, ...section })),
      { chunkSize: SECTIONS_PER_SLICE },
    )
    return made
  }

  /** Returns the sections with all words of the search, best first, then those with some of them. */
  find(typed: string): readonly IndexedSection[] {
    const terms = this.#terms(typed)
    const found = this.#ids(terms, { fuzzy: 0 })
    const ids = found.length > 0 ? found : this.#ids(terms, { fuzzy: FUZZINESS })
    return [...new Set([...this.#named(typed), ...ids])].slice(0, SEARCH_RESULTS_MAX).flatMap((id) => this.#sections[id] ?? [])
  }

  /** Returns words of the documents that are spelled like those of a search that found nothing. */
  suggestions(typed: string): readonly string[] {
    const near = this.#terms(typed).flatMap((term) => this.#index.search(term, { ...SEARCH, fuzzy: SUGGESTION_FUZZINESS }))
    const stems = near.flatMap(({ terms }) => terms)
    return [...new Set(stems.flatMap((stem) => this.#words.get(stem) ?? []))].slice(0, SUGGESTIONS_MAX)
  }

  /** Sections that have this very name: a route, an operation, a code, an event type. */
  #named(typed: string): number[] {
    const name = ` ${typed.trim().toLowerCase()} `
    return this.#sections.flatMap(({ names }, id) => (name.length > 2 && ` ${names.toLowerCase()} `.includes(name) ? [id] : []))
  }

  /** Words that say something; all words of a search that has none of them. */
  #terms(typed: string): readonly string[] {
    const words = [...new Set(wordsOf(typed))].slice(0, SEARCH_WORDS_MAX)
    const telling = words.filter((word) => !STOP_WORDS[this.#language].has(folded(word)))
    return (telling.length > 0 ? telling : words).map((word) => stemOf(word, this.#language))
  }

  /** Each section once, best first. */
  #ids(terms: readonly string[], { fuzzy }: { readonly fuzzy: number }): number[] {
    const scores = new Map<number, { words: number; score: number }>()
    for (const [at, term] of terms.entries()) {
      // The last word may be half typed.
      const prefix = at === terms.length - 1 && term.length >= PREFIX_LENGTH_MIN
      for (const [id, score] of this.#scoresOf(term, { fuzzy, prefix })) {
        const sum = scores.get(id) ?? { words: 0, score: 0 }
        scores.set(id, { words: sum.words + 1, score: sum.score + score })
      }
    }
    const rank = ({ words, score }: { readonly words: number; readonly score: number }): number => score * words ** COVERAGE_POWER
    return [...scores].sort(([, one], [, other]) => rank(other) - rank(one)).map(([id]) => id)
  }

  #scoresOf(term: string, options: { readonly fuzzy: number; readonly prefix: boolean }): ReadonlyMap<number, number> {
    const groups = GROUPS[this.#language].get(term) ?? []
    const own = this.#index.search(term, { ...SEARCH, ...options })
    const alike = groups.flatMap((group) => this.#index.search(group, SEARCH))
    const scores = new Map<number, number>()
    const add = (id: number, score: number): void => {
      scores.set(id, Math.max(scores.get(id) ?? 0, score * (this.#sections[id]?.weight ?? 1)))
    }
    for (const { id, score } of own) add(Number(id), score)
    for (const { id, score } of alike) add(Number(id), score * SYNONYM_FACTOR)
    return scores
  }
}

/** The terms of a query are stems already. */
const SEARCH = { boost: BOOST, tokenize: (term: string) => [term], processTerm: (term: string) => term }

/** Splits at everything but letters, digits and `_`; names in code are words as a whole and in their parts. */
function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}_]+/u).flatMap((word) => {
    if (word === '') return []
    const parts = word.split(/_+|(?<=\p{Ll})(?=\p{Lu})/u).filter((part) => part !== '')
    return parts.length > 1 ? [word, ...parts] : [word]
  })
}

function stemOf(word: string, language: Language): string {
  // Both spellings of `évènement` have one stem.
  return folded(
    STEMMERS[language](
      word
        .normalize('NFD')
        .toLowerCase()
        .replaceAll(/(?<=e)\u0300/g, '\u0301')
        .normalize('NFC'),
    ),
  )
}

/** Names of the groups of synonyms that a stem belongs to. A name is indexed beside the stem, and is no word. */
function groupsOf(language: Language): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  for (const [index, group] of SYNONYMS[language].entries()) {
    for (const stem of new Set(group.split(' ').map((word) => stemOf(word, language))))
      found.set(stem, [...(found.get(stem) ?? []), `~${index}`])
  }
  return found
}

const GROUPS: Readonly<Record<Language, ReadonlyMap<string, readonly string[]>>> = { fr: groupsOf('fr'), en: groupsOf('en') }
