// Frames that no route of today makes by itself, and what frames never say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogRecord } from '../../../../engine/domain/record.ts'
import { frameText } from '../../../../engine/query/frame-text.ts'
import { BillFixture, DUE } from '../../../support/bill-engine.ts'
import { MandateFixture } from '../../../support/mandate-engine.ts'
import { readFrames } from '../../../support/stream-fixture.ts'

test('mandate.requested is the mandate as the customer sees it: who asks, and none of the merchant’s handles', async () => {
  const setup = await MandateFixture.open(0)
  const { token, approval_url, ...mandate } = setup.create()
  const record = setup.fixture.records.at(-1)
  assert.deepEqual(
    record?.frames.map(({ account, type }) => [account, type]),
    [[setup.awa, 'mandate.requested']],
  )
  const [frame] = readFrames(
    frameText(setup.fixture.engine, record as LogRecord, (record as LogRecord).frames[0] as LogRecord['frames'][0]),
  )
  assert.deepEqual(frame?.data, { ...mandate, merchant_name: 'baobab' })
  assert.ok(!JSON.stringify(frame).includes(token) && !JSON.stringify(frame).includes(approval_url))
})

test('bill.paid has the fields of the webhook of that name and nothing else of its event', async () => {
  const setup = await BillFixture.open()
  assert.equal(setup.do(setup.pay('facture', { quoteId: setup.quoted() })).status, 200)
  const record = setup.fixture.records.at(-1) as LogRecord
  const texts = record.frames.map((frame) => frameText(setup.fixture.engine, record, frame))
  const [sent, , bill] = readFrames(texts.join(''))
  assert.deepEqual([bill?.event, bill?.data], ['bill.paid', setup.told()[0]?.data])
  assert.deepEqual([sent?.event, sent?.data.reference, sent?.data.amount], ['payment.sent', 'F-11', DUE.amount])
})
