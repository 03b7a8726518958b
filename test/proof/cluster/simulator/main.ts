// Simulated clusters by hand: `node --import tsx test/proof/cluster/simulator/main.ts --seeds 1000 [--from 1]`. Exits with 1 when a seed fails.
import { commandLine, wholeNumber } from '../../../support/command-line.ts'
import { numbersOf, writeProofResult } from '../../../support/proof-result.ts'
import { clusterFailureText, runClusterSeeds } from './run-cluster-seeds.ts'

const USAGE = `node --import tsx test/proof/cluster/simulator/main.ts [--seeds 100] [--from 1]
  --seeds K     simulates K clusters
  --from N      begins at seed N
Exit code 1: a seed failed.`

const values = commandLine(USAGE, { seeds: { type: 'string', default: '100' }, from: { type: 'string', default: '1' } })
const count = wholeNumber('seeds', values.seeds, 1)
const from = wholeNumber('from', values.from)

const startedMs = performance.now()
const { figures, failures } = await runClusterSeeds(from, count)
for (const failure of failures) console.error(clusterFailureText(failure))
console.log(`${count} clusters, each twice, in ${((performance.now() - startedMs) / 1000).toFixed(1)} s: ${JSON.stringify(figures)}`)
writeProofResult('cluster simulator', { ...numbersOf(figures), clusters: count, from, 'failed seeds': failures.length })
process.exitCode = failures.length === 0 ? 0 : 1
