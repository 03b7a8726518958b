// Whether requests of a follower reach the owner: a probe at an interval, like a forwarded request. Requests alone would show it too
// late, and a node without requests would never know.
import type { NodeTrouble } from '../api/health/health-trouble.ts'
import { OWNER_UNREACHABLE_MS } from '../server/server-limits.ts'

/** Result of one probe. `rejected`: the owner does not take the signature of this node. */
export type Reach = 'reached' | 'unreachable' | 'rejected'

export class OwnerProbe {
  readonly #nowMs: () => number
  #epoch = 0
  #failingSinceMs: number | null = null
  #last: Reach = 'reached'

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  add({ epoch }: { readonly epoch: number }, reach: Reach): void {
    // Another owner gets the whole time again.
    if (reach === 'reached' || this.#epoch !== epoch) this.#failingSinceMs = null
    if (reach !== 'reached') this.#failingSinceMs ??= this.#nowMs()
    this.#epoch = epoch
    this.#last = reach
  }

  /** Null while requests reach the owner, and for OWNER_UNREACHABLE_MS after they did: an owner that failed is replaced in that time. */
  get trouble(): NodeTrouble | null {
    if (this.#failingSinceMs === null) return null
    const measuredMs = this.#nowMs() - this.#failingSinceMs
    if (measuredMs < OWNER_UNREACHABLE_MS) return null
    return { code: this.#last === 'rejected' ? 'secret_rejected' : 'owner_unreachable', measuredMs }
  }
}
