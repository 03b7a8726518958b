// Work of a handler that takes longer than its call: whatever goes wrong there ends in an answer, never in silence.
import type { Call } from './route.ts'

/** Runs the work; what it throws is a bug of ours, reported and answered as one. */
export function later(call: Pick<Call, 'fail'>, work: () => Promise<void>): void {
  work().catch((error: unknown) => call.fail(error))
}
