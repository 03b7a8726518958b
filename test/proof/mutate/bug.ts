// A bug that `npm run mutate` plants: one text of one file is replaced, and at least one of the named test files must fail.

export interface PlantedBug {
  /** What the bug does, as a sentence without a full stop. */
  readonly name: string
  readonly file: string
  /** Occurs in the file exactly once. */
  readonly from: string
  readonly to: string
  /** Test files in the order in which they run. */
  readonly tests: readonly string[]
  /** The bug makes a test loop without an end: a test that does not end in time has caught it. */
  readonly hangs?: boolean
}
