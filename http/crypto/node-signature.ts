// What nodes of a cluster say to each other carries an HMAC-SHA-256 under CLUSTER_SECRET over time, method, path, caller and body.
import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** A request that one node passes on to another. */
export interface PassedOn {
  readonly timeMs: number
  readonly method: string
  /** Path with query, as they were sent. */
  readonly path: string
  /** Address of the caller, as the node that received the request counts it. */
  readonly address: string
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string
}

/** A node whose clock differs by more than this is not believed. */
const CLOCK_DIFFERENCE_MAX_MS = 30_000
const PARTS = 4

export function bodyHashOf(body: Uint8Array): string {
  return hash('sha256', body, 'hex')
}

/** Value of the `Cauri-Node` header. */
export function signPassedOn(secret: Uint8Array, request: PassedOn): string {
  return `${request.timeMs} ${request.address} ${request.bodyHash} ${macOf(secret, request).toString('hex')}`
}

/** Who called and with which body; null for anything but a fresh header that a node of the cluster made for this request. */
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
