// The cluster's part in a request: which node answers it, forwarding to the owner, and the proof that an answer of the owner needs. It
// must never answer by itself.
import { assert } from '../../engine/kernel/assert.ts'
import { SEAL_BYTES } from '../crypto/node-seal.ts'
import type { NodeAnswer } from '../outbound/node-calls.ts'
import { bodyBytesMaxOf, isOpenRule } from './body/body-limits.ts'
import { type ClusterRole, isForOwner, NOT_OWNER, needsBarrier } from './cluster-role.ts'
import { type ForwardedHead, forwardedHead, type KeptHead, targetOf } from './forwarding.ts'
import { headerLine } from './header-line.ts'
import { IncomingRequest } from './incoming-request.ts'
import type { RequestSource } from './request-source.ts'
import type { Answering, Core } from './server-context.ts'
import { PUBLIC_BODY_BYTES_MAX } from './server-limits.ts'

const NO_BYTES = Buffer.alloc(0)
const NO_PROOF = -1

/** A write that this owner answers. */
interface OwnedWrite {
  /** Number of proofs of the ownership that had begun when the request arrived; NO_PROOF for an answer that shows no state. */
  mark: number
  /** For a request of another node null: that node forwards it again. */
  readonly head: KeptHead | null
  /** Null until it has arrived. */
  body: Buffer | null
}

export abstract class ClusterRequest extends IncomingRequest {
  /** Header lines of every response: CORS; after the guards the rate limit, the key as it was read, what another node has to know. */
  protected lines = this.endpoint.isCrossOrigin ? this.server.crossOrigins.lines(this.requestHead.origin) : ''
  /** The request as it is forwarded to the owner, without its body; null when this node answers. */
  protected passing: ForwardedHead | null = null
  /** Set at the owner. The request is forwarded after all if the log is handed over before the engine took its command. */
  #owned: OwnedWrite | null = null
  #isBounded = false

  /** Takes the answer of the owner. Null when there was no owner in time, or its answer was lost. */
  protected abstract takeForwarded(answer: NodeAnswer | null): void

  /** Sends the answer that waited for a proof, or refuses the request when there is none. */
  protected abstract leaveProven(isProven: boolean): void

  /**
   * A public route takes a large body from callers with a session alone. Pages check the session when the body is
   * complete. The owner checks the session of a forwarded request, which may be newer than this node's state.
   */
  protected get bodyBytesMax(): number {
    const { route } = this.endpoint
    const maxBytes = bodyBytesMaxOf(route) + (this.sender === null ? 0 : SEAL_BYTES)
    if (this.passing !== null) return maxBytes
    return maxBytes > PUBLIC_BODY_BYTES_MAX && isOpenRule(route.auth) && !this.hasSession ? PUBLIC_BODY_BYTES_MAX : maxBytes
  }

  protected get hasSession(): boolean {
    const { core } = this.server
    return core !== null && typeof core.authenticator.authenticate('session', this.requestHead, this) !== 'string'
  }

  protected enterCluster(cluster: ClusterRole, source: RequestSource): void {
    const { endpoint, requestId, requestHead } = this
    const isFromNode = this.sender !== null || this.isForgedByNode
    const isWrite = isForOwner(endpoint)
    // A node that still recovers, or that has handed the log over, answers nothing from its state. A stream is not forwarded.
    const hasNoState = this.server.core === null || cluster.isFormerOwner()
    if (!isWrite && !(hasNoState && needsBarrier(endpoint) && endpoint.route.auth !== 'stream')) return
    const { route } = endpoint
    const head: KeptHead | null = isFromNode
      ? null
      : { method: source.getMethod(), target: targetOf(source), route, head: requestHead, requestId }
    if (cluster.isOwner()) this.#owned = { mark: cluster.mark(), head, body: null }
    else if (head !== null) this.passing = forwardedHead(head)
  }

