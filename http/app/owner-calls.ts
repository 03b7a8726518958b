// Forwards requests to the owner of the log: seals them, waits while there is no owner, and sends a request again only
// where that is safe.

import type { NodeTrouble } from '../api/health/health-trouble.ts'
import type { NodeSeals, OpenedAnswer } from '../crypto/node-seal.ts'
import { type NodeAnswer, NodeCallError, type NodeCalls } from '../outbound/node-calls.ts'
import { BAD_SIGNATURE, type ForwardedRequest, NOT_OWNER } from '../server/cluster-role.ts'
import { FORWARDED_BYTES_MAX, FORWARDED_MAX, OWNER_PROBE_MAX_MS, OWNER_RETRY_MS, OWNER_WAIT_MS } from '../server/server-limits.ts'
import { OwnerProbe } from './owner-probe.ts'

/** The owner as this node knows it. */
export interface KnownOwner {
  readonly url: string
  readonly epoch: number
}

export interface OwnerCallsParts {
  readonly seals: Pick<NodeSeals, 'seal'>
  readonly calls: Pick<NodeCalls, 'call'>
  /** Null while no owner is known. */
  readonly owner: () => KnownOwner | null
  /** The owner could not open a request of this node. */
  readonly onBadSignature: () => void
  readonly waitMs?: number
  readonly forwardedMax?: number
  readonly retryMs?: number
}

/** A call that waits for its answer. */
interface Running extends KnownOwner {
  readonly abort: AbortController
}

/** `nothing-done`: the request may be sent again. `unknown`: it may have been executed. `owner-changed`: that, and there is another owner. */
type Failure = 'nothing-done' | 'unknown' | 'owner-changed'

/**
 * How forwarded requests ended: with an answer of the owner; without an owner in time; with a lost answer, whose request may have been
 * executed; or refused because too many are under way.
 */
export type ForwardOutcome = 'answered' | 'no_owner' | 'lost' | 'refused'

export class OwnerCalls {
  readonly outcomes: Record<ForwardOutcome, number> = { answered: 0, no_owner: 0, lost: 0, refused: 0 }
  readonly #parts: OwnerCallsParts
  readonly #running = new Set<Running>()
  /** Those that wait until they ask again. */
  readonly #waiting = new Set<() => void>()
  #watch: NodeJS.Timeout | null = null
  #count = 0
  #bytes = 0
  readonly #probe = new OwnerProbe()
  #isProbing = false

  constructor(parts: OwnerCallsParts) {
    this.#parts = parts
  }

  /** Number of requests that wait for an owner or for its answer. */
  get count(): number {
    return this.#count
  }

  /** Returns why requests do not reach the owner; null while they do, and shortly after they did. */
  get trouble(): NodeTrouble | null {
    return this.#probe.trouble
  }

