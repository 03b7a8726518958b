// JSON to and from the addresses of the settings: gateways and the key provider. They are the operator's own choice,
// unlike the addresses of merchants, which go through stricter hands.

const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 256 * 1024

/** The HTTP status. Rejects when there is no answer in time; redirects are no answer. */
export async function postJson(url: string, body: object): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  // Nobody reads what a gateway says beside its status.
  await response.body?.cancel()
  return response.status
}

/** The parsed body of a 200. Rejects for anything else, and for a body that is too long. */
export async function fetchJson(url: string): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (response.status !== 200 || response.body === null) throw new Error(`HTTP ${response.status}`)
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of response.body) {
    sizeBytes += chunk.byteLength
    if (sizeBytes > ANSWER_BYTES_MAX) throw new Error(`the answer has more than ${ANSWER_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'))
}
