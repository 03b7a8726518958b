// Runs a test file in a process that it shares with others. It must never run two imports at once: of two, a file may be evaluated
// in the suite of the other one.
import { describe } from 'node:test'

const waiting: (() => void)[] = []
let isImporting = false

/** Runs the tests of the file in a suite of its own, so that its hooks do not run for another file. */
export function testFile(path: string, address: string): void {
  describe(path, async () => {
    await turn()
    try {
      await import(address)
    } finally {
      endTurn()
    }
  })
}

function turn(): Promise<void> {
  return new Promise((resolve) => {
    if (isImporting) waiting.push(resolve)
    else resolve()
    isImporting = true
  })
}

function endTurn(): void {
  const next = waiting.shift()
  if (next === undefined) isImporting = false
  else next()
}
