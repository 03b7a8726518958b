// HTML as tagged templates. Every value is escaped, unless it is an `Html` object. Unescaped text has no other way in.
// Attributes are always quoted. A template is rendered when its page is sent, in the language of the reader: the French text in
// a template, and a plain text that is put into one, are keys of the catalogue. Text of others stands in `<bdi>`, or is `Verbatim`,
// and is never translated.
import { keyOf } from '../text/catalogue.ts'
import { PAGE_CATALOGUE } from '../text/english/page-catalogue.ts'
import { DEFAULT_LANGUAGE, type Language } from '../text/language.ts'
import { Text } from '../text/text.ts'
import { type Compiled, compileTemplate } from './template-words.ts'

/** HTML created by this file, or chosen of such by its language. */
export class Html {
  readonly in: (language: Language) => string

  constructor(rendered: (language: Language) => string) {
    this.in = rendered
  }

  /** Returns the HTML in French. */
  get text(): string {
    return this.in(DEFAULT_LANGUAGE)
  }
}

function renderedIn(parts: TemplateStringsArray, values: readonly Fragment[]): (language: Language) => string {
  return (language) => (language === DEFAULT_LANGUAGE ? frenchOf(parts, values) : translationOf(parts, values))
}

function frenchOf(parts: TemplateStringsArray, values: readonly Fragment[]): string {
  let text = parts[0] as string
  for (let index = 0; index < values.length; index++) text += inFrench(values[index]) + (parts[index + 1] as string)
  return text
}

function translationOf(parts: TemplateStringsArray, values: readonly Fragment[]): string {
  const { texts, slots } = englishOf(parts)
  let text = texts[0] as string
  for (const [index, { value, isWords }] of slots.entries()) {
    text += inEnglish(values[value], isWords) + (texts[index + 1] as string)
  }
  return text
}

/** A text otherwise than by the catalogue: dates and figures. */
export const Localized = Text
export type Localized = Text

/** Words of the service: those of the catalogue, or `Localized`. A `string` is a text of others, or a figure, and stays as it is. */
type PhraseValue = Localized | string | number

/** Returns a sentence with values, as `html` has it in an element: for attributes, messages and links. */
export function phrase(parts: TemplateStringsArray, ...values: readonly PhraseValue[]): Localized {
  const key = keyOf(parts.map((part, index) => (index === 0 ? part : `{${index - 1}}${part}`)).join(''))
  return new Localized((language) => {
    const said = (value: PhraseValue | undefined): string => (value instanceof Localized ? value.in(language) : String(value ?? ''))
    const words = language === DEFAULT_LANGUAGE ? null : PAGE_CATALOGUE.entry(key)
    if (words !== null) return words.replaceAll(/\{(\d)\}/g, (_, index) => said(values[Number(index)]))
    return parts.map((part, index) => (index === 0 ? part : said(values[index - 1]) + part)).join('')
  })
}

/** Returns a word or sentence of the catalogue, as a value of a phrase. */
export function said(words: string): Localized {
  return new Localized((language) => (language === DEFAULT_LANGUAGE ? words : PAGE_CATALOGUE.translated(words)))
}

/** Text of others where no element can stand, as in a title. It is never translated. */
export class Verbatim {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** HTML that this service rendered from its own Markdown. It is in its language already, and is inserted as it is. */
export class WrittenHtml {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** null, undefined and false render nothing. */
export type Fragment = Html | WrittenHtml | Localized | Verbatim | string | number | null | undefined | false | readonly Fragment[]

export function html(parts: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  return new Html(renderedIn(parts, values))
}

/** Title of a page, without elements. No `string` gets into it: a text of others could be a text of the catalogue. */
export class Title extends Html {
  readonly #isTitle = true

  /** True: the member makes the type differ from `Html`. */
  get isTitle(): boolean {
    return this.#isTitle
  }
}

/** Returns a title with values in it. */
export function titled(parts: TemplateStringsArray, ...values: readonly (Title | Localized | Verbatim)[]): Title {
  return new Title(renderedIn(parts, values))
}

/** A literal of the source, so a text of the service. A `string` does not compile: it may be a text of others. */
export type Literal<Words extends string> = Words & (Record<never, never> extends Record<Words, true> ? never : unknown)

/** A title, or the literal that it is made of. */
export type Titling<Words extends string> = Title | Literal<Words>

/** Returns the title of one text. */
export function titleOf<Words extends string>(words: Titling<Words>): Title {
  return words instanceof Title ? words : new Title(renderedIn(ALONE, [words]))
}

const ALONE = ((parts: TemplateStringsArray, _value: string) => parts)`${''}`

/** A view whose title may be a literal. */
export type WithTitling<View extends { readonly title: Title }, Words extends string> = Omit<View, 'title'> & {
  readonly title: Titling<Words>
}

function inFrench(value: Fragment): string {
  if (value instanceof Html) return value.in('fr')
  if (value instanceof WrittenHtml) return value.text
  if (Array.isArray(value)) return value.map(inFrench).join('')
  return value === null || value === undefined || value === false ? '' : escaped(String(value))
}

function inEnglish(value: Fragment, isWords: boolean): string {
  if (value instanceof Html) return value.in('en')
  if (value instanceof Localized) return escaped(value.in('en'))
  if (Array.isArray(value)) return value.map((one) => inEnglish(one, isWords)).join('')
  if (typeof value === 'string') return escaped(isWords ? PAGE_CATALOGUE.translated(value) : value)
  return inFrench(value)
}

/** English of the templates that were rendered. Their number is that of the templates in the source. */
const ENGLISH = new WeakMap<TemplateStringsArray, Compiled>()

function englishOf(parts: TemplateStringsArray): Compiled {
  const known = ENGLISH.get(parts)
  if (known !== undefined) return known
  const compiled = compileTemplate(parts, (key) => PAGE_CATALOGUE.entry(key))
  ENGLISH.set(parts, compiled)
  return compiled
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string)
}
