// How the rounds of an attack are judged.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AttackReport, delaysOf } from './run-attack.ts'
import { Samples } from './samples.ts'

/** Honest payouts took 10 ms before the attack, and so long beside it. */
function round(attackMs: number): AttackReport {
  const samples = new Samples('payout')
  for (let count = 0; count < 20; count++) {
    samples.took('baseline', 10)
    samples.took('attack', attackMs)
  }
  return { kinds: [samples.report()], figures: {}, processor: null }
}

test('a stall in one of three rounds is no delay, one in two of them is', () => {
  assert.deepEqual(delaysOf([round(12), round(300), round(15)]), [])
  assert.deepEqual(delaysOf([round(12), round(300), round(40)]), ['payout: 4.0 times as slow as before the attack'])
})

test('the p99 is the nearest rank: one stall in a hundred is above it', () => {
  const samples = new Samples('lookup')
  for (let value = 1; value <= 100; value++) samples.took('baseline', value)
  for (let value = 1; value <= 500; value++) samples.took('attack', value)
  const { count, baselineMs, attackMs } = samples.report()
  assert.deepEqual(
    { count, baselineMs, attackMs },
    {
      count: { baseline: 100, attack: 500 },
      baselineMs: { p50: 50, p99: 99 },
      attackMs: { p50: 250, p99: 495 },
    },
  )
})
