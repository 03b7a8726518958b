// Webhook events in the log: they refer to the document that is their data.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RecordedBillPayment } from '../../../engine/domain/bill/bill-state.ts'
import { billPaidData } from '../../../engine/domain/bill/bill-versions.ts'
import { documentText } from '../../../engine/domain/documents.ts'
import { paymentOf } from '../../../engine/domain/mandate/mandate-versions.ts'
import { isMerchantEvent, merchantEventOf, recordedBeside } from '../../../engine/domain/merchant-events.ts'
import { payloadOf } from '../../../engine/domain/record.ts'
import type { MerchantEvent, RecordedMerchantEvent } from '../../../engine/domain/webhook/webhook-events.ts'
import { positionOf } from '../../../engine/kernel/position.ts'
import { pastOf } from '../../support/past-of.ts'
import { goldenRecords, readGolden } from '../golden-file.ts'

/** Members of the data of each type, in the order in which endpoints receive them. */
const CHARGE = [
  ...['id', 'token', 'amount', 'currency', 'state', 'reference', 'description', 'customer_tag', 'payer_tag', 'transaction_id'],
  ...['merchant_id', 'environment', 'metadata', 'paid_at', 'created_at'],
]
const PAYOUT = ['id', 'recipient', 'amount', 'currency', 'fee', 'reference', 'state']
const OF_BATCH = ['note', 'environment', 'batch_id', 'schedule_id', 'disbursement_id', 'created_at']
const COUNTS = ['total_count', 'paid_count', 'failed_count', 'total_amount', 'paid_amount', 'failed_amount', 'fee_amount']
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  'charge.succeeded': CHARGE,
  'charge.expired': CHARGE,
  'charge.cancelled': [...CHARGE, 'cancelled_at'],
  'charge.refunded': [...CHARGE, 'refunded_at', 'refund_transaction_id'],
  'payout.paid': [...PAYOUT, 'transaction_id', ...OF_BATCH],
  'payout.failed': [...PAYOUT, 'failure_code', ...OF_BATCH],
  'batch.completed': ['id', 'state', 'reference', 'currency', 'environment', ...COUNTS, 'created_at', 'items', 'warnings'],
}

describe('an event that refers to its document', () => {
  it('an event that refers to its document is sent with the members of its type, in their order', () => {
    const seen = new Set<string>()
    for (const name of ['charges-v1.json', 'webhooks-v1.json']) {
      const records = goldenRecords(readGolden(name))
      const recorded = records.flatMap(({ events }) => events.filter(({ type }) => type === 'merchant_event.recorded'))
      for (const event of recorded) {
        if (!('document_position' in payloadOf<RecordedMerchantEvent>(event))) continue
        const { type, data } = merchantEventOf(event, pastOf(records)) as MerchantEvent
        assert.deepEqual(Object.keys(data), MEMBERS[type], type)
        seen.add(type)
      }
    }
    assert.deepEqual([...seen].sort(), Object.keys(MEMBERS).sort())
  })

  it('an event that refers to a mandate carries the mandate as the change left it, and the payment of the change', () => {
    const records = goldenRecords(readGolden('mandates-v1.json'))
    const past = pastOf(records)
    let payments = 0
    for (const { events } of records) {
      const [change, told] = events
      if (change === undefined || told?.type !== 'merchant_event.recorded') continue
      const { payment, ...mandate } = (merchantEventOf(told, past) as MerchantEvent).data as Record<string, unknown>
      assert.equal(JSON.stringify(mandate), documentText(change, past))
      assert.deepEqual(payment ?? null, paymentOf(change))
      if (payment !== undefined) payments++
    }
    assert.equal(payments, 4)
  })

  it('an event that refers to a bill carries the fields of its payment, with the payment or long after it', () => {
    const records = goldenRecords(readGolden('bills-v1.json'))
    const past = pastOf(records)
    const payments = records.flatMap(({ events }) => events.filter(({ type }) => type === 'bill.paid').map((event) => payloadOf(event)))
    const told = records.flatMap(({ events }) =>
      events.map((event) => merchantEventOf(event, past)).filter((event) => event?.type === 'bill.paid'),
    )
    assert.equal(told.length, 2)
    for (const event of told) {
      const data = event?.data as RecordedBillPayment
      const payment = payments.find((one) => (one as RecordedBillPayment).charge_id === data.charge_id)
      assert.deepEqual(data, billPaidData(payment as RecordedBillPayment))
    }
  })

  it('an event that refers to its document takes the place of the derived event of its payout or batch', () => {
    const records = goldenRecords(readGolden('webhooks-v1.json'))
    const decided = records.filter(({ command }) => command === 'CreateBatch' || command === 'CreatePayout')
    assert.ok(decided.length > 1)
    for (const record of decided) {
      const derived = record.events.filter((event) => isMerchantEvent(event) && event.type !== 'merchant_event.recorded')
      const positions = derived.map((event) => positionOf(record.sequence, record.events.indexOf(event)))
      assert.deepEqual([...recordedBeside(record)].sort(), positions)
    }
  })
})
