// Single payouts: what each comes to, why it fails, and which reason comes first when several hold.

import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isWrittenOutcome } from '../../../../engine/actor/envelope.ts'
import type { BodySource, Outcome } from '../../../../engine/api.ts'
import { Payout as PayoutShape } from '../../../../engine/contract/payout.ts'
import { type Payout, PayoutEvent, payoutText } from '../../../../engine/domain/payout/payout-state.ts'
import { ByteWriter } from '../../../../engine/kernel/byte-writer.ts'
import { isUuid } from '../../../../engine/kernel/ids.ts'
import { WALLET_BALANCE_MAX } from '../../../../engine/kernel/limits.ts'
import { deposit, liveWallet, openMerchant, openWallet, payout } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import { outcomeStatus } from '../../../support/outcome-status.ts'

const HAS = 10_000

interface Setup {
  readonly fixture: EngineFixture
  /** The merchant's test account. */
  readonly merchant: number
  readonly live: number
}

/** A merchant with money on its test account; wallets: awa with nothing, one that is blocked, one that is nearly full. */
async function givenSetup(): Promise<Setup> {
  const fixture = await EngineFixture.open()
  const { test, live } = openMerchant(fixture, 'baobab', HAS)
  openWallet(fixture, 'awa')
  openWallet(fixture, 'test_blocked')
  openWallet(fixture, 'full')
  fixture.do(deposit({ tag: 'full' }, WALLET_BALANCE_MAX - 5))
  assert.equal(fixture.do(liveWallet('+2250700000001', 'liveonly')).kind, 'created')
  return { fixture, merchant: test, live }
}

function parse(body: string): Payout {
  return JSON.parse(body) as Payout
}

describe('a payout', () => {
  it('a payout that is paid moves the money and says everything', async () => {
    const { fixture, merchant } = await givenSetup()
    const outcome = fixture.do(payout(merchant, 'awa', 2500, 'salaire', 'août'), { key: 'k' })
    assert.deepEqual([outcomeStatus(outcome), outcome.replayed], [201, false])
    const { id, transaction_id, created_at, ...rest } = parse(outcome.body)
    assert.ok(isUuid(id) && isUuid(transaction_id ?? '') && id !== transaction_id)
    assert.equal(created_at, new Date(fixture.loop.nowMs).toISOString())
    assert.deepEqual(rest, {
      recipient: 'awa',
      amount: 2500,
      currency: 'XOF',
      fee: 0,
      reference: 'salaire',
      state: 'paid',
      note: 'août',
      environment: 'test',
      batch_id: null,
      schedule_id: null,
      disbursement_id: null,
    })
    const wallet = fixture.state.wallets.byTag('test', 'awa')?.account ?? -1
    assert.deepEqual([fixture.state.accounts.balance(merchant), fixture.state.accounts.balance(wallet)], [HAS - 2500, 2500])
    assert.deepEqual(
      fixture.records.at(-1)?.frames.map(({ account, type, id: frame }) => [account, type, frame]),
      [
        [wallet, 'payment.received', 1],
        [wallet, 'balance.updated', 2],
      ],
    )
  })

  it('a payout of all there is leaves nothing', async () => {
    const { fixture, merchant } = await givenSetup()
    assert.equal(parse(fixture.do(payout(merchant, 'awa', HAS)).body).state, 'paid')
    assert.equal(fixture.state.accounts.balance(merchant), 0)
    assert.equal(parse(fixture.do(payout(merchant, 'awa', 1)).body).failure_code, 'insufficient_balance')
  })

  it('a payout may fill a wallet to the brim', async () => {
    const { fixture, merchant } = await givenSetup()
    assert.equal(parse(fixture.do(payout(merchant, 'full', 5)).body).state, 'paid')
    assert.equal(parse(fixture.do(payout(merchant, 'full', 1)).body).failure_code, 'recipient_limit_exceeded')
  })

  it('a payout does not spend what is held', async () => {
    const { fixture, merchant } = await givenSetup()
    fixture.state.holds.place({ id: 'h', account: merchant, amount: HAS - 100, expires_at: Number.MAX_SAFE_INTEGER })
    assert.equal(parse(fixture.do(payout(merchant, 'awa', 101)).body).failure_code, 'insufficient_balance')
    assert.equal(parse(fixture.do(payout(merchant, 'awa', 100)).body).state, 'paid')
  })
})

