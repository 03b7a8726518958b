// The cluster as the request pipeline sees it: which node answers a request, the read barrier, and forwarding. Absent
// where the log belongs to this process.
import type { NodeAnswer, NodeRequest } from '../outbound/node-calls.ts'
import type { RouteShape } from './route.ts'

/** Origin of a request that another node of the cluster forwarded. */
export interface Sender {
  readonly address: string
  /** SHA-256 of the body, hex. */
  readonly bodyHash: string
}

export interface ClusterRole {
  isOwner(): boolean
  /** Resolves when this node has everything that was committed before the call. Rejects while it cannot know that. */
  barrier(): Promise<void>
  /** Returns null unless a node of the cluster signed the header for this request. */
  senderOf(header: string, method: string, path: string): Sender | null
  /**
   * Forwards a request to the owner and waits for one. Null when there was no owner in time, or its response was
   * lost.
   */
  passOn(request: NodeRequest, address: string): Promise<NodeAnswer | null>
}

/**
 * Response header of a node that received a forwarded request and does not own the log. Nothing was done, so the
 * sender may ask another node.
 */
export const NOT_OWNER = 'Cauri-Not-Owner'

/** Pages whose sessions or forms are kept in the memory of one process. */
const OWNER_PAGES = /^\/(?:operator|dev)(?:\/|$)/

/** Returns whether only the owner answers: writes, and pages with sessions in memory. */
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

/** Headers that are not forwarded: hop-by-hop headers, and those that the receiving node sets itself. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'proxy-connection', 'expect'],
  ...['host', 'content-length', 'x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'cauri-node'],
])

/** Returns the forwarded headers of a request or response, names and values in turn. */
export function passedOnHeaders(headers: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] as string
    if (!NOT_PASSED_ON.has(name.toLowerCase())) kept.push(name, headers[at + 1] as string)
  }
  return kept
}
