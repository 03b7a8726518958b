// What an account may write into the log in a day: counted, bounded, given back by live payments, kept over restarts.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Outcome } from '../../../engine/actor/envelope.ts'
import type { Command } from '../../../engine/domain/command.ts'
import { LOG_BYTES_EARNED, LOG_BYTES_PER_DAY, UNPROVEN_BYTES_LEFT } from '../../../engine/domain/log-budget/log-budget-limits.ts'
import { readBatchLines } from '../../support/batch-lines.ts'
import { cancel, createCharge, pay, refund } from '../../support/charge-engine.ts'
import { deposit, type KnownMerchant, liveWallet, MEMBER, openMerchant, openWallet, payout, testWallet } from '../../support/commands.ts'
import { EngineFixture, START_MS } from '../../support/engine-fixture.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'

const DAY_MS = 86_400_000
const BUDGET = 64 * 1024
const METADATA = { panier: 'é'.repeat(400) }

interface Setup {
  readonly fixture: EngineFixture
  readonly merchant: KnownMerchant
}

async function openSetup(budget = BUDGET, unproven = 0): Promise<Setup> {
  const fixture = await EngineFixture.open({ logBudgets: { live: budget, test: budget, unproven } })
  return { fixture, merchant: openMerchant(fixture, 'boutique') }
}

/** As the merchant itself sends it. */
function send({ fixture }: Setup, command: Command & { readonly merchant: number }, key?: string): Outcome {
  return fixture.do(command, { mailbox: command.merchant, ...(key === undefined ? {} : { key }) })
}

function codeOf({ kind, body }: Outcome): string {
  return outcomeStatus({ kind }) < 300
    ? String(outcomeStatus({ kind }))
    : `${outcomeStatus({ kind })} ${(JSON.parse(body) as { code: string }).code}`
}

function logBytes({ fixture }: Setup): number {
  return fixture.engine.figures.flushedBytes
}

const charge = (merchant: number): Command & { readonly merchant: number } => createCharge(merchant, { metadata: METADATA })

/** Sends charges until one is rejected, and answers how many were taken. */
function fill(setup: Setup, account: number): number {
  for (let count = 0; count < 1000; count++) if (send(setup, charge(account)).kind !== 'created') return count
  assert.fail('a thousand charges are more than the budget')
}

