// The budget of unknown recipients in the engine: what counts, what goes on beyond it, and what survives a crash.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Outcome } from '../../../../engine/actor/envelope.ts'
import type { Payout } from '../../../../engine/contract/payout.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import type { ScheduleLine } from '../../../../engine/domain/schedule/schedule-state.ts'
import { batch, line, type Report } from '../../../support/batch-lines.ts'
import { deposit, type KnownMerchant, MEMBER, openLiveWallet, openMerchant, payout } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'

const MINUTE_MS = 60_000
const PHONE = '+2250700000001'

interface Setup {
  readonly fixture: EngineFixture
  readonly merchant: KnownMerchant
}

/** A merchant with live money, a wallet `awa` that it has paid, and `kofi` that it has not. */
async function setup(limits: object = { unknown_recipients: 3, unknown_recipients_per_minute: 60 }): Promise<Setup> {
  const fixture = await EngineFixture.open()
  const merchant = openMerchant(fixture, 'baobab')
  fixture.do(deposit({ merchantId: merchant.id }, 100_000, 'live'))
  openLiveWallet(fixture, PHONE, 'awa')
  openLiveWallet(fixture, '+2250700000002', 'kofi')
  fixture.do(payout(merchant.live, 'awa', 1))
  fixture.do({ type: 'SetMerchantLimits', merchantId: merchant.id, limits })
  return { fixture, merchant }
}

const pay = ({ fixture, merchant }: Setup, recipient: string, amount = 1): Outcome => fixture.do(payout(merchant.live, recipient, amount))
const fateOf = ({ body }: Outcome): string => {
  const { state, failure_code, code } = JSON.parse(body) as Payout & { readonly code?: string }
  return code ?? failure_code ?? state
}
const fatesOf = ({ body }: Outcome): string[] => (JSON.parse(body) as Report).items.map(({ state, failure_code }) => failure_code ?? state)

/** Names unknown recipients until the budget is spent. */
function spend(on: Setup, count = 3): void {
  for (let sent = 0; sent < count; sent++) assert.equal(fateOf(pay(on, 'ghost')), 'recipient_not_found', 'a repeated name costs again')
}

function check({ fixture, merchant }: Setup, recipient: string): Outcome {
  return fixture.do({ type: 'CheckRecipient', merchant: merchant.live, recipient }, { mailbox: merchant.live })
}

function schedule({ fixture, merchant }: Setup, names: readonly string[]): Outcome {
  const lines = names.map((recipient): ScheduleLine => ({ recipient, amount: 1, reference: '', note: '' }))
  const startMs = fixture.loop.nowMs + 86_400_000
  return fixture.do({ type: 'CreateSchedule', merchant: merchant.live, recurrence: 'once', startMs, reference: '', lines, by: MEMBER })
}

function mandate({ fixture, merchant }: Setup, customerTag: string): Outcome {
  const none = { maxAmount: null, startMs: null, endMs: null, maxPayments: null, reference: '', description: '', redirectUrl: '' }
  const token = `token-${fixture.log.durableSequence}`
  return fixture.do({
    ...{ type: 'CreateMandate', merchant: merchant.live, token, customerTag, amount: 5, interval: 'monthly', approvalUrl: '', ...none },
  })
}

