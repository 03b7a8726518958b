// The texts of a page: an object for each language, by the names of the texts. A text with values is a function of them.
import { DEFAULT_LANGUAGE, type Language } from '../../text/language.ts'
import { type Messages, Text } from '../../text/text.ts'
import { Html } from './html.ts'

/** Words, HTML with words, or a function of values that returns one of them. */
type Message = string | Html | ((...values: never[]) => string | Html)

/** The same texts in another language. A text that is missing, or has other values, does not compile. */
type Translated<Words> = { readonly [Name in keyof Words]: Words[Name] extends string ? string : Words[Name] }

/** A value of a text: where words are expected, a text gives its words in the reader's language. */
type Given<Value> = string extends Value ? Value | Text : Value

type Spoken<Said> = Said extends string
  ? Text
  : Said extends Html
    ? Html
    : Said extends (...values: infer Values) => infer Result
      ? (...values: { [Index in keyof Values]: Given<Values[Index]> }) => Result extends Html ? Html : Text
      : never

/** The texts in both languages, by name: a value, or a function of its values. */
export type Texts<Words> = { readonly [Name in keyof Words]: Spoken<Words[Name]> }

export function texts<Words extends Readonly<Record<string, Message>>>(
  messages: Messages<unknown> & { readonly fr: Words; readonly en: NoInfer<Translated<Words>> },
): Texts<Words> {
  const { fr, en } = messages
  const spoken = Object.keys(fr).map((name) => [name, spokenOf({ fr: fr[name] as Message, en: (en as typeof fr)[name] as Message })])
  return Object.fromEntries(spoken) as Texts<Words>
}

function spokenOf(message: Messages<Message>): Text | Html | ((...values: readonly unknown[]) => Text | Html) {
  const { fr } = message
  if (typeof fr !== 'function') return chosen((language) => message[language] as string | Html)
  return (...values) =>
    chosen((language) =>
      (message[language] as (...values: readonly unknown[]) => string | Html)(...values.map((value) => wordsOf(value, language))),
    )
}

function chosen(said: (language: Language) => string | Html): Text | Html {
  if (typeof said(DEFAULT_LANGUAGE) === 'string') return new Text((language) => said(language) as string)
  return new Html((language) => (said(language) as Html).in(language))
}

function wordsOf(value: unknown, language: Language): unknown {
  return value instanceof Text ? value.in(language) : value
}
