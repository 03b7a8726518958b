// Waits for a condition that takes a question to another process to know.
import { Patience } from './patience.ts'

const PATIENCE_MS = 30_000
const PAUSE_MS = 10

export async function eventuallyAsync(condition: () => Promise<boolean>, what: string): Promise<void> {
  const patience = new Patience(PATIENCE_MS)
  while (!(await condition())) {
    if (patience.isOver) throw new Error(`waited ${PATIENCE_MS} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
