// HTTP statuses of engine outcomes, for tests whose tables are written in statuses.
import type { Outcome } from '../../engine/actor/envelope.ts'
import { statusOf } from '../../http/server/outcome-status.ts'

/** 0 where there is no outcome yet. */
export function outcomeStatus(outcome: Pick<Outcome, 'kind'> | null | undefined): number {
  return outcome === null || outcome === undefined ? 0 : statusOf(outcome.kind)
}