  /** Bounds the time until the answer, from the first call on. The request is complete. */
  protected boundAnswer(request: Answering): void {
    if (this.#isBounded) return
    this.#isBounded = true
    const { answerDeadlines, readDeadlines, cluster } = this.server
    const { route } = this.endpoint
    answerDeadlines.add(request)
    const isRead = route.method === 'GET' && !isForOwner(this.endpoint) && needsBarrier(this.endpoint)
    if (isRead && this.sender === null && route.auth !== 'stream' && cluster?.isOwner() === true) readDeadlines.add(request)
  }

  /**
   * Asks a follower for the answer, whose state is durable. The answer that is there first counts: nothing that waits here was
   * acknowledged, so both are right.
   */
  readElsewhere(): void {
    const { cluster, core } = this.server
    const { endpoint, requestId, requestHead, target } = this
    if (cluster === null || core === null) return
    const method = endpoint.withoutBody ? 'HEAD' : 'GET'
    const head = forwardedHead({ method, target, route: endpoint.route, head: requestHead, requestId })
    const { remoteAddress: address, isLocal } = this
    cluster
      .readElsewhere({ ...head, body: NO_BYTES, address, isLocal })
      .then((answer) => (answer === null ? undefined : this.takeForwarded(answer)))
      .catch((error: unknown) => this.fail(error))
  }

  /** Drops what is kept for a handover: the native layer holds an answered request until the next one of its connection. */
  protected leaveCluster(request: Answering): void {
    this.#owned = null
    const { cluster, answerDeadlines, readDeadlines } = this.server
    if (cluster === null) return
    answerDeadlines.remove(request)
    readDeadlines.remove(request)
  }

  /** True when another node forwarded the request and this one is not the owner. */
  protected get isMisdirected(): boolean {
    return this.sender !== null && this.server.cluster?.isOwner() === false && isForOwner(this.endpoint)
  }

  /** True when the guards must wait for the barrier. A write at the owner does not: its answer waits for the proof. */
  protected get waitsForBarrier(): boolean {
    return this.#owned === null && !this.isForgedByNode && !this.isMisdirected && needsBarrier(this.endpoint)
  }

  protected prepareBehindBarrier(cluster: ClusterRole, { authenticator }: Core): Promise<unknown> {
    const prepare = (): Promise<unknown> | null => authenticator.prepare(this.endpoint.route.auth, this.requestHead)
    return cluster.barrier().then(prepare, () => this.refuse('unavailable'))
  }

  /** Forwards the request with its body where the owner has to answer it. Returns false when this node answers. */
  protected forwards(bytes: Buffer): boolean {
    if (this.passing !== null) this.#passOn(this.passing, Buffer.from(bytes))
    else if (this.#owned === null) return false
    else {
      // Copied because the native layer frees the memory.
      this.#owned.body = Buffer.from(bytes)
      return this.forwardsInstead()
    }
    return true
  }

  /**
   * Called instead of a refusal at a node that does not accept commands. Returns true when it hands the log over and forwards the
   * request. A request that another node forwarded goes back to it.
   */
  protected forwardsInstead(): boolean {
    if (this.#owned === null || this.server.cluster?.isOwner() !== false) return false
    const { head: kept, body } = this.#owned
    const head = kept === null ? null : forwardedHead(kept)
    if (this.hasSubmitted && head?.isRepeatable !== true) return false
    if (this.sender !== null) this.lines += headerLine(NOT_OWNER, '1')
    if (kept === null || head === null || body === null) return false
    // A submitted request has dropped its headers, which hold the caller's address.
    this.requestHead = kept.head
    this.#passOn(head, body)
    return true
  }

  /** Returns true while the answer of this owner needs a proof. Then `leaveProven` is called later. */
  protected awaitsProof(): boolean {
    const { cluster } = this.server
    const owned = this.#owned
    if (owned === null || cluster === null || owned.mark === NO_PROOF || cluster.isProven(owned.mark)) return false
    cluster.whenProven(owned.mark).then(
      () => this.leaveProven(true),
      () => {
        owned.mark = NO_PROOF
        this.leaveProven(false)
      },
    )
    return true
  }

  /** Called before a refusal that shows no state. */
  protected needsNoProof(): void {
    if (this.#owned !== null) this.#owned.mark = NO_PROOF
  }

  /** Returns the bytes that the caller sent; null when another node did not seal them for this request. */
  protected openBody(bytes: Buffer): Buffer | null {
    return this.sender === null ? bytes : this.sender.openBody(bytes)
  }

  #passOn(head: ForwardedHead, body: Buffer): void {
    const { cluster } = this.server
    assert(cluster !== null, 'a request is passed on in a cluster')
    this.#owned = null
    const { remoteAddress: address, isLocal } = this
    cluster
      .passOn({ ...head, body, address, isLocal })
      .then((answer) => this.takeForwarded(answer))
      .catch((error: unknown) => this.fail(error))
  }
}
