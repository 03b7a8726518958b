// Which runs are merged: neighbours only, and never so that runs of a size pile up behind a larger one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Run } from '../../../wal/archive/manifest.ts'
import { mergePauseMs, planMerge, sizeClass } from '../../../wal/archive/merge-plan.ts'
import { MERGE_FAN_IN, MERGE_PAUSE_MAX_MS, RUNS_MAX, RUNS_UNPAUSED } from '../../../wal/limits.ts'

const NONE: ReadonlySet<number> = new Set()
const [TINY, SMALL, LARGE] = [1_000, 10_000, 80_000]

test('runs of a size wait until there are enough of them', () => {
  assert.equal(planMerge(runsOf(Array(MERGE_FAN_IN - 1).fill(SMALL)), NONE), null)
  assert.equal(planMerge(runsOf(Array(MERGE_FAN_IN).fill(SMALL)), NONE)?.length, MERGE_FAN_IN)
})

test('a merge makes a run of the next size, however many wait', () => {
  const due = planMerge(runsOf(Array(5 * MERGE_FAN_IN).fill(SMALL)), NONE) ?? []
  const count = due.reduce((sum, run) => sum + run.count, 0)
  assert.equal(sizeClass(count), sizeClass(SMALL) + 1)
})

test('runs behind a larger one are merged too, each side by itself', () => {
  const side = Array<number>(MERGE_FAN_IN).fill(SMALL)
  const runs = runsOf([...side, LARGE, ...side])
  const older = planMerge(runs, NONE)
  assert.deepEqual(numbers(older), numbers(runs.slice(0, MERGE_FAN_IN)))
  assert.deepEqual(numbers(planMerge(runs, new Set(numbers(older)))), numbers(runs.slice(MERGE_FAN_IN + 1)))
})

test('smaller runs between larger ones go along with them', () => {
  const counts = Array.from({ length: MERGE_FAN_IN }, () => [TINY, LARGE]).flat()
  const runs = runsOf(counts)
  assert.deepEqual(numbers(planMerge(runs, NONE)), numbers(runs))
})

test('with nothing left to plan there are few runs, after any input', () => {
  let runs = runsOf([])
  for (let next = 1; next <= 20_000; next++) {
    runs = [...runs, runOf(next, next % 7 === 0 ? TINY : 60_000)]
    for (let due = planMerge(runs, NONE); due !== null; due = planMerge(runs, NONE)) {
      const at = runs.indexOf(due[0] as Run)
      const merged = runOf(
        due[0]?.number ?? 0,
        due.reduce((sum, run) => sum + run.count, 0),
      )
      runs = [...runs.slice(0, at), merged, ...runs.slice(at + due.length)]
    }
  }
  assert.ok(runs.length <= 7 * 7, `${runs.length} runs`)
})

test('a merge pauses three times as long as its step took, at most half a second, and not at all once runs pile up', () => {
  assert.equal(mergePauseMs(20, RUNS_UNPAUSED), 60)
  assert.equal(mergePauseMs(20, RUNS_UNPAUSED + 1), 0)
  assert.equal(mergePauseMs(60_000, RUNS_UNPAUSED), MERGE_PAUSE_MAX_MS)
  assert.ok(RUNS_UNPAUSED > 7 * 7, 'an index at rest has fewer runs')
  assert.ok(RUNS_UNPAUSED < RUNS_MAX, 'merges hurry before segments wait for them')
})

function runsOf(counts: readonly number[]): Run[] {
  return counts.map((count, index) => runOf(index + 1, count))
}

function runOf(number: number, count: number): Run {
  return { number, count, hashes: count, minPosition: number, digest: 0 }
}

function numbers(runs: readonly Run[] | null): number[] {
  return (runs ?? []).map((run) => run.number)
}
