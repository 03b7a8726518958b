// Decodes the bytes of a payment file: by its byte order mark, else as UTF-8, else as Windows-1252. The bytes 0x80 to 0x9F have
// a table of their own, because `TextDecoder('windows-1252')` of Node.js reads them as control characters (20.18.3, 22.13 and later).
import { allSteps, type ReadingSteps, STEP_LENGTH } from './reading-steps.ts'

export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252'] as const

export type Encoding = (typeof ENCODINGS)[number]
type UnicodeEncoding = Exclude<Encoding, 'windows-1252'>

export type DecodedFile =
  | { readonly text: string; readonly encoding: Encoding }
  /** `workbook`: a file of Excel or LibreOffice itself. `encoding`: bytes that are no text of a known encoding. */
  | { readonly problem: 'workbook' | 'encoding' }

/** First bytes of a ZIP archive (.xlsx, .ods) and of an OLE file (.xls). */
const WORKBOOKS: readonly (readonly number[])[] = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
]

const MARKS: readonly (readonly [encoding: UnicodeEncoding, mark: readonly number[]])[] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Characters of the bytes 0x80 to 0x9F in Windows-1252. A blank stands for a byte that the encoding does not have. */
const WINDOWS_1252_HIGH = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ'

/** Returns the text without its byte order mark. */
export function decodeFile(bytes: Uint8Array): DecodedFile {
  return allSteps(decodingSteps(bytes))
}

export function* decodingSteps(bytes: Uint8Array): ReadingSteps<DecodedFile> {
  if (WORKBOOKS.some((head) => startsWith(bytes, head))) return { problem: 'workbook' }
  const marked = MARKS.find(([, mark]) => startsWith(bytes, mark))?.[0]
  const encoding = marked ?? 'utf-8'
  const unicode = yield* decoded(bytes, unicodeDecoder(encoding))
  if (unicode !== null) return checked(unicode, encoding)
  const single = marked === undefined ? yield* decoded(bytes, windows1252) : null
  return single === null ? { problem: 'encoding' } : checked(single, 'windows-1252')
}

/** No text of a spreadsheet has a NUL: UTF-16 without a mark has them, and so do files of other programs. */
function checked(text: string, encoding: Encoding): DecodedFile {
  return text.includes('\0') ? { problem: 'encoding' } : { text, encoding }
}

/** Returns the text of the next bytes, of which all but the last are an even number; null where the encoding does not have them. */
type Decoder = (bytes: Uint8Array, isLast: boolean) => string | null

function* decoded(bytes: Uint8Array, decoder: Decoder): ReadingSteps<string | null> {
  const parts: string[] = []
  for (let at = 0; at === 0 || at < bytes.length; at += STEP_LENGTH) {
    if (at > 0) yield
    const part = decoder(bytes.subarray(at, at + STEP_LENGTH), at + STEP_LENGTH >= bytes.length)
    if (part === null) return null
    parts.push(part)
  }
  return parts.join('')
}

function unicodeDecoder(encoding: UnicodeEncoding): Decoder {
  const isSwapped = encoding === 'utf-16be'
  const decoder = new TextDecoder(isSwapped ? 'utf-16le' : encoding, { fatal: true })
  return (bytes, isLast) => {
    try {
      return decoder.decode(isSwapped ? swapped(bytes) : bytes, { stream: !isLast })
    } catch {
      // Malformed in this encoding.
      return null
    }
  }
}

/** Big-endian UTF-16 as little-endian: not every runtime decodes both. */
function swapped(bytes: Uint8Array): Uint8Array {
  const pairs = Uint8Array.from(bytes)
  for (let at = 0; at + 1 < pairs.length; at += 2) [pairs[at], pairs[at + 1]] = [pairs[at + 1] as number, pairs[at] as number]
  return pairs
}

/** Characters that one call of `String.fromCharCode` takes. */
const CHARACTERS_PER_CALL = 4096

function windows1252(bytes: Uint8Array): string | null {
  const units = new Uint16Array(bytes)
  for (let at = 0; at < units.length; at++) {
    const byte = units[at] as number
    if (byte < 0x80 || byte > 0x9f) continue
    const unit = WINDOWS_1252_HIGH.charCodeAt(byte - 0x80)
    if (unit === 0x20) return null
    units[at] = unit
  }
  let text = ''
  for (let at = 0; at < units.length; at += CHARACTERS_PER_CALL)
    text += String.fromCharCode(...units.subarray(at, at + CHARACTERS_PER_CALL))
  return text
}

function startsWith(bytes: Uint8Array, head: readonly number[]): boolean {
  return head.every((byte, at) => bytes[at] === byte)
}
