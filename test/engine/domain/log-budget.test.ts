// What an account may write into the log in a day: counted, bounded, given back by live payments, kept over restarts.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Outcome } from '../../../engine/actor/envelope.ts'
import { readBatchLines } from '../../../engine/contract/batch-line.ts'
import type { Command } from '../../../engine/domain/command.ts'
import { LOG_BYTES_EARNED, LOG_BYTES_PER_DAY, UNPROVEN_BYTES_LEFT } from '../../../engine/domain/log-budget/log-budget-limits.ts'
import { cancel, createCharge, pay, refund } from '../../support/charge-engine.ts'
import { deposit, type KnownMerchant, liveWallet, openMerchant, openWallet, payout, testWallet } from '../../support/commands.ts'
import { EngineFixture, START_MS } from '../../support/engine-fixture.ts'
import { outcomeStatus } from '../../support/outcome-status.ts'

const DAY_MS = 86_400_000
const BUDGET = 64 * 1024
const METADATA = { panier: 'é'.repeat(400) }

interface Scene {
  readonly stage: EngineFixture
  readonly merchant: KnownMerchant
}

async function openScene(budget = BUDGET, unproven = 0): Promise<Scene> {
  const stage = await EngineFixture.open({ logBudgets: { live: budget, test: budget, unproven } })
  return { stage, merchant: openMerchant(stage, 'boutique') }
}

/** As the merchant itself sends it. */
function send({ stage }: Scene, command: Command & { readonly merchant: number }, key?: string): Outcome {
  return stage.do(command, { mailbox: command.merchant, ...(key === undefined ? {} : { key }) })
}

function codeOf({ kind, body }: Outcome): string {
  return outcomeStatus({ kind }) < 300
    ? String(outcomeStatus({ kind }))
    : `${outcomeStatus({ kind })} ${(JSON.parse(body) as { code: string }).code}`
}

function logBytes({ stage }: Scene): number {
  return stage.engine.figures.flushedBytes
}

const charge = (merchant: number): Command & { readonly merchant: number } => createCharge(merchant, { metadata: METADATA })

/** Sends charges until one is rejected, and answers how many were taken. */
function fill(scene: Scene, account: number): number {
  for (let count = 0; count < 1000; count++) if (send(scene, charge(account)).kind !== 'created') return count
  assert.fail('a thousand charges are more than the budget')
}

