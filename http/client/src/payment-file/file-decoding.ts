// Decodes the bytes of a payment file: by its byte order mark, else as UTF-8, else as Windows-1252. The bytes 0x80 to 0x9F have
// a table of their own, because `TextDecoder('windows-1252')` of Node.js reads them as control characters (20.18.3, 22.13 and later).

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const

export type Encoding = (typeof ENCODINGS)[number]

export type DecodedFile =
  | { readonly text: string; readonly encoding: Encoding }
  /** `workbook`: a file of Excel or LibreOffice itself. `encoding`: bytes that are no text of a known encoding. */
  | { readonly problem: 'workbook' | 'encoding' }

/** First bytes of a ZIP archive (.xlsx, .ods) and of an OLE file (.xls). */
const WORKBOOKS: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]

const MARKS: readonly (readonly [encoding: Encoding, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Characters of the bytes 0x80 to 0x9F in Windows-1252. A blank stands for a byte that the encoding does not have. */
const WINDOWS_1252_HIGH = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

/** Returns the text without its byte order mark. */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  if (WORKBOOKS.some((head) => startsWith(bytes, head))) return { problem: 'workbook' }
  const marked = MARKS.find(([, mark]) => startsWith(bytes, mark))?.[0]
  const encoding = marked ?? 'utf-8'
  const text = marked === 'utf-16be' ? decoded(swapped(bytes), 'utf-16le') : decoded(bytes, encoding)
  if (text !== null) return checked(text, encoding)
  const single = marked === undefined ? windows1252(bytes) : null
  return single === null ? { problem: 'encoding' } : checked(single, 'windows-1252')
}

/** No text of a spreadsheet has a NUL: UTF-16 without a mark has them, and so do files of other programs. */
function checked(text: string, encoding: Encoding): DecodedFile {
  return text.includes('\0') ? { problem: 'encoding' } : { text, encoding }
}

function decoded(bytes: Uint8Array, encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    // Malformed in this encoding.
    return null
  }
}

/** Big-endian UTF-16 as little-endian: not every runtime decodes both. */
function swapped(bytes: Uint8Array): Uint8Array {
  const pairs = Uint8Array.from(bytes)
  for (let at = 0; at + 1 < pairs.length; at += 2) [pairs[at], pairs[at + 1]] = [pairs[at + 1] as number, pairs[at] as number]
  return pairs
}

function windows1252(bytes: Uint8Array): string | null {
  const parts: string[] = []
  let part = ''
  for (const byte of bytes) {
    const character = byte >= 0x80 && byte <= 0x9f ? (WINDOWS_1252_HIGH[byte - 0x80] as string) : String.fromCharCode(byte)
    if (character === ' ' && byte !== 0x20) return null
    part += character
    if (part.length < 65_536) continue
    parts.push(part)
    part = ''
  }
  return parts.join('') + part
}

function startsWith(bytes: Uint8Array, head: readonly number[]): boolean {
  return head.every((byte, at) => bytes[at] === byte)
}
