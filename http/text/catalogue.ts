// Translates texts. The French text is its own key (as in gettext): `{0}` stands for a value, `<1>…</1>` for an inline element
// of a page.

/** French texts with their English. */
export type Entries = Readonly<Record<string, string>>

interface Pattern {
  readonly source: RegExp
  readonly english: string
}

export class Catalogue {
  readonly #texts: ReadonlyMap<string, string>
  /** Texts with values, the longest first. */
  readonly #patterns: readonly Pattern[]

  constructor(parts: readonly Entries[]) {
    const entries = parts.flatMap((part) => Object.entries(part))
    this.#texts = new Map(entries)
    const withValues = entries.filter(([french]) => /\{\d\}/.test(french) && !french.includes('<'))
    this.#patterns = withValues
      .toSorted(([a], [b]) => b.length - a.length)
      .map(([french, english]) => ({ source: patternOf(french), english }))
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
    for (const { source, english } of this.#patterns) {
      const values = source.exec(key)
      if (values !== null) return english.replaceAll(/\{(\d)\}/g, (_, index) => this.#value(values.groups?.[`v${index}`] ?? ''))
    }
    return text
  }

  /** A value may be a text of the catalogue itself. Digits are grouped by commas in English. */
  #value(value: string): string {
    return this.#texts.get(value) ?? englishDigits(value)
  }
}

/** Returns the key of a text: any run of blanks, also one that does not break, is one blank. */
export function keyOf(text: string): string {
  return text.replaceAll(/[\s\u00a0\u202f]+/g, ' ').trim()
}

/** Returns figures with commas: `5 000` becomes `5,000`. */
function englishDigits(text: string): string {
  return text.replaceAll(/(?<=\d)[ \u00a0\u202f](?=\d{3}(?!\d))/g, ',')
}

function patternOf(french: string): RegExp {
  const escaped = french.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(/\{(\d)\}/g, '(?<v$1>.+?)')}$`)
}
