// Records that the archive's thread indexed at the start: the next record follows the last of them.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { BatchEncoder } from '../../../engine/actor/batch-encoder.ts'
import { History } from '../../../engine/actor/history.ts'
import type { LogIndexed, RecordsToIndex } from '../../../engine/actor/ports.ts'
import { GENESIS_HASH } from '../../../engine/actor/record-codec.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import { MemoryArchive } from '../../support/memory-archive.ts'

const INDEXED = 1000
const recordAt = (sequence: number): LogRecord => ({
  sequence,
  timeMs: sequence,
  command: 'CreateWallet',
  environment: 'live',
  transactions: [],
  events: [],
  frames: [],
  idempotency: null,
})

/** As the archive in LMDB after records of sign-ups: they have no index entries, so `indexedThrough` stays where it was. */
class IndexingArchive extends MemoryArchive {
  readonly indexLog = (_records: RecordsToIndex, done: LogIndexed): void => done(null, [])
}

it('a record follows those that the archive indexed, also when the last of them have no index entries', async () => {
  const encoder = new BatchEncoder()
  for (let sequence = 1; sequence <= INDEXED; sequence++) encoder.add(recordAt(sequence))
  const { bytes } = encoder.finish(GENESIS_HASH)
  const log = { durableSequence: INDEXED, batchAt: () => ({ firstSequence: 1, bytes }) }
  const history = new History(log, new IndexingArchive(), assert.fail)
  const error = await new Promise((resolve) => assert.ok(history.indexInArchive(INDEXED, resolve)))
  assert.equal(error, null)
  assert.equal(history.indexedThrough, 0)
  history.add(recordAt(INDEXED + 1), true)
  assert.throws(() => history.add(recordAt(INDEXED + 1), true), /in order/)
})
