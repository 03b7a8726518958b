// Each state of a charge and each move: what is allowed, what is refused, and that refusals leave everything as it was.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CHARGE_STATES } from '../../../../engine/contract/charge.ts'
import { PENDING_CHARGES } from '../../../../engine/domain/charge/charge-limits.ts'
import { CHARGE_MOVES, CHARGE_MOVES_FROM, type ChargeState } from '../../../../engine/domain/charge/charge-state.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import { requestWithdrawal } from '../../../support/cash-request-commands.ts'
import {
  type ChargeFixture,
  cancel,
  chargeIn,
  createCharge,
  expire,
  openCharge,
  openSetup,
  pay,
  refund,
  told,
  VALIDITY_MS,
} from '../../../support/charge-engine.ts'
import { deposit, openMerchant, openWallet, payout, withdraw } from '../../../support/commands.ts'
import { fillByStrangers, fillQuota } from '../../../support/filled-quota.ts'
import { HOME } from '../../../support/wallet-engine.ts'

/** A charge in this state, and one that is past its time though no timer has run yet. */
type Given = ChargeState | 'due'

type Move = 'pay' | 'cancel' | 'expire' | 'refund'

const MOVES: Readonly<Record<Move, (setup: ChargeFixture, token: string) => Command>> = {
  pay: ({ payer }, token) => pay(token, payer),
  cancel: ({ merchant }, token) => cancel(token, merchant),
  expire: ({ merchant }, token) => expire(token, merchant),
  refund: ({ merchant }, token) => refund(token, merchant),
}

/** What the move answers; with `(again)` nothing has changed. */
const ROWS: Readonly<Record<Given, Readonly<Record<Move, string>>>> = {
  pending: { pay: '200 paid', cancel: '200 cancelled', expire: '200 expired', refund: 'charge_not_paid' },
  due: { pay: 'charge_expired', cancel: 'charge_not_pending', expire: '200 expired', refund: 'charge_not_paid' },
  paid: { pay: 'charge_already_paid', cancel: 'charge_not_pending', expire: 'charge_not_pending', refund: '200 refunded' },
  expired: { pay: 'charge_expired', cancel: 'charge_not_pending', expire: '200 expired (again)', refund: 'charge_not_paid' },
  cancelled: { pay: 'charge_cancelled', cancel: '200 cancelled (again)', expire: 'charge_not_pending', refund: 'charge_not_paid' },
  refunded: {
    pay: 'charge_already_paid',
    cancel: 'charge_not_pending',
    expire: 'charge_not_pending',
    refund: 'charge_already_refunded',
  },
}

function bring(setup: ChargeFixture, given: Given): string {
  const { fixture } = setup
  const token = openCharge(setup)
  if (given === 'paid' || given === 'refunded') fixture.do(MOVES.pay(setup, token))
  if (given === 'refunded') fixture.do(MOVES.refund(setup, token))
  if (given === 'cancelled') fixture.do(MOVES.cancel(setup, token))
  if (given === 'expired') fixture.do(MOVES.expire(setup, token))
  // The clock alone: no alarm has rung.
  if (given === 'due') fixture.loop.nowMs += VALIDITY_MS
  else assert.equal(chargeIn(fixture, token).state, given)
  return token
}

describe('state × move', () => {
  for (const [given, moves] of Object.entries(ROWS) as [Given, (typeof ROWS)[Given]][]) {
    for (const [move, then] of Object.entries(moves) as [Move, string][]) {
      test(`${given}: ${move} answers ${then}`, async () => {
        const setup = await openSetup()
        const { fixture } = setup
        const token = bring(setup, given)
        const before = { charge: chargeIn(fixture, token), rows: fixture.rows() }
        // In the same turn as the timer of a charge that is due, and ahead of it in the mailbox.
        const sent = fixture.send(MOVES[move](setup, token))
        fixture.settle()
        assert.ok(sent.outcome !== null)
        assert.equal(told(sent.outcome), then.replace(' (again)', ''))
        if (then.startsWith('200') && !then.endsWith('(again)')) assert.equal(chargeIn(fixture, token).state, then.slice(4))
        else if (given !== 'due') {
          assert.deepEqual(chargeIn(fixture, token), before.charge)
          assert.deepEqual(fixture.rows(), before.rows)
        }
      })
    }
  }

  test('the rows of this test are those of the table of moves', () => {
    const moveOf = { paid: 'pay', cancelled: 'cancel', expired: 'expire', refunded: 'refund' } as const
    for (const state of CHARGE_STATES) {
      for (const to of CHARGE_MOVES) {
        const isAllowed = ROWS[state][moveOf[to]] === `200 ${to}`
        assert.equal(isAllowed, CHARGE_MOVES_FROM[to] === state, `${state} to ${to}`)
      }
    }
  })
})

