// Replay without decoding: the state is the same as after decoding each record, with any text of merchants.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { BatchEncoder, decodeRecordAt, GENESIS_HASH, recordRange } from '../../../engine/actor/record-codec.ts'
import { RecordScan } from '../../../engine/actor/record-scan.ts'
import { replayRecord } from '../../../engine/actor/turn.ts'
import { readBatchLines } from '../../../engine/contract/batch-line.ts'
import { newState } from '../../../engine/domain/new-state.ts'
import type { LogRecord } from '../../../engine/domain/record.ts'
import { REGISTRY } from '../../../engine/domain/registry.ts'
import { openMerchant, openWallet, payout, withdraw } from '../../support/commands.ts'
import { EngineFixture, stateRows } from '../../support/engine-fixture.ts'

/** Texts that look like the structure around them. */
const NASTY = fc.oneof(
  fc.constantFrom('', 'R1', '"', '\\', '\\"', '],[', '"],["', '\\\\', 'é', '😀', '",3,[', '\n', '[[', ']]'),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const TAG = fc.constantFrom('awa', 'moussa', 'nobody')
const PAYOUTS = fc.array(fc.record({ tag: TAG, amount: fc.constantFrom(1, 999, 10_000_000), reference: NASTY, note: NASTY, key: NASTY }), {
  maxLength: 12,
})

function encoded(records: readonly LogRecord[]): Buffer {
  const encoder = new BatchEncoder()
  for (const record of records) encoder.add(record)
  return encoder.finish(GENESIS_HASH).bytes
}

async function recordsOf(
  payouts: readonly { tag: string; amount: number; reference: string; note: string; key: string }[],
): Promise<LogRecord[]> {
  const fixture = await EngineFixture.open()
  const { test: merchant, id } = openMerchant(fixture, 'baobab', 5000)
  for (const tag of ['awa', 'moussa']) openWallet(fixture, tag)
  for (const { tag, amount, reference, note, key } of payouts) {
    fixture.loop.nowMs += 1
    fixture.do(payout(merchant, tag, amount, reference, note), key === '' ? {} : { key })
  }
  const lines = readBatchLines(payouts.map(({ tag, amount, reference, note }) => ({ recipient: tag, amount, reference, note })))
  if (lines.length > 0) {
    const command = { type: 'CreateBatch', merchant, lines, reference: payouts[0]?.reference ?? '', scheduleId: null } as const
    fixture.do(command, { mailbox: merchant, key: payouts[0]?.note ?? '' })
  }
  fixture.do(withdraw({ merchantId: id }, 1))
  return fixture.records
}

test('replay without decoding gives the state of decoded records, and scans payouts and batches', async () => {
  await fc.assert(
    fc.asyncProperty(PAYOUTS, async (payouts) => {
      const records = await recordsOf(payouts)
      const bytes = encoded(records)
      const scan = new RecordScan(REGISTRY)
      const [decoded, scanned] = [newState(), newState()]
      const commands: string[] = []
      for (const { sequence, timeMs, command } of records) {
        const record = decodeRecordAt(bytes, sequence)
        replayRecord(decoded, record)
        const scannedMs = scan.replay(scanned, bytes, recordRange(bytes, sequence).from)
        if (scannedMs === null) replayRecord(scanned, record)
        else {
          assert.equal(scannedMs, timeMs)
          commands.push(command)
        }
      }
      assert.deepEqual(stateRows(scanned), stateRows(decoded))
      assert.deepEqual(scanned.transactionCounts, decoded.transactionCounts)
      const withoutBudget = records.filter(
        ({ command, events }) => /^Create(Payout|Batch)$/.test(command) && !events.some(({ type }) => type === 'log.counted'),
      )
      assert.deepEqual(commands.filter((command) => /^Create(Payout|Batch)$/.test(command)).length, withoutBudget.length)
    }),
    { numRuns: 30 },
  )
})

test('replay without decoding checks the balances and frames of the log', async () => {
  const records = await recordsOf([{ tag: 'awa', amount: 7, reference: '', note: '', key: '' }])
  const paid = records.find(({ command }) => command === 'CreatePayout')
  const before = records.filter(({ sequence }) => sequence < (paid?.sequence ?? 0))
  assert.ok(paid !== undefined)
  const wrongBalance = {
    ...paid,
    transactions: paid.transactions.map((one) => ({ ...one, postings: one.postings.map((posting) => ({ ...posting, creditBalance: 8 })) })),
  }
  const wrongFrame = { ...paid, frames: paid.frames.map((frame) => ({ ...frame, id: frame.id + 1 })) }
  for (const [wrong, message] of [
    [wrongBalance, /balances after a posting/],
    [wrongFrame, /without gaps/],
  ] as const) {
    const state = newState()
    for (const record of before) replayRecord(state, record)
    const bytes = encoded([wrong])
    assert.throws(() => new RecordScan(REGISTRY).replay(state, bytes, recordRange(bytes, wrong.sequence).from), message)
  }
})
