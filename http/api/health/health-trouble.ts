// Reasons why `/healthz` answers 503, each with what was measured.
import type { Because } from '../../../engine/contract/reasons.ts'

export type Trouble =
  | 'recovering'
  | 'stopping'
  | 'disk_full'
  | 'log_stopped'
  | 'lagging'
  | 'log_unreadable'
  | 'append_waits'
  | NodeTroubleCode

/** Reasons of a node in a cluster. */
export type NodeTroubleCode = 'clock_wrong' | 'postgres_away' | 'postgres_waits' | 'owner_unreachable' | 'secret_rejected'

export interface NodeTrouble {
  readonly code: NodeTroubleCode
  readonly measuredMs: number
}

const MEASURED: ReadonlySet<string> = new Set<Trouble>([
  ...(['lagging', 'append_waits', 'clock_wrong', 'postgres_away', 'postgres_waits', 'owner_unreachable', 'secret_rejected'] as const),
])

/** Returns the reason of the answer. `measuredMs` is the lag or the wait. */
export function troubleReason(trouble: Trouble, measuredMs = 0): Because {
  return MEASURED.has(trouble) ? { reason: trouble, values: { seconds: Math.floor(measuredMs / 1000) } } : { reason: trouble }
}
