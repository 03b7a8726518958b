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

export class Catalogue {
  readonly #texts: ReadonlyMap<string, string>
  /** Texts with values by their first characters, the longest first. Texts that begin with a value are under ''. */
  readonly #patterns: ReadonlyMap<string, readonly Pattern[]>

  constructor(parts: readonly Entries[]) {
    const entries = parts.flatMap((part) => Object.entries(part))
    this.#texts = new Map(entries)
    const withValues = entries.filter(([french]) => /\{\d\}/.test(french) && !french.includes('<'))
    const patterns = new Map<string, Pattern[]>()
    for (const [french, english] of withValues.toSorted(([a], [b]) => b.length - a.length)) {
      const start = startOf(french.slice(0, french.indexOf('{')))
      patterns.set(start, [...(patterns.get(start) ?? []), patternOf(french, english)])
    }
    this.#patterns = patterns
  }

  /** Returns the English of a key; null for a key without an entry. */
  entry(key: string): string | null {
    return this.#texts.get(key) ?? null
  }

  /** Returns the English of a finished text, which may hold the values of an entry. A text without an entry stays as it is. */
  translated(text: string): string {
    const key = keyOf(text)
    const entry = this.#texts.get(key)
    if (entry !== undefined) return entry
    for (const start of [startOf(key), '']) {
      for (const pattern of this.#patterns.get(start) ?? []) {
        const values = valuesIn(key, pattern)
        if (values !== null) return pattern.english.replaceAll(/\{(\d)\}/g, (_, index) => this.#value(values[Number(index)] ?? ''))
      }
    }
    return englishDigits(text)
  }

  /** A value may be a text of the catalogue itself. It is shorter than the text that holds it, so this ends. */
  #value(value: string): string {
    const bare = value.trim()
    return bare === '' ? value : value.replace(bare, () => this.translated(bare))
  }
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

/** Returns the text with commas in its figures: `5\u202f000` becomes `5,000`. */
function englishDigits(text: string): string {
  return text.replaceAll(/(?<=\d)[\u00a0\u202f](?=\d{3}(?!\d))/g, ',')
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
