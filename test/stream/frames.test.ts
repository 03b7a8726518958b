// Frames that no route of today makes by itself, and what frames never say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LogRecord } from '../../engine/domain/record.ts'
import { frameText } from '../../http/stream/frame-text.ts'
import { Scene } from '../mandates/scene.ts'
import { readFrames } from './stream-scene.ts'

test('mandate.requested is the mandate as the customer sees it: who asks, and none of the merchant’s handles', async () => {
  const scene = await Scene.open(0)
  const { token, approval_url, ...mandate } = scene.create()
  const record = scene.stage.records.at(-1)
  assert.deepEqual(
    record?.frames.map(({ account, type }) => [account, type]),
    [[scene.awa, 'mandate.requested']],
  )
  const [frame] = readFrames(frameText(scene.stage.state, record as LogRecord, (record as LogRecord).frames[0] as LogRecord['frames'][0]))
  assert.deepEqual(frame?.data, { ...mandate, merchant_name: 'baobab' })
  assert.ok(!JSON.stringify(frame).includes(token) && !JSON.stringify(frame).includes(approval_url))
})

test('bill.paid has the fields of the webhook of that name and nothing else of its event', async () => {
  const { stage, awa } = await Scene.open(0)
  const bill = {
    ...{ biller: 'senelec', product: 'postpaye', amount: 12_500, currency: 'XOF', biller_ref: 'F-1', form_values: { police: '123' } },
    ...{ charge_id: 'c', transaction_id: 't', merchant_id: 'm' },
  }
  const record = {
    ...(stage.records.at(-1) as LogRecord),
    events: [{ type: 'bill.paid', version: 1, account: awa, text: JSON.stringify({ ...bill, lookup_secret: 'x', customer: awa }) }],
    frames: [{ account: awa, id: 9, type: 'bill.paid', eventIndex: 0 }],
  } as unknown as LogRecord
  const [frame] = readFrames(frameText(stage.state, record, record.frames[0] as LogRecord['frames'][0]))
  assert.deepEqual([frame?.id, frame?.event, frame?.data], [9, 'bill.paid', bill])
})
