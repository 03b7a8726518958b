// Paying in the three modes: what moves, what is recorded, which events are sent, and why a payment is rejected.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PayBill } from '../../../../engine/domain/bill/bill-pay-decide.ts'
import { ACCOUNT_BALANCE_MAX } from '../../../../engine/kernel/limits.ts'
import { BillFixture, DUE, FUNDS, METER } from '../../../support/bill-engine.ts'
import { stateRows } from '../../../support/engine-fixture.ts'

test('a paid quote moves the money, records bill.paid for the merchant and sends a stream frame to the wallet', async () => {
  const setup = await BillFixture.open()
  const quoteId = setup.quoted()
  const { status, body } = setup.do(setup.pay('facture', { quoteId }))
  assert.equal(status, 200)
  const { transaction_id, charge_id, paid_at, ...rest } = body
  assert.deepEqual(rest, { amount: DUE.amount, currency: 'XOF', fee: 0, balance_after: FUNDS - DUE.amount })
  assert.deepEqual(setup.balances(), { awa: FUNDS - DUE.amount, merchant: DUE.amount })
  assert.equal(setup.sum(), 0)
  const data = {
    ...{ biller: setup.biller, product: 'facture', amount: DUE.amount, currency: 'XOF', biller_ref: 'F-11' },
    ...{ form_values: { compteur: METER }, charge_id, transaction_id, merchant_id: setup.billers.merchant.id },
  }
  const [told, ...more] = setup.told()
  assert.ok(told !== undefined && more.length === 0)
  assert.deepEqual(told.data, data)
  assert.deepEqual(Object.keys(told.data), Object.keys(data), 'in the order of the specification')
  const record = setup.fixture.records.at(-1)
  assert.ok(record !== undefined)
  assert.deepEqual(
    record.frames.map(({ account, type }) => [account, type]),
    ['payment.sent', 'balance.updated', 'bill.paid'].map((type) => [setup.awa, type]),
  )
  const [transaction] = record.transactions
  assert.equal(`${transaction?.type} ${transaction?.reference} ${transaction?.id}`, `bill F-11 ${transaction_id}`)
  assert.equal(setup.payments()[0]?.paid_at, paid_at)
  assert.notEqual(charge_id, transaction_id)
})

test('a package is paid', async () => {
  const setup = await BillFixture.open()
  const { status, body } = setup.do(setup.pay('recharge', { packageId: 'jour', formValues: { ligne: '+221771234567' } }))
  assert.equal(status, 200)
  assert.equal(body.amount, 500)
  const [payment] = setup.payments()
  assert.deepEqual(payment?.form_values, { ligne: '+221771234567' })
  assert.equal(payment?.biller_ref, '')
})

const TYPED: readonly (readonly [string, Partial<PayBill>])[] = [
  ['beside the form', { amount: 5000 }],
  ['into the form', { formValues: { montant: 5000 } }],
  ['into the form, as digits', { formValues: { montant: '5000' } }],
  ['twice, and equal', { amount: 5000, formValues: { montant: '5000' } }],
]

for (const [name, choice] of TYPED) {
  test(`a free amount is typed ${name}`, async () => {
    const setup = await BillFixture.open()
    assert.deepEqual(setup.ask(setup.pay('don', choice)), [200])
    assert.equal(setup.balances().merchant, 5000)
    assert.equal(Number(setup.payments()[0]?.form_values.montant), 5000, 'the merchant sees a whole form')
  })
}

const REFUSED: readonly (readonly [string, string, Partial<PayBill>, readonly unknown[]])[] = [
  ['no such biller', 'facture', { biller: 'nobody' }, [404, 'biller_not_found']],
  ['no such product', 'rien', {}, [404, 'product_not_found']],
  ['mode lookup without a quote', 'facture', {}, [400, 'invalid_request', 'quote_id']],
  ['mode lookup with a package', 'facture', { packageId: 'jour' }, [400, 'invalid_request', 'package_id']],
  ['an unknown quote', 'facture', { quoteId: '019aa0fc-10d2-7b41-9c52-6f7a8b9c0d1e' }, [404, 'not_found', 'quote_id']],
  ['mode fixed without a package', 'recharge', {}, [400, 'invalid_request', 'package_id']],
  ['mode fixed with a quote', 'recharge', { quoteId: '019aa0fc-10d2-7b41-9c52-6f7a8b9c0d1e' }, [400, 'invalid_request', 'quote_id']],
  ['an unknown package', 'recharge', { packageId: 'année' }, [404, 'package_not_found', 'package_id']],
  ['a package that costs something else', 'recharge', { packageId: 'jour', amount: 499 }, [400, 'invalid_request', 'amount']],
  [
    'a phone that is none',
    'recharge',
    { packageId: 'jour', formValues: { ligne: '77 123' } },
    [400, 'invalid_form_values', 'form_values.ligne'],
  ],
  ['mode user without an amount', 'don', {}, [400, 'invalid_form_values', 'form_values.montant']],
  ['two amounts', 'don', { amount: 5000, formValues: { montant: 5001 } }, [400, 'invalid_form_values', 'form_values.montant']],
  ['an amount that is no number', 'don', { formValues: { montant: 'mille' } }, [400, 'invalid_form_values', 'form_values.montant']],
  ['a fraction', 'don', { formValues: { montant: 1000.5 } }, [400, 'invalid_form_values', 'form_values.montant']],
  ['less than the least', 'don', { amount: 99 }, [400, 'amount_out_of_bounds', 'amount']],
  ['more than the most', 'don', { formValues: { montant: 500_001 } }, [400, 'amount_out_of_bounds', 'form_values.montant']],
  ['nothing', 'don', { formValues: { montant: 0 } }, [400, 'amount_out_of_bounds', 'form_values.montant']],
  ['less than nothing', 'don', { formValues: { montant: -5000 } }, [400, 'amount_out_of_bounds', 'form_values.montant']],
  ['a package in mode user', 'don', { packageId: 'jour', amount: 5000 }, [400, 'invalid_request', 'package_id']],
  [
    'a field that the form does not have',
    'don',
    { amount: 5000, formValues: { autre: 'x' } },
    [400, 'invalid_form_values', 'form_values.autre'],
  ],
  ['more than the wallet holds', 'don', { amount: FUNDS + 1 }, [402, 'insufficient_balance']],
]

