// A text that a person reads is a value in both languages, chosen by its name. It becomes words where it leaves, in the language of
// its reader. A `string` is no text of the service: it is a text of others, a figure or a name, and stays as it is.
import { DEFAULT_LANGUAGE, type Language } from './language.ts'

/** The same texts in each language. Both have the same names: a missing text does not compile. */
export type Messages<Words> = Readonly<Record<Language, Words>>

/** A text in both languages. */
export class Text {
  readonly in: (language: Language) => string

  constructor(words: (language: Language) => string) {
    this.in = words
  }

  /** Returns the text in French. */
  toString(): string {
    return this.in(DEFAULT_LANGUAGE)
  }
}
