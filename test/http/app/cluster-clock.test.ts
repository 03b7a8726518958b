// The clock of a node in a cluster: within a bound of PostgreSQL's, however the clock of the machine is set.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterClock } from '../../../http/app/cluster-clock.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2026, 10, 27)

function clockOf(aheadMs: number) {
  const machine = { aheadMs, passedMs: 0 }
  const time = { nowMs: () => START_MS + machine.aheadMs + machine.passedMs, runningMs: () => 500 + machine.passedMs }
  const clock = new ClusterClock({ serverMs: START_MS, sentMs: 400, receivedMs: 600 }, time)
  return {
    clock,
    machine,
    reading: (serverMs: number, tookMs: number) => ({ serverMs, sentMs: time.runningMs() - tookMs, receivedMs: time.runningMs() }),
  }
}

describe('the clock of a node in a cluster', () => {
  const rows: readonly [aheadMs: number, shownMs: number, isSuspect: boolean, isWrong: boolean][] = [
    [0, 0, false, false],
    [1900, 1900, false, false],
    [-2100, -2100, true, false],
    [9000, 9000, true, false],
    [4 * HOUR_MS, 10_000, true, true],
    [-4 * HOUR_MS, -10_000, true, true],
  ]
  for (const [aheadMs, shownMs, isSuspect, isWrong] of rows) {
    it(`the clock of a node in a cluster shows ${shownMs} ms on a machine that differs by ${aheadMs} ms`, () => {
      const { clock } = clockOf(aheadMs)
      assert.deepEqual([clock.now() - START_MS, clock.isSuspect, clock.isWrong], [shownMs, isSuspect, isWrong])
    })
  }

  it('the clock of a node in a cluster is bounded at once when the clock of its machine is set', () => {
    const { clock, machine } = clockOf(0)
    machine.passedMs = 60_000
    machine.aheadMs = 4 * HOUR_MS
    assert.deepEqual([clock.now() - START_MS, clock.isWrong, clock.differenceMs], [70_000, true, 4 * HOUR_MS])
  })

  it('the clock of a node in a cluster follows PostgreSQL after a failover, and takes no reading that took long', () => {
    const { clock, reading } = clockOf(0)
    clock.measure(reading(START_MS + HOUR_MS, 1001))
    assert.equal(clock.differenceMs, 0)
    clock.measure(reading(START_MS - 5000, 0))
    assert.equal(clock.differenceMs, 5000)
  })
})
