// @ts-check
// Starts a program of the house: `node http/start.js http/main.ts [arguments…]`, in this very process. What runs is the compiled
// form of the sources as they are now, made here when there is none. Plain JavaScript, because nothing is compiled before it.
import { relative, resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { refuseOtherVersions } from './start/node-version.js'

refuseOtherVersions()
// Imported by hand: what they import need not exist in a version that is refused.
const [{ ROOT }, { compiledForm, StartFailure }] = await Promise.all([import('./start/sources.js'), import('./start/versions.js')])

const USAGE = `node http/start.js <program.ts> [arguments…]   compiles the program when its sources have changed, and runs it
node http/start.js --compile <program.ts>      compiles it, for an image whose files cannot be written later
`

const args = process.argv.slice(2)
const isForLater = args[0] === '--compile'
if (isForLater) args.shift()
const [named] = args

if (named?.endsWith('.ts') !== true) {
  process.stderr.write(USAGE)
  process.exit(2)
}
const program = relative(ROOT, resolve(ROOT, named))

const file = await compiledForm([program]).then(
  (fileOf) => fileOf(program),
  (error) => {
    if (!(error instanceof StartFailure)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  },
)

if (!isForLater) {
  // The program sees its own path, as if Node had been started with it.
  process.argv.splice(1, 2, resolve(ROOT, program))
  // Stacks name the sources; reading the map costs a start some 10 ms.
  process.setSourceMapsEnabled(true)
  await import(pathToFileURL(file).href)
}
