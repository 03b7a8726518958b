// The languages of texts for people: French, the default, and English. Negotiation by `Accept-Language` (RFC 9110, section
// 12.5.4).

export type Language = 'fr' | 'en'

export const LANGUAGES: readonly Language[] = ['fr', 'en']
export const DEFAULT_LANGUAGE: Language = 'fr'

/** Maximum length of an Accept-Language header that is read, and of its ranges. Browsers send less than 200 characters. */
const HEADER_LENGTH_MAX = 500
const RANGES_MAX = 20

const LANGUAGE_TAG = /^(fr|en)(?:-[a-z0-9-]{1,30})?$/

/**
 * Returns the language with the highest quality in the header, the first of equals. `*` means no wish, which is French.
 * Quality 0 excludes a language, so `fr;q=0` is English. French for an empty header, and for one that names neither.
 */
export function acceptedLanguage(header: string): Language {
  if (header === '' || header === '*' || header.length > HEADER_LENGTH_MAX) return DEFAULT_LANGUAGE
  const ranges = rangesOf(header)
  const wanted = new Set(ranges.filter(({ tag, quality }) => tag !== '*' && quality > 0).map(({ language }) => language))
  const isExcluded = (one: Language): boolean => !wanted.has(one) && ranges.some(({ tag, quality }) => tag === one && quality === 0)
  let found: Language | null = null
  let highest = 0
  for (const { language, quality } of ranges) {
    if (quality <= highest || isExcluded(language)) continue
    found = language
    highest = quality
  }
  return found ?? (isExcluded('fr') && !isExcluded('en') ? 'en' : DEFAULT_LANGUAGE)
}

interface LanguageRange {
  readonly tag: string
  readonly language: Language
  readonly quality: number
}

/** Returns the ranges of French and English, and `*`. A range with a malformed quality is left out. */
function rangesOf(header: string): readonly LanguageRange[] {
  return header
    .toLowerCase()
    .split(',', RANGES_MAX)
    .flatMap((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
      const language = tag === '*' ? DEFAULT_LANGUAGE : (LANGUAGE_TAG.exec(tag)?.[1] as Language | undefined)
      const quality = qualityOf(parameters)
      return language === undefined || quality === null ? [] : [{ tag, language, quality }]
    })
}

export function isLanguage(text: string | null): text is Language {
  return text === 'fr' || text === 'en'
}

/** Returns the quality of a range; null where it is malformed, which leaves the range out. */
function qualityOf(parameters: readonly string[]): number | null {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  if (weight === undefined) return 1
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : null
}
