// The flags of V8 and the variables with which `npm start` runs the server: what is measured must run with them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const MANIFEST = join(import.meta.dirname, '..', '..', 'package.json')

/** Returns the words of the start script between `node` and its first `--import`. */
export function startFlags(): readonly string[] {
  const words = startWords()
  return words.slice(words.indexOf('node') + 1, words.indexOf('--import'))
}

/** Returns the variables that the start script sets before `node`. */
export function startVariables(): Readonly<Record<string, string>> {
  const words = startWords()
  return Object.fromEntries(words.slice(0, words.indexOf('node')).map((word) => word.split(/=(.*)/s).slice(0, 2) as [string, string]))
}

function startWords(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { readonly scripts: { readonly start: string } }
  return scripts.start.split(' ')
}