describe('the budget of unknown recipients', () => {
  it('beyond the budget a recipient that was never paid is refused, known or not, and one that was paid goes on', async () => {
    const on = await setup()
    spend(on)
    const [known, unknown] = [pay(on, 'kofi'), pay(on, 'ghost')]
    assert.deepEqual([known.kind, fateOf(known)], ['rate_limited', 'rate_limited'])
    assert.deepEqual(known, unknown, 'the refusal does not tell whether the wallet exists')
    assert.equal((JSON.parse(known.body) as { param?: string }).param, 'recipient')
    assert.equal(known.retryAfterS, 1)
    assert.equal(fateOf(pay(on, 'awa')), 'paid')
    assert.equal(fateOf(pay(on, PHONE)), 'rate_limited', 'the phone of a wallet that was paid by its tag is another name')
    assert.deepEqual(fatesOf(on.fixture.do(batch(on.merchant.live, [line('kofi', 1), line('awa', 1)]))), [
      'recipient_check_limited',
      'paid',
    ])
    for (const other of [check(on, 'kofi'), schedule(on, ['awa', 'kofi']), mandate(on, 'kofi')]) assert.equal(other.kind, 'rate_limited')
    assert.equal((JSON.parse(mandate(on, 'kofi').body) as { param?: string }).param, 'customer_tag')
    for (const other of [check(on, 'awa'), schedule(on, ['awa'])]) assert.notEqual(other.kind, 'rate_limited')
  })

  it('every way to name a recipient spends the same budget, tags and phones alike', async () => {
    const unknown: readonly ((on: Setup) => void)[] = [
      (on) => void pay(on, 'ghost'),
      (on) => void pay(on, '+2250799999999'),
      (on) => void check(on, 'ghost'),
      (on) => void schedule(on, ['ghost']),
      (on) => void mandate(on, 'ghost'),
      (on) => void on.fixture.do(batch(on.merchant.live, [line('ghost', 1)])),
      (on) => void on.fixture.do({ ...batch(on.merchant.live, [line('ghost', 1)]), type: 'DryRunBatch' }),
    ]
    for (const ask of unknown) {
      const on = await setup({ unknown_recipients: 1 })
      ask(on)
      assert.equal(fateOf(pay(on, 'kofi')), 'rate_limited', String(ask))
    }
  })

  it('known recipients, blocked ones, short balances and malformed lines spend nothing', async () => {
    const on = await setup({ unknown_recipients: 1 })
    const { fixture, merchant } = on
    openLiveWallet(fixture, '+2250700000003', 'fatou')
    fixture.do({ type: 'BlockWallet', environment: 'live', tag: 'fatou', reason: 'Vol' })
    assert.equal(fateOf(pay(on, 'fatou')), 'recipient_blocked')
    assert.equal(fateOf(pay(on, 'ghost', 1_000_000)), 'insufficient_balance')
    const lines = [line('ghost', 1_000_000), line('12345678', 1), line('ghost', 1.5), line('kofi', 1)]
    assert.deepEqual(fatesOf(fixture.do(batch(merchant.live, lines))).at(-1), 'paid')
    assert.equal(fateOf(pay(on, 'ghost')), 'recipient_not_found', 'the budget is whole')
  })

  it('what the balance does not cover fails before its recipient is looked at, beyond the budget too', async () => {
    const on = await setup()
    spend(on)
    for (const recipient of ['kofi', 'awa', 'ghost', PHONE]) assert.equal(fateOf(pay(on, recipient, 1_000_000)), 'insufficient_balance')
    const order = batch(on.merchant.live, [line('kofi', 1_000_000), line('ghost', 1_000_000)])
    for (const command of [order, { ...order, type: 'DryRunBatch' } as const])
      assert.deepEqual(fatesOf(on.fixture.do(command)), ['insufficient_balance', 'insufficient_balance'])
  })

  it('the lines of a batch run along: a line that pays a recipient lets later lines to it go on', async () => {
    const on = await setup({ unknown_recipients: 1 })
    const lines = [line('kofi', 1), line('ghost', 1), line('kofi', 1), line(PHONE, 1), line('ghost', 1), line('awa', 1)]
    const dry = on.fixture.do({ ...batch(on.merchant.live, lines), type: 'DryRunBatch' })
    const expected = ['paid', 'recipient_not_found', 'paid', 'recipient_check_limited', 'recipient_check_limited', 'paid']
    assert.deepEqual(fatesOf(dry), expected)
    on.fixture.loop.advance(10 * MINUTE_MS)
    assert.deepEqual(fatesOf(on.fixture.do(batch(on.merchant.live, lines))), expected)
  })

  it('a schedule beyond the budget is refused as a whole, and what it was about to tell is counted', async () => {
    const on = await setup()
    const refused = schedule(on, ['ghost', 'spook', 'ghoul', 'kofi'])
    assert.equal(refused.kind, 'rate_limited')
    assert.equal(refused.retryAfterS, 3, 'by then the budget is full again')
    assert.equal(fateOf(pay(on, 'kofi')), 'rate_limited')
    on.fixture.loop.advance(3000)
    assert.equal(schedule(on, ['ghost', 'spook', 'ghoul']).kind, 'created')
  })

  it('the budget refills continuously, up to its size', async () => {
    const on = await setup({ unknown_recipients: 2, unknown_recipients_per_minute: 6 })
    spend(on, 2)
    on.fixture.loop.advance(9_999)
    assert.equal(fateOf(pay(on, 'kofi')), 'rate_limited')
    on.fixture.loop.advance(1)
    assert.equal(fateOf(pay(on, 'ghost')), 'recipient_not_found')
    on.fixture.loop.advance(60 * MINUTE_MS)
    spend(on, 2)
    assert.equal(fateOf(pay(on, 'ghost')), 'rate_limited')
  })

  it('a failed payout to a recipient does not make it one that was paid', async () => {
    const on = await setup()
    assert.equal(fateOf(pay(on, 'kofi', 1_000_000)), 'insufficient_balance')
    spend(on)
    assert.equal(fateOf(pay(on, 'kofi')), 'rate_limited')
  })

  it('the defaults are 1 000 in a burst and 100 a minute, and only live counts', async () => {
    const on = await setup({})
    const { fixture, merchant } = on
    fixture.do(deposit({ merchantId: merchant.id }, 100_000, 'test'))
    const unknown = (account: number): Command =>
      batch(
        account,
        Array.from({ length: 500 }, () => line('ghost', 1)),
      )
    for (let sent = 0; sent < 4; sent++)
      assert.ok(fatesOf(fixture.do(unknown(merchant.test))).every((fate) => fate === 'recipient_not_found'))
    for (let sent = 0; sent < 2; sent++)
      assert.ok(fatesOf(fixture.do(unknown(merchant.live))).every((fate) => fate === 'recipient_not_found'))
    assert.equal(fateOf(pay(on, 'kofi')), 'rate_limited')
    fixture.loop.advance(MINUTE_MS)
    assert.equal(fatesOf(fixture.do(unknown(merchant.live))).filter((fate) => fate === 'recipient_not_found').length, 100)
  })

  it('the budget and whom the merchant has paid are the same after a crash, with the index or without', async () => {
    const on = await setup()
    spend(on)
    const rows = on.fixture.rows()
    for (const restart of [() => on.fixture.start(), () => on.fixture.startWithoutArchive()]) {
      await restart()
      assert.deepEqual(on.fixture.rows(), rows)
      assert.equal(check(on, 'kofi').kind, 'rate_limited')
      assert.equal(check(on, 'awa').kind, 'ok')
    }
  })

  it('a refusal leaves no record, under a key neither, and a replay of a key costs nothing', async () => {
    const on = await setup({ unknown_recipients: 1 })
    const { fixture, merchant } = on
    const key = { mailbox: merchant.live, key: 'k' }
    const first = fixture.do(payout(merchant.live, 'ghost', 1), key)
    const sequence = fixture.log.durableSequence
    assert.equal(fixture.do(payout(merchant.live, 'kofi', 1), { ...key, key: 'l' }).kind, 'rate_limited')
    assert.equal(fixture.log.durableSequence, sequence)
    fixture.loop.advance(10 * MINUTE_MS)
    assert.equal(fixture.do(payout(merchant.live, 'ghost', 1), key).body, first.body)
    assert.equal(fateOf(pay(on, 'kofi')), 'paid')
  })

  it('an operator changes the limits of one merchant, and null takes the default', async () => {
    const on = await setup({ unknown_recipients: 1 })
    const { fixture, merchant } = on
    spend(on, 1)
    const set = (limits: object) => JSON.parse(fixture.do({ type: 'SetMerchantLimits', merchantId: merchant.id, limits }).body) as object
    assert.deepEqual(set({ unknown_recipients_per_minute: 6000 }), {
      merchant_id: merchant.id,
      ...{ unknown_recipients: 1, unknown_recipients_per_minute: 6000, environment: 'live' },
      ...{ payout_max: null, payout_day_max: null, charge_max: null, balance_max: null },
    })
    assert.equal(fateOf(pay(on, 'kofi')), 'rate_limited')
    set({ unknown_recipients: null })
    assert.equal(fateOf(pay(on, 'kofi')), 'paid')
    const sequence = fixture.log.durableSequence
    set({})
    assert.equal(fixture.log.durableSequence, sequence, 'no change, no record')
  })
})
