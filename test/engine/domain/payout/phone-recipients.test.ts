// Payouts to a phone in the engine: the same wallet as by its tag, and the tag is nowhere in what the merchant reads.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BatchReport } from '../../../../engine/contract/batch.ts'
import type { ListPayoutsQuery, Payout } from '../../../../engine/contract/payout.ts'
import type { Transaction } from '../../../../engine/contract/transaction.ts'
import { batch, line } from '../../../support/batch-lines.ts'
import { deposit, openLiveWallet, openMerchant, openWallet, payout } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'

const LIVE_PHONE = '+221771234567'

interface Setup {
  readonly fixture: EngineFixture
  readonly merchant: number
  readonly live: number
  /** Phone of the test wallet `awa`. */
  readonly phone: string
}

async function givenSetup(): Promise<Setup> {
  const fixture = await EngineFixture.open()
  const { test: merchant, live } = openMerchant(fixture, 'baobab', 10_000)
  openWallet(fixture, 'awa')
  openLiveWallet(fixture, LIVE_PHONE, 'fatou')
  return { fixture, merchant, live, phone: fixture.state.wallets.byTag('test', 'awa')?.phone ?? '' }
}

function listed({ fixture, merchant }: Setup, query: ListPayoutsQuery): string[] {
  const page = fixture.engine.query('payouts.list', { account: merchant, query })
  return (page?.rows ?? []).map((row) => (JSON.parse(row) as Payout).recipient)
}

describe('a payout to a phone', () => {
  it('a payout to a phone pays the wallet and shows the phone', async () => {
    const setup = await givenSetup()
    const { fixture, merchant, phone } = setup
    const { body } = fixture.do(payout(merchant, phone, 2500, 'salaire'))
    const paid = JSON.parse(body) as Payout
    assert.deepEqual([paid.state, paid.recipient], ['paid', phone])
    assert.equal(fixture.state.accounts.balance(fixture.state.wallets.byTag('test', 'awa')?.account ?? -1), 2500)
    const page = fixture.engine.query('transactions.list', { account: merchant, query: { type: 'payout' } })
    const [statement] = (page?.rows ?? []).map((row) => JSON.parse(row) as Transaction)
    assert.equal(statement?.counterparty, phone)
    const detail = fixture.engine.query('transactions.get', { account: merchant, id: paid.transaction_id ?? '' })
    assert.deepEqual(
      detail?.postings.map(({ account_name }) => account_name),
      ['baobab', phone],
    )
    for (const text of [body, ...(page?.rows ?? []), JSON.stringify(detail)]) assert.doesNotMatch(text, /awa/)
  })

  it('a payout to a phone is found by the phone alone, and one to the tag by the tag alone', async () => {
    const setup = await givenSetup()
    const { fixture, merchant, phone } = setup
    for (const recipient of [phone, 'awa']) fixture.do(payout(merchant, recipient, 100))
    fixture.do(batch(merchant, [line(phone, 5), line('@AWA', 5), line(phone, 5)]))
    assert.deepEqual(listed(setup, { recipient: phone }), [phone, phone, phone])
    assert.deepEqual(listed(setup, { recipient: '@Awa' }), ['awa', 'awa'])
    await fixture.startWithoutArchive()
    assert.deepEqual(listed(setup, { recipient: phone }), [phone, phone, phone])
  })

  it('a payout to a phone of the other environment finds no wallet, as to an unknown phone', async () => {
    const { fixture, merchant, live, phone } = await givenSetup()
    fixture.do(deposit({ merchantId: fixture.state.merchants.byAccount(live)?.id ?? '' }, 10, 'live'))
    const codes = [payout(merchant, LIVE_PHONE, 1), payout(live, phone, 1), payout(merchant, '+2250099999999', 1)].map(
      (command) => (JSON.parse(fixture.do(command).body) as Payout).failure_code,
    )
    assert.deepEqual(codes, ['recipient_not_found', 'recipient_not_found', 'recipient_not_found'])
  })

  it('a payout to a phone that the balance does not cover fails the same for a known and an unknown phone', async () => {
    const { fixture, merchant, phone } = await givenSetup()
    fixture.do({ type: 'BlockWallet', environment: 'test', tag: 'awa', reason: 'r' })
    const unknown = '+2250099999999'
    const amount = 10_001
    for (const recipient of [phone, unknown]) {
      assert.equal((JSON.parse(fixture.do(payout(merchant, recipient, amount)).body) as Payout).failure_code, 'insufficient_balance')
    }
    const { items } = JSON.parse(fixture.do(batch(merchant, [line(phone, amount), line(unknown, amount)])).body) as BatchReport
    assert.deepEqual(
      items.map(({ failure_code }) => failure_code),
      ['insufficient_balance', 'insufficient_balance'],
    )
  })

  it('a batch warns of duplicate lines, and does not show that a tag and a phone are one wallet', async () => {
    const { fixture, merchant, phone } = await givenSetup()
    const lines = [line(phone, 5), line('awa', 5), line(phone, 5), line('ghost', 5), line('@GHOST', 5), line('@', 5), line('@', 5)]
    const { body } = fixture.do(batch(merchant, lines), { mailbox: merchant, key: 'k' })
    const report = JSON.parse(body) as BatchReport
    const expected = [2, 4].map((index) => ({ index, code: 'duplicate_line' }))
    assert.deepEqual([report.paid_count, report.warnings], [3, expected])
    assert.equal(fixture.engine.query('batches.get', { account: merchant, id: report.id ?? '' }), body)
    const dryRun = fixture.do({ ...batch(merchant, lines), type: 'DryRunBatch' })
    const warnings = (JSON.parse(dryRun.body) as BatchReport).warnings
    assert.deepEqual(
      warnings.filter(({ code }) => code === 'duplicate_line'),
      expected,
    )
    await fixture.startWithoutArchive()
    assert.equal(fixture.engine.query('batches.get', { account: merchant, id: report.id ?? '' }), body)
    assert.equal(fixture.do(batch(merchant, lines), { mailbox: merchant, key: 'k' }).body, body)
  })
})
