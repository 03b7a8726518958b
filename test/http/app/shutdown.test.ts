// The end of the process: in order, forced by a second signal, forced by time, and never without an end.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it, mock } from 'node:test'
import { createLogger } from '../../../http/app/logging.ts'
import { type SignalStop, stopOnSignals } from '../../../http/app/shutdown.ts'
import { REPEATED_SIGNAL_MS, SHUTDOWN_MAX_MS } from '../../../http/server/server-limits.ts'

interface Rig {
  readonly exits: number[]
  readonly lines: string[]
  closes: number
  nowMs: number
  finish(): void
  fail(error: Error): void
}

const HARMLESS = new Error('the index was not stored')

let rig: Rig
let stop: SignalStop

beforeEach(() => {
  mock.timers.enable({ apis: ['setTimeout'] })
  const lines: string[] = []
  const exits: number[] = []
  const made: Rig = { exits, lines, closes: 0, nowMs: 0, finish: () => {}, fail: () => {} }
  const close = (): Promise<void> => {
    made.closes++
    return new Promise((resolve, reject) => {
      made.finish = resolve
      made.fail = reject
    })
  }
  const logger = createLogger('info', { write: (line) => lines.push(line) })
  const isHarmless = (error: unknown): boolean => error === HARMLESS
  stop = stopOnSignals({ close, logger, exit: (code) => exits.push(code), isHarmless, nowMs: () => made.nowMs })
  rig = made
})

afterEach(() => {
  stop.giveBack()
  mock.timers.reset()
})

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('signals', () => {
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`${signal}: closes, then exits with 0`, async () => {
      process.emit(signal)
      assert.deepEqual([rig.closes, rig.exits], [1, []])
      rig.finish()
      await settled()
      assert.deepEqual(rig.exits, [0])
      mock.timers.tick(SHUTDOWN_MAX_MS * 2)
      assert.deepEqual(rig.exits, [0], 'the force is called off')
    })
  }

  it('a failure that loses nothing ends the stop with 0, from the close or from elsewhere', async () => {
    assert.equal(stop.ends(HARMLESS), false, 'before a signal nothing is a stop')
    process.emit('SIGTERM')
    assert.equal(stop.ends(new Error('another')), false)
    assert.deepEqual(rig.exits, [])
    assert.equal(stop.ends(HARMLESS), true)
    rig.fail(HARMLESS)
    await settled()
    assert.deepEqual(rig.exits, [0, 0])
    assert.match(rig.lines.at(-1) ?? '', /"level":"warn".*the index was not stored/)
  })

  it('a second one exits with 1 at once, and closes nothing twice', () => {
    process.emit('SIGTERM')
    rig.nowMs = REPEATED_SIGNAL_MS
    process.emit('SIGTERM')
    assert.deepEqual([rig.closes, rig.exits], [1, [1]])
  })

  it('one that npm passes on beside the terminal is no second one', async () => {
    process.emit('SIGINT')
    rig.nowMs = REPEATED_SIGNAL_MS - 1
    process.emit('SIGINT')
    assert.deepEqual([rig.closes, rig.exits], [1, []])
    rig.finish()
    await settled()
    assert.deepEqual(rig.exits, [0])
  })

  it('a close that does not end is ended in less than the 10 s that supervisors give', () => {
    process.emit('SIGTERM')
    mock.timers.tick(9_999)
    assert.deepEqual(rig.exits, [1])
    assert.match(rig.lines.at(-1) ?? '', /by force/)
  })

  it('a close that fails exits with 1 and says why', async () => {
    process.emit('SIGTERM')
    rig.fail(new Error('the disk is gone'))
    await settled()
    assert.deepEqual(rig.exits, [1])
    assert.match(rig.lines.at(-1) ?? '', /the disk is gone/)
  })
})
