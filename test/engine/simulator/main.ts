// The simulator by hand: `node --import tsx test/engine/simulator/main.ts --seeds 5000 [--from 1]`. Exits with 1 when a seed fails.
import { parseArgs } from 'node:util'
import { failureText, runSeeds } from './run-seeds.ts'

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '1000' }, from: { type: 'string', default: '1' } } })
const count = Number(values.seeds)
const from = Number(values.from)
if (!Number.isSafeInteger(count) || !Number.isSafeInteger(from) || count < 1) throw new Error('--seeds and --from are whole numbers')

const startedMs = performance.now()
const { worlds, figures, failures } = await runSeeds(from, count)
for (const failure of failures) console.error(failureText(failure))
console.log(`${worlds} worlds, each twice, in ${Math.round((performance.now() - startedMs) / 1000)} s: ${JSON.stringify(figures)}`)
process.exitCode = failures.length === 0 ? 0 : 1
