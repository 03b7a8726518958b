// A text that a person reads is a value in both languages, chosen by its name. It becomes words where it leaves, in the language of
// its reader. A `string` is no text of the service: it is a text of others, a figure or a name, and stays as it is.
import { DEFAULT_LANGUAGE, type Language } from './language.ts'

/** The same texts in each language. Both have the same names: a missing text does not compile. */
export type Messages<Words> = Readonly<Record<Language, Words>>

/** A text in both languages. */
export class Text {
  readonly in: (language: Language) => string
  /** The text as it stands beside its field, where the field needs no name. */
  readonly besideField: Text | null

  constructor(words: (language: Language) => string, besideField: Text | null = null) {
    this.in = words
    this.besideField = besideField
  }

  /** Returns the text in French. */
  toString(): string {
    return this.in(DEFAULT_LANGUAGE)
  }
}

/** Returns a text of texts, figures and punctuation: a template without words of its own. */
export function composed(parts: TemplateStringsArray, ...values: readonly (Text | string | number)[]): Text {
  return new Text((language) =>
    parts.map((part, index) => (index === 0 ? part : wordsIn(values[index - 1] ?? '', language) + part)).join(''),
  )
}

/** Returns the texts one after the other, with the separator between them. */
export function joined(all: readonly (Text | string)[], separator: string): Text {
  return new Text((language) => all.map((one) => wordsIn(one, language)).join(separator))
}

function wordsIn(value: Text | string | number, language: Language): string {
  return value instanceof Text ? value.in(language) : String(value)
}
