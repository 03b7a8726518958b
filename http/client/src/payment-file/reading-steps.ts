// Reading in steps of about a millisecond. A server runs each step in a turn of its event loop; other programs run all of them at once.

/** Yields between its steps. */
export type ReadingSteps<Result> = Generator<undefined, Result>

/** Bytes or characters that one step reads. */
export const STEP_LENGTH = 32 * 1024

export function allSteps<Result>(steps: ReadingSteps<Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}