describe('the daily budget of bytes written', () => {
  it('the daily budget of bytes written ends what a merchant without money writes, at the budget', async () => {
    const setup = await openSetup()
    const before = logBytes(setup)
    assert.ok(fill(setup, setup.merchant.test) > 30)
    const written = logBytes(setup) - before
    assert.ok(written <= BUDGET, `${written} bytes are within ${BUDGET}`)
    assert.ok(written > BUDGET / 2, 'most of the budget is used')
  })

  it('the daily budget of bytes written rejects with 429 rate_limited and says when the next day begins', async () => {
    const setup = await openSetup()
    fill(setup, setup.merchant.test)
    const rejected = send(setup, charge(setup.merchant.test))
    assert.equal(codeOf(rejected), '429 rate_limited')
    assert.equal(rejected.retryAfterS, Math.ceil((DAY_MS - (START_MS % DAY_MS)) / 1000))
    const { lastSequence } = setup.fixture.engine
    send(setup, charge(setup.merchant.test), 'a key')
    assert.equal(setup.fixture.engine.lastSequence, lastSequence, 'a rejection writes nothing, with a key or without')
  })

  it('the daily budget of bytes written is each environment’s and each merchant’s own', async () => {
    const setup = await openSetup()
    fill(setup, setup.merchant.test)
    const other = openMerchant(setup.fixture, 'other')
    assert.equal(send(setup, charge(setup.merchant.live)).kind, 'created')
    assert.equal(send(setup, charge(other.test)).kind, 'created')
  })

  it('the daily budget of bytes written begins anew with the next day', async () => {
    const setup = await openSetup()
    fill(setup, setup.merchant.test)
    setup.fixture.loop.nowMs += DAY_MS
    assert.equal(send(setup, charge(setup.merchant.test)).kind, 'created')
  })

  it('the daily budget of bytes written is not reset by a restart, from the snapshot or from the log alone', async () => {
    const setup = await openSetup()
    const { fixture } = setup
    fill(setup, setup.merchant.test)
    const rows = fixture.rows()
    await fixture.start()
    assert.equal(codeOf(send(setup, charge(setup.merchant.test))), '429 rate_limited')
    await fixture.close()
    await fixture.start()
    assert.equal(codeOf(send(setup, charge(setup.merchant.test))), '429 rate_limited')
    await fixture.startWithoutArchive()
    assert.equal(codeOf(send(setup, charge(setup.merchant.test))), '429 rate_limited')
    assert.deepEqual(fixture.rows(), rows)
  })

  it('the daily budget of bytes written counts rejections that a key keeps', async () => {
    const setup = await openSetup(4096)
    const { test } = setup.merchant
    const transfer: Command = { type: 'CreateTransfer', sender: openWallet(setup.fixture, 'awa'), recipient: 'awa', amount: 1, note: '' }
    assert.equal(setup.fixture.do(transfer, { mailbox: test, key: 'first' }).kind, 'invalid')
    const token = send(setup, charge(test))
    assert.equal(token.kind, 'created')
    const refunds = Array.from({ length: 20 }, (_, index) =>
      codeOf(send(setup, refund((JSON.parse(token.body) as { token: string }).token, test) as never, `key ${index}`)),
    )
    assert.equal(refunds[0], '409 charge_not_paid')
    assert.equal(refunds.at(-1), '429 rate_limited')
  })

  it('the daily budget of bytes written lets a merchant end what it began, once', async () => {
    const setup = await openSetup()
    const { test } = setup.merchant
    const first = createCharge(test)
    send(setup, first)
    fill(setup, test)
    const end = cancel(first.token, test) as Command & { readonly merchant: number }
    assert.equal(send(setup, end, 'once').kind, 'ok')
    assert.equal(codeOf(send(setup, end, 'twice')), '429 rate_limited')
    assert.equal(send(setup, end, 'once').replayed, true, 'what a key has is answered')
  })

  it('the daily budget of bytes written counts what its timers write without rejecting it', async () => {
    const setup = await openSetup()
    const { test } = setup.merchant
    const count = fill(setup, test)
    setup.fixture.loop.advance(31 * 60_000)
    setup.fixture.settle()
    const expired = setup.fixture.records.filter(({ command }) => command === 'ExpireCharge')
    assert.equal(expired.length, count)
    assert.ok(setup.fixture.state.logBudget.writtenOn(test, setup.fixture.loop.nowMs) > BUDGET)
  })

  it('0 is no limit', async () => {
    const setup = await openSetup(0)
    for (let count = 0; count < 200; count++) assert.equal(send(setup, charge(setup.merchant.test)).kind, 'created')
  })
})

it('accounts without live money share a budget, and keep a part of their own when it is used up', async () => {
  const left = UNPROVEN_BYTES_LEFT.merchant
  const setup = await openSetup(2 * left, 3 * left)
  const { fixture } = setup
  const lines = Array.from({ length: 500 }, () => ({ recipient: 'awa', amount: 1, reference: '', note: 'n'.repeat(400) }))
  const startMs = fixture.loop.nowMs + DAY_MS
  const taken = (merchant: number): number => {
    const command = { type: 'CreateSchedule', merchant, recurrence: 'once', startMs, reference: '', lines, by: MEMBER } as const
    let count = 0
    while (send(setup, command).kind === 'created') count++
    return count
  }
  const funded = openMerchant(fixture, 'funded')
  assert.equal(fixture.do(deposit({ merchantId: funded.id }, 1, 'live')).kind, 'created')
  const [first, second, third] = ['one', 'two', 'three'].map((name) => taken(openMerchant(fixture, name).test)) as [number, number, number]
  assert.ok(Math.abs(second - first / 2) <= 1, `the second of ${first} and ${second} finds half of a budget`)
  assert.ok(Math.abs(third - first / 2) <= 1, `the third of ${first} and ${third} has what every account keeps`)
  assert.equal(taken(funded.test), first, 'a merchant with live money has a whole budget')
})

