// HTML as tagged templates. Every value is escaped, unless it is an `Html` object. Unescaped text has no other way in.
// Attributes are always quoted. A template is rendered when its page is sent, in the language of the reader: its `Text` values give
// their words in that language. A `string` is a text of others, a figure or a name, and stays as it is.
import { DEFAULT_LANGUAGE, type Language } from '../../text/language.ts'
import { Text } from '../../text/text.ts'

/** HTML created by this file, or chosen by its language of such. */
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

/** HTML that this service rendered from its own Markdown. It is in its language already, and is inserted as it is. */
export class WrittenHtml {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** null, undefined and false render nothing. */
export type Fragment = Html | WrittenHtml | Text | string | number | null | undefined | false | readonly Fragment[]

/** Title of a page, without elements. */
export type Title = Text | Html | string

export function html(parts: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  return new Html((language) => {
    let text = parts[0] as string
    for (let index = 0; index < values.length; index++) text += rendered(values[index], language) + (parts[index + 1] as string)
    return text
  })
}

function rendered(value: Fragment, language: Language): string {
  if (value instanceof Html) return value.in(language)
  if (value instanceof Text) return escaped(value.in(language))
  if (value instanceof WrittenHtml) return value.text
  if (Array.isArray(value)) return value.map((one) => rendered(one, language)).join('')
  return value === null || value === undefined || value === false ? '' : escaped(String(value))
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string)
}
