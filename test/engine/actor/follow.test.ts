// Followers: engines that apply another engine's batches, and one of them goes on as the owner.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BatchEncoder } from '../../../engine/actor/batch-encoder.ts'
import type { StoredBatch } from '../../../engine/actor/ports.ts'
import type { Command } from '../../../engine/domain/command.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import { SEGMENT_AGE_MAX_MS } from '../../../engine/kernel/limits.ts'
import { CALLER, createMerchant, deposit, openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture, Sent, START_MS } from '../../support/engine-fixture.ts'
import { Follower, OwnedLog } from '../../support/follower.ts'

const PAYOUTS = 40
const HOUR_MS = 3_600_000

async function batchesOf(fixture: EngineFixture): Promise<StoredBatch[]> {
  const batches: StoredBatch[] = []
  for await (const batch of fixture.log.read(1)) batches.push(batch)
  return batches
}

/** Sends at the follower that owns the log now, and lets everything through. */
function doAt(owner: Follower, fixture: EngineFixture, command: Command, mailbox: number): Sent {
  const sent = new Sent()
  assert.equal(owner.engine.submit({ command, mailbox, idempotency: null }, sent), null)
  do {
    owner.settle()
    fixture.disk.runAll()
  } while (owner.loop.soonCount + fixture.disk.count > 0)
  return sent
}

describe('followers of an owner', () => {
  it('followers of an owner have the very same state after every batch', async () => {
    const fixture = await EngineFixture.open()
    const followers = [await Follower.open(), await Follower.open()]
    const follow = async (): Promise<void> => {
      for (const follower of followers) {
        await follower.catchUp(fixture.log)
        assert.deepEqual(follower.rows(), fixture.rows())
        assert.equal(follower.engine.batchHash, fixture.engine.batchHash)
      }
    }
    const { test } = openMerchant(fixture, 'baobab', 10_000)
    openWallet(fixture, 'awa')
    await follow()
    for (let index = 0; index < PAYOUTS; index++) {
      fixture.do(payout(test, index % 7 === 0 ? 'test_blocked' : 'awa', 1 + index), { key: `key-${index}` })
      await follow()
    }
    const frames = ({ sequence, timeMs, frames }: LogRecord): object => ({ sequence, timeMs, frames })
    for (const follower of followers) assert.deepEqual(follower.records.map(frames), fixture.records.map(frames))
  })

  it('followers of an owner answer keys and pages of history from their own copy, before and after it is on disk', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 1000)
    openWallet(fixture, 'awa')
    const first = fixture.do(payout(test, 'awa', 5), { key: 'one', fingerprint: 'f' })
    const follower = await Follower.open()
    await follower.catchUp(fixture.log)
    const known = (): object | null => follower.engine.known({ scope: String(test), key: 'one', fingerprint: 'f' })
    assert.deepEqual(known(), { ...first, replayed: true })
    follower.loop.advance(2 * SEGMENT_AGE_MAX_MS)
    follower.settle()
    assert.equal(follower.archive.indexedThrough, 0, 'the index is never ahead of the copy on disk')
    follower.storeCopy()
    assert.equal(follower.archive.indexedThrough, follower.engine.lastSequence)
    assert.deepEqual(known(), { ...first, replayed: true })
  })

  it('followers of an owner take no commands', async () => {
    const follower = await Follower.open()
    const envelope = { command: createMerchant('baobab'), mailbox: 0, idempotency: null }
    assert.equal(follower.engine.submit(envelope, new Sent()), 'unavailable')
  })

  it('followers of an owner go on after a crash from what their copy had on disk', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 1000)
    openWallet(fixture, 'awa')
    const follower = await Follower.open()
    await follower.catchUp(fixture.log)
    follower.storeCopy()
    await follower.close()
    const stored = follower.engine.lastSequence
    const again = await Follower.open(follower.copy, follower.archive)
    assert.equal(again.engine.recovered.snapshotSequence, stored)
    fixture.do(payout(test, 'awa', 1))
    await again.catchUp(fixture.log)
    again.loop.advance(120_000)
    again.settle()
    again.copy.crash()
    const last = await Follower.open(again.copy, again.archive)
    assert.equal(last.engine.lastSequence, stored, 'neither index nor snapshot was ahead of the copy')
    await last.catchUp(fixture.log)
    assert.deepEqual(last.rows(), fixture.rows())
  })

  it('followers of an owner store the time of the ledger in their snapshot, whatever the clock of their machine shows', async () => {
    const fixture = await EngineFixture.open()
    openMerchant(fixture, 'baobab', 1000)
    const ahead = await Follower.open(undefined, null, START_MS + HOUR_MS)
    await ahead.catchUp(fixture.log)
    ahead.storeCopy()
    await ahead.close()
    const corrected = await Follower.open(ahead.copy, ahead.archive)
    assert.ok(corrected.engine.recovered.snapshotSequence > 0)
    assert.ok(corrected.engine.nowMs() < START_MS + HOUR_MS)
  })

  it('followers of an owner close only when their copy, index and snapshot are on disk', async () => {
    const fixture = await EngineFixture.open()
    openMerchant(fixture, 'baobab', 1000)
    const follower = await Follower.open()
    await follower.catchUp(fixture.log)
    let closed = false
    const closing = follower.engine.close().then(() => {
      closed = true
    })
    follower.settle()
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(closed, false)
    follower.storeCopy()
    await closing
    assert.equal(follower.archive.loadSnapshot()?.sequence, follower.engine.lastSequence)
  })
})