describe('payments and the daily budget', () => {
  async function livePair(amount: number): Promise<Setup & { readonly payer: number }> {
    const setup = await openSetup()
    const { fixture, merchant } = setup
    assert.equal(fixture.do(liveWallet('+2250700000001', 'awa')).kind, 'created')
    for (const target of [{ tag: 'awa' }, { merchantId: merchant.id }])
      assert.equal(fixture.do(deposit(target, amount, 'live')).kind, 'created')
    return { ...setup, payer: fixture.state.wallets.byTag('live', 'awa')?.account ?? -1 }
  }

  it('a merchant over its budget pays out live money as before', async () => {
    const setup = await livePair(1000)
    const { live } = setup.merchant
    fill(setup, live)
    assert.equal(send(setup, payout(live, 'awa', 5) as never, 'pay').kind, 'created')
    const lines = readBatchLines(Array.from({ length: 20 }, () => ({ recipient: 'awa', amount: 1 })))
    assert.equal(send(setup, { type: 'CreateBatch', merchant: live, lines, reference: '', scheduleId: null }).kind, 'created')
  })

  it('a payout without money counts', async () => {
    const setup = await livePair(10)
    const { live } = setup.merchant
    fill(setup, live)
    const answers = Array.from({ length: 4 }, (_, index) => codeOf(send(setup, payout(live, 'awa', 5000) as never, `pay ${index}`)))
    assert.equal(answers.at(-1), '429 rate_limited')
  })

  it('a live payment makes room for more', async () => {
    const setup = await livePair(1000)
    const { fixture, payer } = setup
    const { live } = setup.merchant
    const open = createCharge(live)
    send(setup, open)
    fill(setup, live)
    const before = fixture.state.logBudget.writtenOn(live, fixture.loop.nowMs)
    assert.equal(fixture.do(pay(open.token, payer), { mailbox: payer }).kind, 'ok')
    assert.equal(fixture.state.logBudget.writtenOn(live, fixture.loop.nowMs), Math.max(0, before - LOG_BYTES_EARNED))
    assert.equal(send(setup, charge(live)).kind, 'created')
  })

  it('live payouts of a merchant that wrote nothing else leave no count behind', async () => {
    const setup = await livePair(1000)
    const { live } = setup.merchant
    for (let count = 0; count < 50; count++) assert.equal(send(setup, payout(live, 'awa', 1) as never).kind, 'created')
    assert.equal(setup.fixture.state.logBudget.written.size, 0)
    assert.ok(setup.fixture.records.at(-1)?.events.every(({ type }) => type !== 'log.counted'))
  })

  it('a batch of one live line and many failed ones counts', async () => {
    const setup = await livePair(1000)
    const { live } = setup.merchant
    const note = 'n'.repeat(400)
    const lines = readBatchLines(
      Array.from({ length: 400 }, (_, index) => ({ recipient: index === 0 ? 'awa' : 'nobody', amount: 1, note })),
    )
    const batch = { type: 'CreateBatch', merchant: live, lines, reference: '', scheduleId: null } as const
    assert.equal(codeOf(send(setup, batch)), '429 rate_limited', 'the rest is more than a whole budget')
  })

  it('payments in test money count in part, so that they end too', async () => {
    const setup = await openSetup(32 * 1024)
    const { fixture, merchant } = setup
    assert.equal(fixture.do(testWallet('awa')).kind, 'created')
    assert.equal(fixture.do(deposit({ merchantId: merchant.id }, 1_000_000)).kind, 'created')
    let paid = 0
    while (paid < 20_000 && send(setup, payout(merchant.test, 'awa', 1) as never).kind === 'created') paid++
    assert.ok(paid > 200 && paid < 20_000, `${paid} payouts were taken`)
    const { test } = merchant
    assert.ok(fixture.state.logBudget.writtenOn(test, fixture.loop.nowMs) <= 32 * 1024)
  })
})

it('the budgets of a release are the same in both environments and no less than 150 000 unpaid charges', () => {
  assert.equal(LOG_BYTES_PER_DAY.live, LOG_BYTES_PER_DAY.test)
  assert.ok(LOG_BYTES_PER_DAY.live / 150_000 > 1500)
})
