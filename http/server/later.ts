// Asynchronous work of a handler. An error in it must end in a response.
import type { Call } from './route.ts'

/** Runs the work. An error that it throws is a bug: reported, and answered with 500. */
export function later(call: Pick<Call, 'fail'>, work: () => Promise<void>): void {
  work().catch((error: unknown) => call.fail(error))
}
