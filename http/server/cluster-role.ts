// What the request pipeline knows of a cluster: whether this node answers a request itself, what it waits for first, and how it passes
// a request on. Absent where the log is this process's own.
import type { NodeAnswer, NodeRequest } from '../outbound/node-calls.ts'
import type { RouteShape } from './route.ts'

/** A request that another node of the cluster received and passed on. */
export interface Sender {
  readonly address: string
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string
}

export interface ClusterRole {
  isOwner(): boolean
  /** Resolves when this node has everything that was committed before the call; rejects while that cannot be known. */
  barrier(): Promise<void>
  /** Null for a header that no node of the cluster made for this request. */
  senderOf(header: string, method: string, path: string): Sender | null
  /** Passes a request on to the owner; waits for one. Null when there was none in time, or its answer was lost. */
  passOn(request: NodeRequest, address: string): Promise<NodeAnswer | null>
}

/** On an answer of a node that does not own the log, to a request that was passed on: nothing was done, another node may be asked. */
export const NOT_OWNER = 'Cauri-Not-Owner'

/** Pages whose sessions or forms live in the memory of one process. */
const OWNER_PAGES = /^\/(?:operator|dev)(?:\/|$)/

/** Whether only the owner answers: writes, and pages with sessions in memory. */
export function isForOwner({
  route,
  alwaysOpen,
}: {
  readonly route: Pick<RouteShape, 'path' | 'method'>
  readonly alwaysOpen: boolean
}): boolean {
  if (alwaysOpen || route.path === '') return false
  return route.method !== 'GET' || OWNER_PAGES.test(route.path)
}

/** Of one connection, not of the request; and what the receiving node says itself. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'proxy-connection', 'expect'],
  ...['host', 'content-length', 'x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'cauri-node'],
])

/** The headers of a request or an answer that are passed on, names and values in turn. */
export function passedOnHeaders(headers: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] as string
    if (!NOT_PASSED_ON.has(name.toLowerCase())) kept.push(name, headers[at + 1] as string)
  }
  return kept
}
