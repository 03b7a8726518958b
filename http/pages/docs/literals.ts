// Values of a request as the languages of the samples write them.

export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value }

/** How a language writes values. */
export interface Notation {
  readonly words: readonly [none: string, yes: string, no: string]
  readonly text: (text: string) => string
  readonly list: readonly [open: string, close: string]
  readonly object: readonly [open: string, close: string]
  readonly empty: string
  readonly entry: (name: string, value: string) => string
}

const quoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
export const NODE: Notation = {
  words: ['null', 'true', 'false'],
  text: quoted,
  list: ['[', ']'],
  object: ['{', '}'],
  empty: '{}',
  entry: (name, value) => `${/^[a-z_$][\w$]*$/i.test(name) ? name : quoted(name)}: ${value}`,
}
export const PYTHON: Notation = {
  words: ['None', 'True', 'False'],
  text: (text) => JSON.stringify(text),
  list: ['[', ']'],
  object: ['{', '}'],
  empty: '{}',
  entry: (name, value) => `${JSON.stringify(name)}: ${value}`,
}
export const PHP: Notation = {
  words: ['null', 'true', 'false'],
  // Line breaks stand in single quotes as they are.
  text: (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
  list: ['[', ']'],
  object: ['[', ']'],
  empty: 'new stdClass()',
  entry: (name, value) => `'${name}' => ${value}`,
}

/** Values of a line's length are written on one line. */
const LINE_LENGTH = 60

/** Returns the source text of a value. Lines after the first begin with `margin`. */
export function literal(value: Value, notation: Notation, margin = ''): string {
  const { words, text, list, object, empty, entry } = notation
  if (value === null) return words[0]
  if (typeof value === 'boolean') return value ? words[1] : words[2]
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return text(value)
  const inner = `${margin}    `
  const items = Array.isArray(value)
    ? value.map((item: Value) => literal(item, notation, inner))
    : Object.entries(value as object).map(([name, item]) => entry(name, literal(item as Value, notation, inner)))
  const [open, close] = Array.isArray(value) ? list : object
  if (items.length === 0) return Array.isArray(value) ? `${open}${close}` : empty
  const line = `${open}${items.join(', ')}${close}`
  if (line.length <= LINE_LENGTH && !line.includes('\n')) return line
  return `${open}\n${items.map((item) => inner + item).join(',\n')},\n${margin}${close}`
}
