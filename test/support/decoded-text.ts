import { gunzipSync } from 'node:zlib'

/** Returns the text of a body. Without `Accept-Encoding` public documents are compressed. */
export function decodedText(bytes: Buffer, coding: string | undefined): string {
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8')
}
