// What really leaves the service, and what hosted code really receives, is what the document says.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { RecordedBillPayment } from '../../../engine/domain/bill/bill-state.ts'
import { LOOKUP_REFUSAL, LOOKUP_SUCCESS } from '../../../http/api/billers/code-run-examples.ts'
import { BILL_PAYMENT } from '../../../http/api/bills/bill-examples.ts'
import { fulfillmentContext } from '../../../http/workers/fulfillment/fulfiller.ts'
import { emailMessage, sealEmail } from '../../../http/workers/gateways/email.ts'
import { readAnswer } from '../../../http/workers/lookups/lookup-answer.ts'
import { lookupRequest } from '../../../http/workers/lookups/lookups.ts'
import { DOCUMENT } from '../../support/api-document.ts'
import { openMerchant, payout } from '../../support/commands.ts'
import { closed, DocumentSchemas } from '../../support/json-schema.ts'
import { OutboxFixture } from '../../support/outbox-fixture.ts'
import { PHONE, signUp } from '../../support/wallet-engine.ts'

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
  assert.equal(readAnswer(JSON.stringify(LOOKUP_SUCCESS), 'XOF').kind, 'due')
  assert.deepEqual(readAnswer(JSON.stringify(LOOKUP_REFUSAL), 'XOF'), { kind: 'failed', reason: LOOKUP_REFUSAL.reason })
})

test('what onPaid receives is a FulfillmentContext', () => {
  assert.deepEqual(faults('FulfillmentContext', fulfillmentContext(BILL_PAYMENT as unknown as RecordedBillPayment)), [])
})

test('text messages, e-mails and pushes are what the document says', async () => {
  let merchant = -1
  const outbox = await OutboxFixture.open({}, (fixture) => {
    merchant = openMerchant(fixture, 'Boutique Awa', 1000).test
  })
  const { fixture, seal, calls } = outbox
  outbox.sendCode()
  signUp(fixture, PHONE, 'awa', 'pixel')
  const push = { provider: 'fcm', token: 'dGVzdA' }
  const account = fixture.state.wallets.byPhone(PHONE)?.account ?? -1
  fixture.do({ type: 'SetPushToken', account, deviceId: 'pixel', push })
  fixture.do(payout(merchant, 'awa', 100))
  await outbox.settle()
  const components = { sms: 'SmsMessage', push: 'PushMessage', email: 'EmailMessage' } as const
  const { to, sealed } = sealEmail(seal, { to: 'awa@boutique.example', subject: 'Bonjour', text: 'Un texte.' })
  const queued = {
    id: randomUUID(),
    channel: 'email',
    environment: 'live',
    holder: 'operators',
    to,
    sealed,
    until_ms: 0,
    created_at: '2026-11-20T10:00:00.000Z',
  } as const
  const messages = [...calls.map(({ message }) => message), emailMessage(seal, queued)]
  assert.deepEqual(
    messages.map(({ channel }) => channel),
    ['sms', 'push', 'email'],
  )
  for (const message of messages) assert.deepEqual(faults(components[message.channel], message), [])
})
