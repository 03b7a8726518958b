// Decisions about problems that no HTTP test reaches: the shares of wallets, bills and payments of mandates.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPEN_PROBLEMS } from '../../../../engine/domain/problem/problem-limits.ts'
import { positionOf } from '../../../../engine/kernel/position.ts'
import { CALLER, deposit, openMerchant, openWallet } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'

async function opened() {
  const fixture = await EngineFixture.open()
  const { test: merchant } = openMerchant(fixture, 'Boutique')
  const customer = openWallet(fixture, 'awa')
  fixture.do(deposit({ tag: 'awa' }, 100_000))
  const pay = (token: string): number => {
    const texts = { reference: '', description: '', checkoutUrl: '', customerTag: '', redirectUrl: '', webhookUrl: '', metadata: {} }
    fixture.do({ type: 'CreateCharge', merchant, token, amount: 100, ...texts, madeBy: CALLER })
    fixture.do({ type: 'PayCharge', token, merchant: null, payer: customer, challengeId: null, answer: 'app' })
    return positionOf(fixture.engine.lastSequence, 0)
  }
  const open = (position: number, by = customer) => fixture.do({ type: 'OpenProblem', customer: by, position, reason: 'other', text: '' })
  return { fixture, merchant, customer, pay, open }
}

test('a wallet at its share of open problems is refused until one is answered', async () => {
  const { fixture, merchant, pay, open } = await opened()
  const positions = Array.from({ length: OPEN_PROBLEMS.share }, (_, at) => {
    assert.equal(open(pay(`token-${at}`)).kind, 'created')
    return positionOf(fixture.engine.lastSequence, 0)
  })
  const last = pay('one-more')
  const refused = open(last)
  assert.deepEqual([refused.kind, JSON.parse(refused.body).param], ['rate_limited', 'open_problems'])
  assert.equal(fixture.state.problems.openOf(merchant), OPEN_PROBLEMS.share)
  fixture.do({ type: 'AnswerProblem', merchant, position: positions[0] ?? 0, answer: 'Oui.' })
  assert.equal(open(last).kind, 'created')
  assert.equal(fixture.state.problems.openOf(merchant), OPEN_PROBLEMS.share)
})

test('a problem is about a payment of its own wallet: another wallet, or an event that is none, is not found', async () => {
  const { fixture, pay, open } = await opened()
  const stranger = openWallet(fixture, 'moussa')
  const position = pay('token')
  assert.equal(JSON.parse(open(position, stranger).body).code, 'not_found')
  assert.equal(JSON.parse(open(position - positionOf(1, 0)).body).code, 'not_found', 'the creation of the charge')
  assert.equal(fixture.state.problems.open.size, 0)
})

test('an answer is about the problem that is open: not one that a merchant does not have, nor the one before', async () => {
  const { fixture, merchant, pay, open } = await opened()
  const { test: other } = openMerchant(fixture, 'Autre')
  const position = pay('token')
  open(position)
  const first = positionOf(fixture.engine.lastSequence, 0)
  const answer = (by: number, at: number) => fixture.do({ type: 'AnswerProblem', merchant: by, position: at, answer: 'Oui.' })
  assert.equal(JSON.parse(answer(other, first).body).code, 'not_found')
  assert.equal(answer(merchant, first).kind, 'ok')
  open(position)
  assert.equal(JSON.parse(answer(merchant, first).body).code, 'problem_closed')
  assert.equal(answer(merchant, positionOf(fixture.engine.lastSequence, 0)).kind, 'ok')
})