test('paying moves the money, refunding moves it back', async () => {
  const setup = await openSetup(1500)
  const { fixture, merchant, payer } = setup
  const token = openCharge(setup, { amount: 1200 })
  const { accounts } = fixture.state
  fixture.do(pay(token, payer))
  assert.deepEqual([accounts.balance(payer), accounts.available(merchant)], [300, 1200])
  const paid = chargeIn(fixture, token)
  assert.equal(paid.payer_tag, 'awa')
  assert.match(paid.transaction_id ?? '', /^[0-9a-f-]{36}$/)
  fixture.do(refund(token, merchant))
  assert.deepEqual([accounts.balance(payer), accounts.available(merchant)], [1500, 0])
  const refunded = chargeIn(fixture, token)
  assert.deepEqual({ ...refunded, state: 'paid', refunded_at: null, refund_transaction_id: null }, paid)
})

test('a charge is shown to the app, to the checkout page and to the merchant', async () => {
  const setup = await openSetup()
  const { fixture, payer } = setup
  const redirectUrl = 'https://boutique.example/merci?panier=1#fin'
  const answers = (['app', 'checkout', 'record'] as const).map((answer) => {
    const token = openCharge(setup, { redirectUrl })
    return { token, body: JSON.parse(fixture.do(pay(token, payer, { answer })).body) as Record<string, unknown> }
  })
  const [app, checkout, record] = answers as [(typeof answers)[number], (typeof answers)[number], (typeof answers)[number]]
  const { transaction_id } = chargeIn(fixture, app.token)
  assert.deepEqual(app.body, { state: 'paid', transaction_id, amount: 1000, currency: 'XOF', fee: 0, balance_after: 9000 })
  const redirect_url = `https://boutique.example/merci?panier=1&token=${checkout.token}&state=paid#fin`
  assert.deepEqual(checkout.body, { state: 'paid', redirect_url })
  assert.deepEqual(record.body, chargeIn(fixture, record.token))
})

describe('payments that are refused', () => {
  test('a payment is rejected when the wallet is short of it by one', async () => {
    const setup = await openSetup(999)
    const token = openCharge(setup)
    assert.equal(told(setup.fixture.do(pay(token, setup.payer))), 'insufficient_balance')
    setup.fixture.do(deposit({ tag: 'awa' }, 1))
    assert.equal(told(setup.fixture.do(pay(token, setup.payer))), '200 paid')
  })

  test('a payment by another wallet than the one customer is rejected', async () => {
    const setup = await openSetup()
    const { fixture, payer } = setup
    const other = openWallet(fixture, 'kofi')
    fixture.do(deposit({ tag: 'kofi' }, 5000))
    const token = openCharge(setup, { customerTag: 'awa' })
    assert.equal(told(fixture.do(pay(token, other))), 'wrong_customer')
    assert.equal(told(fixture.do(pay(token, payer))), '200 paid')
  })

  test('a charge for a customer who does not exist takes no payment', async () => {
    const setup = await openSetup()
    const token = openCharge(setup, { customerTag: 'nobody' })
    assert.equal(told(setup.fixture.do(pay(token, setup.payer))), 'wrong_customer')
  })

  test('a payment with an unknown token, or one of the other environment, is rejected', async () => {
    const setup = await openSetup()
    const { fixture, payer } = setup
    assert.equal(told(fixture.do(pay('x'.repeat(32), payer))), 'not_found')
    const live = openMerchant(fixture, 'live').live
    const token = openCharge({ ...setup, merchant: live })
    assert.equal(told(fixture.do(pay(token, payer))), 'not_found')
    assert.equal(chargeIn(fixture, token).environment, 'live')
  })

  test('a payment with a code that was used, has expired, or was sent for another purpose is rejected', async () => {
    const setup = await openSetup()
    const { fixture, payer } = setup
    const [token, otherToken] = [openCharge(setup), openCharge(setup)]
    const start = (challengeId: string, subject: string): void => {
      const command: Command = {
        type: 'StartOtp',
        challengeId,
        purpose: 'payment',
        environment: 'test',
        identifier: 'awa',
        subject,
        account: payer,
        codeHash: 'h',
        counted: [],
        origin: HOME,
      }
      assert.equal(fixture.do(command).kind, 'ok')
    }
    start('for-this', token)
    start('for-other', otherToken)
    assert.equal(told(fixture.do(pay(token, payer, { challengeId: 'for-other' }))), 'otp_expired')
    assert.equal(told(fixture.do(pay(token, payer, { challengeId: 'unknown' }))), 'otp_expired')
    assert.equal(told(fixture.do(pay(token, payer, { challengeId: 'for-this' }))), '200 paid')
    assert.equal(fixture.state.auth.challenges.get('for-this'), undefined, 'the payment used it up')
    fixture.loop.advance(5 * 60 * 1000)
    assert.equal(told(fixture.do(pay(otherToken, payer, { challengeId: 'for-other' }))), 'otp_expired')
    assert.equal(chargeIn(fixture, otherToken).state, 'pending')
  })
})