describe('a batch that a follower cannot apply', () => {
  async function given(): Promise<{ readonly follower: Follower; readonly batches: StoredBatch[] }> {
    const fixture = await EngineFixture.open()
    openMerchant(fixture, 'baobab', 1000)
    openWallet(fixture, 'awa')
    const follower = await Follower.open()
    const batches = await batchesOf(fixture)
    follower.take(batches[0] as StoredBatch)
    return { follower, batches }
  }

  function assertStopped(follower: Follower, code: string): void {
    assert.deepEqual(
      follower.fatals.map((error) => (error as { code?: string }).code),
      [code],
    )
    assert.equal(follower.engine.lastSequence, 1)
  }

  it('a batch that a follower cannot apply because one is missing before it stops the follower', async () => {
    const { follower, batches } = await given()
    const before = follower.rows()
    follower.engine.apply(batches[2] as StoredBatch)
    assertStopped(follower, 'chain_broken')
    assert.deepEqual(follower.rows(), before)
  })

  it('a batch that a follower cannot apply because it continues another log stops the follower', async () => {
    const { follower } = await given()
    const other = await EngineFixture.open({ seed: 99 })
    openMerchant(other, 'baobab', 1000)
    follower.engine.apply((await batchesOf(other))[1] as StoredBatch)
    assertStopped(follower, 'chain_broken')
  })

  it('a batch that a follower cannot apply because it is damaged stops the follower', async () => {
    const { follower, batches } = await given()
    const bytes = Uint8Array.from((batches[1] as StoredBatch).bytes)
    bytes[100] = (bytes[100] as number) ^ 1
    follower.engine.apply({ firstSequence: 2, bytes })
    assertStopped(follower, 'batch_damaged')
  })

  it('a batch that a follower cannot apply because a newer release wrote it stops the follower with a text that says so', async () => {
    const { follower } = await given()
    const encoder = new BatchEncoder()
    const event = { type: 'deposit.made', version: 99, account: 0, text: '{}', payload: null }
    const record = { timeMs: follower.engine.nowMs(), command: 'Deposit', environment: 'test' as const, transactions: [], frames: [] }
    encoder.add({ ...record, sequence: 2, events: [event], idempotency: null })
    follower.engine.apply({ firstSequence: 2, bytes: encoder.finish(follower.engine.batchHash).bytes })
    assertStopped(follower, 'format_too_new')
    assert.match(follower.fatals[0]?.message ?? '', /deposit\.made version 99.*start the newer release/)
  })
})