describe('a failed payout', () => {
  const rows: readonly (readonly [given: string, recipient: string, amount: number, failure: string])[] = [
    ['nobody of that name', 'nobody', 1, 'recipient_not_found'],
    ['nobody of that name, and no money', 'nobody', HAS + 1, 'insufficient_balance'],
    ['a wallet of live alone', 'liveonly', 1, 'recipient_not_found'],
    ['a blocked wallet', 'test_blocked', 1, 'recipient_blocked'],
    ['a blocked wallet, and no money', 'test_blocked', WALLET_BALANCE_MAX + 1, 'insufficient_balance'],
    ['a wallet that this would overfill', 'full', 6, 'recipient_limit_exceeded'],
    ['a wallet that this would overfill, and no money', 'full', HAS + 1, 'insufficient_balance'],
    ['no money', 'awa', HAS + 1, 'insufficient_balance'],
  ]
  for (const [given, recipient, amount, failure] of rows) {
    it(`a failed payout for ${given} is ${failure}: 201, no transaction, no money moved, and its key keeps it`, async () => {
      const { fixture, merchant } = await givenSetup()
      const before = fixture.state.transactionCounts.test
      const outcome = fixture.do(payout(merchant, recipient, amount), { key: 'k' })
      const failed = parse(outcome.body)
      assert.deepEqual([outcomeStatus(outcome), failed.state, failed.failure_code], [201, 'failed', failure])
      assert.equal('transaction_id' in failed, false)
      assert.equal(fixture.state.accounts.balance(merchant), HAS)
      assert.equal(fixture.state.transactionCounts.test, before)
      assert.deepEqual(fixture.records.at(-1)?.frames, [])
      const again = fixture.do(payout(merchant, recipient, amount), { key: 'k' })
      assert.deepEqual(again, { kind: outcome.kind, body: outcome.body, replayed: true })
    })
  }

  it('a failed payout in live does not see wallets of test', async () => {
    const { fixture, live } = await givenSetup()
    assert.equal(parse(fixture.do(payout(live, 'liveonly', 1)).body).failure_code, 'insufficient_balance')
    fixture.do(deposit({ merchantId: fixture.state.merchants.byAccount(live)?.id ?? '' }, 10, 'live'))
    assert.equal(parse(fixture.do(payout(live, 'awa', 1)).body).failure_code, 'recipient_not_found')
    assert.equal(parse(fixture.do(payout(live, 'liveonly', 1)).body).state, 'paid')
  })
})

it('texts of any kind come back as they were sent, from memory and from the log', async () => {
  const { fixture, merchant } = await givenSetup()
  const texts = ['', '"', '\\', 'ligne\nnouvelle', '\u2028\u0000\u007f', '\ud83d\udcb6', '\ud800', '\udc00x', 'é'.repeat(200)]
  for (const [index, text] of texts.entries()) {
    const outcome = fixture.do(payout(merchant, 'awa', 1, text, text), { key: `k${index}` })
    assert.equal(outcome.body, JSON.stringify(parse(outcome.body)))
    assert.deepEqual([parse(outcome.body).reference, parse(outcome.body).note], [text, text])
  }
  await fixture.startWithoutArchive()
  for (const [index, text] of texts.entries()) {
    const again = fixture.do(payout(merchant, 'awa', 1, text, text), { key: `k${index}` })
    assert.equal(again.replayed, true)
    assert.equal(parse(again.body).reference, text)
  }
})

const PAID: Payout = {
  id: '019aa0f0-2a00-7b11-8c2d-3e4f50617283',
  recipient: 'awa',
  amount: 2500,
  currency: 'XOF',
  fee: 75,
  reference: 'salaire "août"',
  state: 'paid',
  transaction_id: '019aa0f0-2a00-7b11-8c2d-3e4f50617284',
  note: '\u2028',
  environment: 'live',
  batch_id: '019aa0f0-2a00-7b11-8c2d-3e4f50617285',
  schedule_id: null,
  disbursement_id: null,
  created_at: '2026-11-22T10:00:00.000Z',
}
const { transaction_id: _, ...UNPAID } = PAID
const FAILED: Payout = { ...UNPAID, fee: 0, state: 'failed', failure_code: 'recipient_not_found', note: '' }

for (const one of [PAID, FAILED]) {
  it(`the text of a ${one.state} payout has every field of the schema, in its order`, () => {
    const fields = Object.keys(PayoutShape.properties)
    const written = JSON.parse(payoutText(one)) as Record<string, unknown>
    assert.deepEqual(written, one)
    assert.deepEqual(
      Object.keys(written),
      fields.filter((field) => field in one),
    )
    const missing = fields.filter((field) => !(field in one))
    assert.deepEqual(missing, one.state === 'paid' ? ['failure_code'] : ['transaction_id'])
  })
}

it('a payout has one text: in its record, in an answer, and after the bytes of either are gone', () => {
  const event = new PayoutEvent('payout.paid', 7, PAID)
  const text = payoutText(PAID)
  const record = new ByteWriter(1)
  const answer = new ByteWriter(1)
  const written = (out: ByteWriter): string => {
    event.writeText(out)
    return out.takeText()
  }
  record.text('the record before it')
  event.writeText(record)
  record.text('x'.repeat(5000))
  assert.deepEqual([event.text, written(answer), written(answer)], [text, text, text])
  record.clear()
  record.text('y'.repeat(5000))
  assert.deepEqual([event.text, written(answer), event.text, written(new ByteWriter(1))], [text, text, text, text])
})

it('each of many payouts is answered with its own text while others are decided and flushed', async () => {
  const { fixture, merchant } = await givenSetup()
  const held: BodySource[] = []
  const own: string[] = []
  const sent = Array.from({ length: 60 }, (_, index) => {
    const command = payout(merchant, 'awa', index + 1, `n${index}`)
    const settle = (outcome: Outcome): void => {
      assert.ok(isWrittenOutcome(outcome))
      own[index] = outcome.body
      held[index] = outcome.source
    }
    assert.equal(fixture.engine.submit({ command, mailbox: merchant, idempotency: null }, { settle }), null)
    // Flushes of one to seven payouts, each while the next ones are decided.
    if (index % 7 < 3) fixture.loop.turn()
    if (index % 5 === 0) fixture.disk.runAll()
    return index + 1
  })
  fixture.settle()
  const amountsOf = (texts: readonly string[]): number[] => texts.map((body) => parse(body).amount)
  assert.deepEqual(amountsOf(own), sent)
  assert.deepEqual(
    held.map((source) => source.text),
    own,
  )
  const listed = fixture.records.flatMap(({ events }) => events.map(({ text }) => text))
  assert.deepEqual(listed.slice(-own.length), own)
})
