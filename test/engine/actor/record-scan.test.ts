// Replay without decoding: the state is the same as after decoding each record, with any text of merchants.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { decodeRecordAt, recordRange } from '../../../engine/actor/record-codec.ts'
import { RecordScan } from '../../../engine/actor/record-scan.ts'
import { replayRecord } from '../../../engine/actor/turn.ts'
import { newState } from '../../../engine/domain/new-state.ts'
import { REGISTRY } from '../../../engine/domain/registry.ts'
import { stateRows } from '../../support/engine-fixture.ts'
import { encoded, PAYOUTS, recordsOf } from '../../support/nasty-records.ts'
import { runs } from '../../support/property-runs.ts'

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
    { numRuns: runs(30) },
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
