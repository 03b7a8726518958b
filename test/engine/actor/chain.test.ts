// The chain of batches: recovery takes a log that is whole and no other, and says what is wrong.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BatchChain } from '../../../engine/actor/batch-chain.ts'
import { BatchEncoder } from '../../../engine/actor/batch-encoder.ts'
import type { BatchesToAppend, DurableLog, LocalLogReader, StoredBatch } from '../../../engine/actor/ports.ts'
import { GENESIS_HASH } from '../../../engine/actor/record-codec.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import { openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'

/** A log whose reads the test decides. */
class TamperedLog implements DurableLog, LocalLogReader {
  readonly partition = 0
  readonly epoch = 1
  readonly largeRecordBytes = Number.POSITIVE_INFINITY
  readonly batches: StoredBatch[]
  readonly durableSequence: number

  constructor(batches: StoredBatch[], durableSequence: number) {
    this.batches = batches
    this.durableSequence = durableSequence
  }

  append(_batches: BatchesToAppend, done: (error: Error | null) => void): void {
    done(new Error('this log is for reading'))
  }

  async *read(): AsyncGenerator<StoredBatch> {
    yield* this.batches
  }

  batchAt(): StoredBatch | null {
    return null
  }

  async close(): Promise<void> {}
}

async function givenBatches(): Promise<StoredBatch[]> {
  const fixture = await EngineFixture.open()
  const { test } = openMerchant(fixture, 'baobab', 1000)
  openWallet(fixture, 'awa')
  for (let index = 0; index < 5; index++) fixture.do(payout(test, 'awa', 1))
  const batches: StoredBatch[] = []
  for await (const batch of fixture.log.read(1)) batches.push(batch)
  assert.equal(batches.length, 8)
  return batches
}

/** Of another log with the same commands: every batch is whole, none has these hashes. */
async function givenOthers(): Promise<StoredBatch[]> {
  const fixture = await EngineFixture.open({ seed: 99 })
  const { test } = openMerchant(fixture, 'baobab', 1000)
  openWallet(fixture, 'awa')
  for (let index = 0; index < 5; index++) fixture.do(payout(test, 'awa', 1))
  const batches: StoredBatch[] = []
  for await (const batch of fixture.log.read(1)) batches.push(batch)
  return batches
}

function flipped(batch: StoredBatch): StoredBatch {
  const bytes = Uint8Array.from(batch.bytes)
  bytes[100] = (bytes[100] as number) ^ 1
  return { ...batch, bytes }
}

describe('a log', () => {
  it('a log that is whole is taken', async () => {
    const batches = await givenBatches()
    const fixture = await EngineFixture.open({ log: () => new TamperedLog(batches, 8) })
    assert.equal(fixture.engine.recovered.replayedRecords, 8)
  })

  type Tamper = (batches: StoredBatch[], others: StoredBatch[]) => StoredBatch[]
  const rows: readonly (readonly [given: string, tamper: Tamper, code: string])[] = [
    ['whose first batch is missing', (batches) => batches.slice(1), 'chain_broken'],
    ['with a batch missing in between', (batches) => batches.filter((_, at) => at !== 3), 'chain_broken'],
    ['whose last batch is missing', (batches) => batches.slice(0, -1), 'chain_broken'],
    ['that has nothing of what it says it has', () => [], 'chain_broken'],
    ['with a batch twice', (batches) => [...batches.slice(0, 4), ...batches.slice(3)], 'chain_broken'],
    ['with two batches exchanged', ([a, b, c, d, ...rest]) => [a, b, d, c, ...rest] as StoredBatch[], 'chain_broken'],
    [
      'with a batch of another log',
      (batches, others) => batches.map((batch, at) => (at === 4 ? (others[4] as StoredBatch) : batch)),
      'chain_broken',
    ],
    ['that goes on as another log', (batches, others) => [...batches.slice(0, 4), ...others.slice(4)], 'chain_broken'],
    [
      'with a batch under another sequence',
      (batches) => batches.map((batch, at) => (at === 2 ? { ...batch, firstSequence: 9 } : batch)),
      'chain_broken',
    ],
    ['with a damaged batch', (batches) => batches.map((batch, at) => (at === 5 ? flipped(batch) : batch)), 'batch_damaged'],
    ['whose last batch is damaged', (batches) => batches.map((batch, at) => (at === 7 ? flipped(batch) : batch)), 'batch_damaged'],
  ]
  for (const [given, tamper, code] of rows) {
    it(`${given} is refused: ${code}`, async () => {
      const batches = tamper(await givenBatches(), await givenOthers())
      await assert.rejects(EngineFixture.open({ log: () => new TamperedLog(batches, 8) }), { name: 'LogFormatError', code })
    })
  }

  it('a batch that names the batch before it and leaves a sequence out is refused', async () => {
    const fixture = await EngineFixture.open()
    openMerchant(fixture, 'baobab', 1000)
    const [first, second] = fixture.records
    assert.ok(first !== undefined && second !== undefined)
    const one = batchOf(first, GENESIS_HASH)
    const gap = batchOf({ ...second, sequence: 3 }, one.hash)
    const chain = new BatchChain(0)
    assert.equal(chain.next({ firstSequence: 1, bytes: one.bytes }).through, 1)
    assert.throws(() => chain.next({ firstSequence: 3, bytes: gap.bytes }), { name: 'LogFormatError', code: 'chain_broken' })
  })
})

function batchOf(record: LogRecord, previousHash: string): { readonly bytes: Buffer; readonly hash: string } {
  const encoder = new BatchEncoder()
  encoder.add(record)
  return encoder.finish(previousHash)
}
