// Between two looks at a condition: who waits leaves the processor to what it waits for. Nothing is ever taken to be so
// because time has passed.

/** Short beside everything that a server does with a disk. */
const BETWEEN_LOOKS_MS = 5

export function lookAgain(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, BETWEEN_LOOKS_MS))
}

/** Resolves when the clock that servers go by has passed the time. */
export async function untilClock(timeMs: number): Promise<void> {
  while (Date.now() < timeMs) await lookAgain()
}
