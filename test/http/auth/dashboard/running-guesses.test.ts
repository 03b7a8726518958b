// Guesses without a result yet: each counts once, also between its turn and its flush.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RunningGuesses } from '../../../../http/auth/dashboard/running-guesses.ts'

test('a guess that is counted but not durable yet is not counted a second time', () => {
  const guesses = new RunningGuesses()
  const [first, second, third] = [guesses.begin('key'), guesses.begin('key'), guesses.begin('key')]
  assert.deepEqual([guesses.uncounted('key', 0), guesses.uncounted('other', 0)], [3, 0])
  guesses.markWrong('key', first, 0)
  guesses.markWrong('key', second, 0)
  assert.equal(guesses.uncounted('key', 0), 3, 'neither had its turn')
  assert.equal(guesses.uncounted('key', 1), 2, 'the first had its turn')
  assert.equal(guesses.uncounted('key', 2), 1, 'both had their turn, and neither is durable')
  guesses.end('key', first)
  guesses.markWrong('key', third, 2)
  assert.deepEqual([guesses.uncounted('key', 2), guesses.uncounted('key', 3)], [1, 0])
  guesses.end('key', second)
  guesses.end('key', third)
  assert.equal(guesses.uncounted('key', 0), 0)
})
