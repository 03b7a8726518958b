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
