import { gunzipSync } from 'node:zlib'

/** Returns the text of a body, which is empty after HEAD. Without `Accept-Encoding` public documents are compressed. */
export function decodedText(bytes: Buffer, coding: string | undefined): string {
  return (coding === 'gzip' && bytes.length > 0 ? gunzipSync(bytes) : bytes).toString('utf8')
}
