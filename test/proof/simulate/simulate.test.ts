// Short worlds of every noun. For thousands, and for every cell of the coverage: npm run simulate -- --seeds 10000 --coverage
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { describe, it } from 'node:test'
import { processEntry } from '../../../engine/kernel/script-entry.ts'
import { runJobs } from './jobs.ts'
import { failureText, runSeeds, runWorld, shrink, Total } from './run.ts'

const SEEDS = 40
/** Where a command is accepted in none of them, so many more run. */
const MORE_SEEDS = 20
const SEEDS_MAX = 200
/** Seeds that run twice. */
const TWICE = 4

describe('simulated worlds of every noun', () => {
  it(`${SEEDS} or more of them lose nothing, double nothing and add up under faults of disk, clock and network, with every command`, async () => {
    const total = new Total()
    total.add(await runJobs({ from: 1, count: SEEDS, twice: TWICE, jobs: 2 }))
    while (total.failures.length === 0 && total.coverage.emptyOfFew.length > 0 && total.seeds < SEEDS_MAX) {
      total.add(await runJobs({ from: total.seeds + 1, count: MORE_SEEDS, twice: 0, jobs: 2 }))
    }
    const { seeds, figures, coverage, failures } = total
    assert.deepEqual(
      failures.map(({ seed, error }) => `seed ${seed}: ${error instanceof Error ? error.stack : String(error)}`),
      [],
    )
    assert.ok(seeds >= SEEDS)
    for (const [what, count] of Object.entries(figures)) assert.ok(count >= 5, `${count} ${what} are too few for the figures`)
    assert.deepEqual(coverage.emptyOfFew, [], 'each command is accepted, replayed and restored')
  })
})

describe('a failing seed of the simulation', () => {
  const failing = ({ skipped }: { readonly skipped?: ReadonlySet<number> }) =>
    skipped?.has(3) === true || skipped?.has(7) === true ? runWorld({ seed: 1, operations: 0 }) : Promise.reject(new Error('a bug'))

  it('it is shrunk to the operations that it needs', async () => {
    assert.deepEqual(await shrink(1, failing, 10), [3, 7])
  })

  it('it is printed with its commit and the way to see it again', async () => {
    const text = await failureText({ seed: 7, error: new Error('a bug') }, failing)
    assert.match(text, /^seed 7 failed at commit \S+; again: npm run simulate -- --seed 7\nError: a bug/)
    assert.match(text, /--seed 7 --only [\d,]+/)
  })

  it('it is one whose two runs differ, too', async () => {
    let runs = 0
    const run = async () => ({ ...(await runWorld({ seed: 1, operations: 1 })), hash: String(runs++) })
    const { failures } = await runSeeds({ from: 1, count: 1, twice: 1, run })
    assert.match(String(failures[0]?.error), /differ: 0 and 1/)
  })

  it('it ends a run of many after a few of them', async () => {
    const { seeds, failures } = await runSeeds({ from: 1, count: 100, twice: 0, run: () => Promise.reject(new Error('a bug')) })
    assert.deepEqual([seeds, failures.length], [3, 3])
  })
})

describe('an interrupted run of the simulation', () => {
  it('it reports the seeds that it has run', async () => {
    const controller = new AbortController()
    const done = await runWorld({ seed: 1, operations: 0 })
    const run = ({ seed }: { readonly seed: number }) => {
      if (seed === 3) controller.abort()
      return Promise.resolve(done)
    }
    const { seeds } = await runSeeds({ from: 1, count: 100, twice: 0, run, signal: controller.signal })
    assert.equal(seeds, 3)
  })

  it('its processes end, and what they reported is kept', async () => {
    const controller = new AbortController()
    const options = { from: 11, count: 100_000, twice: 1, jobs: 2, signal: controller.signal, onReport: () => controller.abort() }
    const { seeds, figures, coverage, failures } = await runJobs(options)
    assert.deepEqual(failures, [])
    assert.ok(seeds > 0 && seeds < 100, `${seeds} seeds`)
    assert.equal(figures.operations, 1000 * seeds)
    assert.match(coverage.text, /\| CreateMerchant \| [1-9]/)
  })
})

it('the command runs the seeds of its arguments and prints what they covered', () => {
  const main = processEntry(new URL('./main.ts', import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [...main, '--from', '3', '--seeds', '2', '--twice', '0'], {
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  assert.match(stdout, /^\| command \| accepted \|/)
  assert.match(stdout, /\n2 seeds in \d+ s, \d+ operations\/s/)
  assert.equal(status, 0)
})
