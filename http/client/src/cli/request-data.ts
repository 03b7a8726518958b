// The JSON of `--data`: as it is, of a file (`@FILE`), or of standard input (`-`).
import { readFileSync } from 'node:fs'
import { UsageError } from './command-errors.ts'

const STANDARD_INPUT = 0

export function readData(text: string): unknown {
  const source = text === '-' ? contentOf(STANDARD_INPUT) : text.startsWith('@') ? contentOf(text.slice(1)) : text
  try {
    return JSON.parse(source)
  } catch (error) {
    throw new UsageError(`--data is no JSON: ${(error as Error).message}`)
  }
}

function contentOf(place: string | number): string {
  try {
    return readFileSync(place, 'utf8')
  } catch (error) {
    throw new UsageError(`${place === STANDARD_INPUT ? 'standard input' : place} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}
