// The event loop behind the engine's port.
import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { loopScheduler } from '../../http/scheduler.ts'

describe('the scheduler', () => {
  it('soon: after what is running and its promises, in order', async () => {
    const order: string[] = []
    loopScheduler.soon(() => order.push('first'))
    loopScheduler.soon(() => order.push('second'))
    order.push('now')
    await Promise.resolve()
    order.push('promise')
    await new Promise<void>((resolve) => loopScheduler.soon(resolve))
    assert.deepEqual(order, ['now', 'promise', 'first', 'second'])
  })

  it('at: once at its time, at once when it is past, never when it was taken back', () => {
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

  it('at: a year away is a year away, though timers count in 32 bits', () => {
    mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 0 })
    try {
      const yearMs = 365 * 24 * 3600 * 1000
      let fired = 0
      const takeBack = loopScheduler.at(yearMs, () => fired++)
      loopScheduler.at(yearMs, () => fired++)
      mock.timers.tick(yearMs - 1)
      assert.equal(fired, 0)
      takeBack()
      mock.timers.tick(1)
      assert.equal(fired, 1, 'the one that was not taken back')
    } finally {
      mock.timers.reset()
    }
  })
})
