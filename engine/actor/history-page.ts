// What readers of history ask for and get: pages of events, and results of idempotency keys.
import type { IdempotencyEntry } from '../domain/record.ts'
import type { IndexKey } from '../kernel/index-key.ts'
import type { Position } from '../kernel/position.ts'
import type { TimeMs } from '../kernel/time.ts'
import type { AnyOf } from './index-cursor.ts'
import type { Hit } from './index-hit.ts'

export interface PageRequest {
  /** A hit has all of them; of several that stand together, at least one. */
  readonly indexKeys: readonly (IndexKey | AnyOf)[]
  readonly limit: number
  /** Returns records older than this position only; absent for the newest page. */
  readonly below?: Position
  /** Returns records from this position on; absent for all. */
  readonly from?: Position
  /** Inclusive lower bound. */
  readonly createdFromMs?: TimeMs
  /** Exclusive upper bound. */
  readonly createdToMs?: TimeMs
  /** True when the hit belongs to the index keys. Drops hash collisions. */
  readonly keep: (hit: Hit) => boolean
}

export interface Page {
  /** Sorted newest first. */
  readonly hits: readonly Hit[]
  /** Position where the next page starts; null at the end. */
  readonly next: Position | null
}

export interface StoredResult {
  readonly entry: IdempotencyEntry
  readonly body: string
  readonly sequence: number
}
