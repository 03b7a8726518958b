// The simulator finds each planted bug of the protocol within few seeds.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { scratchFolder } from '../../../support/scratch-folder.ts'
import { PLANTED_BUGS } from '../planted-bugs.ts'
import type { Fault } from './cluster-faults.ts'
import { ClusterWorld as Original } from './cluster-world.ts'
import { plantedCluster } from './planted-cluster.ts'

const SEEDS_MAX = 40

/** The faults that can show each bug. */
const FAULTS: Readonly<Record<string, readonly Fault[]>> = {
  'no epoch check': ['node frozen'],
  'read without barrier': ['node killed'],
  'acknowledgement before the standby': ['standby stopped', 'primary killed and standby promoted'],
  'read-back without the further commit': ['standby stopped', 'waiting commits cancelled'],
}

describe('a simulated cluster with a planted bug', () => {
  for (const bug of PLANTED_BUGS) {
    it(`is found within ${SEEDS_MAX} seeds, and only with the bug: ${bug.name}`, async (test) => {
      const faults = FAULTS[bug.name]
      assert.ok(faults !== undefined, 'the bug has its faults')
      const { ClusterWorld } = await plantedCluster(bug, scratchFolder(test))
      for (let seed = 1; seed <= SEEDS_MAX; seed++) {
        const found = await new ClusterWorld(seed, { faults }).run().then(
          () => null,
          (error: Error) => error,
        )
        if (found === null) continue
        await new Original(seed, { faults }).run()
        test.diagnostic(`seed ${seed}: ${found.message.split('\n')[0]}`)
        return
      }
      assert.fail('no seed found it')
    })
  }
})
