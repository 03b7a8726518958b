// Index entries from the bytes of a record: the same as of the decoded record, for every released event and any text of merchants.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { History } from '../../../engine/actor/history.ts'
import type { IndexSegment, LocalLogReader } from '../../../engine/actor/ports.ts'
import { decodeRecordAt, peekHeader } from '../../../engine/actor/record-codec.ts'
import { MemoryArchive } from '../../support/memory-archive.ts'
import { encoded, PAYOUTS, recordsOf } from '../../support/nasty-records.ts'
import { runs } from '../../support/property-runs.ts'
import { goldenNames, readGolden } from '../golden-file.ts'

/** Keeps the entries of each segment as text. */
class SegmentList extends MemoryArchive {
  readonly entries: string[] = []

  override addSegment(segment: IndexSegment, done: (error: Error | null) => void): void {
    for (let at = 0; at < segment.count; at++) this.entries.push(`${segment.high[at]} ${segment.low[at]} ${segment.position[at]}`)
    done(null)
  }
}

type Add = (history: History, bytes: Buffer, sequence: number) => void

const ADD_DECODED: Add = (history, bytes, sequence) => history.add(decodeRecordAt(bytes, sequence), true)
const ADD_STORED: Add = (history, bytes, sequence) => history.addStored(bytes, sequence, peekHeader(bytes))

function entriesOf(batches: readonly Buffer[], add: Add): string[] {
  const firsts = batches.map((bytes) => peekHeader(bytes).firstSequence)
  const last = batches[batches.length - 1] as Buffer
  const durableSequence = peekHeader(last).firstSequence + peekHeader(last).recordCount - 1
  const batchAt = (sequence: number): ReturnType<LocalLogReader['batchAt']> => {
    const at = firsts.findLastIndex((first) => first <= sequence)
    return { firstSequence: firsts[at] as number, bytes: batches[at] as Buffer }
  }
  const archive = new SegmentList()
  const history = new History({ durableSequence, batchAt }, archive, assert.fail)
  for (const bytes of batches) {
    const { firstSequence, recordCount } = peekHeader(bytes)
    for (let sequence = firstSequence; sequence < firstSequence + recordCount; sequence++) add(history, bytes, sequence)
  }
  history.sealAll()
  return archive.entries.sort()
}

function checkEntries(batches: readonly Buffer[]): void {
  const entries = entriesOf(batches, ADD_DECODED)
  assert.deepEqual(entriesOf(batches, ADD_STORED), entries)
}

for (const name of goldenNames())
  test(`the bytes of ${name} have the index entries of its records`, () =>
    checkEntries(readGolden(name).batches.map((text) => Buffer.from(text, 'base64'))))

test('bytes of payouts and batches with any text have the index entries of their records', async () => {
  await fc.assert(
    fc.asyncProperty(PAYOUTS, async (payouts) => checkEntries([encoded(await recordsOf(payouts))])),
    { numRuns: runs(30) },
  )
})
