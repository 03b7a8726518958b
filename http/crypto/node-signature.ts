// Signatures between nodes of a cluster: HMAC-SHA-256 under CLUSTER_SECRET over time, method, path, caller and body.
import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** A request that one node forwards to another. */
export interface PassedOn {
  readonly timeMs: number
  readonly method: string
  /** Path with query, as sent. */
  readonly path: string
  /** Address of the caller, as the receiving node counts it. */
  readonly address: string
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string
}

/** Maximum clock difference between nodes; beyond, the signature is rejected. */
const CLOCK_DIFFERENCE_MAX_MS = 30_000
const PARTS = 4

export function bodyHashOf(body: Uint8Array): string {
  return hash('sha256', body, 'hex')
}

/** Returns the value of the `Cauri-Node` header. */
export function signPassedOn(secret: Uint8Array, request: PassedOn): string {
  return `${request.timeMs} ${request.address} ${request.bodyHash} ${macOf(secret, request).toString('hex')}`
}

/**
 * Returns caller and body hash; null unless the header is fresh and a node of the cluster signed it for this request.
 */
export function readPassedOn(secret: Uint8Array, header: string, method: string, path: string, nowMs: number): PassedOn | null {
  const [time, address, bodyHash, mac, ...rest] = header.split(' ', PARTS + 1)
  if (time === undefined || address === undefined || bodyHash === undefined || mac === undefined || rest.length > 0) return null
  const request = { timeMs: Number(time), method, path, address, bodyHash }
  if (!(Math.abs(nowMs - request.timeMs) <= CLOCK_DIFFERENCE_MAX_MS)) return null
  const given = Buffer.from(mac, 'hex')
  const expected = macOf(secret, request)
  return given.length === expected.length && timingSafeEqual(given, expected) ? request : null
}

function macOf(secret: Uint8Array, { timeMs, method, path, address, bodyHash }: PassedOn): Buffer {
  return createHmac('sha256', secret).update(['v1', timeMs, method, path, address, bodyHash].join('\n')).digest()
}
