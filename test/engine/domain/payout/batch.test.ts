// Batches in the engine: the fate of each line, the report, the key, and what the log gives back.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { BatchEncoder } from '../../../../engine/actor/batch-encoder.ts'
import { decodeBatch, decodeRecordAt, GENESIS_HASH } from '../../../../engine/actor/record-codec.ts'
import type { BatchLine } from '../../../../engine/contract/batch-line.ts'
import type { Payout } from '../../../../engine/domain/payout/payout-state.ts'
import { payloadOf, type StoredEvent } from '../../../../engine/domain/record.ts'
import { WALLET_BALANCE_MAX } from '../../../../engine/kernel/limits.ts'
import type { Transaction } from '../../../../engine/ledger/transaction.ts'
import { ANY_ITEM, batch, line, type Report, readBatchLine } from '../../../support/batch-lines.ts'
import { deposit, type KnownMerchant, openMerchant, openWallet } from '../../../support/commands.ts'
import { EngineFixture } from '../../../support/engine-fixture.ts'
import type { MemoryLog } from '../../../support/memory-log.ts'
import { runs } from '../../../support/property-runs.ts'

interface Setup {
  readonly fixture: EngineFixture
  readonly merchant: KnownMerchant
}

async function setup(amount: number): Promise<Setup> {
  const fixture = await EngineFixture.open()
  const merchant = openMerchant(fixture, 'baobab', amount)
  for (const tag of ['awa', 'moussa', 'koffi', 'test_blocked_x']) openWallet(fixture, tag)
  return { fixture, merchant }
}

function pay({ fixture, merchant }: Setup, lines: readonly BatchLine[], key = 'k'): Report {
  const { kind, body } = fixture.do(batch(merchant.test, lines, 'PAIE'), { mailbox: merchant.test, key })
  assert.equal(kind, 'created')
  return JSON.parse(body) as Report
}

const fates = (report: Report): string[] => report.items.map(({ state, failure_code }) => failure_code ?? state)

const balanceOf = (fixture: EngineFixture, tag: string): number =>
  fixture.state.accounts.balance(fixture.state.wallets.byTag('test', tag)?.account ?? -1)

