// What the failed system calls of one run came to.

export interface FaultReport {
  cases: number
  /** By target, call and error. */
  readonly kinds: Record<string, number>
  /** Starts that the failure ended before they listened. */
  failedStarts: number
  /** Starts by HTTP threads. */
  readonly threads: Record<string, number>
  /** How the servers ended. */
  readonly ends: Record<string, number>
  acknowledged: number
  readings: number
  /** Payouts that failed with their commit, and were not there at the next start. */
  absent: number
  /** Acknowledged writes of the other writers, and how many kinds they were of. */
  mixed: number
  mixedKinds: number
  /** From the failed call to the end of the process. */
  slowestExitMs: number
  readonly faults: string[]
}

export function newFaultReport(): FaultReport {
  return {
    cases: 0,
    kinds: {},
    failedStarts: 0,
    threads: {},
    ends: {},
    acknowledged: 0,
    readings: 0,
    absent: 0,
    mixed: 0,
    mixedKinds: 0,
    slowestExitMs: 0,
    faults: [],
  }
}
