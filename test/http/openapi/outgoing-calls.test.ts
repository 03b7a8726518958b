// What really leaves the service, and what hosted code really receives, is what the document says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RecordedBillPayment } from '../../../engine/domain/bill/bill-state.ts'
import { LOOKUP_REFUSAL, LOOKUP_SUCCESS } from '../../../http/api/billers/code-run-examples.ts'
import { BILL_PAYMENT } from '../../../http/api/bills/bill-examples.ts'
import { fulfillmentContext } from '../../../http/workers/fulfillment/fulfiller.ts'
import { Gateway } from '../../../http/workers/gateways/gateway.ts'
import { Inbox } from '../../../http/workers/gateways/inbox.ts'
import { otpText } from '../../../http/workers/gateways/message.ts'
import { PushNotices } from '../../../http/workers/gateways/push.ts'
import { TextMessages } from '../../../http/workers/gateways/sms.ts'
import { readAnswer } from '../../../http/workers/lookups/lookup-answer.ts'
import { lookupRequest } from '../../../http/workers/lookups/lookups.ts'
import { DOCUMENT } from '../../support/api-document.ts'
import { openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { closed, DocumentSchemas } from '../../support/json-schema.ts'
import { LIVE_PHONE } from '../../support/wallet-engine.ts'

const { components } = DOCUMENT as { components: { schemas: object } }
const judge = new DocumentSchemas({ ...DOCUMENT, components: { ...components, schemas: closed(components.schemas) } } as typeof DOCUMENT)

function faults(component: string, value: unknown): string[] {
  return judge.faults({ $ref: `#/components/schemas/${component}` }, JSON.parse(JSON.stringify(value)))
}

test('the request of a lookup is a LookupRequest', () => {
  const request = lookupRequest('facture', { compteur: '01234567890', montant: 12 }, 1_763_633_100)
  assert.deepEqual(faults('LookupRequest', JSON.parse(request)), [])
})

test('the answers of the document are read as what they say', () => {
  assert.equal(readAnswer(JSON.stringify(LOOKUP_SUCCESS)).kind, 'due')
  assert.deepEqual(readAnswer(JSON.stringify(LOOKUP_REFUSAL)), { kind: 'failed', reason: LOOKUP_REFUSAL.reason })
})

test('what onPaid receives is a FulfillmentContext', () => {
  assert.deepEqual(faults('FulfillmentContext', fulfillmentContext(BILL_PAYMENT as unknown as RecordedBillPayment)), [])
})

test('a text message is an SmsMessage', async () => {
  const sent = await new Promise<object>((resolve) => {
    const postJson = (_url: string, body: object): Promise<number> => {
      resolve(body)
      return Promise.resolve(200)
    }
    const gateway = new Gateway({ url: 'http://sms.example', postJson, onGiveUp: () => assert.fail('it arrives') })
    new TextMessages(gateway, null, () => 1_763_633_100_000).send(LIVE_PHONE, otpText('482915', 'login'))
  })
  assert.deepEqual(faults('SmsMessage', sent), [])
})

test('a push notification is a PushMessage', async () => {
  const fixture = await EngineFixture.open()
  const { test: merchant } = openMerchant(fixture, 'Boutique Awa', 1000)
  openWallet(fixture, 'awa')
  fixture.do(payout(merchant, 'awa', 100))
  const inbox = new Inbox()
  const push = new PushNotices(fixture.engine, null, inbox)
  for (const record of fixture.records) push.record(record)
  const entries = inbox.newest()
  assert.ok(entries.length > 0)
  for (const { item } of entries) assert.deepEqual(faults('PushMessage', item), [])
})
