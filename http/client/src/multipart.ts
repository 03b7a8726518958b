// Body of a form with one file. The boundary is fixed, so that a retry under the same Idempotency-Key sends the same bytes.

const BOUNDARY = 'cauri-form-8d1f0a7c5b2e4936'

export interface EncodedBody {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** Throws a RangeError for a file that contains the boundary. */
export function fileForm(field: string, fileName: string, content: Uint8Array): EncodedBody {
  const encoder = new TextEncoder()
  const head = encoder.encode(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`,
  )
  const tail = encoder.encode(`\r\n--${BOUNDARY}--\r\n`)
  if (includes(content, encoder.encode(`--${BOUNDARY}`))) throw new RangeError('the file contains the boundary of the form')
  const bytes = new Uint8Array(head.length + content.length + tail.length)
  bytes.set(head, 0)
  bytes.set(content, head.length)
  bytes.set(tail, head.length + content.length)
  return { contentType: `multipart/form-data; boundary=${BOUNDARY}`, bytes }
}

function includes(bytes: Uint8Array, part: Uint8Array): boolean {
  for (let from = bytes.indexOf(part[0] ?? 0); from !== -1; from = bytes.indexOf(part[0] ?? 0, from + 1)) {
    if (part.every((byte, index) => bytes[from + index] === byte)) return true
  }
  return false
}
