// Webhook events in the log: those that refer to a document read as those that held a copy of it.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { RecordedBillPayment } from '../../../engine/domain/bill/bill-state.ts'
import { billPaidData } from '../../../engine/domain/bill/bill-versions.ts'
import { documentText } from '../../../engine/domain/documents.ts'
import { paymentOf } from '../../../engine/domain/mandate/mandate-versions.ts'
import { isMerchantEvent, merchantEventOf, recordedBeside } from '../../../engine/domain/merchant-events.ts'
import { type LogRecord, payloadOf } from '../../../engine/domain/record.ts'
import type { MerchantEvent } from '../../../engine/domain/webhook/webhook-events.ts'
import { positionOf } from '../../../engine/kernel/position.ts'
import { pastOf } from '../../support/past-of.ts'
import { goldenRecords, readGolden } from '../golden-file.ts'

/** What endpoints receive. */
interface Recorded {
  readonly id: string
  readonly webhook: string
  readonly deliveries: MerchantEvent['deliveries']
  readonly version: number
}

function recordedIn(records: readonly LogRecord[]): Recorded[] {
  const past = pastOf(records)
  return records.flatMap(({ events }) =>
    events
      .filter(({ type }) => type === 'merchant_event.recorded')
      .map((event) => {
        const { id, type, environment, created_at, data, deliveries } = merchantEventOf(event, past) as MerchantEvent
        const webhook = JSON.stringify({ id, type, environment, created_at, data })
        return { id, webhook, deliveries, version: event.version }
      }),
  )
}

/** One scenario, written when events held copies and when they refer; ids and times are the same. Earlier releases recorded fewer events. */
const PAIRS = [
  ['charges-v2.json', 'charges-v3.json'],
  ['webhooks-v1.json', 'webhooks-v2.json'],
] as const

/** The report of a batch has had warnings since its version 2; an event that refers to it shows the newest version. */
function withNewerFields(webhook: string): string {
  const event = JSON.parse(webhook) as { readonly type: string; readonly data: object }
  return event.type === 'batch.completed' ? JSON.stringify({ ...event, data: { ...event.data, warnings: [] } }) : webhook
}

describe('an event that refers to its document', () => {
  for (const [copies, references] of PAIRS) {
    it(`an event that refers to its document of ${references} is sent with the bytes of ${copies}`, () => {
      const before = recordedIn(goldenRecords(readGolden(copies)))
      const after = new Map(recordedIn(goldenRecords(readGolden(references))).map((one) => [one.id, one]))
      assert.ok(before.length > 0 && before.every(({ version }) => version === 1))
      for (const { id, webhook, deliveries } of before) {
        const same = after.get(id)
        assert.deepEqual([same?.version, same?.webhook, same?.deliveries], [2, withNewerFields(webhook), deliveries])
      }
    })
  }

  it('an event that refers to a mandate carries the mandate as the change left it, and the payment of the change', () => {
    const records = goldenRecords(readGolden('mandates-v3.json'))
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
    const records = goldenRecords(readGolden('bills-v3.json'))
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

  it('an event that refers to its document takes the place of the derived event of its payout or batch, in either version', () => {
    for (const name of ['webhooks-v1.json', 'webhooks-v2.json']) {
      const records = goldenRecords(readGolden(name)).filter(({ command }) => command === 'CreateBatch' || command === 'CreatePayout')
      assert.ok(records.length > 1)
      for (const record of records) {
        const recorded = recordedBeside(record)
        const derived = record.events.filter((event) => isMerchantEvent(event) && event.type !== 'merchant_event.recorded')
        assert.equal(recorded.size, derived.length, name)
        for (const event of derived) {
          const id = merchantEventOf(event, pastOf([]))?.id ?? ''
          assert.ok(recorded.has(id) || recorded.has(positionOf(record.sequence, record.events.indexOf(event))), `${name} ${id}`)
        }
      }
    }
  })
})
