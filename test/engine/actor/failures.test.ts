// A failure stops the engine: it is reported once, nothing more leaves, nothing more is written.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Archive, BatchesToAppend, DurableLog, LocalLogReader } from '../../../engine/actor/ports.ts'
import type { Command } from '../../../engine/domain/command.ts'
import { createMerchant, openMerchant, openWallet, payout, testWallet } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { MemoryArchive } from '../../support/memory-archive.ts'
import { MemoryLog } from '../../support/memory-log.ts'

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

  override append(batches: BatchesToAppend, done: (error: Error | null) => void): void {
    this.appends++
    if (this.fails) this.#soon(() => done(new Error('the disk is gone')))
    else super.append(batches, done)
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

function assertStopped(fixture: EngineFixture, message: RegExp): void {
  assert.equal(fixture.fatals.length, 1, 'reported once')
  assert.match(fixture.fatals[0]?.message ?? '', message)
  assert.equal(fixture.send(testWallet('later')).refusal, 'unavailable')
}

describe('a turn that throws', () => {
  it('a turn that throws stops the engine: its burst is not written and not answered', async () => {
    const fixture = await EngineFixture.open()
    openMerchant(fixture, 'baobab')
    const durable = fixture.log.durableSequence
    const before = fixture.send(testWallet('before'))
    const bad = fixture.send(UNKNOWN_COMMAND)
    const after = fixture.send(testWallet('after'))
    fixture.settle()
    assertStopped(fixture, /./)
    assert.deepEqual([before.outcome, bad.outcome, after.outcome], [null, null, null])
    assert.equal(fixture.log.durableSequence, durable)
    await fixture.start()
    assert.equal(fixture.state.wallets.size, 0)
  })

  it('a turn that throws keeps back the answers of the batch under way as well, which may be on disk', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 100)
    openWallet(fixture, 'awa')
    const first = fixture.send(payout(test, 'awa', 100), { key: 'k' })
    fixture.loop.turn()
    assert.equal(fixture.disk.count, 1)
    fixture.send(UNKNOWN_COMMAND)
    fixture.loop.turn()
    assert.equal(fixture.fatals.length, 1)
    fixture.settle()
    assert.equal(first.outcome, null)
    await fixture.start()
    const again = fixture.do(payout(test, 'awa', 100), { key: 'k' })
    assert.equal(again.replayed, true)
    assert.equal(fixture.state.accounts.balance(test), 0)
  })

  it('a turn that throws leaves no trace of its partial changes in a later snapshot', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 100)
    const wallet = openWallet(fixture, 'awa')
    fixture.send(payout(test, 'awa', 60))
    fixture.send(UNKNOWN_COMMAND)
    fixture.settle()
    fixture.loop.advance(120_000)
    fixture.settle()
    await assert.rejects(fixture.engine.close())
    await fixture.start()
    assert.equal(fixture.state.accounts.balance(test), 100)
    assert.equal(fixture.state.accounts.balance(wallet), 0)
  })

  it('a turn that throws is reported when it comes from a timer that no release knows', async () => {
    const fixture = await EngineFixture.open()
    fixture.state.timers.set('unknown', 'x', fixture.loop.nowMs)
    fixture.send(testWallet('any'))
    fixture.settle()
    assertStopped(fixture, /no command for timers of kind unknown/)
  })
})

describe('a reply that throws', () => {
  it('a reply that throws stops the engine', async () => {
    const fixture = await EngineFixture.open()
    fixture.send(createMerchant('a'), {
      onSettle: () => {
        throw new Error('the socket is broken')
      },
    })
    fixture.settle()
    assertStopped(fixture, /the socket is broken/)
  })

  it('a reply that throws stops it as well when the answer needs no disk', async () => {
    const fixture = await EngineFixture.open()
    fixture.do(testWallet('awa'))
    fixture.send(testWallet('awa'), {
      onSettle: () => {
        throw new Error('the socket is broken')
      },
    })
    fixture.settle()
    assertStopped(fixture, /the socket is broken/)
  })
})

describe('a failed append', () => {
  it('a failed append answers none of its own commands, of the reads that saw them and of the commands queued behind', async () => {
    const parts: { log: FailingLog | null } = { log: null }
    const fixture = await EngineFixture.open({
      log: (soon): DurableLog & LocalLogReader => {
        parts.log = new FailingLog(soon)
        return parts.log
      },
    })
    const { log } = parts
    assert.ok(log !== null)
    openMerchant(fixture, 'baobab')
    const durable = log.durableSequence
    log.fails = true
    const failing = fixture.send(testWallet('awa'))
    fixture.loop.turn()
    let read = false
    fixture.engine.whenDurable(() => {
      read = true
    })
    const behind = fixture.send(testWallet('moussa'))
    fixture.settle()
    assertStopped(fixture, /the disk is gone/)
    assert.deepEqual([failing.outcome, behind.outcome, read], [null, null, false])
    const { appends } = log
    fixture.loop.advance(120_000)
    fixture.settle()
    assert.equal(log.appends, appends, 'nothing is tried again')
    assert.equal(log.durableSequence, durable)
  })
})

for (const at of ['addSegment', 'saveSnapshot'] as const) {
  it(`a failed ${at} of the archive stops the engine`, async () => {
    const parts: { archive: FailingArchive | null } = { archive: null }
    const fixture = await EngineFixture.open({
      archive: (soon) => {
        parts.archive = new FailingArchive({ soon })
        return parts.archive
      },
    })
    const { archive } = parts
    assert.ok(archive !== null)
    openMerchant(fixture, 'baobab', 100)
    archive.failsAt = at
    fixture.loop.advance(120_000)
    fixture.do(testWallet('awa'))
    fixture.loop.advance(2_000)
    fixture.settle()
    assertStopped(fixture, /the archive is gone/)
  })
}
