// Decodes a CSV file as spreadsheets save it: UTF-8, Windows-1252, or UTF-16 by its byte order mark.

const ZIP = Buffer.from('PK\u0003\u0004', 'latin1')
const OLD_WORKBOOK = Buffer.from([0xd0, 0xcf, 0x11, 0xe0])

/** Returns the text, or null for a workbook, which is a ZIP archive. */
export function textOfFile(bytes: Buffer): string | null {
  if ([ZIP, OLD_WORKBOOK].some((head) => bytes.subarray(0, head.length).equals(head))) return null
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Windows-1252 decodes every byte.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
