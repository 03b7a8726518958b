// The flags of V8 with which `npm start` runs the server: what is measured must run with them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const MANIFEST = join(import.meta.dirname, '..', '..', 'package.json')

/** Returns the words of the start script between `node` and its first `--import`. */
export function startFlags(): readonly string[] {
  const { scripts } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { readonly scripts: { readonly start: string } }
  const words = scripts.start.split(' ')
  return words.slice(1, words.indexOf('--import'))
}
