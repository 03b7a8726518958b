// Pushes of answers to a customer's message.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { positionOf } from '../../../../engine/kernel/position.ts'
import { CALLER, deposit, openMerchant } from '../../../support/commands.ts'
import type { EngineFixture } from '../../../support/engine-fixture.ts'
import { OutboxFixture } from '../../../support/outbox-fixture.ts'
import { PHONE, signUp } from '../../../support/wallet-engine.ts'

test('an answer of a merchant is pushed to the customer without its text, which is read in the app', async () => {
  let merchant = -1
  const outbox = await OutboxFixture.open(undefined, (fixture: EngineFixture) => {
    merchant = openMerchant(fixture, 'Boutique Awa').test
    signUp(fixture, PHONE, 'awa', 'pixel')
    fixture.do(deposit({ tag: 'awa' }, 10))
  })
  const { fixture, calls } = outbox
  const customer = fixture.state.wallets.byPhone(PHONE)?.account ?? -1
  const texts = { reference: '', description: '', checkoutUrl: '', customerTag: '', redirectUrl: '', webhookUrl: '', metadata: {} }
  fixture.do({ type: 'CreateCharge', merchant, token: 'token', amount: 1, ...texts, madeBy: CALLER })
  fixture.do({ type: 'PayCharge', token: 'token', merchant: null, payer: customer, challengeId: null, answer: 'app' })
  const newest = (): number => positionOf(fixture.engine.lastSequence, 0)
  fixture.do({ type: 'OpenProblem', customer, position: newest(), reason: 'other', text: 'Bonjour.' })
  fixture.do({ type: 'AnswerProblem', merchant, position: newest(), answer: 'Bonsoir.' })
  await outbox.settle()
  const message = calls.at(-1)?.message
  assert.ok(message !== undefined && 'data' in message)
  const { title, text, data } = message
  assert.deepEqual(
    [title, text, data.type],
    [
      'Réponse d’un marchand',
      'Boutique Awa a répondu à votre message sur un paiement. Lisez la réponse dans l’application.',
      'problem.answered',
    ],
  )
})
