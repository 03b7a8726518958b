// An outcome as data: a body that is made when it leaves is no property of its own, so neither a comparison nor a clone sees it.
import type { Outcome } from '../../engine/api.ts'

export function plainOutcome(outcome: Outcome): Outcome {
  if (Object.hasOwn(outcome, 'body')) return outcome
  const { kind, body, lines, replayed } = outcome
  return { kind, body, ...(lines === undefined ? {} : { lines }), replayed }
}
