// Bodies of HTML forms: `application/x-www-form-urlencoded` in UTF-8 (URL Standard, section 5).

const FORM_TYPE = /^application\/x-www-form-urlencoded[ \t]*(?:;[ \t]*charset="?utf-?8"?[ \t]*)?$/i

export function isFormType(contentType: string): boolean {
  return FORM_TYPE.test(contentType)
}

/** Maximum pairs of a form. Each costs time before the caller is authenticated. */
const PAIRS_MAX = 4096
const AMPERSAND = 0x26

/**
 * Returns the named fields as text, the first of each name. Unknown fields are dropped. Names that match `rowNames`
 * are read too, for forms with added rows. Null for a body of too many pairs.
 */
export function parseForm(
  bytes: Uint8Array,
  names: readonly string[],
  rowNames: RegExp | null = null,
): Readonly<Record<string, string>> | null {
  if (hasTooManyPairs(bytes)) return null
  const wanted = new Set(names)
  const fields: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'))) {
    if ((wanted.has(name) || rowNames?.test(name) === true) && !Object.hasOwn(fields, name)) fields[name] = value
  }
  return fields
}

function hasTooManyPairs(bytes: Uint8Array): boolean {
  let count = 0
  for (let at = bytes.indexOf(AMPERSAND); at >= 0; at = bytes.indexOf(AMPERSAND, at + 1)) if (++count >= PAIRS_MAX) return true
  return false
}
