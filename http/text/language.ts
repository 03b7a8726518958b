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
 * Returns the language with the highest quality in the header; the first of equals. French for an empty header, for `*` and
 * for a header that names neither language.
 */
export function acceptedLanguage(header: string): Language {
  if (header === '' || header.length > HEADER_LENGTH_MAX) return DEFAULT_LANGUAGE
  let found: Language = DEFAULT_LANGUAGE
  let quality = 0
  for (const range of header.toLowerCase().split(',', RANGES_MAX)) {
    const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
    const language = tag === '*' ? DEFAULT_LANGUAGE : LANGUAGE_TAG.exec(tag)?.[1]
    const wanted = qualityOf(parameters)
    if (language === undefined || wanted <= quality) continue
    found = language as Language
    quality = wanted
  }
  return found
}

export function isLanguage(text: string | null): text is Language {
  return text === 'fr' || text === 'en'
}

function qualityOf(parameters: readonly string[]): number {
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  if (weight === undefined) return 1
  return /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(weight) ? Number(weight.slice(2)) : 0
}
