// Payment links in the engine: how many payments a link takes, when it is closed, and what a crash leaves.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Charge } from '../../../../engine/contract/charge.ts'
import { ACTIVE_LINKS, CLOSED_LINKS } from '../../../../engine/domain/payment-link/payment-link-limits.ts'
import { CALLER, deposit, openMerchant, openWallet } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import { fillByStrangers, fillQuota } from '../../../support/filled-quota.ts'
import { linkCharge, newLink } from '../../../support/payment-link-engine.ts'

async function opened(more: Parameters<typeof newLink>[2] = {}) {
  const fixture = await EngineFixture.open()
  const { test: merchant } = openMerchant(fixture, 'Boutique')
  const payer = openWallet(fixture, 'awa')
  fixture.do(deposit({ tag: 'awa' }, 10_000))
  assert.equal(fixture.do(newLink(merchant, 'code', more)).kind, 'created')
  const link = () => fixture.state.paymentLinks.byCode('code')?.link
  const id = link()?.id ?? ''
  const pay = (token: string) => ({ type: 'PayCharge', token, merchant: null, payer, challengeId: null, answer: 'app' }) as const
  const charge = (token: string, amount = 100) => fixture.do(linkCharge(merchant, id, token, amount)).kind
  const codeOf = (body: string): string => (JSON.parse(body) as { code?: string }).code ?? ''
  return { fixture, merchant, link, id, pay, charge, codeOf }
}

