// The log's data file is extended by zeros ahead of LMDB's pages: no batch is overwritten, and a crash loses none.
import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { it } from 'node:test'
import { GENESIS_HASH, hashBatch, readHeader } from '../../../engine/actor/record-codec.ts'
import { GROWTH_AHEAD_BYTES, GROWTH_FROM_BYTES } from '../../../wal/limits.ts'
import { dataFileOf, shortFile, usedBytes } from '../../../wal/lmdb-file.ts'
import { asBuffer, openLmdbStore } from '../../../wal/lmdb-store.ts'
import { LmdbLog } from '../../../wal/log/lmdb-log.ts'
import { BatchSource, mustAppend } from '../../support/log-batches.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

/** Bytes of a batch's text. Some are larger than what the file is extended by. */
const TEXT_BYTES = [100, 3000, 20_000, 200_000, 2_000_000]

it('a log whose file is extended ahead of its pages holds every batch, also after it was opened again', async (test) => {
  const path = join(scratchFolder(test), 'log')
  const source = new BatchSource()
  for (let round = 0; round < 2; round++) {
    const log = await LmdbLog.open({ path })
    for (let batch = 0; batch < 100; batch++) await mustAppend(log, source.next(1, TEXT_BYTES[batch % TEXT_BYTES.length]))
    let hash: string = GENESIS_HASH
    let lastSequence = 0
    for await (const { bytes } of log.read(1)) {
      assert.equal(readHeader(asBuffer(bytes)).previousHash, hash)
      hash = hashBatch(bytes)
      lastSequence++
    }
    assert.equal(lastSequence, source.lastSequence)
    assert.equal(hash, source.hash)
    await log.close()
  }
})

it('the file ends behind the last page once the log has a megabyte, and its check accepts the zeros', async (test) => {
  const path = join(scratchFolder(test), 'log')
  const source = new BatchSource()
  const log = await LmdbLog.open({ path })
  await mustAppend(log, source.next(1, GROWTH_FROM_BYTES))
  const sizeBytes = (): number => statSync(dataFileOf(path)).size
  const before = sizeBytes()
  // Each small commit needs a few pages; without the growth the file would end with the last of them.
  while (sizeBytes() < before + GROWTH_AHEAD_BYTES / 2) await mustAppend(log, source.next(1))
  await log.close()
  const store = openLmdbStore({ path, mapBytes: 2 ** 30, readOnly: true })
  assert.ok(usedBytes(store) + GROWTH_AHEAD_BYTES / 4 < sizeBytes())
  assert.equal(shortFile(path, store), null)
  await store.close()
})