describe('a promoted follower', () => {
  it('a promoted follower goes on where the owner stopped, and the owner of before appends nothing more', async () => {
    const fixture = await EngineFixture.open()
    const { id, test } = openMerchant(fixture, 'baobab', 1000)
    openWallet(fixture, 'awa')
    const [heir, other] = [await Follower.open(), await Follower.open()]
    for (let index = 0; index < PAYOUTS; index++) {
      fixture.do(payout(test, 'awa', 1))
      if (index % 3 === 0) await heir.catchUp(fixture.log)
    }
    await heir.catchUp(fixture.log)
    heir.engine.promote(new OwnedLog(fixture.log, 2, heir.copy))
    assert.equal(doAt(heir, fixture, deposit({ merchantId: id }, 7), 0).outcome?.kind, 'created')
    assert.equal(doAt(heir, fixture, payout(test, 'awa', 3), test).outcome?.kind, 'created')
    const late = fixture.send(payout(test, 'awa', 100))
    fixture.settle()
    assert.equal(late.outcome, null)
    assert.equal((fixture.fatals[0] as { code?: string } | undefined)?.code, 'stale_epoch')
    await other.catchUp(fixture.log)
    assert.deepEqual(other.rows(), heir.rows())
    assert.equal(other.engine.state.accounts.available(test), 1000 - PAYOUTS + 7 - 3)
  })

  it('a promoted follower replays the keys of the owner before it', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 1000)
    openWallet(fixture, 'awa')
    const command = payout(test, 'awa', 5)
    const first = fixture.do(command, { key: 'one', fingerprint: 'f' })
    const heir = await Follower.open()
    await heir.catchUp(fixture.log)
    heir.engine.promote(new OwnedLog(fixture.log, 2, heir.copy))
    const sent = new Sent()
    const idempotency = { scope: String(test), key: 'one', fingerprint: 'f' }
    assert.equal(heir.engine.submit({ command, mailbox: test, idempotency }, sent), null)
    heir.settle()
    assert.deepEqual(sent.outcome, { ...first, replayed: true })
    assert.equal(heir.engine.lastSequence, fixture.engine.lastSequence)
  })

  it('a promoted follower stores index and snapshot only as far as its copy is on disk', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 1000)
    openWallet(fixture, 'awa')
    const heir = await Follower.open()
    await heir.catchUp(fixture.log)
    heir.storeCopy()
    const stored = heir.engine.lastSequence
    heir.engine.promote(new OwnedLog(fixture.log, 2, heir.copy))
    doAt(heir, fixture, payout(test, 'awa', 1), test)
    heir.loop.advance(120_000)
    heir.settle()
    assert.ok(heir.archive.indexedThrough <= stored)
    assert.ok((heir.archive.loadSnapshot()?.sequence ?? 0) <= stored)
    heir.storeCopy()
    heir.loop.advance(120_000)
    heir.settle()
    assert.equal(heir.archive.indexedThrough, stored + 1)
    assert.equal(heir.archive.loadSnapshot()?.sequence, stored + 1)
  })

  it('a promoted follower runs what is due by the clock, which a follower leaves to the owner', async () => {
    const fixture = await EngineFixture.open()
    const { live } = openMerchant(fixture, 'baobab')
    const texts = { token: 'token', reference: '', description: '', customerTag: '', checkoutUrl: '', redirectUrl: '', webhookUrl: '' }
    const charge: Command = { type: 'CreateCharge', merchant: live, amount: 5, metadata: {}, ...texts, madeBy: CALLER }
    assert.equal(fixture.do(charge, { mailbox: live }).kind, 'created')
    const heir = await Follower.open()
    await heir.catchUp(fixture.log)
    heir.loop.advance(365 * 24 * 3600 * 1000)
    heir.settle()
    const pending = (): number => heir.engine.state.charges.pendingOf(live)
    assert.equal(pending(), 1)
    heir.engine.promote(new OwnedLog(fixture.log, 2, heir.copy))
    do {
      heir.settle()
      fixture.disk.runAll()
    } while (heir.loop.soonCount + fixture.disk.count > 0)
    assert.equal(pending(), 0)
  })
})
