// What test files of a process share ends with the process. Loaded before the files: hooks belong to the suite in which a module is
// evaluated first.
import { after } from 'node:test'

const closing: (() => Promise<void>)[] = []

/** Called once, after the tests of all files. */
export function atProcessEnd(close: () => Promise<void>): void {
  closing.push(close)
}

after(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
