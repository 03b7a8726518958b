// Which attempts of webhooks begin at once, and which take turns.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AttemptTurns } from '../../../../http/workers/webhooks/attempt-turns.ts'
import { AT_ONCE_MAX, AT_ONCE_WINDOW_MS } from '../../../../http/workers/webhooks/webhook-limits.ts'

function open() {
  const clock = { nowMs: 1000 }
  const waiting: number[] = []
  const turns = new AttemptTurns({ add: (owner) => waiting.push(Number(owner)) }, () => clock.nowMs)
  const begun: number[] = []
  const begin = (account: number): void => turns.begin(account, () => begun.push(account))
  return { clock, waiting, begun, begin }
}

test('the first attempt of an account begins at once, its others take turns', () => {
  const { waiting, begun, begin } = open()
  for (const account of [1, 1, 1, 2, 1]) begin(account)
  assert.deepEqual(
    [begun, waiting],
    [
      [1, 2],
      [1, 1, 1],
    ],
  )
})

test('an account that goes on takes turns in the next window too, and begins at once again after it', () => {
  const { clock, begun, begin } = open()
  const begunAt = (elapsedMs: number): number => {
    clock.nowMs = 1000 + elapsedMs
    begin(1)
    return begun.length
  }
  const counts = [0, AT_ONCE_WINDOW_MS - 1, AT_ONCE_WINDOW_MS, 2 * AT_ONCE_WINDOW_MS - 1, 2 * AT_ONCE_WINDOW_MS].map(begunAt)
  assert.deepEqual(counts, [1, 1, 1, 1, 2])
  assert.equal(begunAt(10 * AT_ONCE_WINDOW_MS), 3)
})

test('many accounts do not begin at once all together', () => {
  const { clock, waiting, begun, begin } = open()
  for (let account = 1; account <= 100; account++) begin(account)
  assert.deepEqual([begun.length, waiting.length], [AT_ONCE_MAX, 100 - AT_ONCE_MAX])
  clock.nowMs += AT_ONCE_WINDOW_MS
  begin(100)
  assert.equal(begun.length, AT_ONCE_MAX + 1)
})

test('each attempt of an account that has 25 a second begins at once beside one that sends without a pause', () => {
  const { clock, begun, begin } = open()
  for (; clock.nowMs < 2000; clock.nowMs++) {
    begin(1)
    if (clock.nowMs % 40 === 0) begin(2)
  }
  assert.equal(begun.filter((account) => account === 2).length, 25)
  assert.ok(begun.length - 25 <= 1000 / (2 * AT_ONCE_WINDOW_MS) + 1, 'the other one begins in every second window')
})
