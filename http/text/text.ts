// A text that a person reads is a value in both languages, chosen by its name. It becomes words where it leaves, in the language of
// its reader. A `string` is no text of the service: it is a text of others, a figure or a name, and stays as it is.
import type { Language } from './language.ts'

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

  /** A text has no words without a language: in a plain template it is a bug. */
  toString(): never {
    throw new Error(`a text needs a language: ${this.in('en')}`)
  }

  /** Returns the words of both languages, for what travels sealed through a browser. */
  toJSON(): SealedText {
    return { words: wordsOf(this), besideField: this.besideField === null ? null : wordsOf(this.besideField) }
  }
}

/** A text as JSON. */
export interface SealedText {
  readonly words: Messages<string>
  readonly besideField: Messages<string> | null
}

/** Returns the text of its JSON. */
export function openedText({ words, besideField }: SealedText): Text {
  return new Text((language) => words[language], besideField === null ? null : new Text((language) => besideField[language]))
}

function wordsOf(text: Text): Messages<string> {
  return { fr: text.in('fr'), en: text.in('en') }
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

/** Returns the words of a text in the language. A text of others has one language. */
export function wordsIn(value: Text | string | number, language: Language): string {
  return value instanceof Text ? value.in(language) : String(value)
}
