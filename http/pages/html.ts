// HTML as tagged templates: whatever is put into one is escaped, unless it is HTML of ours. There is no way to put text
// in unescaped, and attributes are always written in quotes.

/** HTML that this file made. */
export class Html {
  readonly text: string

  /** For this file alone: whoever else needs HTML writes a template. */
  constructor(text: string) {
    this.text = text
  }
}

/** null, undefined and false leave nothing. */
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
