// Some simulated clusters. For thousands: node --import tsx test/cluster/simulator/main.ts --seeds 1000
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clusterFailureText, runClusterSeeds } from './run-cluster-seeds.ts'

const SEEDS = 9

describe('simulated clusters', () => {
  it(`${SEEDS} of them lose nothing, double nothing, have one owner per epoch and linearizable reads, and each run twice is the same`, async () => {
    const { figures, failures } = await runClusterSeeds(1, SEEDS)
    assert.deepEqual(failures.map(clusterFailureText), [])
    for (const [what, count] of Object.entries(figures)) assert.ok(count >= 1, `${count} ${what} are too few for the figures`)
  })
})
