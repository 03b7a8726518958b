// Translates texts. The French text is its own key (as in gettext): `{0}` stands for a value, `<1>…</1>` for an inline element
// of a page.

/** French texts with their English. */
export type Entries = Readonly<Record<string, string>>

interface Pattern {
  /** The words around the values, in order: one more than values. */
  readonly words: readonly string[]
  /** Number of each value: 0 for `{0}`. */
  readonly numbers: readonly number[]
  readonly english: string
}

/**
 * How finished texts are found. `sentences` say of themselves what they are, as `Le champ {0} est obligatoire.`: any value fits.
 * In `pages` a text with values is found when each value is a text of the catalogue, or no word: `{0} de {1}` is in most sentences.
 */
export interface CatalogueParts {
  readonly sentences: readonly Entries[]
  readonly pages: readonly Entries[]
}

export class Catalogue {
  readonly #texts: ReadonlyMap<string, string>
  readonly #sentences: ReadonlyMap<string, readonly Pattern[]>
  readonly #pages: ReadonlyMap<string, readonly Pattern[]>

  constructor({ sentences, pages }: CatalogueParts) {
    this.#texts = new Map([...sentences, ...pages].flatMap((part) => Object.entries(part)))
    this.#sentences = patternsOf(sentences)
    this.#pages = patternsOf(pages)
  }

  /** Returns the English of a key; null for a key without an entry. */
  entry(key: string): string | null {
    return this.#texts.get(key) ?? null
  }

  /** Returns the English of a finished text: of the whole, or the text as it is. A mixture of languages is never returned. */
  translated(text: string): string {
    return this.#whole(text, DEPTH_MAX) ?? englishDigits(text)
  }

  /** `depth` bounds texts within texts: a text of others may have the form of several entries at each of its words. */
  #whole(text: string, depth: number): string | null {
    const key = keyOf(text)
    const found = this.#texts.get(key) ?? filled(key, this.#sentences, englishDigits)
    if (found !== null || depth === 0) return found
    return filled(key, this.#pages, (value) => this.#value(value, depth - 1)) ?? this.#joined(key, depth - 1)
  }

  #value(value: string, depth: number): string | null {
    const bare = value.trim()
    if (bare === '' || NO_WORD.test(bare)) return englishDigits(value)
    const whole = bare.length > WORDS_LENGTH_MAX ? null : this.#whole(bare, depth)
    return whole === null ? null : value.replace(bare, () => whole)
  }

  /** Returns several sentences one by one; null where one of them has no entry. */
  #joined(key: string, depth: number): string | null {
    const sentences = key.length > WORDS_LENGTH_MAX ? [] : key.split(/(?<=[.!?]) (?=\p{Lu})/u)
    if (sentences.length < 2) return null
    const whole = sentences.map((sentence) => this.#whole(sentence, depth))
    return whole.includes(null) ? null : whole.join(' ')
  }
}

/** Returns the English of the first pattern that the text has, where all its values have one; null where there is none. */
function filled(key: string, all: ReadonlyMap<string, readonly Pattern[]>, english: (value: string) => string | null): string | null {
  for (const start of [startOf(key), '']) {
    for (const pattern of all.get(start) ?? []) {
      const values = valuesIn(key, pattern)?.map(english)
      if (values === undefined || values.includes(null)) continue
      return pattern.english.replaceAll(/\{(\d)\}/g, (_, index) => values[Number(index)] ?? '')
    }
  }
  return null
}

/** Texts within texts: `Payer {0} à {1}` holds an amount, a reason holds a number of lines. */
const DEPTH_MAX = 3
/** Longest text of the service with values. */
const WORDS_LENGTH_MAX = 1000
/** Figures with their unit, names of things in programs: what is the same in both languages. */
const NO_WORD = /^(?:\P{L}+|\S*[\d@/_]\S*|[\d\s\u00a0\u202f.,\u2212-]+(?:F CFA|FCFA|FG|GH₵|UM|CVE|Le|D|L\$|US\$|ms|s|min|h|%))$/u

/** Texts with values by their first characters, the longest first. Texts that begin with a value are under ''. */
function patternsOf(parts: readonly Entries[]): ReadonlyMap<string, readonly Pattern[]> {
  const withValues = parts.flatMap((part) => Object.entries(part)).filter(([french]) => /\{\d\}/.test(french) && !french.includes('<'))
  const patterns = new Map<string, Pattern[]>()
  for (const [french, english] of withValues.toSorted(([a], [b]) => b.length - a.length)) {
    const start = startOf(french.slice(0, french.indexOf('{')))
    patterns.set(start, [...(patterns.get(start) ?? []), patternOf(french, english)])
  }
  return patterns
}

/** Returns the key of a text: any run of blanks, also one that does not break, is one blank. Figures stay as they are. */
export function keyOf(text: string): string {
  return text.replaceAll(/(?<!\d)[\s\u00a0\u202f]+|[\s\u00a0\u202f]+(?!\d{3}(?!\d))/g, ' ').trim()
}

/** Length of the first characters of a text with values by which it is found. */
const START_LENGTH = 3

function startOf(text: string): string {
  return text.length < START_LENGTH ? '' : text.slice(0, START_LENGTH)
}

/** Returns the text with the signs of English figures: `5\u202f000` becomes `5,000`, and `12,50\u00a0GH₵` becomes `12.50\u00a0GH₵`. */
function englishDigits(text: string): string {
  const decimals = text.replaceAll(/(?<=\d),(?=\d\d[\u00a0 ](?:GH₵|₦|UM|CVE|Le|D|L\$|US\$|€))/g, '.')
  return decimals.replaceAll(/(?<=\d)[\u00a0\u202f](?=\d{3}(?!\d))/g, ',')
}

function patternOf(french: string, english: string): Pattern {
  const numbers = [...french.matchAll(VALUE)].map(([value]) => Number(value[1]))
  return { words: french.split(VALUE), numbers, english }
}

const VALUE = /\{\d\}/g

/**
 * Returns the values by their number; null for a text of another form. Each value is as short as it can be, which takes one pass: a text
 * of others may have any length, and a regular expression with several values takes the power of it.
 */
function valuesIn(text: string, { words, numbers }: Pattern): readonly string[] | null {
  const [first = ''] = words
  const last = words[words.length - 1] as string
  if (!text.startsWith(first) || !text.endsWith(last)) return null
  const values: string[] = []
  const end = text.length - last.length
  let from = first.length
  for (let at = 1; at < words.length; at++) {
    const to = at === words.length - 1 ? end : text.indexOf(words[at] as string, from)
    if (to < from || to > end) return null
    values[numbers[at - 1] as number] = text.slice(from, to)
    from = to + (words[at] as string).length
  }
  return values
}
