// Search of lists and references in any case of letters, over every golden scenario that has such records: from memory, and
// from an index that was rebuilt.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { BillPayment } from '../../../engine/contract/bill.ts'
import type { Charge } from '../../../engine/contract/charge.ts'
import type { Payout } from '../../../engine/contract/payout.ts'
import type { Transaction } from '../../../engine/contract/transaction.ts'
import { searchOf } from '../../../engine/query/search.ts'
import { line } from '../../support/batch-lines.ts'
import { deposit, openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { GOLDEN_SCENARIOS } from '../golden-scenarios.ts'

type Lists = 'payouts.list' | 'transactions.list' | 'charges.list' | 'bills.list'

interface Row {
  readonly id: string
}

/** Walks all pages, two rows at a time. */
function rows<Kind extends Row>(fixture: EngineFixture, list: Lists, account: number, query: object): Kind[] {
  const found: Kind[] = []
  let cursor: string | undefined
  for (let first = true; first || cursor !== undefined; first = false) {
    const page = fixture.engine.query(list as 'charges.list', {
      account,
      query: { ...query, limit: 2, ...(cursor === undefined ? {} : { cursor }) },
      slice: first ? 'first' : 'next',
    })
    assert.ok(page !== null)
    found.push(...page.rows.map((row) => JSON.parse(row) as Kind))
    cursor = page.nextCursor ?? undefined
  }
  return found
}

/** What is found without a period is found in the periods that hold the time of its record, and in no other. */
function checkPeriods(at: string, find: (period: object) => readonly unknown[]): void {
  const behind = new Date(Date.parse(at) + 1).toISOString()
  const found = find({})
  assert.ok(found.length > 0)
  for (const period of [{ created_from: at, created_to: behind }, { created_from: at }, { created_to: behind }]) {
    assert.deepEqual(find(period), found, JSON.stringify(period))
  }
  for (const period of [{ created_to: at }, { created_from: behind }]) assert.deepEqual(find(period), [], JSON.stringify(period))
}

async function atEachStart(fixture: EngineFixture, check: () => void): Promise<void> {
  check()
  await fixture.startWithoutArchive()
  check()
}

describe('a search', () => {
  it('a search means a reference, and a tag, a phone or an id where it can be one', () => {
    const id = '019AA0F8-1C00-7B01-8C4D-5E6F708192A3'
    const none = { tag: null, phone: null, id: null }
    assert.deepEqual(searchOf(' Fact-1 '), { ...none, text: 'Fact-1', reference: 'fact-1' })
    assert.deepEqual(searchOf('@Awa'), { ...none, text: '@Awa', reference: '@awa', tag: 'awa' })
    assert.deepEqual(searchOf('+221771234567')?.phone, '+221771234567')
    assert.deepEqual(searchOf(' 221771234567')?.phone, '+221771234567')
    assert.deepEqual(searchOf('221771234567')?.phone, null)
    assert.deepEqual(searchOf(id)?.id, id.toLowerCase())
    for (const empty of [undefined, '', '   ']) assert.equal(searchOf(empty), null)
  })

  it('a search of payouts and of the statement finds references in any case, recipients as sent, and ids', async () => {
    const fixture = await EngineFixture.open()
    const { test: merchant } = openMerchant(fixture, 'baobab', 10_000)
    openWallet(fixture, 'awa')
    const phone = fixture.state.wallets.byTag('test', 'awa')?.phone ?? ''
    const sent = [
      ...[payout(merchant, 'awa', 1, 'Paie-É1'), payout(merchant, phone, 2, 'PAIE-É1'), payout(merchant, 'ghost', 3, 'paie-é1')],
      payout(merchant, 'awa', 4, 'awa'),
    ].map((command) => JSON.parse(fixture.do(command).body) as Payout)
    fixture.do({ type: 'CreateBatch', merchant, lines: [line(phone, 5), line('awa', 6, 'PAIE-é1')], reference: '', scheduleId: null })
    const amounts = (query: object): number[] => rows<Payout>(fixture, 'payouts.list', merchant, query).map(({ amount }) => amount)
    const moved = (query: object): number[] => rows<Transaction>(fixture, 'transactions.list', merchant, query).map(({ amount }) => -amount)
    const [first, second, third] = sent
    await atEachStart(fixture, () => {
      for (const reference of ['paie-é1', 'PAIE-É1', 'Paie-É1']) {
        assert.deepEqual(
          [amounts({ reference }), amounts({ q: reference })],
          [
            [6, 3, 2, 1],
            [6, 3, 2, 1],
          ],
        )
        assert.deepEqual(
          [moved({ reference }), moved({ q: reference })],
          [
            [6, 2, 1],
            [6, 2, 1],
          ],
        )
      }
      assert.deepEqual(
        [amounts({ q: '@AWA' }), moved({ q: 'awa' })],
        [
          [6, 4, 1],
          [6, 4, 1],
        ],
      )
      assert.deepEqual(
        [amounts({ q: phone }), moved({ q: phone })],
        [
          [5, 2],
          [5, 2],
        ],
      )
      assert.deepEqual([amounts({ q: 'ghost' }), moved({ q: 'ghost' })], [[3], []])
      for (const id of [second?.id, second?.transaction_id]) {
        assert.deepEqual([amounts({ q: id?.toUpperCase() }), moved({ q: id })], [[2], [2]])
      }
      assert.deepEqual([amounts({ q: third?.id }), moved({ q: third?.id })], [[3], []])
      for (const { id, created_at } of sent) checkPeriods(created_at, (period) => amounts({ q: id, ...period }))
      for (const q of [second?.id, second?.transaction_id]) {
        checkPeriods(second?.created_at ?? '', (period) => [...amounts({ q, ...period }), ...moved({ q, ...period })])
      }
      assert.deepEqual(amounts({ q: 'paie-é1', state: 'failed' }), [3])
      assert.deepEqual(amounts({ q: 'awa', reference: 'AWA' }), [4])
      assert.deepEqual(amounts({ q: ' ' }), [6, 5, 4, 3, 2, 1])
      assert.deepEqual(moved({ q: first?.transaction_id, type: 'deposit' }), [])
    })
    const foreign = openMerchant(fixture, 'rival').test
    for (const q of ['paie-é1', 'awa', phone, second?.id, second?.transaction_id]) {
      assert.deepEqual(rows(fixture, 'payouts.list', foreign, { q }), [])
      assert.deepEqual(rows(fixture, 'transactions.list', foreign, { q }), [])
    }
  })

  it('a search that finds some payouts by reference and some by recipient goes on to its last page', async () => {
    const fixture = await EngineFixture.open()
    const { test: merchant } = openMerchant(fixture, 'baobab', 10_000)
    for (const name of ['awa', 'koffi']) openWallet(fixture, name)
    for (const [amount, to, reference] of [
      [1, 'awa', 'koffi'],
      [2, 'koffi', ''],
      [3, 'awa', 'KOFFI'],
      [4, 'koffi', ''],
    ] as const) {
      assert.equal(fixture.do(payout(merchant, to, amount, reference)).kind, 'created')
    }
    await atEachStart(fixture, () => {
      for (const list of ['payouts.list', 'transactions.list'] as const) {
        assert.deepEqual(
          rows<Payout>(fixture, list, merchant, { q: 'koffi' }).map(({ amount }) => Math.abs(amount)),
          [4, 3, 2, 1],
        )
      }
    })
  })

  it('a search of charges finds reference, customer, payer, id, token and transaction', async () => {
    const fixture = await EngineFixture.open()
    GOLDEN_SCENARIOS['charges-v1.json']?.(fixture)
    const account = fixture.records.flatMap(({ events }) => events).find(({ type }) => type === 'charge.created')?.account ?? -1
    const all = rows<Charge>(fixture, 'charges.list', account, {})
    const ids = (query: object): string[] => rows<Charge>(fixture, 'charges.list', account, query).map(({ id }) => id)
    const those = (isOne: (charge: Charge) => boolean): string[] => all.filter(isOne).map(({ id }) => id)
    assert.ok(all.some(({ payer_tag }) => payer_tag === 'awa') && all.some(({ customer_tag }) => customer_tag === 'awa'))
    await atEachStart(fixture, () => {
      for (const { id, token, reference, transaction_id, created_at } of all) {
        assert.deepEqual([ids({ q: id }), ids({ q: token })], [[id], [id]])
        if (transaction_id !== null) assert.deepEqual(ids({ q: transaction_id }), [id])
        for (const q of [id, token, transaction_id ?? id]) checkPeriods(created_at, (period) => ids({ q, ...period }))
        const sameReference = those((charge) => charge.reference === reference)
        if (reference !== '')
          assert.deepEqual(
            [ids({ q: reference.toUpperCase() }), ids({ reference: reference.toUpperCase() })],
            [sameReference, sameReference],
          )
      }
      const withAwa = those(({ customer_tag, payer_tag }) => customer_tag === 'awa' || payer_tag === 'awa')
      assert.deepEqual(ids({ q: '@AWA' }), withAwa)
      const paid = those(({ state, payer_tag }) => state === 'paid' && payer_tag === 'awa')
      assert.deepEqual(ids({ q: 'awa', state: 'paid' }), paid)
      assert.deepEqual(ids({ q: 'nothing like it' }), [])
      for (const charge of all.filter(({ transaction_id }) => transaction_id !== null)) {
        const found = rows<Transaction>(fixture, 'transactions.list', account, { q: charge.id })
        assert.ok(found.length > 0 && found.every(({ charge_id }) => charge_id === charge.id))
      }
    })
  })

  it('a search of bill payments finds the reference of the bill, the payer, and ids', async () => {
    const fixture = await EngineFixture.open()
    GOLDEN_SCENARIOS['bills-v1.json']?.(fixture)
    const paid = fixture.records.flatMap(({ events }) => events).filter(({ type }) => type === 'bill.paid')
    const [{ account = -1, text = '{}' } = {}] = paid
    const { payer_tag } = JSON.parse(text) as { readonly payer_tag: string }
    const all = rows<BillPayment & Row>(fixture, 'bills.list', account, {})
    assert.ok(all.length > 1 && all.some(({ biller_ref }) => biller_ref !== ''))
    const found = (query: object): string[] =>
      rows<BillPayment & Row>(fixture, 'bills.list', account, query).map(({ charge_id }) => charge_id)
    await atEachStart(fixture, () => {
      for (const { charge_id, transaction_id, biller_ref, paid_at } of all) {
        assert.deepEqual([found({ q: charge_id }), found({ q: transaction_id })], [[charge_id], [charge_id]])
        for (const q of [charge_id, transaction_id]) checkPeriods(paid_at, (period) => found({ q, ...period }))
        if (biller_ref === '') continue
        const same = all.filter((bill) => bill.biller_ref === biller_ref).map((bill) => bill.charge_id)
        assert.deepEqual([found({ q: biller_ref.toUpperCase() }), found({ biller_ref: biller_ref.toLowerCase() })], [same, same])
        assert.equal(rows<Transaction>(fixture, 'transactions.list', account, { q: charge_id })[0]?.charge_id, charge_id)
      }
      assert.deepEqual(
        found({ q: `@${payer_tag.toUpperCase()}` }),
        all.map(({ charge_id }) => charge_id),
      )
    })
  })

  it('a search of a wallet finds its transfers by the tag of the other side', async () => {
    const fixture = await EngineFixture.open()
    const awa = openWallet(fixture, 'awa')
    const koffi = openWallet(fixture, 'koffi')
    fixture.do(deposit({ tag: 'awa' }, 100, 'test', 'Don'))
    const transfer = { type: 'CreateTransfer', sender: awa, recipient: 'koffi', amount: 7, note: '' } as const
    assert.equal(fixture.do(transfer, { mailbox: awa }).kind, 'created')
    const found = (account: number, q: string) =>
      rows<Transaction>(fixture, 'transactions.list', account, { q }).map(({ amount }) => amount)
    assert.deepEqual([found(awa, 'koffi'), found(koffi, '@AWA'), found(awa, 'awa'), found(awa, 'DON')], [[-7], [7], [], [100]])
  })
})
