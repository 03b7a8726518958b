// A file as spreadsheets save it, as text: UTF-8, what Windows writes in French-speaking countries, or UTF-16 by its mark.

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1')
const OLD_WORKBOOK = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])

/** Null for a workbook, which is no text. */
export function textOfFile(bytes: Buffer): string | null {
  if ([ZIP, OLD_WORKBOOK].some((head) => bytes.subarray(0, head.length).equals(head))) return null
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Every byte means something there.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