describe('the daily budget of bytes written', () => {
  it('the daily budget of bytes written ends what a merchant without money writes, at the budget', async () => {
    const scene = await openScene()
    const before = logBytes(scene)
    assert.ok(fill(scene, scene.merchant.test) > 30)
    const written = logBytes(scene) - before
    assert.ok(written <= BUDGET, `${written} bytes are within ${BUDGET}`)
    assert.ok(written > BUDGET / 2, 'most of the budget is used')
  })

  it('the daily budget of bytes written rejects with 429 rate_limited and says when the next day begins', async () => {
    const scene = await openScene()
    fill(scene, scene.merchant.test)
    const rejected = send(scene, charge(scene.merchant.test))
    assert.equal(codeOf(rejected), '429 rate_limited')
    assert.equal(rejected.retryAfterS, Math.ceil((DAY_MS - (START_MS % DAY_MS)) / 1000))
    const { lastSequence } = scene.stage.engine
    send(scene, charge(scene.merchant.test), 'a key')
    assert.equal(scene.stage.engine.lastSequence, lastSequence, 'a rejection writes nothing, with a key or without')
  })

  it('the daily budget of bytes written is each environment’s and each merchant’s own', async () => {
    const scene = await openScene()
    fill(scene, scene.merchant.test)
    const other = openMerchant(scene.stage, 'other')
    assert.equal(send(scene, charge(scene.merchant.live)).kind, 'created')
    assert.equal(send(scene, charge(other.test)).kind, 'created')
  })

  it('the daily budget of bytes written begins anew with the next day', async () => {
    const scene = await openScene()
    fill(scene, scene.merchant.test)
    scene.stage.loop.nowMs += DAY_MS
    assert.equal(send(scene, charge(scene.merchant.test)).kind, 'created')
  })

  it('the daily budget of bytes written is not reset by a restart, from the snapshot or from the log alone', async () => {
    const scene = await openScene()
    const { stage } = scene
    fill(scene, scene.merchant.test)
    const rows = stage.rows()
    await stage.start()
    assert.equal(codeOf(send(scene, charge(scene.merchant.test))), '429 rate_limited')
    await stage.close()
    await stage.start()
    assert.equal(codeOf(send(scene, charge(scene.merchant.test))), '429 rate_limited')
    await stage.startWithoutArchive()
    assert.equal(codeOf(send(scene, charge(scene.merchant.test))), '429 rate_limited')
    assert.deepEqual(stage.rows(), rows)
  })

  it('the daily budget of bytes written counts rejections that a key keeps', async () => {
    const scene = await openScene(4096)
    const { test } = scene.merchant
    const transfer: Command = { type: 'CreateTransfer', sender: openWallet(scene.stage, 'awa'), recipient: 'awa', amount: 1, note: '' }
    assert.equal(scene.stage.do(transfer, { mailbox: test, key: 'first' }).kind, 'invalid')
    const token = send(scene, charge(test))
    assert.equal(token.kind, 'created')
    const refunds = Array.from({ length: 20 }, (_, index) =>
      codeOf(send(scene, refund((JSON.parse(token.body) as { token: string }).token, test) as never, `key ${index}`)),
    )
    assert.equal(refunds[0], '409 charge_not_paid')
    assert.equal(refunds.at(-1), '429 rate_limited')
  })

  it('the daily budget of bytes written lets a merchant end what it began, once', async () => {
    const scene = await openScene()
    const { test } = scene.merchant
    const first = createCharge(test)
    send(scene, first)
    fill(scene, test)
    const end = cancel(first.token, test) as Command & { readonly merchant: number }
    assert.equal(send(scene, end, 'once').kind, 'ok')
    assert.equal(codeOf(send(scene, end, 'twice')), '429 rate_limited')
    assert.equal(send(scene, end, 'once').replayed, true, 'what a key has is answered')
  })

  it('the daily budget of bytes written counts what its timers write without rejecting it', async () => {
    const scene = await openScene()
    const { test } = scene.merchant
    const count = fill(scene, test)
    scene.stage.loop.advance(31 * 60_000)
    scene.stage.settle()
    const expired = scene.stage.records.filter(({ command }) => command === 'ExpireCharge')
    assert.equal(expired.length, count)
    assert.ok(scene.stage.state.logBudget.writtenOn(test, scene.stage.loop.nowMs) > BUDGET)
  })

  it('0 is no limit', async () => {
    const scene = await openScene(0)
    for (let count = 0; count < 200; count++) assert.equal(send(scene, charge(scene.merchant.test)).kind, 'created')
  })
})

it('accounts without live money share a budget, and keep a part of their own when it is used up', async () => {
  const left = UNPROVEN_BYTES_LEFT.merchant
  const scene = await openScene(2 * left, 3 * left)
  const { stage } = scene
  const lines = Array.from({ length: 500 }, () => ({ recipient: 'awa', amount: 1, reference: '', note: 'n'.repeat(400) }))
  const startMs = stage.loop.nowMs + DAY_MS
  const taken = (merchant: number): number => {
    const command = { type: 'CreateSchedule', merchant, recurrence: 'once', startMs, reference: '', lines } as const
    let count = 0
    while (send(scene, command).kind === 'created') count++
    return count
  }
  const funded = openMerchant(stage, 'funded')
  assert.equal(stage.do(deposit({ merchantId: funded.id }, 1, 'live')).kind, 'created')
  const [first, second, third] = ['one', 'two', 'three'].map((name) => taken(openMerchant(stage, name).test)) as [number, number, number]
  assert.ok(Math.abs(second - first / 2) <= 1, `the second of ${first} and ${second} finds half of a budget`)
  assert.ok(Math.abs(third - first / 2) <= 1, `the third of ${first} and ${third} has what every account keeps`)
  assert.equal(taken(funded.test), first, 'a merchant with live money has a whole budget')
})

