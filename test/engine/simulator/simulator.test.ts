// A few short worlds of payouts, charges and bills with a model that works out each answer; test/simulate covers every noun, and this
// model serves the simulated clusters too. For thousands: node --import tsx test/engine/simulator/main.ts --seeds 5000
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { processEntry } from '../../../engine/kernel/script-entry.ts'
import { failureText, runSeeds, runWorld } from './run-seeds.ts'

const SEEDS = 40

describe('simulated worlds', () => {
  it(`${SEEDS} of them lose nothing, double nothing and add up, and each run twice is the same`, async () => {
    const { worlds, figures, failures } = await runSeeds(1, SEEDS)
    assert.deepEqual(failures.map(failureText), [])
    assert.equal(worlds, SEEDS)
    for (const [what, count] of Object.entries(figures)) assert.ok(count >= 5, `${count} ${what} are too few for the figures`)
  })
})

describe('a failing seed', () => {
  it('a failing seed is printed with the way to see it again', async () => {
    const { failures, worlds } = await runSeeds(5, 4, (seed) => (seed === 7 ? Promise.reject(new Error('a bug')) : runWorld(seed)))
    assert.equal(worlds, 4)
    assert.equal(failures.length, 1)
    assert.match(failureText(failures[0] ?? { seed: 0, error: null }), /^seed 7 failed; again: .*main\.ts --from 7 --seeds 1\nError: a bug/)
  })

  it('a failing seed is one whose two runs differ, too', async () => {
    let runs = 0
    const { failures } = await runSeeds(1, 1, async (seed) => ({ ...(await runWorld(seed)), hash: String(runs++) }))
    assert.match(failureText(failures[0] ?? { seed: 0, error: null }), /differ: 0 and 1/)
  })

  it('a failing seed ends a run of many after a few of them', async () => {
    const { worlds, failures } = await runSeeds(1, 100, () => Promise.reject(new Error('a bug')))
    assert.deepEqual([worlds, failures.length], [3, 3])
  })
})

it('the command line runs the seeds of its arguments', () => {
  const main = processEntry(new URL('./main.ts', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [...main, '--from', '40', '--seeds', '2'], {
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  assert.match(stdout, /^2 worlds, each twice/)
  assert.equal(status, 0)
})
