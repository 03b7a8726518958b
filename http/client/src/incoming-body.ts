// The request of a webhook or a lookup as a server gets it: the header of its signature, and the bytes of its body up to a maximum.
import { RECEIVED_BYTES_MAX } from './client-limits.ts'
import { WebhookSignatureError } from './errors.ts'

/** A request of `node:http` or of a framework over it, whose body was not read yet. */
interface NodeRequest extends AsyncIterable<Uint8Array | string> {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** A `Request` of fetch. */
interface FetchRequest {
  readonly headers: { get(name: string): string | null }
  readonly body: { getReader(): ReadableStreamDefaultReader<Uint8Array> } | null
}

export type IncomingRequest = NodeRequest | FetchRequest

export interface Received {
  readonly header: string | readonly string[] | null
  readonly body: Uint8Array
}

/** Rejects with a WebhookSignatureError for a body that is too large or broken off: no sender can end the program. */
export async function receivedOf(request: IncomingRequest): Promise<Received> {
  // Refused before a byte is read, so that the answer still reaches the sender.
  if (Number(headerOf(request, 'content-length') ?? 0) > RECEIVED_BYTES_MAX) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunksOf(request)) {
    size += chunk.length
    if (size > RECEIVED_BYTES_MAX) throw tooLarge()
    chunks.push(chunk)
  }
  const body = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    body.set(chunk, at)
    at += chunk.length
  }
  return { header: headerOf(request, 'x-service-signature'), body }
}

function tooLarge(): WebhookSignatureError {
  return new WebhookSignatureError('too_large', `the body has more than ${RECEIVED_BYTES_MAX} bytes`)
}

function headerOf({ headers }: IncomingRequest, name: string): string | readonly string[] | null {
  return isFetch(headers) ? headers.get(name) : (headers[name] ?? null)
}

function isFetch(headers: IncomingRequest['headers']): headers is FetchRequest['headers'] {
  return typeof headers.get === 'function'
}

async function* chunksOf(request: IncomingRequest): AsyncGenerator<Uint8Array, void, undefined> {
  const encoder = new TextEncoder()
  try {
    if (isFetch(request.headers)) yield* readerChunks((request as FetchRequest).body)
    else for await (const chunk of request as NodeRequest) yield typeof chunk === 'string' ? encoder.encode(chunk) : chunk
  } catch (cause) {
    throw new WebhookSignatureError('broken_off', `the request was broken off: ${(cause as Error).message}`)
  }
}

async function* readerChunks(body: FetchRequest['body']): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader()
  for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) yield read.value
}
