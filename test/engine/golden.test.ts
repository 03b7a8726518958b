// Logs of released versions, kept byte for byte: they are read, and lead to the same state, for ever.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { BatchEncoder } from '../../engine/actor/batch-encoder.ts'
import { decodeRecordAt, FORMAT_VERSION, GENESIS_HASH, hashBatch } from '../../engine/actor/record-codec.ts'
import { bodyOf } from '../../engine/domain/documents.ts'
import { type LogRecord, payloadOf } from '../../engine/domain/record.ts'
import { REGISTRY } from '../../engine/domain/registry.ts'
import { processEntry } from '../../engine/kernel/script-entry.ts'
import { LABELLED_REGISTRY, NEXT_PAYOUT_VERSION } from '../support/labelled-payouts.ts'
import { pastOf } from '../support/past-of.ts'
import { evolvedRows, type GoldenFile, goldenNames, goldenRecords, readGolden } from './golden-file.ts'

function eventsOf(records: readonly LogRecord[]): string[] {
  return [...new Set(records.flatMap((record) => record.events.map(({ type, version }) => `${type}@${version}`)))].sort()
}

function encodedAgain(file: GoldenFile): string[] {
  const encoder = new BatchEncoder()
  let hash: string = GENESIS_HASH
  const records = goldenRecords(file)
  return file.batches.map((text) => {
    const count = Buffer.from(text, 'base64').readUInt32LE(24)
    for (const record of records.splice(0, count)) encoder.add(record)
    const batch = encoder.finish(hash)
    encoder.reset()
    hash = batch.hash
    return batch.bytes.toString('base64')
  })
}

function checkGolden(file: GoldenFile): void {
  const records = goldenRecords(file)
  const past = pastOf(records)
  assert.deepEqual(eventsOf(records), file.events)
  assert.deepEqual(evolvedRows(records), file.rows, 'the same records lead to the same state')
  for (const text of file.batches) {
    const bytes = Buffer.from(text, 'base64')
    const first = bytes.readDoubleLE(8)
    for (let sequence = first; sequence < first + bytes.readUInt32LE(24); sequence++) {
      const record = decodeRecordAt(bytes, sequence)
      assert.equal(bodyOf(record, past), bodyOf(records[sequence - 1] as LogRecord, past))
      for (const event of record.events) assert.ok(JSON.parse(event.text), 'every text is JSON')
    }
  }
}

for (const name of goldenNames()) {
  describe(name, () => {
    const file = readGolden(name)

    it(`${name} is read, and leads to the state that it was written with`, () => checkGolden(file))

    it(`${name} is written the same by this release as long as its format is the latest`, () => {
      if (file.format === FORMAT_VERSION) assert.deepEqual(encodedAgain(file), file.batches)
      else assert.ok(file.format < FORMAT_VERSION)
    })

    it(`${name} is noticed when a byte of it changes`, () => {
      const [first = '', ...rest] = file.batches
      const bytes = Buffer.from(first, 'base64')
      bytes[90] = (bytes[90] as number) ^ 1
      assert.notEqual(hashBatch(bytes), hashBatch(Buffer.from(first, 'base64')))
      assert.throws(() => goldenRecords({ ...file, batches: [bytes.toString('base64'), ...rest] }), { code: 'batch_damaged' })
    })
  })
}

it('a golden file leads to the same state in a release with newer versions, whose readers get the newest shape', () => {
  const file = readGolden('money-v1.json')
  const records = goldenRecords(file, LABELLED_REGISTRY)
  assert.deepEqual(evolvedRows(records, LABELLED_REGISTRY), file.rows)
  const payouts = records.flatMap(({ events }) => events.filter(({ type }) => type.startsWith('payout.')))
  assert.ok(payouts.length > 5)
  for (const payout of payouts) {
    assert.equal(payout.version, NEXT_PAYOUT_VERSION - 1)
    assert.deepEqual(payloadOf(payout), { ...(JSON.parse(payout.text) as object), test_label: '' })
  }
})

it('every event that this release knows is in a golden file', () => {
  const golden = new Set(goldenNames().flatMap((name) => readGolden(name).events))
  const missing = REGISTRY.knownEvents().filter((event) => !golden.has(event))
  assert.deepEqual(missing, [], 'add a scenario to test/engine/golden-scenarios.ts and write its file with golden-write.ts')
})

it('golden files can be written, and none is written over', (test) => {
  const folder = mkdtempSync(join(tmpdir(), 'cauri-golden-'))
  test.after(() => rmSync(folder, { recursive: true, force: true }))
  const write = processEntry(new URL('./golden-write.ts', import.meta.url))
  const run = () => spawnSync(process.execPath, [...write, '--into', folder], { encoding: 'utf8' })
  const { status, stderr } = run()
  assert.equal(status, 0, stderr)
  assert.deepEqual(goldenNames(folder), goldenNames())
  for (const name of goldenNames(folder)) checkGolden(readGolden(name, folder))
  assert.match(run().stderr, /EEXIST/)
})
