// The cache of decoded records: which ones push which out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DecodedRecords } from '../../../engine/actor/decoded-records.ts'
import type { LogRecord, StoredEvent } from '../../../engine/domain/record.ts'

const EVENT: StoredEvent = { type: 'payout.paid', version: 1, account: 1, text: '{}', payload: null }

function recordOf(sequence: number, events: number): LogRecord {
  const parts = { transactions: [], events: Array.from({ length: events }, () => EVENT), frames: [], idempotency: null }
  return { sequence, timeMs: 0, command: 'CreateBatch', environment: 'test', ...parts }
}

test('small records push out no batch that is read again and again, and batches are bounded too', () => {
  const decoded = new DecodedRecords()
  const batch = decoded.add(recordOf(1, 1000))
  for (let sequence = 2; sequence < 50; sequence++) decoded.add(recordOf(sequence, 2))
  assert.equal(decoded.get(1), batch)
  assert.equal(decoded.get(2), undefined)
  assert.notEqual(decoded.get(49), undefined)
  for (let sequence = 50; sequence < 57; sequence++) decoded.add(recordOf(sequence, 1000))
  assert.equal(decoded.get(1), batch, 'a record that is used goes to the front')
  for (let sequence = 57; sequence < 65; sequence++) decoded.add(recordOf(sequence, 1000))
  assert.equal(decoded.get(1), undefined)
})
