// Top-ups and withdrawals: each state and each decision, the money and the holds, keys, races and crashes.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OPEN_WITHDRAWALS } from '../../../../engine/domain/cash-request/cash-request-limits.ts'
import { CASH_REQUEST_ENDS } from '../../../../engine/domain/cash-request/cash-request-state.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import {
  answeredState,
  askCash,
  cashFigures,
  confirmTopUp,
  decidingCash,
  openCashSetup,
  payWithdrawal,
  requestWithdrawal,
} from '../../../support/cash-request-commands.ts'
import { openMerchant, openWallet, payout, withdraw } from '../../../support/commands.ts'

describe('a cash request', () => {
  for (const kind of ['top_up', 'withdrawal'] as const) {
    for (const first of CASH_REQUEST_ENDS[kind]) {
      for (const second of CASH_REQUEST_ENDS[kind]) {
        const again = first === 'cancelled' && second === 'cancelled'
        it(`a ${kind} that is ${first} answers ${again ? 'the same' : 'request_not_open'} when it is to be ${second}`, async () => {
          const setup = await openCashSetup(1000)
          const id = askCash(setup, kind)
          assert.equal(answeredState(setup, decidingCash(kind, first, id, setup.merchant.test)), first)
          const rows = setup.fixture.rows()
          assert.equal(answeredState(setup, decidingCash(kind, second, id, setup.merchant.test)), again ? 'cancelled' : 'request_not_open')
          assert.deepEqual(setup.fixture.rows(), rows, 'nothing has changed')
        })
      }
    }
  }

  it('a request of another merchant, kind or id is not found', async () => {
    const setup = await openCashSetup(1000)
    const other = openMerchant(setup.fixture, 'autre', 1000)
    const topUp = askCash(setup, 'top_up')
    const withdrawal = askCash(setup, 'withdrawal')
    const commands: Command[] = [
      { type: 'CancelTopUp', merchant: other.test, id: topUp },
      { type: 'CancelTopUp', merchant: setup.merchant.live, id: topUp },
      { type: 'CancelWithdrawal', merchant: other.test, id: withdrawal },
      confirmTopUp(topUp, { merchant: other.test }),
      payWithdrawal(withdrawal, other.test),
      confirmTopUp(withdrawal),
      payWithdrawal(topUp),
      { type: 'RefuseTopUp', id: withdrawal, reason: 'x' },
      { type: 'RefuseWithdrawal', id: topUp, reason: 'x' },
    ]
    for (const command of commands) assert.equal(answeredState(setup, command), 'not_found', command.type)
  })

  it('the payment reference of a top-up is taken while the top-up is open, also after a restart', async () => {
    const setup = await openCashSetup(1000)
    const ids = [askCash(setup, 'top_up'), askCash(setup, 'top_up')]
    askCash(setup, 'withdrawal')
    const references = ids.map((id) => String(setup.fixture.state.cashRequests.open.get(id)?.payment_reference))
    const taken = () => references.map((reference) => setup.fixture.state.cashRequests.hasReference(reference))
    assert.deepEqual(taken(), [true, true])
    assert.equal(answeredState(setup, decidingCash('top_up', 'cancelled', ids[0] ?? '', setup.merchant.test)), 'cancelled')
    assert.deepEqual(taken(), [false, true])
    await setup.fixture.start()
    assert.deepEqual(taken(), [false, true])
  })

  it('too many open requests of an account are rejected, and a finished one makes room', async () => {
    const setup = await openCashSetup(OPEN_WITHDRAWALS.share + 5)
    const ids = Array.from({ length: OPEN_WITHDRAWALS.share }, () => askCash(setup, 'withdrawal', 1))
    assert.equal(answeredState(setup, requestWithdrawal(setup.merchant.test, 1)), 'quota_exceeded')
    askCash(setup, 'top_up', 1)
    assert.equal(answeredState(setup, decidingCash('withdrawal', 'cancelled', ids[0] ?? '', setup.merchant.test)), 'cancelled')
    askCash(setup, 'withdrawal', 1)
  })
})

