// Runs a test file in a process that it shares with others. It must never load two files at once: of two, a file may be evaluated
// in the suite of the other one.
import { after, describe } from 'node:test'
import { atProcessEnd } from './process-end.ts'
import { countAssertions, noteTime, PROCESS_END } from './test-times.ts'

countAssertions()
// Registered first, so called last.
atProcessEnd(() => Promise.resolve(noteTime(PROCESS_END)))

/** Maximum time of one test file, on a machine that does ten times as much beside. */
const FILE_MAX_MS = 900_000

const waiting: (() => void)[] = []
let isLoading = false

/** Runs the tests of the file in a suite of its own, so that its hooks do not run for another file. */
export function testFile(path: string, load: () => Promise<unknown>): void {
  describe(path, { timeout: FILE_MAX_MS }, async () => {
    // What a file awaits while it loads (a compiler's process, a module's own threads) need not hold the loop, and with it the process.
    const held = setInterval(() => {}, FILE_MAX_MS)
    try {
      await turn()
      await load()
      // Behind the hooks of the file: servers that they end count.
      after(() => noteTime(path))
    } finally {
      clearInterval(held)
      endTurn()
    }
  })
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (isLoading) waiting.push(resolve)
    else resolve()
    isLoading = true
  })
}

function endTurn(): void {
  const next = waiting.shift()
  if (next === undefined) isLoading = false
  else next()
}
