// The snapshot: what it captures is the state of that moment and no later one, and gives the same state back.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LoadedSnapshot, Scheduler, SnapshotDelta } from '../../../engine/actor/ports.ts'
import { captureSnapshot, restoreSnapshot, serializeSnapshot } from '../../../engine/actor/snapshot.ts'
import { replayRecord } from '../../../engine/actor/turn.ts'
import { newState } from '../../../engine/domain/new-state.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import type { State } from '../../../engine/domain/state.ts'
import {
  GATHERED_RECORDS_MAX,
  SNAPSHOT_AGE_MAX_MS,
  SNAPSHOT_CHARS_PER_ROW,
  SNAPSHOT_CHARS_PER_SLICE,
} from '../../../engine/kernel/limits.ts'
import { deposit, openMerchant, openWallet, payout, testWallet } from '../../support/commands.ts'
import { EngineFixture, stateRows } from '../../support/engine-fixture.ts'
import { ManualLoop, WaitingWork } from '../../support/manual-loop.ts'

/** Rows without text that fill one slice. */
const SLICE_ROWS = Math.floor(SNAPSHOT_CHARS_PER_SLICE / SNAPSHOT_CHARS_PER_ROW)
const POINT = { sequence: 1, timeMs: 2, batchHash: 'h' }

function snapshotOf(state: State): LoadedSnapshot {
  const deltas: SnapshotDelta[] = []
  const loop = new ManualLoop(0)
  serializeSnapshot(captureSnapshot(state, POINT), loop, (delta) => deltas.push(delta))
  loop.turn()
  const [delta] = deltas
  assert.ok(delta !== undefined)
  return { ...POINT, rows: delta.rows.flatMap(({ key, value }) => (value === null ? [] : [{ key, value }])) }
}

function restored(snapshot: LoadedSnapshot): State {
  const state = newState()
  restoreSnapshot(state, snapshot)
  return state
}

/** Records that open a merchant and wallets of several slices, and records that change the first and last of them and add others. */
async function manyRecords(): Promise<{ readonly first: LogRecord[]; readonly later: LogRecord[] }> {
  const fixture = await EngineFixture.open()
  const { test } = openMerchant(fixture, 'baobab', 10_000)
  for (let index = 0; index < 2 * SLICE_ROWS; index++) fixture.send(testWallet(`w${index}`))
  fixture.settle()
  const first = [...fixture.records]
  for (let index = 0; index < 20; index++) {
    fixture.do(payout(test, `w${index}`, 1))
    fixture.do(payout(test, `w${2 * SLICE_ROWS - 1 - index}`, 1))
    openWallet(fixture, `late${index}`)
  }
  return { first, later: fixture.records.slice(first.length) }
}

describe('a snapshot', () => {
  it('a snapshot of an empty state gives an empty state', () => {
    assert.deepEqual(stateRows(restored(snapshotOf(newState()))), stateRows(newState()))
  })

  it('a snapshot gives back everything that stands in memory', async () => {
    const fixture = await EngineFixture.open()
    const { test, id } = openMerchant(fixture, 'baobab', 10_000)
    openWallet(fixture, 'awa')
    fixture.do(deposit({ merchantId: id }, 5, 'live'))
    fixture.do(payout(test, 'awa', 100))
    const state = newState()
    const records = [...fixture.records]
    assert.ok(records.length > 4)
    await fixture.startWithoutArchive()
    restoreSnapshot(state, snapshotOf(fixture.state))
    assert.deepEqual(stateRows(state), stateRows(fixture.state))
    assert.equal(state.wallets.byTag('test', 'awa')?.account, fixture.state.wallets.byTag('test', 'awa')?.account)
    assert.equal(state.merchants.byAccount(test)?.id, id)
    assert.deepEqual(state.transactionCounts, { live: 1, test: 2 })
  })

  it('a snapshot is of the moment of its capture, also when records change the state before and between its slices', async () => {
    const { first, later } = await manyRecords()
    const state = newState()
    const replay = (records: readonly LogRecord[]): void => {
      for (const record of records) replayRecord(state, record)
    }
    const stored = new Map<string, string>()
    const take = ({ rows }: SnapshotDelta): void => {
      for (const { key, value } of rows) value === null ? stored.delete(key) : stored.set(key, value)
    }
    replay(first)
    const before = stateRows(state)
    const captured = captureSnapshot(state, POINT)
    const slicesToRun = new WaitingWork()
    const scheduler: Scheduler = { soon: slicesToRun.put, at: () => () => {} }
    replay(later.splice(0, 5))
    serializeSnapshot(captured, scheduler, take)
    let slices = 1
    for (; stored.size === 0; slices++) {
      replay(later.splice(0, 5))
      slicesToRun.runOne()
    }
    assert.ok(slices > 2)
    assert.deepEqual(new Map([...stored].sort()), before)
    replay(later)
    serializeSnapshot(captureSnapshot(state, POINT), scheduler, take)
    slicesToRun.runAll()
    assert.deepEqual(new Map([...stored].sort()), stateRows(state), 'the next snapshot holds what changed meanwhile')
  })

  it('a snapshot of many rows is serialized in slices', async () => {
    const fixture = await EngineFixture.open()
    for (let index = 0; index < SLICE_ROWS; index++) fixture.send(testWallet(`w${index}`))
    fixture.settle()
    await fixture.startWithoutArchive()
    const loop = new ManualLoop(0)
    let done = 0
    serializeSnapshot(captureSnapshot(fixture.state, POINT), loop, () => done++)
    assert.deepEqual([done, loop.soonCount], [0, 1])
    loop.turn()
    assert.equal(done, 1)
  })

  it('a snapshot after another holds what changed since, and nothing when nothing did but the counts', () => {
    const state = newState()
    const keys = (): string[] => Array.from(snapshotOf(state).rows, ({ key }) => key)
    assert.ok(keys().length > 1)
    assert.deepEqual(keys(), ['counts:transactions'])
  })

  it('a snapshot with rows of a part that this release does not know is refused', () => {
    const rows = [{ key: 'loans:1', value: '{}' }]
    assert.throws(() => restoreSnapshot(newState(), { ...POINT, rows }), /"loans", unknown to this release/)
  })
})

