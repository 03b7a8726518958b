// What operators stop: a blocked wallet receives nothing but refunds and pays nothing, a suspended merchant moves no money.
// Each is decided inside the turn, so a stop and a payment in one burst have one order.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Command } from '../../../engine/domain/command.ts'
import { payloadOf } from '../../../engine/domain/record.ts'
import { readBatchLines } from '../../support/batch-lines.ts'
import { BillFixture } from '../../support/bill-engine.ts'
import { confirmTopUp, payWithdrawal, requested, requestTopUp, requestWithdrawal } from '../../support/cash-request-commands.ts'
import { createCharge, newToken, openCharge, openSetup, pay, refund, told } from '../../support/charge-engine.ts'
import { deposit, openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { DAY_MS, MandateFixture } from '../../support/mandate-engine.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'
import { ScheduleFixture } from '../../support/schedule-engine.ts'

const block = (tag = 'awa'): Command => ({ type: 'BlockWallet', environment: 'test', tag, reason: 'Vol' })
const unblock = (tag = 'awa'): Command => ({ type: 'UnblockWallet', environment: 'test', tag })
const suspend = (merchantId: string): Command => ({ type: 'SuspendMerchant', merchantId, reason: 'Plaintes' })
const reinstate = (merchantId: string): Command => ({ type: 'ReinstateMerchant', merchantId })

/** Status, and the code of a rejection. */
function asked(fixture: EngineFixture, command: Command): readonly unknown[] {
  const outcome = fixture.do(command)
  const { code } = JSON.parse(outcome.body) as { code?: string }
  return code === undefined ? [outcomeStatus(outcome)] : [outcomeStatus(outcome), code]
}

describe('a blocked wallet', () => {
  it('a blocked wallet receives no payout, batch line and transfer', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'boutique', 1000)
    const awa = openWallet(fixture, 'awa')
    const moussa = openWallet(fixture, 'moussa')
    fixture.do(deposit({ tag: 'moussa' }, 100))
    assert.deepEqual(asked(fixture, block()), [200])
    assert.match(fixture.do(payout(test, 'awa', 1)).body, /"failure_code":"recipient_blocked"/)
    const lines = readBatchLines([{ recipient: 'awa', amount: 1 }])
    const batch = fixture.do({ type: 'CreateBatch', merchant: test, lines, reference: '', scheduleId: null })
    assert.match(batch.body, /"failure_code":"recipient_blocked"/)
    const transfer = { type: 'CreateTransfer', sender: moussa, recipient: 'awa', amount: 1, note: '' } as const
    assert.deepEqual(asked(fixture, transfer), [409, 'recipient_blocked'])
    assert.equal(fixture.state.accounts.balance(awa), 0)
    assert.deepEqual(asked(fixture, unblock()), [200])
    assert.deepEqual(asked(fixture, transfer), [201])
  })

  it('a blocked wallet pays no transfer and no charge, and can after it is unblocked', async () => {
    const setup = await openSetup(1000)
    const { fixture, payer } = setup
    openWallet(fixture, 'moussa')
    const token = openCharge(setup, { amount: 10 })
    const transfer = { type: 'CreateTransfer', sender: payer, recipient: 'moussa', amount: 1, note: '' } as const
    fixture.do(block())
    assert.deepEqual(asked(fixture, transfer), [403, 'wallet_blocked'])
    assert.equal(told(fixture.do(pay(token, payer))), 'wallet_blocked')
    assert.equal(fixture.state.accounts.balance(payer), 1000)
    fixture.do(unblock())
    assert.equal(told(fixture.do(pay(token, payer))), '200 paid')
  })

  it('a blocked wallet gets no deposit, also none that was approved meanwhile, and no withdrawal is refused', async () => {
    const fixture = await EngineFixture.open()
    const awa = openWallet(fixture, 'awa')
    const deposit = { type: 'Deposit', target: { tag: 'awa' }, environment: 'test', amount: 50, reference: '', by: 'test_helper' } as const
    assert.deepEqual(asked(fixture, deposit), [201])
    fixture.do(block())
    for (const by of ['test_helper', 'operator'] as const) assert.deepEqual(asked(fixture, { ...deposit, by }), [409, 'wallet_blocked'])
    assert.equal(fixture.state.accounts.balance(awa), 50)
    assert.deepEqual(asked(fixture, { ...deposit, type: 'Withdraw', by: 'operator', amount: 10 }), [201])
    fixture.do(unblock())
    assert.deepEqual(asked(fixture, deposit), [201])
  })

  it('a blocked wallet asks no quote and pays no bill', async () => {
    const setup = await BillFixture.open()
    const quoteId = setup.quoted()
    setup.fixture.do(block())
    assert.deepEqual(setup.ask(setup.quote()), [403, 'wallet_blocked'])
    assert.deepEqual(setup.ask(setup.pay('facture', { quoteId })), [403, 'wallet_blocked'])
    setup.fixture.do(unblock())
    assert.deepEqual(setup.ask(setup.pay('facture', { quoteId })), [200])
  })

  it('a blocked wallet approves no mandate, and what a mandate collects fails with its reason', async () => {
    const setup = await MandateFixture.open(1000)
    const { fixture, merchant, awa } = setup
    const { id: pending } = setup.create()
    const { id } = setup.approved()
    const onDemand = setup.approved({ interval: 'on_demand' })
    fixture.do(block())
    const before = setup.read(id).payments_count
    assert.deepEqual(setup.ask({ type: 'ApproveMandate', customer: awa, id: pending, challengeId: null }), [403, 'wallet_blocked'])
    const { body } = setup.do({ type: 'AdvanceMandate', merchant: merchant.test, id, dueMs: null })
    assert.match(body, /"failure_code":"wallet_blocked"/)
    const charge = { type: 'ChargeMandate', merchant: merchant.test, id: onDemand.id, amount: 5, reference: '' } as const
    assert.deepEqual(setup.ask(charge), [403, 'wallet_blocked'])
    fixture.do(unblock())
    assert.deepEqual(setup.ask(charge), [201, 'paid'])
    fixture.loop.advance(DAY_MS)
    fixture.settle()
    assert.equal(setup.read(id).payments_count, before + 1)
  })

  it('of a block and a payment in one burst the first decides about the second', async () => {
    for (const blockFirst of [true, false]) {
      const setup = await openSetup(1000)
      const { fixture, payer } = setup
      const token = openCharge(setup, { amount: 10 })
      const commands = blockFirst ? [block(), pay(token, payer)] : [pay(token, payer), block()]
      const sent = commands.map((command) => fixture.send(command, { mailbox: 0 }))
      fixture.settle()
      const payment = sent[blockFirst ? 1 : 0]?.outcome
      assert.equal(payment?.kind, blockFirst ? 'forbidden' : 'ok')
      assert.equal(fixture.state.accounts.balance(payer), blockFirst ? 1000 : 990)
      assert.equal(fixture.state.wallets.byAccount(payer)?.blocked, true)
    }
  })

  it('a repeated block keeps one audit entry, a new reason adds one, and an unknown wallet is not found', async () => {
    const fixture = await EngineFixture.open()
    openWallet(fixture, 'awa')
    for (const command of [block(), block(), { ...block(), reason: 'Autre' } as Command, unblock(), unblock()]) {
      assert.deepEqual(asked(fixture, command), [200])
    }
    const actions = fixture.records.flatMap(({ events }) => events).filter(({ type }) => type === 'operator.acted')
    const names = actions
      .map((action) => payloadOf<{ action: string; details: object }>(action))
      .map(({ action, details }) => [action, details])
    assert.deepEqual(names, [
      ['wallet.block', { reason: 'Vol' }],
      ['wallet.block', { reason: 'Autre' }],
      ['wallet.unblock', {}],
    ])
    assert.deepEqual(asked(fixture, block('nobody')), [404, 'wallet_not_found'])
    assert.deepEqual(asked(fixture, { ...block(), environment: 'live' } as Command), [404, 'wallet_not_found'])
  })

  it('a block is in the snapshot and survives a replay of the whole log', async () => {
    const fixture = await EngineFixture.open()
    const awa = openWallet(fixture, 'awa')
    const { id } = openMerchant(fixture, 'boutique')
    fixture.do(block())
    fixture.do(suspend(id))
    const rows = fixture.rows()
    await fixture.close()
    await fixture.start()
    assert.deepEqual(fixture.rows(), rows)
    await fixture.startWithoutArchive()
    assert.deepEqual(fixture.rows(), rows)
    const wallet = fixture.state.wallets.byAccount(awa)
    assert.deepEqual([wallet?.blocked, wallet?.block_reason], [true, 'Vol'])
    assert.equal(fixture.state.merchants.stopOf(fixture.state.merchants.merchants.get(id)?.accounts.live ?? -1), 'merchant_suspended')
  })
})