describe('money of cash requests', () => {
  it('a withdrawal holds its amount, and the held amount cannot be spent in any way', async () => {
    const setup = await openCashSetup(1000)
    const { fixture, merchant } = setup
    openWallet(fixture, 'awa')
    askCash(setup, 'withdrawal', 900)
    assert.deepEqual(cashFigures(setup), [1000, 900, 100])
    assert.equal(answeredState(setup, requestWithdrawal(merchant.test, 101)), 'insufficient_balance')
    assert.equal(answeredState(setup, withdraw({ merchantId: merchant.id }, 101)), 'insufficient_balance')
    assert.match(fixture.do(payout(merchant.test, 'awa', 101)).body, /"failure_code":"insufficient_balance"/)
    assert.match(fixture.do(payout(merchant.test, 'awa', 100)).body, /"state":"paid"/)
    assert.deepEqual(cashFigures(setup), [900, 900, 0])
  })

  it('a paid withdrawal leaves by the settlement account, a refused or cancelled one is released', async () => {
    const setup = await openCashSetup(1000)
    const { accounts } = setup.fixture.state
    const ends = [
      ['paid', [600, 0, 600]],
      ['refused', [600, 0, 600]],
      ['cancelled', [600, 0, 600]],
    ] as const
    for (const [decision, after] of ends) {
      const id = askCash(setup, 'withdrawal', decision === 'paid' ? 400 : 600)
      answeredState(setup, decidingCash('withdrawal', decision, id, setup.merchant.test))
      assert.deepEqual(cashFigures(setup), after, decision)
      assert.equal(accounts.balance(setup.fixture.state.settlementAccount('test')), -600)
    }
  })

  it('a withdrawal of everything is paid though nothing is left to spend', async () => {
    const setup = await openCashSetup(1000)
    const id = askCash(setup, 'withdrawal', 1000)
    assert.deepEqual(cashFigures(setup), [1000, 1000, 0])
    assert.equal(answeredState(setup, payWithdrawal(id)), 'paid')
    assert.deepEqual(cashFigures(setup), [0, 0, 0])
  })

  it('a top-up credits what was confirmed, not what was announced', async () => {
    const setup = await openCashSetup(0)
    const id = askCash(setup, 'top_up', 500)
    assert.deepEqual(cashFigures(setup), [0, 0, 0])
    const topUp = JSON.parse(setup.fixture.do(confirmTopUp(id, { amount: 450 })).body) as Record<string, unknown>
    assert.deepEqual([topUp.state, topUp.amount, topUp.confirmed_amount, topUp.settlement_reference], ['confirmed', 500, 450, 'VIR-1'])
    assert.match(String(topUp.transaction_id), /^[0-9a-f-]{36}$/)
    assert.deepEqual(cashFigures(setup), [450, 0, 450])
  })

  it('the statement has the confirmed top-up and the paid withdrawal, and nothing of holds and releases', async () => {
    const setup = await openCashSetup(0)
    const { merchant, fixture } = setup
    answeredState(setup, confirmTopUp(askCash(setup, 'top_up', 500)))
    answeredState(setup, decidingCash('withdrawal', 'cancelled', askCash(setup, 'withdrawal', 300), merchant.test))
    answeredState(setup, payWithdrawal(askCash(setup, 'withdrawal', 200)))
    const page = fixture.engine.query('transactions.list', { account: merchant.test, query: {} })
    const lines = page?.rows.map((row) => JSON.parse(row) as Record<string, unknown>)
    assert.deepEqual(
      lines?.map(({ type, amount, balance_after, reference }) => [type, amount, balance_after, reference]),
      [
        ['withdrawal', -200, 300, 'ref'],
        ['deposit', 500, 500, 'ref'],
      ],
    )
  })

  it('the audit has every decision of an operator and none of the test helper', async () => {
    const setup = await openCashSetup(1000)
    const { fixture, merchant } = setup
    answeredState(setup, confirmTopUp(askCash(setup, 'top_up')))
    answeredState(setup, confirmTopUp(askCash(setup, 'top_up'), { merchant: merchant.test }))
    answeredState(setup, decidingCash('top_up', 'refused', askCash(setup, 'top_up'), merchant.test))
    answeredState(setup, payWithdrawal(askCash(setup, 'withdrawal')))
    answeredState(setup, payWithdrawal(askCash(setup, 'withdrawal'), merchant.test))
    answeredState(setup, decidingCash('withdrawal', 'refused', askCash(setup, 'withdrawal'), merchant.test))
    const actions = fixture.engine.query('operatorActions.list', { slice: 'first', query: { limit: 4 } })
    assert.deepEqual(
      actions?.rows.map((row) => (JSON.parse(row) as { action: string }).action),
      ['withdrawal.refuse', 'withdrawal.pay', 'top_up.refuse', 'top_up.confirm'],
    )
  })
})

describe('keys and races of cash requests', () => {
  it('the same decision with the same key replays, with another key it is too late', async () => {
    const setup = await openCashSetup(1000)
    const id = askCash(setup, 'withdrawal', 400)
    const first = setup.fixture.do(payWithdrawal(id), { key: 'one' })
    const again = setup.fixture.do(payWithdrawal(id), { key: 'one' })
    assert.deepEqual([again.body, again.replayed], [first.body, true])
    assert.equal(answeredState(setup, payWithdrawal(id), 'two'), 'request_not_open')
    assert.deepEqual(cashFigures(setup), [600, 0, 600])
  })

  it('a request with the same key holds once', async () => {
    const setup = await openCashSetup(1000)
    const bodies = [1, 2, 3].map(() => setup.fixture.do(requestWithdrawal(setup.merchant.test, 400), { key: 'w' }).body)
    assert.equal(new Set(bodies).size, 1)
    assert.deepEqual(cashFigures(setup), [1000, 400, 600])
  })

  for (const order of [
    ['paid', 'refused', 'cancelled'],
    ['cancelled', 'paid', 'refused'],
    ['refused', 'cancelled', 'paid'],
  ] as const) {
    it(`of decisions in one burst the first wins: ${order.join(', ')}`, async () => {
      const setup = await openCashSetup(1000)
      const id = askCash(setup, 'withdrawal', 400)
      const sent = order.map((decision) =>
        setup.fixture.send(decidingCash('withdrawal', decision, id, setup.merchant.test), { mailbox: 0 }),
      )
      setup.fixture.settle()
      const kinds = sent.map(({ outcome }) => outcome?.kind)
      assert.deepEqual(kinds, ['ok', 'conflict', 'conflict'])
      assert.deepEqual(cashFigures(setup), order[0] === 'paid' ? [600, 0, 600] : [1000, 0, 1000])
    })
  }
})
