// Formats lines of CSV files (RFC 4180). No text becomes a formula, even where a spreadsheet splits at another
// separator.

/** Returns the field names of a schema in order: the columns of the CSV list. */
export function columnsOf<Properties extends object>(schema: { readonly properties: Properties }): readonly (keyof Properties & string)[] {
  return Object.keys(schema.properties) as (keyof Properties & string)[]
}

/** Returns one line. Numbers keep their sign; null and undefined are empty. French spreadsheets split at semicolons. */
export function csvText(values: readonly (string | number | null | undefined)[], separator: ',' | ';' = ','): string {
  let text = ''
  for (let index = 0; index < values.length; index++) text += (index === 0 ? '' : separator) + csvField(values[index] ?? null, separator)
  return `${text}\r\n`
}

function csvField(value: string | number | null, separator: ',' | ';'): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = NEEDS_APOSTROPHE[separator].test(value) ? withoutFormulas(value, separator) : value
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function withoutFormulas(value: string, separator: ',' | ';'): string {
  const text = value.replace(FORMULA_STARTS[separator], "$1'$2")
  // Some readers drop a tab or a line end at the start of a cell.
  return /^[\t\r\n]/.test(text) ? `'${text}` : text
}

/** Text that needs quotes, also for readers with other separators than the comma. */
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$/
/**
 * Places where a formula may begin: at the field's start, and behind each possible separator. French spreadsheets
 * split at `;` and ignore quotes inside a cell; two quotes at a cell's start are empty text, and the rest is read. An
 * apostrophe makes the cell text (OWASP, CSV injection). Some readers drop blanks in front of a sign. The last four signs are
 * full-width forms.
 */
const FORMULA_STARTS = {
  ',': /(^|[;|\t\r\n])((?:[^\S\t\r\n]|")*[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
  // A reader that expects commas finds no quotes at the start of its cells.
  ';': /(^|[,;|\t\r\n])((?:[^\S\t\r\n]|")*[=+\-@\uff1d\uff0b\uff0d\uff20])/g,
} as const
const NEEDS_APOSTROPHE = {
  ',': new RegExp(`${FORMULA_STARTS[','].source}|^[\\t\\r\\n]`),
  ';': new RegExp(`${FORMULA_STARTS[';'].source}|^[\\t\\r\\n]`),
} as const
