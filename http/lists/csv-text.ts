// Lines of CSV files (RFC 4180). No text becomes a formula, also where a spreadsheet splits the line at another separator.

/** The names of the fields of a schema, in its order: the columns of a list as CSV. */
export function columnsOf<Properties extends object>(schema: { readonly properties: Properties }): readonly (keyof Properties & string)[] {
  return Object.keys(schema.properties) as (keyof Properties & string)[]
}

/** One line. Numbers keep their sign; null and undefined are empty. */
export function csvText(values: readonly (string | number | null | undefined)[]): string {
  let text = ''
  for (let index = 0; index < values.length; index++) text += (index === 0 ? '' : ',') + csvField(values[index] ?? null)
  return `${text}\r\n`
}

function csvField(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const safe = NEEDS_APOSTROPHE.test(value) ? withoutFormulas(value) : value
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function withoutFormulas(value: string): string {
  const text = value.replace(FORMULA_STARTS, "$1'$2")
  // Some readers drop a tab or a line end at the start of a cell.
  return /^[\t\r\n]/.test(text) ? `'${text}` : text
}

/** Readers that know one more separator than the comma keep a quoted field together. */
const NEEDS_QUOTES = /[",;|\t\r\n]|^\s|\s$/
/**
 * Where a formula may begin: at the start of the field, and behind each character that a reader may split at. French
 * spreadsheets split at `;` and do not see the quotes of a field that does not begin a cell; two quotes at the start of
 * a cell are an empty text there, and what follows is read. An apostrophe makes the cell a text (OWASP, CSV injection).
 * The last four of the signs are full-width forms.
 */
const FORMULA_STARTS = /(^|[;|\t\r\n])("*[=+\-@\uff1d\uff0b\uff0d\uff20])/g
const NEEDS_APOSTROPHE = new RegExp(`${FORMULA_STARTS.source}|^[\\t\\r\\n]`)