describe('the engine stores a snapshot', () => {
  it('the engine stores a snapshot when the last one is old, once the batch that it stands at is durable', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 10_000)
    openWallet(fixture, 'awa')
    fixture.loop.nowMs += SNAPSHOT_AGE_MAX_MS
    const last = fixture.archive.loadSnapshot()?.sequence ?? 0
    fixture.send(payout(test, 'awa', 1))
    fixture.loop.turn()
    fixture.send(payout(test, 'awa', 1))
    fixture.loop.turn()
    fixture.archiveThread.runAll()
    assert.equal(fixture.archive.loadSnapshot()?.sequence, last, 'its batch is not on disk')
    fixture.disk.runOne()
    fixture.archiveThread.runAll()
    const { sequence } = fixture.archive.loadSnapshot() ?? { sequence: 0 }
    assert.equal(sequence, 4, 'the batch that was closed when it was captured, not the one that gathered behind')
    assert.equal(fixture.engine.lastSequence, 5)
    await fixture.start()
    assert.equal(fixture.state.accounts.balance(test), 10_000 - (fixture.engine.lastSequence === 5 ? 2 : 1))
  })

  it('the engine stores a snapshot of a batch that is being flushed only once it is on disk', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 10_000)
    openWallet(fixture, 'awa')
    const last = fixture.archive.loadSnapshot()?.sequence ?? 0
    fixture.send(payout(test, 'awa', 1))
    fixture.loop.turn()
    fixture.loop.nowMs += SNAPSHOT_AGE_MAX_MS
    // So many that their batch waits for no further callers.
    for (let count = 0; count <= GATHERED_RECORDS_MAX; count++) fixture.send(payout(test, 'awa', 1))
    fixture.loop.turn()
    // The first batch is on disk; the second is captured with the begin of its flush.
    fixture.disk.runOne()
    fixture.archiveThread.runAll()
    assert.equal(fixture.archive.loadSnapshot()?.sequence ?? 0, last)
    fixture.disk.runOne()
    fixture.archiveThread.runAll()
    assert.equal(fixture.archive.loadSnapshot()?.sequence, fixture.engine.lastSequence)
  })

  it('the engine stores a snapshot when the last one is old, though no process lives that long', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 10_000)
    openWallet(fixture, 'awa')
    for (let life = 0; life < 4; life++) {
      fixture.loop.nowMs += SNAPSHOT_AGE_MAX_MS / 3
      await fixture.start()
      fixture.do(payout(test, 'awa', 1))
    }
    assert.ok((fixture.archive.loadSnapshot()?.sequence ?? 0) > 5)
  })

  it('the engine stores a snapshot of a quiet engine with the next alarm', async () => {
    const fixture = await EngineFixture.open()
    openMerchant(fixture, 'baobab', 10_000)
    const last = fixture.archive.loadSnapshot()?.sequence ?? 0
    assert.ok(last < fixture.engine.lastSequence)
    for (let beat = 0; beat < 2 * SNAPSHOT_AGE_MAX_MS; beat += 500) fixture.loop.advance(500)
    fixture.settle()
    assert.equal(fixture.archive.loadSnapshot()?.sequence, fixture.engine.lastSequence)
  })
})