describe('the lines of a batch', () => {
  it('the lines of a batch are decided in order, each with its own fate', async () => {
    const on = await setup(1000)
    const report = pay(on, [
      line('@awa', 400, 'a'),
      line('ghost', 10),
      line('moussa', 700),
      line('test_blocked_x', 10),
      line('x', 10),
      line('awa', -3),
      line('koffi', 600),
      line('awa', 1),
    ])
    assert.deepEqual(fates(report), [
      'paid',
      'recipient_not_found',
      'insufficient_balance',
      'recipient_blocked',
      'invalid_recipient',
      'invalid_amount',
      'paid',
      'insufficient_balance',
    ])
    const { total_count, paid_count, failed_count, total_amount, paid_amount, failed_amount } = report
    assert.deepEqual({ total_count, paid_count, failed_count }, { total_count: 8, paid_count: 2, failed_count: 6 })
    assert.deepEqual({ total_amount, paid_amount, failed_amount }, { total_amount: 1731, paid_amount: 1000, failed_amount: 731 })
    assert.deepEqual([balanceOf(on.fixture, 'awa'), balanceOf(on.fixture, 'koffi'), balanceOf(on.fixture, 'moussa')], [400, 600, 0])
    assert.equal(on.fixture.state.accounts.balance(on.merchant.test), 0)
  })

  it('the lines of a batch make a payout where they are well formed, and none where they are not', async () => {
    const on = await setup(10)
    const { items } = pay(on, [line('awa', 10), line('ghost', 5), line('@', 5), line('awa', 'ten')])
    assert.deepEqual(
      items.map(({ payout_id, transaction_id }) => [payout_id !== null, transaction_id !== undefined]),
      [
        [true, true],
        [true, false],
        [false, false],
        [false, false],
      ],
    )
    assert.deepEqual([items[2]?.recipient, items[2]?.amount, items[3]?.recipient, items[3]?.amount], ['@', 5, 'awa', null])
  })

  it('the lines of a batch bring a wallet to its ceiling and not beyond, also when it stands in the batch twice', async () => {
    const on = await setup(3000)
    const { merchant, fixture } = on
    assert.equal(fixture.do(deposit({ tag: 'awa' }, WALLET_BALANCE_MAX - 1000)).kind, 'created')
    const report = pay(on, [line('awa', 600), line('moussa', 600), line('awa', 600), line('awa', 400), line('awa', 1)])
    assert.deepEqual(fates(report), ['paid', 'paid', 'recipient_limit_exceeded', 'paid', 'recipient_limit_exceeded'])
    assert.equal(balanceOf(fixture, 'awa'), WALLET_BALANCE_MAX)
    assert.equal(fixture.state.accounts.balance(merchant.test), 3000 - 1600)
  })

  it('the lines of a batch give the wallets their frames, two for each payment', async () => {
    const on = await setup(100)
    const report = pay(on, [line('awa', 1), line('ghost', 1), line('moussa', 2), line('awa', 3)])
    const record = on.fixture.records.at(-1)
    assert.deepEqual(
      record?.frames.map(({ account, id, type, eventIndex }) => [on.fixture.state.wallets.byAccount(account)?.tag, id, type, eventIndex]),
      [
        ['awa', 1, 'payment.received', 0],
        ['awa', 2, 'balance.updated', 0],
        ['moussa', 1, 'payment.received', 2],
        ['moussa', 2, 'balance.updated', 2],
        ['awa', 3, 'payment.received', 3],
        ['awa', 4, 'balance.updated', 3],
      ],
    )
    for (const { transaction_id } of report.items) {
      if (transaction_id === undefined) continue
      const transaction = record?.transactions.find(({ id }) => id === transaction_id)
      const event: StoredEvent | undefined = record?.events[transaction?.eventIndex ?? -1]
      assert.ok(event !== undefined)
      const payout: Payout = payloadOf<Payout>(event)
      assert.equal(payout.transaction_id, transaction_id)
      assert.deepEqual([payout.batch_id, payout.schedule_id], [report.id, null])
    }
  })
})

describe('a dry run', () => {
  it('a dry run reports what the batch then does, with null for every id, and leaves nothing behind', async () => {
    const on = await setup(1000)
    const { fixture, merchant } = on
    const lines = [line('awa', 400, 'r'), line('ghost', 10), line('moussa', 700), line('x', 10), line('koffi', 600)]
    const before = fixture.rows()
    const dry = JSON.parse(fixture.do({ ...batch(merchant.test, lines, 'PAIE'), type: 'DryRunBatch' }).body) as Report
    assert.deepEqual(fixture.rows(), before)
    const report = pay(on, lines)
    assert.equal(dry.state, 'dry_run')
    const withoutIds = {
      ...report,
      id: null,
      state: 'dry_run',
      items: report.items.map((item) => ({
        ...item,
        payout_id: null,
        ...(item.transaction_id === undefined ? {} : { transaction_id: null }),
      })),
    }
    assert.deepEqual(dry, withoutIds)
  })
})