const STOPPED = [403, 'merchant_suspended'] as const

describe('a suspended merchant', () => {
  it('a suspended merchant pays nothing out in either environment, and may again when it is reinstated', async () => {
    const fixture = await EngineFixture.open()
    const { id, test, live } = openMerchant(fixture, 'boutique', 1000)
    openWallet(fixture, 'awa')
    const lines = readBatchLines([{ recipient: 'awa', amount: 1 }])
    const commands: Command[] = [
      payout(test, 'awa', 1),
      payout(live, 'awa', 1),
      { type: 'CreateBatch', merchant: test, lines, reference: '', scheduleId: null },
      requestWithdrawal(test, 1),
      requestTopUp(live, 1),
      createCharge(test),
    ]
    fixture.do(suspend(id))
    const before = fixture.rows()
    for (const command of commands) assert.deepEqual(asked(fixture, command), STOPPED, command.type)
    assert.deepEqual(fixture.rows(), before, 'nothing has changed')
    fixture.do(reinstate(id))
    for (const command of commands) assert.deepEqual(asked(fixture, command), [201], command.type)
  })

  it('what a suspended merchant asked before is decided by operators and cancelled by itself', async () => {
    const fixture = await EngineFixture.open()
    const { id, test } = openMerchant(fixture, 'boutique', 1000)
    const [paid, cancelled] = [1, 2].map(() => requested(fixture, requestWithdrawal(test, 100))) as [string, string]
    const topUp = requested(fixture, requestTopUp(test, 50))
    fixture.do(suspend(id))
    assert.deepEqual(asked(fixture, payWithdrawal(paid)), [200])
    assert.deepEqual(asked(fixture, { type: 'CancelWithdrawal', merchant: test, id: cancelled }), [200])
    assert.deepEqual(asked(fixture, confirmTopUp(topUp)), [200])
    assert.equal(fixture.state.accounts.balance(test), 950)
  })

  it('charges of a suspended merchant are neither paid nor refunded', async () => {
    const setup = await openSetup(1000)
    const { fixture, payer, merchant } = setup
    const [open, paid] = [openCharge(setup, { amount: 10 }), openCharge(setup, { amount: 10 })]
    assert.equal(told(fixture.do(pay(paid, payer))), '200 paid')
    const { id } = fixture.state.merchants.byAccount(merchant) ?? { id: '' }
    fixture.do(suspend(id))
    assert.equal(told(fixture.do(pay(open, payer))), 'merchant_suspended')
    assert.equal(told(fixture.do(refund(paid, merchant))), 'merchant_suspended')
    assert.deepEqual(asked(fixture, createCharge(merchant, { token: newToken() })), STOPPED)
    fixture.do(reinstate(id))
    assert.equal(told(fixture.do(pay(open, payer))), '200 paid')
  })

  it('each line of a run of a suspended merchant’s schedule fails with the reason', async () => {
    const setup = await ScheduleFixture.open(1000)
    const { id } = setup.create()
    setup.fixture.do(suspend(setup.merchant.id))
    setup.pass(DAY_MS)
    const [run] = setup.runs(id)
    assert.deepEqual([run?.state, run?.paid_count, run?.failed_count], ['failed', 0, 2])
    assert.equal(setup.balanceOf('awa'), 0)
    const failed = setup.fixture.records.flatMap(({ events }) => events).filter(({ type }) => type === 'payout.failed')
    assert.deepEqual(
      failed.map((event) => payloadOf<{ failure_code: string }>(event).failure_code),
      ['merchant_suspended', 'merchant_suspended'],
    )
    setup.fixture.do(reinstate(setup.merchant.id))
    setup.pass(7 * DAY_MS)
    assert.equal(setup.balanceOf('awa'), 10)
  })

  it('mandates of a suspended merchant collect nothing and take no new approval', async () => {
    const setup = await MandateFixture.open(1000)
    const { id: pending } = setup.create()
    const { id } = setup.approved()
    setup.fixture.do(suspend(setup.merchant.id))
    assert.deepEqual(setup.ask({ type: 'ApproveMandate', customer: setup.awa, id: pending, challengeId: null }), STOPPED)
    assert.deepEqual(setup.ask(setup.command()), STOPPED)
    const { body } = setup.do({ type: 'AdvanceMandate', merchant: setup.merchant.test, id, dueMs: null })
    assert.match(body, /"state":"failed".*"failure_code":"merchant_suspended"/)
    assert.equal(setup.fixture.state.accounts.balance(setup.awa), 1000)
  })

  it('bills of a suspended merchant are neither quoted, paid nor refunded', async () => {
    const setup = await BillFixture.open()
    const { fixture, merchant } = setup
    assert.deepEqual(setup.ask(setup.pay('facture', { quoteId: setup.quoted() })), [200])
    const record = fixture.records.findLast(({ command }) => command === 'PayBill')
    const position = (record?.sequence ?? 0) * 4096
    const quoteId = setup.quoted()
    fixture.do(suspend(fixture.state.merchants.byAccount(merchant)?.id ?? ''))
    assert.deepEqual(setup.ask(setup.quote()), STOPPED)
    assert.deepEqual(setup.ask(setup.pay('facture', { quoteId })), STOPPED)
    assert.deepEqual(setup.ask({ type: 'RefundBill', merchant, position }), STOPPED)
  })

  it('of a suspension and a payout in one burst the first decides about the second', async () => {
    for (const suspendFirst of [true, false]) {
      const fixture = await EngineFixture.open()
      const { id, test } = openMerchant(fixture, 'boutique', 1000)
      const awa = openWallet(fixture, 'awa')
      const commands = suspendFirst ? [suspend(id), payout(test, 'awa', 1)] : [payout(test, 'awa', 1), suspend(id)]
      const sent = commands.map((command) => fixture.send(command, { mailbox: 0 }))
      fixture.settle()
      assert.equal(sent[suspendFirst ? 1 : 0]?.outcome?.kind, suspendFirst ? 'forbidden' : 'created')
      assert.equal(fixture.state.accounts.balance(awa), suspendFirst ? 0 : 1)
    }
  })
})