describe('refunds that are refused', () => {
  test('a refund does not spend what is held for a withdrawal', async () => {
    const setup = await openSetup()
    const { fixture, merchant, payer } = setup
    const token = openCharge(setup)
    fixture.do(pay(token, payer))
    assert.equal(fixture.do(requestWithdrawal(merchant, 1)).kind, 'created')
    assert.equal(told(fixture.do(refund(token, merchant))), 'funds_paid_out')
  })

  test('a refund is rejected when the merchant has paid the money out, and accepted once it is back', async () => {
    const setup = await openSetup()
    const { fixture, merchant, payer } = setup
    const token = openCharge(setup)
    fixture.do(pay(token, payer))
    fixture.do(payout(merchant, 'awa', 1))
    assert.equal(told(fixture.do(refund(token, merchant))), 'funds_paid_out')
    const { id } = fixture.state.merchants.byAccount(merchant) ?? { id: '' }
    fixture.do(deposit({ merchantId: id }, 1))
    assert.equal(told(fixture.do(refund(token, merchant))), '200 refunded')
    assert.equal(fixture.do(withdraw({ merchantId: id }, 1)).kind, 'insufficient_funds')
  })

  test('a refund, a cancellation or an expiry of another merchant’s charge is not found', async () => {
    const setup = await openSetup()
    const { fixture, payer } = setup
    const token = openCharge(setup)
    fixture.do(pay(token, payer))
    const other = openMerchant(fixture, 'autre', 5000).test
    for (const command of [refund(token, other), cancel(token, other), expire(token, other)]) {
      assert.equal(told(fixture.do(command)), 'not_found')
    }
  })

  test('a refund to a blocked wallet goes through', async () => {
    const setup = await openSetup()
    const { fixture, merchant } = setup
    const awa = openWallet(fixture, 'awa_2')
    fixture.do(deposit({ tag: 'awa_2' }, 1000))
    const token = openCharge(setup)
    fixture.do(pay(token, awa))
    fixture.do({ type: 'BlockWallet', environment: 'test', tag: 'awa_2', reason: 'Vol' })
    assert.equal(told(fixture.do(refund(token, merchant))), '200 refunded')
    assert.equal(fixture.state.accounts.balance(awa), 1000)
  })
})

describe('more pending charges than there is room for', () => {
  test('more pending charges of one merchant than its maximum get 429, and other merchants go on', async () => {
    const setup = await openSetup()
    const { fixture, merchant } = setup
    const other = openMerchant(fixture, 'autre').test
    fillQuota(fixture.state, PENDING_CHARGES, { part: 'test', holder: merchant, rows: PENDING_CHARGES.share })
    const refused = fixture.do(createCharge(merchant), { key: 'once' })
    assert.equal(told(refused), 'quota_exceeded')
    assert.deepEqual([refused.kind, refused.retryAfterS, JSON.parse(refused.body).param], ['rate_limited', 60, 'pending_charges'])
    assert.equal(told(fixture.do(createCharge(other))), '201 pending')
  })

  test('the pending charges of 200 strangers take no room from a merchant with few, in test or in live', async () => {
    const { fixture, merchant } = await openSetup()
    fillByStrangers(fixture.state, PENDING_CHARGES, 'test', 200)
    for (let count = 0; count < 20; count++) assert.equal(told(fixture.do(createCharge(merchant))), '201 pending')
    assert.equal(fixture.state.quotas.use(PENDING_CHARGES).rows('live'), 0)
  })
})
