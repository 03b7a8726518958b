// A failure stops the engine: it is reported once, nothing more leaves, nothing more is written.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Archive, BatchToAppend, DurableLog, LocalLogReader } from '../../../engine/actor/ports.ts'
import type { Command } from '../../../engine/domain/command.ts'
import { MemoryArchive } from '../../../wal/archive/memory-archive.ts'
import { MemoryLog } from '../../../wal/log/memory-log.ts'
import { createMerchant, openMerchant, openWallet, payout, testWallet } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'

const UNKNOWN_COMMAND = { type: 'Nonsense' } as unknown as Command

/** A log whose appends fail once the test says so. */
class FailingLog extends MemoryLog {
  fails = false
  appends = 0
  readonly #soon: (run: () => void) => void

  constructor(soon: (run: () => void) => void) {
    super({ soon })
    this.#soon = soon
  }

  override append(batch: BatchToAppend, done: (error: Error | null) => void): void {
    this.appends++
    if (this.fails) this.#soon(() => done(new Error('the disk is gone')))
    else super.append(batch, done)
  }
}

class FailingArchive extends MemoryArchive {
  failsAt: 'addSegment' | 'saveSnapshot' | null = null

  override addSegment(...[segment, done]: Parameters<Archive['addSegment']>): void {
    super.addSegment(segment, this.failsAt === 'addSegment' ? () => done(new Error('the archive is gone')) : done)
  }

  override saveSnapshot(...[delta, done]: Parameters<Archive['saveSnapshot']>): void {
    super.saveSnapshot(delta, this.failsAt === 'saveSnapshot' ? () => done(new Error('the archive is gone')) : done)
  }
}

function assertStopped(stage: EngineFixture, message: RegExp): void {
  assert.equal(stage.fatals.length, 1, 'reported once')
  assert.match(stage.fatals[0]?.message ?? '', message)
  assert.equal(stage.send(testWallet('later')).refusal, 'unavailable')
}

describe('a turn that throws', () => {
  it('a turn that throws stops the engine: its burst is not written and not answered', async () => {
    const stage = await EngineFixture.open()
    openMerchant(stage, 'baobab')
    const durable = stage.log.durableSequence
    const before = stage.send(testWallet('before'))
    const bad = stage.send(UNKNOWN_COMMAND)
    const after = stage.send(testWallet('after'))
    stage.settle()
    assertStopped(stage, /./)
    assert.deepEqual([before.outcome, bad.outcome, after.outcome], [null, null, null])
    assert.equal(stage.log.durableSequence, durable)
    await stage.start()
    assert.equal(stage.state.wallets.size, 0)
  })

  it('a turn that throws keeps back the answers of the batch under way as well, which may be on disk', async () => {
    const stage = await EngineFixture.open()
    const { test } = openMerchant(stage, 'baobab', 100)
    openWallet(stage, 'awa')
    const first = stage.send(payout(test, 'awa', 100), { key: 'k' })
    stage.loop.turn()
    assert.equal(stage.disk.count, 1)
    stage.send(UNKNOWN_COMMAND)
    stage.loop.turn()
    assert.equal(stage.fatals.length, 1)
    stage.settle()
    assert.equal(first.outcome, null)
    await stage.start()
    const again = stage.do(payout(test, 'awa', 100), { key: 'k' })
    assert.equal(again.replayed, true)
    assert.equal(stage.state.accounts.balance(test), 0)
  })

  it('a turn that throws leaves no trace of its partial changes in a later snapshot', async () => {
    const stage = await EngineFixture.open()
    const { test } = openMerchant(stage, 'baobab', 100)
    const wallet = openWallet(stage, 'awa')
    stage.send(payout(test, 'awa', 60))
    stage.send(UNKNOWN_COMMAND)
    stage.settle()
    stage.loop.advance(120_000)
    stage.settle()
    await assert.rejects(stage.engine.close())
    await stage.start()
    assert.equal(stage.state.accounts.balance(test), 100)
    assert.equal(stage.state.accounts.balance(wallet), 0)
  })

  it('a turn that throws is reported when it comes from a timer that no release knows', async () => {
    const stage = await EngineFixture.open()
    stage.state.timers.set('unknown', 'x', stage.loop.nowMs)
    stage.send(testWallet('any'))
    stage.settle()
    assertStopped(stage, /no command for timers of kind unknown/)
  })
})

describe('a reply that throws', () => {
  it('a reply that throws stops the engine', async () => {
    const stage = await EngineFixture.open()
    stage.send(createMerchant('a'), {
      onSettle: () => {
        throw new Error('the socket is broken')
      },
    })
    stage.settle()
    assertStopped(stage, /the socket is broken/)
  })

  it('a reply that throws stops it as well when the answer needs no disk', async () => {
    const stage = await EngineFixture.open()
    stage.do(testWallet('awa'))
    stage.send(testWallet('awa'), {
      onSettle: () => {
        throw new Error('the socket is broken')
      },
    })
    stage.settle()
    assertStopped(stage, /the socket is broken/)
  })
})

describe('a failed append', () => {
  it('a failed append answers none of its own commands, of the reads that saw them and of the commands queued behind', async () => {
    const parts: { log: FailingLog | null } = { log: null }
    const stage = await EngineFixture.open({
      log: (soon): DurableLog & LocalLogReader => {
        parts.log = new FailingLog(soon)
        return parts.log
      },
    })
    const { log } = parts
    assert.ok(log !== null)
    openMerchant(stage, 'baobab')
    const durable = log.durableSequence
    log.fails = true
    const failing = stage.send(testWallet('awa'))
    stage.loop.turn()
    let read = false
    stage.engine.whenDurable(() => {
      read = true
    })
    const behind = stage.send(testWallet('moussa'))
    stage.settle()
    assertStopped(stage, /the disk is gone/)
    assert.deepEqual([failing.outcome, behind.outcome, read], [null, null, false])
    const { appends } = log
    stage.loop.advance(120_000)
    stage.settle()
    assert.equal(log.appends, appends, 'nothing is tried again')
    assert.equal(log.durableSequence, durable)
  })
})

for (const at of ['addSegment', 'saveSnapshot'] as const) {
  it(`a failed ${at} of the archive stops the engine`, async () => {
    const parts: { archive: FailingArchive | null } = { archive: null }
    const stage = await EngineFixture.open({
      archive: (soon) => {
        parts.archive = new FailingArchive({ soon })
        return parts.archive
      },
    })
    const { archive } = parts
    assert.ok(archive !== null)
    openMerchant(stage, 'baobab', 100)
    archive.failsAt = at
    stage.loop.advance(120_000)
    stage.do(testWallet('awa'))
    stage.loop.advance(2_000)
    stage.settle()
    assertStopped(stage, /the archive is gone/)
  })
}
