// The cluster as the request pipeline sees it: which node answers a request, the read barrier, and forwarding. Absent
// where the log belongs to this process.
import type { OpenedRequest } from '../crypto/node-seal.ts'
import type { NodeAnswer, NodeRequest } from '../outbound/node-calls.ts'
import type { RouteShape } from './route.ts'

/** Origin of a request that another node of the cluster forwarded, as it sealed it. */
export type Sender = OpenedRequest

/** A request for the owner. */
export interface ForwardedRequest extends NodeRequest, Pick<Sender, 'address' | 'isLocal'> {
  /** Path with query: the bytes of the caller as Latin-1 text. */
  readonly path: string
  /** True when it may be sent again although the first one may have been executed: it has a key, or it only reads. */
  readonly isRepeatable: boolean
}

export interface ClusterRole {
  /** False from the start of a handover on. */
  isOwner(): boolean
  /** True when this node has handed the log over: it does not follow the new owner and answers no read. */
  isFormerOwner(): boolean
  /** Returns the number of proofs of the ownership that have begun. An answer of the owner needs one that begins later. */
  mark(): number
  isProven(mark: number): boolean
  /** Resolves when `isProven`. Rejects when this node cannot prove that it owns the log. */
  whenProven(mark: number): Promise<void>
  /** Resolves when this node has everything that was committed before the call. Rejects while it cannot know that. */
  barrier(): Promise<void>
  /** Returns null unless a node of the cluster sealed the header for this request, and it comes for the first time. */
  senderOf(header: string, method: string, path: string): Sender | null
  /**
   * Forwards a request to the owner and waits for one. Null when there was no owner in time, too many requests are under way, or
   * the answer was lost.
   */
  passOn(request: ForwardedRequest): Promise<NodeAnswer | null>
  /** Asks a follower for a read that this owner cannot answer yet. Null when no follower answered in time. */
  readElsewhere(request: ForwardedRequest): Promise<NodeAnswer | null>
}

/**
 * Response header of a node that received a forwarded request and did nothing: it does not own the log, or the request was not sealed for it.
 * The sender may ask again.
 */
export const NOT_OWNER = 'Cauri-Not-Owner'
/** Its value when the request was not sealed for it. Such an answer is not sealed either. */
export const BAD_SIGNATURE = 'signature'

/** Pages that show what the memory of the owner holds. */
const OWNER_PAGES = /^\/dev(?:\/|$)/

type Addressed = { readonly route: Pick<RouteShape, 'path' | 'method' | 'atEveryNode'>; readonly alwaysOpen: boolean }

/** Returns whether only the owner answers: writes, and pages of its memory. */
export function isForOwner({ route, alwaysOpen }: Addressed): boolean {
  if (alwaysOpen || route.path === '' || route.atEveryNode === true) return false
  return route.method !== 'GET' || OWNER_PAGES.test(route.path)
}

/** Returns whether an answer must wait until this node has everything that was committed before. */
export function needsBarrier({ route, alwaysOpen }: Addressed): boolean {
  return !alwaysOpen && route.atEveryNode !== true
}

/** Headers that are not forwarded: hop-by-hop headers, and those that the receiving node sets itself. */
const NOT_PASSED_ON: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade', 'proxy-connection', 'expect'],
  ...['content-length', 'x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'cauri-node', 'date'],
])
/** Token of RFC 9110. A header with another name cannot be written, and no route reads one. */
const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const NON_ASCII = /[^ -~\t]/
const CONTROLS = /[\0-\x08\x0a-\x1f\x7f]/g

/**
 * Returns the forwarded headers of a request or response, names and values in turn. Values are UTF-8 as Latin-1 text, which the
 * client writes byte for byte.
 */
export function passedOnHeaders(headers: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] as string
    if (!NOT_PASSED_ON.has(name.toLowerCase()) && NAME.test(name)) kept.push(name, writable(headers[at + 1] as string))
  }
  return kept
}

/** A control character becomes an invalid byte, so that the owner rejects the value as this node would. */
function writable(value: string): string {
  return NON_ASCII.test(value) ? Buffer.from(value, 'utf8').toString('latin1').replaceAll(CONTROLS, '\x80') : value
}