describe('a batch in the log', () => {
  it('a batch in the log reads as it was written, line for line, with any text in its lines', async () => {
    const { fixture, merchant } = await setup(20_000)
    fc.assert(
      fc.property(fc.array(ANY_ITEM, { minLength: 1, maxLength: 20 }), (items) => {
        const { kind, body } = fixture.do(batch(merchant.test, items.map(readBatchLine), 'P "1"'), {
          mailbox: merchant.test,
          key: `k-${fixture.records.length}`,
        })
        assert.equal(kind, 'created')
        assert.equal(JSON.stringify(JSON.parse(body)), body)
        const record = fixture.records.at(-1)
        assert.ok(record !== undefined)
        const encoder = new BatchEncoder()
        encoder.add(record)
        const { bytes } = encoder.finish(GENESIS_HASH)
        const [read] = decodeBatch(bytes)
        assert.ok(read !== undefined)
        assert.deepEqual(
          decodeRecordAt(bytes, record.sequence).events.map(({ text }) => text),
          read.events.map(({ text }) => text),
        )
        assert.deepEqual(
          read.events.map(({ type, version, account, text }) => ({ type, version, account, text })),
          record.events.map(({ type, version, account, text }) => ({ type, version, account, text })),
        )
        const transactions = record.transactions.map(storedForm)
        assert.deepEqual({ ...read, events: [] }, { ...record, transactions, events: [] })
        for (const event of read.events) assert.deepEqual(payloadOf(event), JSON.parse(event.text))
      }),
      { numRuns: runs(60) },
    )
  })

  it('a batch in the log takes less than 300 bytes a line', async () => {
    const on = await setup(1_000_000)
    const lines = Array.from({ length: 500 }, (_, index) => line(['awa', 'moussa', 'koffi'][index % 3], 1 + index, `PAIE-${index}`))
    const before = on.fixture.engine.figures.flushedBytes
    pay(on, lines)
    const bytes = (on.fixture.engine.figures.flushedBytes - before) / 500
    assert.ok(bytes < 300, `${bytes} bytes, the fingerprint of the test's command among them`)
  })

  it('a batch in the log answers its key byte for byte: at once, after a restart, and from a log without archive', async () => {
    const on = await setup(500)
    const { fixture, merchant } = on
    const command = batch(merchant.test, [line('awa', 400, 'é"'), line('ghost', 10), line('', 3), line('moussa', 700)], 'PAIE')
    const { kind, body } = fixture.do(command, { mailbox: merchant.test, key: 'paie' })
    for (const restart of [
      () => Promise.resolve(),
      () => fixture.start(),
      () => fixture.startWithoutArchive(),
      () => fixture.close().then(() => fixture.start()),
    ]) {
      await restart()
      const again = fixture.do(command, { mailbox: merchant.test, key: 'paie' })
      assert.deepEqual(again, { kind, body, replayed: true })
      assert.equal(fixture.state.accounts.balance(merchant.test), 100)
    }
    const other = fixture.do({ ...command, reference: 'autre' }, { mailbox: merchant.test, key: 'paie' })
    assert.equal(other.kind, 'unprocessable')
  })
})

describe('a crash in the middle of a batch', () => {
  const lines = [line('awa', 300), line('ghost', 1), line('moussa', 300)]

  it('a crash in the middle of a batch that loses its record leaves nothing of it; the same key then pays every line once', async () => {
    const on = await setup(1000)
    const { fixture, merchant } = on
    const before = fixture.rows()
    const lost = fixture.send(batch(merchant.test, lines, 'PAIE'), { mailbox: merchant.test, key: 'k' })
    fixture.loop.turn()
    assert.equal(fixture.state.accounts.balance(merchant.test), 400, 'decided, and not on disk')
    assert.equal(lost.outcome, null)
    fixture.disk.runAll()
    ;(fixture.log as MemoryLog).dropLast()
    await fixture.start()
    assert.deepEqual(fixture.rows(), before)
    assert.deepEqual(fates(pay(on, lines)), ['paid', 'recipient_not_found', 'paid'])
    assert.deepEqual(
      [balanceOf(fixture, 'awa'), balanceOf(fixture, 'moussa'), fixture.state.accounts.balance(merchant.test)],
      [300, 300, 400],
    )
  })

  it('a crash in the middle of a batch that keeps its record keeps all of it; the same key then pays nothing', async () => {
    const on = await setup(1000)
    const { fixture, merchant } = on
    fixture.send(batch(merchant.test, lines, 'PAIE'), { mailbox: merchant.test, key: 'k' })
    fixture.loop.turn()
    const after = fixture.rows()
    fixture.disk.runAll()
    await fixture.start()
    assert.deepEqual(fixture.rows(), after)
    const again = fixture.do(batch(merchant.test, lines, 'PAIE'), { mailbox: merchant.test, key: 'k' })
    assert.equal(again.replayed, true)
    assert.deepEqual(
      [balanceOf(fixture, 'awa'), balanceOf(fixture, 'moussa'), fixture.state.accounts.balance(merchant.test)],
      [300, 300, 400],
    )
  })
})

/** What the log keeps of a transaction that was decided. */
function storedForm({ id, type, currency, reference, eventIndex, postings }: Transaction): Transaction {
  return { id, type, currency, reference, eventIndex, postings }
}