  /** Sends the owner a request that shows nothing. Any answer to its signature shows that requests reach it. */
  async probe(): Promise<void> {
    const owner = this.#parts.owner()
    if (owner === null || this.#isProbing) return
    this.#isProbing = true
    try {
      const { refusal } = await this.#send(owner, PROBE, AbortSignal.timeout(OWNER_PROBE_MAX_MS))
      this.#probe.add(owner, refusal === BAD_SIGNATURE ? 'rejected' : 'reached')
    } catch (error) {
      if (!(error instanceof NodeCallError)) throw error
      this.#probe.add(owner, 'unreachable')
    } finally {
      this.#isProbing = false
    }
  }

  /** As `ClusterRole.passOn`. */
  async passOn(request: ForwardedRequest): Promise<NodeAnswer | null> {
    const { forwardedMax = FORWARDED_MAX } = this.#parts
    const sizeBytes = request.body.length
    if (this.#count >= forwardedMax || this.#bytes + sizeBytes > FORWARDED_BYTES_MAX) {
      this.outcomes.refused++
      return null
    }
    this.#count++
    this.#bytes += sizeBytes
    try {
      const answer = await this.#askUntilAnswered(request)
      this.outcomes[typeof answer === 'object' ? 'answered' : answer]++
      return typeof answer === 'object' ? answer : null
    } finally {
      this.#count--
      this.#bytes -= sizeBytes
    }
  }

  /** Call it when `owner` returns another owner: the requests that wait ask it now. */
  ownerChanged(): void {
    this.#endFormer()
    for (const wake of [...this.#waiting]) wake()
  }

  #pause(): Promise<void> {
    const { retryMs = OWNER_RETRY_MS } = this.#parts
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, retryMs)
      this.#waiting.add(wake)
    })
  }

  async #askUntilAnswered(request: ForwardedRequest): Promise<NodeAnswer | 'no_owner' | 'lost'> {
    const { waitMs = OWNER_WAIT_MS, owner } = this.#parts
    const endMs = performance.now() + waitMs
    for (;;) {
      const known = owner()
      const answer = known === null ? 'nothing-done' : await this.#ask(known, request)
      if (typeof answer === 'object') return answer
      if (answer !== 'nothing-done' && !request.isRepeatable) return 'lost'
      // A new owner is asked at once, also after the time: the old one may have been silent for longer.
      if (answer === 'owner-changed') continue
      if (performance.now() >= endMs) return answer === 'unknown' ? 'lost' : 'no_owner'
      await this.#pause()
    }
  }

  async #ask(owner: KnownOwner, request: ForwardedRequest): Promise<NodeAnswer | Failure> {
    const running: Running = { ...owner, abort: new AbortController() }
    this.#add(running)
    try {
      const { answer, refusal } = await this.#send(owner, request, running.abort.signal)
      return refusal === null ? answer : 'nothing-done'
    } catch (error) {
      if (!(error instanceof NodeCallError)) throw error
      if (!error.wasSent) return 'nothing-done'
      return running.abort.signal.aborted ? 'owner-changed' : 'unknown'
    } finally {
      this.#running.delete(running)
    }
  }

  /** Rejects with NodeCallError. `refusal`: the node has done nothing. */
  async #send(owner: KnownOwner, request: ForwardedRequest, signal: AbortSignal): Promise<{ answer: NodeAnswer; refusal: string | null }> {
    const { seals, calls, onBadSignature } = this.#parts
    const { method, path } = request
    const sealed = seals.seal(owner.url, { ...request, path: Buffer.from(path, 'latin1').toString('utf8') })
    const headers = ['Cauri-Node', sealed.header, 'Content-Type', 'application/octet-stream']
    const outer = await calls.call(owner.url, { method, path, headers, body: sealed.body }, signal)
    if (headerOf(outer, NOT_OWNER) === BAD_SIGNATURE) {
      onBadSignature()
      return { answer: outer, refusal: BAD_SIGNATURE }
    }
    const opened = sealed.open(headerOf(outer, 'Cauri-Node') ?? '', outer.body)
    if (opened === null) throw new NodeCallError(new Error('its answer was not sealed by a node of the cluster'))
    const answer = answerOf(opened)
    return { answer, refusal: headerOf(answer, NOT_OWNER) }
  }

  /** A stopped machine keeps its connections open, so a call to a former owner is ended from here. */
  #add(running: Running): void {
    this.#running.add(running)
    this.#watch ??= setInterval(() => this.#endFormer(), OWNER_RETRY_MS)
  }

  #endFormer(): void {
    const now = this.#parts.owner()
    for (const { epoch, abort } of this.#running) if (now !== null && now.epoch !== epoch) abort.abort()
    if (this.#running.size > 0 || this.#watch === null) return
    clearInterval(this.#watch)
    this.#watch = null
  }
}

/** A page that every node answers. */
const PROBE: ForwardedRequest = {
  ...{ method: 'HEAD', path: '/docs', headers: [], body: Buffer.alloc(0) },
  ...{ address: '127.0.0.1', isLocal: false, isRepeatable: true },
}

/** Reads the head as the node wrote it: `201 Created`, then a line for each header. */
function answerOf({ head, body }: OpenedAnswer): NodeAnswer {
  const [status = '', ...lines] = head.split('\r\n')
  const headers = lines.flatMap((line) => {
    const at = line.indexOf(': ')
    return [line.slice(0, at), line.slice(at + 2)]
  })
  return { status: Number.parseInt(status, 10), headers, body }
}

function headerOf({ headers }: NodeAnswer, wanted: string): string | null {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === wanted.toLowerCase())
  return at === -1 ? null : (headers[at + 1] ?? null)
}
