// A data folder whose index is of an earlier version: the start rebuilds it from the log, and every list is as before.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it } from 'node:test'
import type { Engine } from '../../../engine/actor/engine.ts'
import type { EngineApi } from '../../../engine/api.ts'
import { ARCHIVE_VERSION } from '../../../wal/archive/manifest.ts'
import { archivePathOf } from '../../../wal/folder/folder.ts'
import { type OpenDataFolder, openDataFolder } from '../../../wal/folder/open-folder.ts'
import { eventuallyAsync } from '../../support/eventually.ts'
import { makeHistory, openEngine, send } from '../../support/real-engine.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'
import { setIndexVersion } from '../../support/segments.ts'

async function withEngine<Result>(
  dataDir: string,
  warnings: string[],
  use: (engine: Engine & EngineApi) => Promise<Result>,
  onFolder: (folder: OpenDataFolder) => void = () => {},
): Promise<Result> {
  const folder = await openDataFolder({ dataDir, onWarning: (message) => warnings.push(message) })
  onFolder(folder)
  const engine = await openEngine(folder)
  const result = await use(engine)
  await engine.close()
  await folder.close()
  return result
}

/** Everything that the index leads to: lists with each filter, statements, frames, single records and results of keys. */
function listsOf(engine: Engine & EngineApi, merchant: number): unknown[] {
  const listed: unknown[] = []
  const payouts = engine.query('payouts.list', { account: merchant, query: { limit: 100 } })
  const wallet = engine.state.wallets.byTag('test', 'awa')?.account ?? -1
  for (const query of [
    {},
    { state: 'paid' },
    { state: 'failed' },
    { recipient: '@awa' },
    { reference: 'r' },
    { state: 'failed', reference: 'r' },
  ] as const)
    listed.push(engine.query('payouts.list', { account: merchant, query: { limit: 7, ...query } }))
  for (const account of [merchant, wallet])
    for (const query of [{}, { type: 'payout' }, { type: 'deposit' }, { reference: 'r' }] as const)
      listed.push(engine.query('transactions.list', { account, query }))
  listed.push(engine.query('frames.after', { account: wallet, afterId: 0, belowId: null, below: null, recordsMax: 100 }))
  for (const type of [undefined, 'payout.paid', 'payout.failed'] as const)
    listed.push(engine.query('webhookEvents.list', { account: merchant, query: type === undefined ? {} : { type }, slice: 'first' }))
  for (const row of payouts?.rows ?? []) {
    const { id, transaction_id } = JSON.parse(row) as { id: string; transaction_id?: string }
    listed.push(engine.query('payouts.get', { account: merchant, id }))
    if (transaction_id !== undefined) listed.push(engine.query('transactions.get', { account: merchant, id: transaction_id }))
  }
  for (const key of ['key-0', 'key-39', 'key-40']) listed.push(engine.history.result(String(merchant), key))
  return listed
}

const ROWS = [
  ['by the thread of the engine', 40],
  ["by the archive's thread", 300],
] as const

for (const [where, payouts] of ROWS)
  it(`a data folder with an index of an earlier version opens with its snapshot, and every list is as before, rebuilt ${where}`, async (test) => {
    const dataDir = join(scratchFolder(test), 'data')
    const { merchant, before } = await withEngine(dataDir, [], async (engine) => {
      const account = await makeHistory(engine, payouts)
      const lines = ['awa', 'nobody', 'awa', 'awa', 'é'].map((recipient) => ({
        recipient,
        amount: 5,
        reference: 'r',
        note: '"',
        fault: null,
      }))
      await send(engine, { type: 'CreateBatch', merchant: account, lines: [...lines, ...lines], reference: '', scheduleId: null })
      for (const recipient of ['awa', 'nobody', 'awa', 'nobody'])
        await send(engine, { type: 'CreatePayout', merchant: account, recipient, amount: 5, reference: 'r', note: '' })
      return { merchant: account, before: listsOf(engine, account) }
    })
    await setIndexVersion(archivePathOf(dataDir), ARCHIVE_VERSION - 1)
    const warnings: string[] = []
    let indexedInArchive = (): number => 0
    await withEngine(
      dataDir,
      warnings,
      async (engine) => {
        assert.equal(engine.recovered.replayedRecords, 0, 'the snapshot is in use')
        assert.deepEqual(listsOf(engine, merchant), before)
        if (payouts < 300) return assert.ok(engine.history.tailEntries > 0, 'the engine has the index in memory')
        assert.equal(indexedInArchive(), 1)
        await eventuallyAsync(async () => engine.history.tailEntries === 0, 'the stored index')
        assert.deepEqual(listsOf(engine, merchant), before)
      },
      ({ archive }) => {
        const { mock } = test.mock.method(archive as Required<typeof archive>, 'indexLog')
        indexedInArchive = () => mock.callCount()
      },
    )
    assert.equal(indexedInArchive(), payouts < 300 ? 0 : 1)
    assert.equal(warnings.length, 1)
    await withEngine(dataDir, warnings, async (engine) => {
      assert.equal(engine.history.tailEntries, 0, 'the rebuilt index is stored')
      assert.deepEqual(listsOf(engine, merchant), before)
    })
    assert.equal(warnings.length, 1)
  })
