// The simulator by hand: `node --import tsx test/engine/simulator/main.ts --seeds 5000 [--from 1]`. Exits with 1 when a seed fails.
import { commandLine, wholeNumber } from '../../support/command-line.ts'
import { failureText, runSeeds } from './run-seeds.ts'

const USAGE = `node --import tsx test/engine/simulator/main.ts [--seeds 1000] [--from 1]
  --seeds K     simulates K worlds
  --from N      begins at seed N
Exit code 1: a seed failed.`

const values = commandLine(USAGE, { seeds: { type: 'string', default: '1000' }, from: { type: 'string', default: '1' } })
const count = wholeNumber('seeds', values.seeds, 1)
const from = wholeNumber('from', values.from)

const startedMs = performance.now()
const { worlds, figures, failures } = await runSeeds(from, count)
for (const failure of failures) console.error(failureText(failure))
console.log(`${worlds} worlds, each twice, in ${Math.round((performance.now() - startedMs) / 1000)} s: ${JSON.stringify(figures)}`)
process.exitCode = failures.length === 0 ? 0 : 1
