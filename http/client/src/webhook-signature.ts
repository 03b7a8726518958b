// Signatures of webhooks: `X-Service-Signature: t=<unix seconds>,v1=<hex>[,v1=<hex>]`. `v1` is HMAC-SHA256 with the whole secret as
// text as the key, over `t`, a dot and the raw body. WebCrypto compares in constant time.
import { SIGNATURE_TOLERANCE_S } from './client-limits.ts'
import { WebhookSignatureError } from './errors.ts'
import { type IncomingRequest, receivedOf } from './incoming-body.ts'
import type { LookupQuestion, WebhookEvent } from './types.ts'
import { webCrypto } from './web-crypto.ts'

export interface VerifyOptions {
  /** Seconds that the signature's time may differ from the clock. */
  readonly toleranceS?: number
  /** Current time in Unix seconds; the clock's when absent. */
  readonly nowS?: number
}

type RawBody = string | Uint8Array | ArrayBuffer
/** As `node:http` and `Headers` give it. A header that came several times is refused. */
type SignatureHeader = string | readonly string[] | null | undefined

const HEADER = /^t=([0-9]{1,12})((?:,[a-z][a-z0-9]{0,15}=[^,\s]{1,256}){1,8})$/
const V1 = /^v1=([0-9a-f]{64})$/
const encoder = new TextEncoder()

/**
 * Returns the event of a webhook, typed by its `type`. `rawBody` is the body exactly as it came, before any parsing; `header` is
 * X-Service-Signature; `secret` is the secret of the endpoint, or several while one rotates on your side. Rejects with a
 * WebhookSignatureError.
 */
export async function verify(
  rawBody: RawBody,
  header: SignatureHeader,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const event = parsed(await verified(rawBody, header, secret, options))
  if (typeof event.type === 'string' && isObject(event.data)) return event as WebhookEvent
  throw new WebhookSignatureError('unreadable', 'the body is signed but is no event')
}

/**
 * Reads the request of a webhook, up to 2 MiB, and returns its event as `verify` does. It takes a request of `node:http`, or of
 * fetch, whose body nothing has read. Rejects with a WebhookSignatureError for every request that is no event of the service; answer with its `status`.
 */
export async function receive(
  request: IncomingRequest,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<WebhookEvent> {
  const { body, header } = await receivedOf(request)
  return verify(body, header, secret, options)
}

/** Reads the request of a lookup, and returns its question as `verifyLookup` does. See `receive`. */
export async function receiveLookup(
  request: IncomingRequest,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<LookupQuestion> {
  const { body, header } = await receivedOf(request)
  return verifyLookup(body, header, secret, options)
}

/**
 * Returns the question of a lookup, as it is posted to a product's `lookup_url`. `secret` is the product's `lookup_secret`, or
 * several while one rotates. Rejects with a WebhookSignatureError: without a `lookup_secret` a call has no signature.
 */
export async function verifyLookup(
  rawBody: RawBody,
  header: SignatureHeader,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): Promise<LookupQuestion> {
  const question = parsed(await verified(rawBody, header, secret, options))
  const { product, fields, request_id, ts } = question
  const hasTexts = typeof product === 'string' && typeof request_id === 'string'
  if (hasTexts && typeof ts === 'number' && isObject(fields)) return question as LookupQuestion
  throw new WebhookSignatureError('unreadable', 'the body is signed but is no lookup')
}

/** Returns the bytes of a body whose signature is valid now. */
async function verified(
  rawBody: RawBody,
  header: SignatureHeader,
  secret: string | readonly string[],
  options: VerifyOptions,
): Promise<Uint8Array> {
  const { toleranceS = SIGNATURE_TOLERANCE_S, nowS = Math.floor(Date.now() / 1000) } = options
  const [, time = '', elements = ''] = HEADER.exec(typeof header === 'string' ? header : '') ?? []
  const signatures = elements.split(',').flatMap((element) => V1.exec(element)?.[1] ?? [])
  if (signatures.length === 0) throw new WebhookSignatureError('malformed', 'the header X-Service-Signature is missing or malformed')
  const body = bytesOf(rawBody)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0 || secrets.includes('')) throw new TypeError('a secret is required')
  if (!(await isSigned(signedBytes(time, body), signatures, secrets))) {
    throw new WebhookSignatureError('forged', 'the body is not signed with this secret')
  }
  if (Math.abs(nowS - Number(time)) > toleranceS)
    throw new WebhookSignatureError('expired', `signed more than ${toleranceS} s away from now`)
  return body
}

/** Returns the header for a body, as the service signs it: for tests, and for programs that forward events. */
export async function sign(rawBody: RawBody, secret: string, timeS = Math.floor(Date.now() / 1000)): Promise<string> {
  const { subtle } = await webCrypto()
  const bytes = await subtle.sign('HMAC', await keyOf(subtle, secret), signedBytes(String(timeS), bytesOf(rawBody)))
  return `t=${timeS},v1=${Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

/** All are compared, also after a match. */
async function isSigned(signed: Uint8Array<ArrayBuffer>, signatures: readonly string[], secrets: readonly string[]): Promise<boolean> {
  const { subtle } = await webCrypto()
  const keys = await Promise.all(secrets.map((secret) => keyOf(subtle, secret)))
  const pairs = keys.flatMap((key) => signatures.map((signature) => ({ key, signature })))
  const matches = await Promise.all(pairs.map(({ key, signature }) => subtle.verify('HMAC', key, fromHex(signature), signed)))
  return matches.includes(true)
}

function keyOf(subtle: SubtleCrypto, secret: string): Promise<CryptoKey> {
  return subtle.importKey('raw', encoder.encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify'])
}

function signedBytes(time: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = encoder.encode(`${time}.`)
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head, 0)
  bytes.set(body, head.length)
  return bytes
}

function bytesOf(body: RawBody): Uint8Array {
  if (typeof body === 'string') return encoder.encode(body)
  return body instanceof Uint8Array ? body : new Uint8Array(body)
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}

function parsed(body: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    if (isObject(value)) return value
  } catch {
    // Reported below, as JSON that is no object is.
  }
  throw new WebhookSignatureError('unreadable', 'the body is signed but is no JSON object')
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
