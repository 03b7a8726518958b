// Warnings of a node in a cluster to its log, each kind at most once in its interval, with what to check.
import { BAD_SIGNATURE_WARNING_MS, NO_OWNER_WARN_MS, NODE_WARN_MS } from '../server/server-limits.ts'
import type { ClusterClock } from './cluster-clock.ts'
import type { Logger } from './logging.ts'

const INTERVALS_MS = { clock: NODE_WARN_MS, requests: NO_OWNER_WARN_MS, signature: BAD_SIGNATURE_WARNING_MS } as const

export class ClusterWarnings {
  readonly #logger: Pick<Logger, 'warn'>
  readonly #owner: () => string | null
  readonly #warnedMs = new Map<keyof typeof INTERVALS_MS, number>()

  /** `owner` is the name in the owner row. */
  constructor(logger: Pick<Logger, 'warn'>, owner: () => string | null) {
    this.#logger = logger
    this.#owner = owner
  }

  badSignature(): void {
    this.#warn('signature', {}, 'the owner rejected the requests of this node: compare CLUSTER_SECRET and NODE_URL of both nodes')
  }

  readRefused(error: unknown): void {
    const text = 'Reads get 503: PostgreSQL did not answer in time which batch is the last one. Check that it takes connections.'
    this.#warn('requests', { err: error }, text)
  }

  writeRefused(waitedMs: number): void {
    const text = `A write got 503 after ${Math.round(waitedMs)} ms: no owner of the log answered. /operator/cluster shows the nodes and PostgreSQL.`
    this.#warn('requests', {}, text)
  }

  suspectClock(clock: ClusterClock): void {
    this.#warn('clock', { difference_ms: Math.round(clock.differenceMs) }, clockText(clock))
  }

  #warn(kind: keyof typeof INTERVALS_MS, fields: object, text: string): void {
    const nowMs = performance.now()
    if (nowMs - (this.#warnedMs.get(kind) ?? Number.NEGATIVE_INFINITY) < INTERVALS_MS[kind]) return
    this.#warnedMs.set(kind, nowMs)
    this.#logger.warn({ owner: this.#owner(), ...fields }, text)
  }
}

export function clockText(clock: ClusterClock): string {
  const what = clock.isWrong ? 'it is beyond 10 s, so this node does not own the log' : 'beyond 10 s this node does not own the log'
  return `The clock of this machine differs from PostgreSQL's by ${Math.round(clock.differenceMs)} ms; ${what}. Check its time synchronization.`
}
