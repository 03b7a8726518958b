// The window of message numbers: each passes once, in any order, and numbers behind the window do not pass.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ReplayWindow, WINDOW_NUMBERS } from '../../../http/crypto/replay-window.ts'
import { Prng } from '../../support/prng.ts'

describe('the replay window', () => {
  test('a number passes once', () => {
    const window = new ReplayWindow()
    for (const number of [1, 2, 5, 3, 33, 32, 31, 4]) assert.equal(window.take(number), true, String(number))
    for (const number of [1, 2, 5, 3, 33, 32, 31, 4]) assert.equal(window.take(number), false, String(number))
  })

  test('a number behind the window does not pass, and one at its end does', () => {
    const window = new ReplayWindow()
    assert.equal(window.take(WINDOW_NUMBERS + 10), true)
    assert.equal(window.take(10), false)
    assert.equal(window.take(11), true)
    assert.equal(window.take(11), false)
  })

  test('a jump beyond the window forgets all places', () => {
    const window = new ReplayWindow()
    assert.equal(window.take(7), true)
    assert.equal(window.take(7 + 3 * WINDOW_NUMBERS), true)
    assert.equal(window.take(6 + 3 * WINDOW_NUMBERS), true)
    assert.equal(window.take(7 + 3 * WINDOW_NUMBERS), false)
  })

  test('what is no positive integer does not pass', () => {
    const window = new ReplayWindow()
    for (const number of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60])
      assert.equal(window.take(number), false, String(number))
  })

  test('random numbers near the newest pass exactly once', () => {
    const prng = new Prng(3)
    const window = new ReplayWindow()
    const seen = new Set<number>()
    let highest = 1
    for (let round = 0; round < 20_000; round++) {
      const number = Math.max(1, highest - 500 + prng.below(1_000))
      highest = Math.max(highest, number)
      assert.equal(window.take(number), !seen.has(number), String(number))
      seen.add(number)
    }
  })
})
