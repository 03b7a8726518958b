// The event loop behind the engine's port.
import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { loopScheduler, schedulerOn } from '../../../http/app/scheduler.ts'

describe('the scheduler', () => {
  it('soon() runs a job after what is running and its promises, in order', async () => {
    const order: string[] = []
    loopScheduler.soon(() => order.push('first'))
    loopScheduler.soon(() => order.push('second'))
    order.push('now')
    await Promise.resolve()
    order.push('promise')
    await new Promise<void>((resolve) => loopScheduler.soon(resolve))
    assert.deepEqual(order, ['now', 'promise', 'first', 'second'])
  })

  it('at() runs a job once at its time, at once when it is past, never when it was cancelled', () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000 })
    try {
      const fired: string[] = []
      loopScheduler.at(1_000_050, () => fired.push('later'))
      loopScheduler.at(1_000_010, () => fired.push('sooner'))
      loopScheduler.at(999_000, () => fired.push('past'))
      loopScheduler.at(1_000_020, () => fired.push('taken back'))()
      mock.timers.tick(1)
      assert.deepEqual(fired, ['past'])
      mock.timers.tick(100)
      assert.deepEqual(fired, ['past', 'sooner', 'later'])
      mock.timers.tick(1000)
      assert.equal(fired.length, 3)
    } finally {
      mock.timers.reset()
    }
  })

  it('at() waits for a time far away, and the job can be cancelled until then', () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
    try {
      const hourMs = 3_600_000
      let fired = 0
      const takeBack = loopScheduler.at(hourMs, () => fired++)
      loopScheduler.at(hourMs, () => fired++)
      mock.timers.tick(hourMs - 1)
      assert.equal(fired, 0)
      takeBack()
      mock.timers.tick(1)
      assert.equal(fired, 1, 'the one that was not taken back')
    } finally {
      mock.timers.reset()
    }
  })

  const HOUR_MS = 3_600_000
  for (const [change, byMs, thenMs] of [
    ['forward beyond it', 2 * HOUR_MS, 1000],
    ['forward, not as far', HOUR_MS / 2, HOUR_MS / 2],
    ['back', -24 * HOUR_MS, HOUR_MS],
    ['not at all', 0, HOUR_MS],
  ] as const) {
    it(`at() an hour away, with the clock set ${change}, runs within a second of ${thenMs} ms`, () => {
      mock.timers.enable({ apis: ['setTimeout'] })
      try {
        let runningMs = 0
        let setMs = 0
        let fired = 0
        const scheduler = schedulerOn({ nowMs: () => 1_000_000 + runningMs + setMs, runningMs: () => runningMs })
        scheduler.at(1_000_000 + HOUR_MS, () => fired++)
        setMs = byMs
        const pass = (ms: number): void => {
          for (let passed = 0; passed < ms; passed += 100) {
            runningMs += 100
            mock.timers.tick(100)
          }
        }
        pass(thenMs - 1000)
        assert.equal(fired, 0)
        pass(2000)
        assert.equal(fired, 1)
        pass(HOUR_MS)
        assert.equal(fired, 1)
      } finally {
        mock.timers.reset()
      }
    })
  }
})
