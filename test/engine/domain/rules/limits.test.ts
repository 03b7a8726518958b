// Limits at their edges: the last moment of a day, a month and a year, lines of one batch, parallel payments, refunds. Random movements
// against a model stand in test/proof/model.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LimitRules } from '../../../../engine/contract/limits.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import { payloadOf, type StoredEvent } from '../../../../engine/domain/record.ts'
import { NO_MERCHANT_RULE } from '../../../../engine/domain/rules/rules-state.ts'
import { rfc3339, type TimeMs } from '../../../../engine/kernel/time.ts'
import type { AccountNumber } from '../../../../engine/ledger/transaction.ts'
import { CALLER, deposit, openMerchant, openWallet, payout } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'

const DAY_MS = 86_400_000

const rules = (tier: Partial<LimitRules['wallet_tiers'][number]>, merchant: Partial<LimitRules['merchant']> = {}): LimitRules => ({
  wallet_tiers: [{ name: 'basic', balance_max: null, received_month_max: null, sent_day_max: null, sent_month_max: null, ...tier }],
  default_tier: 'basic',
  merchant: { ...NO_MERCHANT_RULE, ...merchant },
})

const setLimits = (limits: LimitRules): Command => ({
  type: 'ChangeRules',
  change: { kind: 'limit_rules', environment: 'test', currency: 'XOF', rules: limits },
})

const transfer = (sender: AccountNumber, recipient: string, amount: number): Command => ({
  type: 'CreateTransfer',
  sender,
  recipient,
  amount,
  note: '',
})

interface Payer {
  readonly fixture: EngineFixture
  readonly merchantId: string
  readonly merchant: AccountNumber
  readonly awa: AccountNumber
}

/** A wallet that holds enough, a payee, and a merchant. */
async function openPayer(tier: Parameters<typeof rules>[0]): Promise<Payer> {
  const fixture = await EngineFixture.open()
  const { id, test: merchant } = openMerchant(fixture, 'Boutique')
  const awa = openWallet(fixture, 'awa')
  openWallet(fixture, 'kofi')
  fixture.do(deposit({ tag: 'awa' }, 1_000_000))
  fixture.do(deposit({ merchantId: id }, 1_000_000))
  fixture.do(setLimits(rules(tier)))
  return { fixture, merchantId: id, merchant, awa }
}

function createCharge(fixture: EngineFixture, merchant: AccountNumber, token: string, amount: number): void {
  const texts = { reference: '', description: '', customerTag: '', metadata: {}, checkoutUrl: '', redirectUrl: '', webhookUrl: '' }
  fixture.do({ type: 'CreateCharge', merchant, token, amount, madeBy: CALLER, ...texts })
}

function payCharge(payer: AccountNumber, token: string): Command {
  return { type: 'PayCharge', token, merchant: null, payer, challengeId: null, answer: 'app' }
}

function failureOf({ fixture, merchant }: Payer, recipient: string, amount: number): string | undefined {
  return (JSON.parse(fixture.do(payout(merchant, recipient, amount)).body) as { failure_code?: string }).failure_code
}

describe('a limit of a day and of a month ends with its last millisecond in UTC, also', () => {
  const rows = [
    { last: '2026-12-31', endsMonth: true, what: 'at the end of a year' },
    { last: '2027-02-28', endsMonth: true, what: 'at the end of a February of 28 days' },
    { last: '2028-02-28', endsMonth: false, what: 'on the day before a leap day, when only the day ends' },
    { last: '2028-02-29', endsMonth: true, what: 'on a leap day' },
  ]
  for (const { last, endsMonth, what } of rows) {
    it(what, async () => {
      const payer = await openPayer({ sent_day_max: 1000, sent_month_max: 1500, received_month_max: 2000 })
      const { fixture, awa } = payer
      const now = (): string => rfc3339(fixture.engine.query('engine.time', null))
      const sent = (amount: number) => fixture.do(transfer(awa, 'kofi', amount)).kind
      fixture.loop.advance(Date.parse(`${last}T23:59:59.999Z`) - Date.parse(now()))
      assert.deepEqual([sent(1000), sent(1)], ['created', 'forbidden'])
      assert.deepEqual([failureOf(payer, 'kofi', 1000), failureOf(payer, 'kofi', 1)], [undefined, 'recipient_limit_exceeded'])
      fixture.loop.advance(1)
      await fixture.start()
      assert.equal(now().slice(11), '00:00:00.000Z')
      assert.equal(failureOf(payer, 'kofi', 1), endsMonth ? undefined : 'recipient_limit_exceeded')
      fixture.do(setLimits(rules({ sent_day_max: 1000, sent_month_max: 1500 })))
      const expected = endsMonth ? ['forbidden', 'created', 'created'] : ['forbidden', 'forbidden', 'created']
      assert.deepEqual([sent(1001), sent(501), sent(endsMonth ? 499 : 500)], expected)
    })
  }
})

it('a month counts all that a wallet has received in it', async () => {
  const payer = await openPayer({ received_month_max: 1_000_900 })
  const codes = [600, 301, 300, 1].map((amount) => failureOf(payer, 'awa', amount))
  assert.deepEqual(codes, [undefined, 'recipient_limit_exceeded', undefined, 'recipient_limit_exceeded'])
})

