// Signatures of webhooks and lookups. Receivers may copy this file, or do the same in another language. It needs Node's
// crypto alone, and Cauri itself signs with it.
//
//   X-Service-Signature: t=<unix seconds>,v1=<hex>[,v1=<hex>]
//
//   v1 = HMAC-SHA256(key, t + "." + body), in hex
//
// The key is the whole secret as text (`whsec_…`, prefix included) in UTF-8; the body is the bytes as they came, before
// any parsing. Two `v1` while a secret rotates: one of them must match. Elements of other names are ignored, so that the
// header can be extended. A `t` more than 300 s away from now is refused.
import { createHmac, timingSafeEqual } from 'node:crypto'

export const SIGNATURE_TOLERANCE_S = 300

export interface SignedRequest {
  /** The header X-Service-Signature. */
  readonly signature: string
  /** Body, exactly as received. */
  readonly body: string | Uint8Array
  readonly secret: string
  /** Current time in Unix seconds; the clock's when absent. */
  readonly nowS?: number
  readonly toleranceS?: number
}

/**
 * `malformed`: not such a header. `expired`: signed too long ago, or in the future. `forged`: signed with another
 * secret, or modified.
 */
export type SignatureVerdict = 'valid' | 'malformed' | 'expired' | 'forged'

const HEADER = /^t=([0-9]{1,12})((?:,[a-z][a-z0-9]{0,15}=[^,\s]{1,256}){1,8})$/
const V1 = /^v1=[0-9a-f]{64}$/

export function verifySignature(request: SignedRequest): SignatureVerdict {
  const { signature, body, secret, nowS = Math.floor(Date.now() / 1000), toleranceS = SIGNATURE_TOLERANCE_S } = request
  const [, time = '', elements = ''] = HEADER.exec(signature) ?? []
  const candidates = elements.split(',').filter((element) => V1.test(element))
  if (candidates.length === 0) return 'malformed'
  const expected = Buffer.from(signatureOf(secret, Number(time), body), 'hex')
  // All are compared in constant time.
  const matches = candidates.map((candidate) => timingSafeEqual(Buffer.from(candidate.slice('v1='.length), 'hex'), expected))
  if (!matches.includes(true)) return 'forged'
  return Math.abs(nowS - Number(time)) <= toleranceS ? 'valid' : 'expired'
}

/** Returns one `v1` value. */
export function signatureOf(secret: string, timeS: number, body: string | Uint8Array): string {
  return createHmac('sha256', secret).update(`${timeS}.`).update(body).digest('hex')
}

/** Returns the whole header, signed with each secret. */
export function signatureHeader(secrets: readonly string[], timeS: number, body: string | Uint8Array): string {
  return `t=${timeS}${secrets.map((secret) => `,v1=${signatureOf(secret, timeS, body)}`).join('')}`
}
