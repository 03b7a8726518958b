// The archive's thread indexes the log itself: it reports a damaged batch, and an index that was interrupted goes on where it ended.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { LogFormatError } from '../../../engine/actor/log-format-error.ts'
import { peekHeader } from '../../../engine/actor/record-codec.ts'
import { idempotencyIndexKey } from '../../../engine/domain/record-index-keys.ts'
import { hashIndexKey } from '../../../engine/kernel/index-key.ts'
import { POSITION_MAX } from '../../../engine/kernel/position.ts'
import { LmdbArchive } from '../../../wal/archive/lmdb-archive.ts'
import { logPathOf } from '../../../wal/folder/folder.ts'
import { openDataFolder } from '../../../wal/folder/open-folder.ts'
import { LOG_MAP_BYTES } from '../../../wal/limits.ts'
import { openLmdbStore } from '../../../wal/lmdb-store.ts'
import { batchHolding } from '../../../wal/log-batches.ts'
import { makeHistory, openEngine } from '../../support/real-engine.ts'
import { closeLater, scratchFolder } from '../../support/scratch-folder.ts'

const PAYOUTS = 60

interface Filled {
  readonly merchant: number
  readonly through: number
  readonly logPath: string
  readonly folder: string
}

async function givenLog(test: TestContext): Promise<Filled> {
  const folder = scratchFolder(test)
  const dataDir = join(folder, 'data')
  const data = await openDataFolder({ dataDir, onWarning: assert.fail })
  const engine = await openEngine(data)
  const merchant = await makeHistory(engine, PAYOUTS)
  const through = engine.lastSequence
  await engine.close()
  await data.close()
  return { merchant, through, logPath: logPathOf(dataDir), folder }
}

async function openArchive(test: TestContext, { folder, logPath }: Filled): Promise<LmdbArchive> {
  return closeLater(test, await LmdbArchive.open({ path: join(folder, 'archive'), logPath, logId: 'log', onWarning: assert.fail }))
}

function indexLog(archive: LmdbArchive, through: number): Promise<Error | null> {
  return new Promise((resolve) => archive.indexLog?.({ through, checkThrough: through }, resolve))
}

function checkKeys(archive: LmdbArchive, { merchant }: Filled): void {
  for (let index = 0; index < PAYOUTS; index++) {
    const { kind, owner, value } = idempotencyIndexKey(String(merchant), `key-${index}`)
    const { high, low } = hashIndexKey(archive.hashKey, kind, owner, value)
    assert.equal(archive.find(high, low, POSITION_MAX, 2).length, 1)
  }
}

it('a log is indexed in the thread of the archive, and again after an end in between', async (test) => {
  const filled = await givenLog(test)
  const first = await openArchive(test, filled)
  void indexLog(first, filled.through)
  await first.close()
  const second = await openArchive(test, filled)
  assert.equal(await indexLog(second, filled.through), null)
  assert.equal(second.indexedThrough, filled.through)
  checkKeys(second, filled)
  await second.close()
  const third = await openArchive(test, filled)
  assert.equal(third.indexedThrough, filled.through)
  checkKeys(third, filled)
})

it('a damaged batch of the log is reported with its sequence, and no record from it on is indexed', async (test) => {
  const filled = await givenLog(test)
  const store = openLmdbStore({ path: filled.logPath, mapBytes: LOG_MAP_BYTES })
  const batch = batchHolding(store, filled.through)
  assert.ok(batch !== null)
  const bytes = Buffer.from(batch.bytes)
  const { firstSequence } = peekHeader(bytes)
  bytes[bytes.length - 3] = (bytes[bytes.length - 3] as number) ^ 1
  await store.put(firstSequence, bytes)
  await store.close()
  const archive = await openArchive(test, filled)
  const error = await indexLog(archive, filled.through)
  assert.ok(error instanceof LogFormatError)
  assert.equal(error.code, 'batch_damaged')
  assert.ok(archive.indexedThrough < firstSequence)
})