describe('payments and the daily budget', () => {
  async function livePair(amount: number): Promise<Scene & { readonly payer: number }> {
    const scene = await openScene()
    const { stage, merchant } = scene
    assert.equal(stage.do(liveWallet('+2250700000001', 'awa')).kind, 'created')
    for (const target of [{ tag: 'awa' }, { merchantId: merchant.id }])
      assert.equal(stage.do(deposit(target, amount, 'live')).kind, 'created')
    return { ...scene, payer: stage.state.wallets.byTag('live', 'awa')?.account ?? -1 }
  }

  it('a merchant over its budget pays out live money as before', async () => {
    const scene = await livePair(1000)
    const { live } = scene.merchant
    fill(scene, live)
    assert.equal(send(scene, payout(live, 'awa', 5) as never, 'pay').kind, 'created')
    const lines = readBatchLines(Array.from({ length: 20 }, () => ({ recipient: 'awa', amount: 1 })))
    assert.equal(send(scene, { type: 'CreateBatch', merchant: live, lines, reference: '', scheduleId: null }).kind, 'created')
  })

  it('a payout without money counts', async () => {
    const scene = await livePair(10)
    const { live } = scene.merchant
    fill(scene, live)
    const answers = Array.from({ length: 4 }, (_, index) => codeOf(send(scene, payout(live, 'awa', 5000) as never, `pay ${index}`)))
    assert.equal(answers.at(-1), '429 rate_limited')
  })

  it('a live payment makes room for more', async () => {
    const scene = await livePair(1000)
    const { stage, payer } = scene
    const { live } = scene.merchant
    const open = createCharge(live)
    send(scene, open)
    fill(scene, live)
    const before = stage.state.logBudget.writtenOn(live, stage.loop.nowMs)
    assert.equal(stage.do(pay(open.token, payer), { mailbox: payer }).kind, 'ok')
    assert.equal(stage.state.logBudget.writtenOn(live, stage.loop.nowMs), Math.max(0, before - LOG_BYTES_EARNED))
    assert.equal(send(scene, charge(live)).kind, 'created')
  })

  it('live payouts of a merchant that wrote nothing else leave no count behind', async () => {
    const scene = await livePair(1000)
    const { live } = scene.merchant
    for (let count = 0; count < 50; count++) assert.equal(send(scene, payout(live, 'awa', 1) as never).kind, 'created')
    assert.equal(scene.stage.state.logBudget.written.size, 0)
    assert.ok(scene.stage.records.at(-1)?.events.every(({ type }) => type !== 'log.counted'))
  })

  it('a batch of one live line and many failed ones counts', async () => {
    const scene = await livePair(1000)
    const { live } = scene.merchant
    const note = 'n'.repeat(400)
    const lines = readBatchLines(
      Array.from({ length: 400 }, (_, index) => ({ recipient: index === 0 ? 'awa' : 'nobody', amount: 1, note })),
    )
    const batch = { type: 'CreateBatch', merchant: live, lines, reference: '', scheduleId: null } as const
    assert.equal(codeOf(send(scene, batch)), '429 rate_limited', 'the rest is more than a whole budget')
  })

  it('payments in test money count in part, so that they end too', async () => {
    const scene = await openScene(32 * 1024)
    const { stage, merchant } = scene
    assert.equal(stage.do(testWallet('awa')).kind, 'created')
    assert.equal(stage.do(deposit({ merchantId: merchant.id }, 1_000_000)).kind, 'created')
    let paid = 0
    while (paid < 20_000 && send(scene, payout(merchant.test, 'awa', 1) as never).kind === 'created') paid++
    assert.ok(paid > 200 && paid < 20_000, `${paid} payouts were taken`)
    const { test } = merchant
    assert.ok(stage.state.logBudget.writtenOn(test, stage.loop.nowMs) <= 32 * 1024)
  })
})

it('the budgets of a release are the same in both environments and no less than 150 000 unpaid charges', () => {
  assert.equal(LOG_BYTES_PER_DAY.live, LOG_BYTES_PER_DAY.test)
  assert.ok(LOG_BYTES_PER_DAY.live / 150_000 > 1500)
})