for (const [name, product, choice, refusal] of REFUSED) {
  test(`${name}: the payment is rejected and nothing moves`, async () => {
    const setup = await BillFixture.open()
    const rows = stateRows(setup.fixture.state)
    assert.deepEqual(setup.ask(setup.pay(product, choice)), refusal)
    assert.deepEqual(stateRows(setup.fixture.state), rows)
  })
}

test('the least and the most are within the bounds', async () => {
  const setup = await BillFixture.open()
  assert.deepEqual(setup.ask(setup.pay('don', { amount: 100 })), [200])
  setup.fixture.do({ type: 'Deposit', target: { tag: 'awa' }, environment: 'test', amount: 500_000, reference: '', by: 'operator' })
  assert.deepEqual(setup.ask(setup.pay('don', { amount: 500_000 })), [200])
})

test('an inactive product or a suspended biller takes no payment until it is active again', async () => {
  const setup = await BillFixture.open()
  const quoteId = setup.quoted()
  const pay = setup.pay('facture', { quoteId })
  const turn = (to: 'active' | 'inactive') =>
    setup.billers.do({ type: 'SwitchProduct', merchant: setup.billers.merchant.live, slug: 'facture', to })
  turn('inactive')
  assert.deepEqual(setup.ask(pay), [409, 'product_inactive'])
  assert.deepEqual(setup.ask(setup.quote()), [409, 'product_inactive'])
  turn('active')
  setup.curate('suspended')
  assert.deepEqual(setup.ask(pay), [404, 'biller_not_found'])
  setup.curate('reinstated')
  assert.deepEqual(setup.ask(pay), [200])
})

test('a merchant’s account has a ceiling', async () => {
  const setup = await BillFixture.open()
  const { state } = setup.fixture
  setup.fixture.do({ type: 'Deposit', target: { tag: 'awa' }, environment: 'test', amount: 200_000, reference: '', by: 'operator' })
  state.accounts.post({ debit: state.settlementAccount('test'), credit: setup.merchant, amount: ACCOUNT_BALANCE_MAX - 299_999 })
  assert.deepEqual(setup.ask(setup.pay('don', { amount: 200_000 })), [200])
  assert.deepEqual(setup.ask(setup.pay('don', { amount: 100_000 })), [403, 'recipient_limit_exceeded'])
})

test('a key gives its answer again, and the money moved once', async () => {
  const setup = await BillFixture.open()
  const pay = setup.pay('don', { amount: 5000 })
  const first = setup.do(pay, 'k')
  assert.deepEqual(setup.do(pay, 'k'), first)
  await setup.fixture.start()
  assert.deepEqual(setup.do(pay, 'k'), first)
  assert.equal(setup.balances().merchant, 5000)
  assert.equal(setup.payments().length, 1)
})

test('both environments: a live wallet pays the live account, by the same products', async () => {
  const setup = await BillFixture.open()
  setup.fixture.do({ type: 'CreateWallet', phone: '+221771234567', tag: 'awa', familyName: 'Diallo', givenName: 'Awa' })
  const wallet = setup.fixture.state.wallets.byTag('live', 'awa')
  assert.ok(wallet !== undefined)
  setup.fixture.do({ type: 'Deposit', target: { tag: 'awa' }, environment: 'live', amount: 9000, reference: '', by: 'operator' })
  assert.deepEqual(setup.ask(setup.pay('don', { payer: wallet.account, amount: 5000 })), [200])
  const { accounts } = setup.fixture.state
  assert.equal(accounts.balance(setup.billers.merchant.live), 5000)
  assert.equal(accounts.balance(setup.merchant), 0)
  assert.equal(setup.payments()[0]?.environment, 'live')
  assert.equal(setup.sum(), 0)
})

test('a biller that only the test helper has approved is not there for live wallets', async () => {
  const setup = await BillFixture.open()
  const { billers, fixture } = setup
  fixture.do({ type: 'CreateWallet', phone: '+221771234567', tag: 'awa', familyName: 'Diallo', givenName: 'Awa' })
  const payer = fixture.state.wallets.byTag('live', 'awa')?.account ?? -1
  assert.equal(billers.biller.live, true)
  const unpublished = { ...billers.biller, live: false }
  fixture.state.billers.profiles.set(unpublished.slug, unpublished)
  assert.deepEqual(setup.ask(setup.pay('don', { payer, amount: 5000 })), [404, 'biller_not_found'])
  assert.deepEqual(setup.ask(setup.pay('don', { amount: 5000 })), [200])
})

test('what comes along with a quote is refused when it is no value of a form', async () => {
  for (const compteur of [{ toString: 1 }, [METER], true]) {
    const setup = await BillFixture.open()
    const pay = setup.pay('facture', { quoteId: setup.quoted(), formValues: { compteur } })
    assert.deepEqual(setup.ask(pay), [400, 'invalid_form_values', 'form_values.compteur'])
  }
})
