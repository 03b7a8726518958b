// HTML as tagged templates. Every value is escaped, unless it is an `Html` object. Unescaped text has no other way in.
// Attributes are always quoted.

/** HTML created by this file. */
export class Html {
  readonly text: string

  /** Used by this file alone. Other files write a template. */
  constructor(text: string) {
    this.text = text
  }
}

/** null, undefined and false render nothing. */
export type Fragment = Html | string | number | null | undefined | false | readonly Fragment[]

export function html(parts: TemplateStringsArray, ...values: readonly Fragment[]): Html {
  let text = parts[0] as string
  for (let index = 0; index < values.length; index++) text += rendered(values[index]) + (parts[index + 1] as string)
  return new Html(text)
}

function rendered(value: Fragment): string {
  if (value instanceof Html) return value.text
  if (Array.isArray(value)) return value.map(rendered).join('')
  return value === null || value === undefined || value === false ? '' : escaped(String(value))
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] as string)
}