describe('payment links', () => {
  it('of many charges that are paid at once, a link takes as many payments as it allows', async () => {
    const { fixture, link, pay, charge, codeOf } = await opened({ maxPayments: 3 })
    const tokens = Array.from({ length: 10 }, (_, index) => `token ${index}`)
    for (const token of tokens) assert.equal(charge(token), 'created')
    const sent = tokens.map((token) => fixture.send(pay(token)))
    fixture.settle()
    const outcomes = sent.map(({ outcome }) => outcome)
    assert.equal(outcomes.filter((outcome) => outcome?.kind === 'ok').length, 3)
    for (const outcome of outcomes.slice(3)) assert.equal(codeOf(outcome?.body ?? ''), 'payment_link_closed')
    assert.deepEqual([link()?.payments_count, link()?.collected_amount, link()?.state], [3, 300, 'closed'])
    assert.equal(charge('late'), 'conflict')
  })

  it('a charge made before the link was closed or had ended is not paid afterwards', async () => {
    for (const end of ['closed', 'expired'] as const) {
      const { fixture, merchant, id, pay, charge, codeOf } = await opened({ expiresMs: 1_790_000_000_000 + 600_000 })
      assert.equal(charge('one'), 'created')
      if (end === 'closed') assert.equal(fixture.do({ type: 'ClosePaymentLink', merchant, id }).kind, 'ok')
      else fixture.loop.nowMs += 600_000
      assert.equal(codeOf(fixture.do(pay('one')).body), 'payment_link_closed', end)
      assert.equal(charge('two'), 'conflict')
      const again = fixture.do({ type: 'ClosePaymentLink', merchant, id })
      assert.equal((JSON.parse(again.body) as { state: string }).state, 'closed')
    }
  })

  it('the charge names its link in every state, and a charge without a link names none', async () => {
    const { fixture, merchant, id, pay, charge } = await opened()
    charge('one')
    fixture.do(pay('one'))
    const of = (token: string) => JSON.parse(fixture.engine.query('charges.get', { account: merchant, handle: token }) ?? '{}') as object
    assert.deepEqual({ ...of('one'), ...{ id: '' } }, { ...of('one'), ...{ id: '', state: 'paid', payment_link_id: id } })
    const { created_by, payment_link_created_by } = of('one') as Charge
    assert.deepEqual([created_by, payment_link_created_by], [{ kind: 'link', id, name: 'Caisse' }, CALLER])
    fixture.do({ ...linkCharge(merchant, id, 'plain', 1), madeBy: CALLER })
    assert.ok(!('payment_link_id' in of('plain')))
    assert.deepEqual((of('plain') as Charge).created_by, CALLER)
  })

  it('a crash loses no counted payment, with and without a snapshot', async () => {
    const { fixture, link, pay, charge } = await opened()
    charge('one')
    charge('two')
    fixture.do(pay('one'))
    const before = [...fixture.rows()]
    await fixture.start()
    assert.deepEqual([...fixture.rows()], before)
    await fixture.startWithoutArchive()
    assert.deepEqual([...fixture.rows()], before)
    assert.deepEqual([link()?.payments_count, fixture.do(pay('two')).kind, link()?.payments_count], [1, 'ok', 2])
  })

  it('no other merchant closes a link or makes charges by it', async () => {
    const { fixture, id } = await opened()
    const { test: other } = openMerchant(fixture, 'Autre')
    assert.equal(fixture.do({ type: 'ClosePaymentLink', merchant: other, id }).kind, 'not_found')
    assert.equal(fixture.do(linkCharge(other, id, 'stolen', 1)).kind, 'conflict')
  })

  it('an account at its share of links is refused, and a closed link makes room', async () => {
    const { fixture, merchant, id, codeOf } = await opened()
    for (let count = 1; count < ACTIVE_LINKS.share; count++) fixture.send(newLink(merchant, `code ${count}`))
    fixture.settle()
    assert.equal(codeOf(fixture.do(newLink(merchant, 'one more')).body), 'quota_exceeded')
    assert.equal(fixture.do({ type: 'ClosePaymentLink', merchant, id }).kind, 'ok')
    assert.equal(fixture.do(newLink(merchant, 'one more')).kind, 'created')
  })

  it('expired links do not count: at its share an account closes them when it creates the next one', async () => {
    const { fixture, merchant, id } = await opened({ expiresMs: Date.UTC(2100, 0, 1) })
    fillQuota(fixture.state, ACTIVE_LINKS, { part: 'test', holder: merchant, rows: ACTIVE_LINKS.share - 1 })
    assert.equal(fixture.do(newLink(merchant, 'one more')).kind, 'rate_limited')
    fixture.loop.nowMs = Date.UTC(2100, 0, 2)
    assert.equal(fixture.do(newLink(merchant, 'one more')).kind, 'created')
    const { state, closed_at } = fixture.state.paymentLinks.rows.get(id)?.link ?? {}
    assert.deepEqual([state, closed_at], ['closed', '2100-01-01T00:00:00.000Z'])
  })

  it('at the share of closed links the oldest one is forgotten, and what is paid for it is refused as closed', async () => {
    const { fixture, merchant, id, pay, charge, codeOf } = await opened()
    charge('late')
    fixture.do({ type: 'ClosePaymentLink', merchant, id })
    fillQuota(fixture.state, CLOSED_LINKS, { part: 'test', holder: merchant, rows: CLOSED_LINKS.share - 1 })
    fixture.do(newLink(merchant, 'second'))
    const second = fixture.state.paymentLinks.byCode('second')?.link.id ?? ''
    assert.equal(fixture.do({ type: 'ClosePaymentLink', merchant, id: second }).kind, 'ok')
    const { paymentLinks } = fixture.state
    assert.deepEqual([paymentLinks.rows.get(id), paymentLinks.byCode('code')], [undefined, undefined])
    assert.equal(paymentLinks.rows.get(second)?.link.state, 'closed')
    assert.equal(codeOf(fixture.do(pay('late')).body), 'payment_link_closed')
    const before = fixture.rows()
    await fixture.startWithoutArchive()
    assert.deepEqual(fixture.rows(), before)
  })

  it('links in live need an activated merchant that is not suspended', async () => {
    const { fixture, codeOf } = await opened()
    const { id, live, test } = openMerchant(fixture, 'Neuve')
    fixture.do({ type: 'SuspendMerchant', merchantId: id, reason: 'x' })
    for (const account of [live, test]) assert.equal(codeOf(fixture.do(newLink(account, `of ${account}`)).body), 'merchant_suspended')
  })

  it('the links of 50 strangers take no room from a merchant with few', async () => {
    const { fixture, merchant } = await opened()
    fillByStrangers(fixture.state, ACTIVE_LINKS, 'test', 50)
    for (let count = 0; count < 10; count++) assert.equal(fixture.do(newLink(merchant, `own ${count}`)).kind, 'created')
  })
})
