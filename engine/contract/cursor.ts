// Cursors of lists inside the server: the start of the next page. Callers get them sealed (http/crypto/cursor-seal.ts). Only output
// of `encodeCursor` decodes.

const FORM = /^(?:p[0-9]{1,16}|r[0-9a-f-]{36})$/

/** End of a page: a log position for history, the last row's id for live rows. */
export type CursorPlace = { readonly position: number } | { readonly rowId: string }

export function encodeCursor(place: CursorPlace): string {
  return btoa('position' in place ? `p${place.position}` : `r${place.rowId}`).replace(/=+$/, '')
}

/** Returns null for a text that `encodeCursor` did not write. */
export function decodeCursor(cursor: string): CursorPlace | null {
  if (!/^[A-Za-z0-9+/]{2,64}$/.test(cursor) || cursor.length % 4 === 1) return null
  const plain = atob(cursor)
  if (!FORM.test(plain)) return null
  const place = plain.startsWith('p') ? { position: Number(plain.slice(1)) } : { rowId: plain.slice(1) }
  if ('position' in place && !Number.isSafeInteger(place.position)) return null
  return encodeCursor(place) === cursor ? place : null
}
