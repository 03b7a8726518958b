// A JSON body that an HTTP thread has checked, so that the engine's thread need not read its bytes again.
import { hash } from 'node:crypto'
import { fingerprintOf } from '../fingerprint.ts'
import type { RouteShape } from '../route.ts'
import { bodyValuesMaxOf } from './body-limits.ts'
import { plainJson } from './json-body.ts'

export interface PreparedBody {
  /** The body. `JSON.parse` of it gives what `parseJson` of its bytes gives. */
  readonly text: string
  readonly sizeBytes: number
  /** Fingerprint of the request; empty where the thread made none. */
  readonly fingerprint: string
}

/** What a thread has to know of a route to prepare its bodies. Plain data. */
export interface Preparation {
  /** Method and path as they are in the fingerprint. The path is empty where it has placeholders: it is the sent one then. */
  readonly method: string
  readonly path: string
  readonly valuesMax: number
  readonly hasFingerprint: boolean
}

/** Null for a route without a JSON body. */
export function preparationOf(route: RouteShape): Preparation | null {
  const { method, path, body, bodyType = 'json', idempotency, secretFields } = route
  if (body === undefined || bodyType !== 'json') return null
  const hasFingerprint = idempotency !== 'none' && secretFields === undefined
  return { method, path: path.includes('{') ? '' : path, valuesMax: bodyValuesMaxOf(route), hasFingerprint }
}

/** The parts of a request that its fingerprint covers, beside method and body. */
interface Target {
  readonly url: string
  readonly query: string
  readonly idempotencyKey: string
}

/** Returns the fingerprint, empty for a request without one; null for a body that the engine's thread has to read itself. */
export function prepare({ method, path, valuesMax, hasFingerprint }: Preparation, target: Target, body: Buffer): string | null {
  if (plainJson(body, valuesMax) === null) return null
  if (!hasFingerprint || target.idempotencyKey === '') return ''
  const sent = path === '' ? target.url : path
  return fingerprintOf(method, target.query === '' ? sent : `${sent}?${target.query}`, body)
}

/** Longer than any key or secret of this server. Longer text is refused before it is hashed. */
export const KEY_LENGTH_MAX = 128

/** Returns the hash of an API secret in the form in which it is compared. */
export function secretHashOf(secret: string): string {
  return hash('sha256', secret, 'base64url')
}
