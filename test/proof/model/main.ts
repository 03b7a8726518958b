// `npm run model`: the operator's rules against their model, over as many movements as asked. Prints how often each verdict occurred.
import { commandLine, wholeNumber } from '../../support/command-line.ts'
import { playedWorlds } from './played-worlds.ts'

const USAGE = `npm run model -- [options]
  --movements 1000000   movements, in worlds of 20 000
  --seed 1              seed of the first world; the next ones follow
Exit code 1: the engine and the model differ; the error names seed and movement.`

const values = commandLine(USAGE, { movements: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } })
const movements = wholeNumber('movements', values.movements, 1)
const seed = wholeNumber('seed', values.seed, 1)
const startMs = performance.now()
const seen = await playedWorlds(seed, movements)
for (const [what, count] of [...seen].sort()) console.log(`${what}: ${count}`)
console.log(`${movements} movements in ${Math.round((performance.now() - startMs) / 1000)} s: engine and model agree`)
