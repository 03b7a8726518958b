// Simulated clusters by hand: `node --import tsx test/cluster/simulator/main.ts --seeds 1000 [--from 1]`. Exits with 1 when a seed fails.
import { parseArgs } from 'node:util'
import { clusterFailureText, runClusterSeeds } from './run-cluster-seeds.ts'

const { values } = parseArgs({ options: { seeds: { type: 'string', default: '100' }, from: { type: 'string', default: '1' } } })
const count = Number(values.seeds)
const from = Number(values.from)
if (!Number.isSafeInteger(count) || !Number.isSafeInteger(from) || count < 1) throw new Error('--seeds and --from are whole numbers')

const startedMs = performance.now()
const { figures, failures } = await runClusterSeeds(from, count)
for (const failure of failures) console.error(clusterFailureText(failure))
console.log(`${count} clusters, each twice, in ${((performance.now() - startedMs) / 1000).toFixed(1)} s: ${JSON.stringify(figures)}`)
process.exitCode = failures.length === 0 ? 0 : 1
