// Some simulated clusters. For thousands: node --import tsx test/proof/cluster/simulator/main.ts --seeds 1000
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { processEntry } from '../../../../engine/kernel/script-entry.ts'
import { noClusterFigures } from './cluster-figures.ts'
import { clusterFailureText, runClusterSeeds } from './run-cluster-seeds.ts'

const FIRST_SEED = 8
const SEEDS = 9
/** So many more, until every fault has happened. */
const SEEDS_MAX = 45

describe('simulated clusters', () => {
  it(`${SEEDS} or more of them lose nothing, double nothing, have one owner per epoch and linearizable reads, and each run twice is the same`, async () => {
    const missing = new Set<string>(Object.keys(noClusterFigures()))
    for (let from = FIRST_SEED; missing.size > 0 && from < FIRST_SEED + SEEDS_MAX; from += SEEDS) {
      const { figures, failures } = await runClusterSeeds(from, SEEDS)
      assert.deepEqual(failures.map(clusterFailureText), [])
      for (const [what, count] of Object.entries(figures)) if (count > 0) missing.delete(what)
    }
    assert.deepEqual([...missing], [], 'faults that never happened')
  })

  it('simulated clusters run by the command line with the seeds of its arguments', () => {
    const main = processEntry(new URL('./main.ts', import.meta.url))
    const { status, stdout, stderr } = spawnSync(process.execPath, [...main, '--from', '26', '--seeds', '1'], { encoding: 'utf8' })
    assert.equal(stderr, '')
    assert.match(stdout, /^1 clusters, each twice/)
    assert.equal(status, 0)
  })
})