it('a limit of one merchant stands beside those of all merchants, also when they change', async () => {
  const payer = await openPayer({})
  const { fixture, merchantId } = payer
  const limits = { environment: 'test', payout_max: 500 } as const
  assert.equal(fixture.do({ type: 'SetMerchantLimits', merchantId, limits }).kind, 'ok')
  assert.deepEqual([failureOf(payer, 'awa', 501), failureOf(payer, 'awa', 500)], ['merchant_limit_exceeded', undefined])
  fixture.do(setLimits(rules({}, { payout_max: 10, payout_day_max: 700 })))
  assert.deepEqual([failureOf(payer, 'awa', 501), failureOf(payer, 'awa', 200)], ['merchant_limit_exceeded', undefined])
  assert.equal(failureOf(payer, 'awa', 1), 'merchant_limit_exceeded')
})

it('of fifty payments at once against a limit that allows one, one is made', async () => {
  const { fixture, merchant, awa } = await openPayer({ sent_day_max: 600 })
  const tokens = Array.from({ length: 25 }, (_, index) => `charge-${index}`)
  for (const token of tokens) createCharge(fixture, merchant, token, 600)
  const sent = tokens.flatMap((token) => [fixture.send(payCharge(awa, token)), fixture.send(transfer(awa, 'kofi', 600))])
  fixture.settle()
  const kinds = sent.map(({ outcome }) => outcome?.kind)
  assert.equal(kinds.filter((kind) => kind === 'forbidden').length, 49)
  assert.equal(fixture.state.accounts.balance(awa), 1_000_000 - 600)
})

it('a wallet that has used 80 % of a limit gets an event and a frame, once in the window of the limit', async () => {
  const { fixture, awa } = await openPayer({ sent_day_max: 1000, sent_month_max: 3001 })
  const noticed = (amount: number): readonly unknown[] => {
    fixture.records.length = 0
    assert.equal(fixture.do(transfer(awa, 'kofi', amount)).kind, 'created')
    const { events = [], frames = [] } = fixture.records[0] ?? {}
    return frames
      .filter(({ type }) => type === 'limit.near')
      .map(({ account, eventIndex }) => [account, payloadOf(events[eventIndex] as StoredEvent)])
  }
  const near = (limit: string, max: number, used: number) => [awa, { limit, max, used, left: max - used, currency: 'XOF' }]
  assert.deepEqual(noticed(799), [])
  assert.deepEqual(noticed(1), [near('sent_day_max', 1000, 800)])
  assert.deepEqual(noticed(100), [], 'the day was named')
  await fixture.start()
  assert.deepEqual(noticed(100), [], 'also after a restart')
  fixture.loop.advance(DAY_MS)
  assert.deepEqual(noticed(1000), [near('sent_day_max', 1000, 1000)])
  fixture.loop.advance(DAY_MS)
  assert.deepEqual(noticed(400), [])
  assert.deepEqual(noticed(1), [near('sent_month_max', 3001, 2401)])
  fixture.do(setLimits(rules({ balance_max: 10_000 })))
  const kofi = fixture.state.wallets.byTag('test', 'kofi')?.account
  assert.deepEqual(noticed(6000 - 1), [[kofi, { limit: 'balance_max', max: 10_000, used: 8400, left: 1600, currency: 'XOF' }]])
})

it('a batch counts its own lines against the limits of its merchant and of each recipient', async () => {
  const fixture = await EngineFixture.open()
  const { id, test: merchant } = openMerchant(fixture, 'Boutique')
  fixture.do(deposit({ merchantId: id }, 1_000_000))
  openWallet(fixture, 'awa')
  openWallet(fixture, 'kofi')
  fixture.do(setLimits(rules({ received_month_max: 1000 }, { payout_max: 900, payout_day_max: 1500 })))
  const line = (recipient: string, amount: number) => ({ recipient, amount, reference: '', note: '', fault: null })
  const lines = [line('awa', 901), line('awa', 600), line('awa', 500), line('kofi', 900), line('kofi', 1)]
  const { body } = fixture.do({ type: 'CreateBatch', merchant, lines, reference: '', scheduleId: null })
  const codes = (JSON.parse(body) as { items: { failure_code?: string }[] }).items.map(({ failure_code }) => failure_code)
  const above = 'merchant_limit_exceeded'
  assert.deepEqual(codes, [above, undefined, 'recipient_limit_exceeded', undefined, above])
})

it('a refund passes over limits and gives back what its payment took in the same day and month', async () => {
  const fixture = await EngineFixture.open()
  const { id, test: merchant } = openMerchant(fixture, 'Boutique')
  const awa = openWallet(fixture, 'awa')
  fixture.do(deposit({ tag: 'awa' }, 1000))
  fixture.do(deposit({ merchantId: id }, 5000))
  fixture.do(setLimits(rules({ sent_day_max: 700, balance_max: 1000 })))
  const pay = (token: string): string => {
    createCharge(fixture, merchant, token, 500)
    return fixture.do(payCharge(awa, token)).kind
  }
  const used = (): object => {
    const { paidDay, paidMonth } = fixture.state.rules.counters.usageOf(awa, fixture.engine.query('engine.time', null) as TimeMs)
    return [paidDay, paidMonth]
  }
  assert.deepEqual([pay('one'), pay('two'), used()], ['ok', 'forbidden', [500, 500]])
  fixture.do(deposit({ tag: 'awa' }, 500))
  assert.equal(fixture.do({ type: 'RefundCharge', merchant, token: 'one' }).kind, 'ok')
  assert.deepEqual([fixture.state.accounts.balance(awa), used()], [1500, [0, 0]])
  assert.equal(pay('three'), 'ok')
  await fixture.start()
  assert.deepEqual(used(), [500, 500])
  fixture.loop.advance(40 * DAY_MS)
  assert.equal(fixture.do({ type: 'RefundCharge', merchant, token: 'three' }).kind, 'ok')
  assert.deepEqual(used(), [0, 0], 'a payment of another month gives nothing back')
})
