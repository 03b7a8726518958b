// Some simulated clusters. For thousands: node --import tsx test/proof/cluster/simulator/main.ts --seeds 1000
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { processEntry } from '../../../../engine/kernel/script-entry.ts'
import { clusterFailureText, runClusterSeeds } from './run-cluster-seeds.ts'

/** Nine seeds in which every fault happens. */
const FIRST_SEED = 8
const SEEDS = 9

describe('simulated clusters', () => {
  it(`${SEEDS} of them lose nothing, double nothing, have one owner per epoch and linearizable reads, and each run twice is the same`, async () => {
    const { figures, failures } = await runClusterSeeds(FIRST_SEED, SEEDS)
    assert.deepEqual(failures.map(clusterFailureText), [])
    for (const [what, count] of Object.entries(figures)) assert.ok(count >= 1, `${count} ${what} are too few for the figures`)
  })

  it('simulated clusters run by the command line with the seeds of its arguments', () => {
    const main = processEntry(new URL('./main.ts', import.meta.url))
    const { status, stdout, stderr } = spawnSync(process.execPath, [...main, '--from', '26', '--seeds', '1'], { encoding: 'utf8' })
    assert.equal(stderr, '')
    assert.match(stdout, /^1 clusters, each twice/)
    assert.equal(status, 0)
  })
})
