// Top-ups and withdrawals: each state and each decision, the money and the holds, keys, races and crashes.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { BatchToAppend } from '../../../../engine/actor/ports.ts'
import { OPEN_PER_ACCOUNT_MAX } from '../../../../engine/domain/cash-request/cash-request-limits.ts'
import { CASH_REQUEST_ENDS, type CashRequestKind } from '../../../../engine/domain/cash-request/cash-request-state.ts'
import { findCashRequest } from '../../../../engine/domain/cash-request/cash-request-versions.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import { MemoryLog } from '../../../../wal/log/memory-log.ts'
import { confirmTopUp, payWithdrawal, requested, requestTopUp, requestWithdrawal } from '../../../support/cash-request-commands.ts'
import { deposit, type KnownMerchant, openMerchant, openWallet, payout, withdraw } from '../../../support/commands.ts'
import { EngineFixture, type EngineFixtureParts } from '../../../support/engine-fixture.ts'

interface Setup {
  readonly fixture: EngineFixture
  readonly merchant: KnownMerchant
}

async function open(amount: number, parts: EngineFixtureParts = {}): Promise<Setup> {
  const fixture = await EngineFixture.open(parts)
  return { fixture, merchant: openMerchant(fixture, 'boutique', amount) }
}

/** Balance, held and available of the merchant's test account. */
function figures({ fixture, merchant }: Setup): number[] {
  const { accounts } = fixture.state
  return [accounts.balance(merchant.test), accounts.held(merchant.test), accounts.available(merchant.test)]
}

function answered({ fixture }: Setup, command: Command, key?: string): string {
  const { kind, body } = fixture.do(command, key === undefined ? {} : { key })
  const { state, code } = JSON.parse(body) as { state?: string; code?: string }
  return kind === 'ok' ? String(state) : String(code)
}

type Decision = 'confirmed' | 'paid' | 'refused' | 'cancelled'

function deciding(kind: CashRequestKind, decision: Decision, id: string, merchant: number): Command {
  const name = kind === 'top_up' ? 'TopUp' : 'Withdrawal'
  if (decision === 'confirmed') return confirmTopUp(id)
  if (decision === 'paid') return payWithdrawal(id)
  if (decision === 'refused') return { type: `Refuse${name}`, id, reason: 'Non.' }
  return { type: `Cancel${name}`, merchant, id }
}

function ask(setup: Setup, kind: CashRequestKind, amount = 100): string {
  const make = kind === 'top_up' ? requestTopUp : requestWithdrawal
  return requested(setup.fixture, make(setup.merchant.test, amount, 'ref'))
}

describe('a cash request', () => {
  for (const kind of ['top_up', 'withdrawal'] as const) {
    for (const first of CASH_REQUEST_ENDS[kind]) {
      for (const second of CASH_REQUEST_ENDS[kind]) {
        const again = first === 'cancelled' && second === 'cancelled'
        it(`a ${kind} that is ${first} answers ${again ? 'the same' : 'request_not_open'} when it is to be ${second}`, async () => {
          const setup = await open(1000)
          const id = ask(setup, kind)
          assert.equal(answered(setup, deciding(kind, first, id, setup.merchant.test)), first)
          const rows = setup.fixture.rows()
          assert.equal(answered(setup, deciding(kind, second, id, setup.merchant.test)), again ? 'cancelled' : 'request_not_open')
          assert.deepEqual(setup.fixture.rows(), rows, 'nothing has changed')
        })
      }
    }
  }

  it('a request of another merchant, kind or id is not found', async () => {
    const setup = await open(1000)
    const other = openMerchant(setup.fixture, 'autre', 1000)
    const topUp = ask(setup, 'top_up')
    const withdrawal = ask(setup, 'withdrawal')
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
    for (const command of commands) assert.equal(answered(setup, command), 'not_found', command.type)
  })

  it('too many open requests of an account are rejected, and a finished one makes room', async () => {
    const setup = await open(OPEN_PER_ACCOUNT_MAX + 5)
    const ids = Array.from({ length: OPEN_PER_ACCOUNT_MAX }, () => ask(setup, 'withdrawal', 1))
    assert.equal(answered(setup, requestWithdrawal(setup.merchant.test, 1)), 'rate_limited')
    ask(setup, 'top_up', 1)
    assert.equal(answered(setup, deciding('withdrawal', 'cancelled', ids[0] ?? '', setup.merchant.test)), 'cancelled')
    ask(setup, 'withdrawal', 1)
  })
})

describe('money of cash requests', () => {
  it('a withdrawal holds its amount, and the held amount cannot be spent in any way', async () => {
    const setup = await open(1000)
    const { fixture, merchant } = setup
    openWallet(fixture, 'awa')
    ask(setup, 'withdrawal', 900)
    assert.deepEqual(figures(setup), [1000, 900, 100])
    assert.equal(answered(setup, requestWithdrawal(merchant.test, 101)), 'insufficient_balance')
    assert.equal(answered(setup, withdraw({ merchantId: merchant.id }, 101)), 'insufficient_balance')
    assert.match(fixture.do(payout(merchant.test, 'awa', 101)).body, /"failure_code":"insufficient_balance"/)
    assert.match(fixture.do(payout(merchant.test, 'awa', 100)).body, /"state":"paid"/)
    assert.deepEqual(figures(setup), [900, 900, 0])
  })

  it('a paid withdrawal leaves by the settlement account, a refused or cancelled one is released', async () => {
    const setup = await open(1000)
    const { accounts } = setup.fixture.state
    const ends = [
      ['paid', [600, 0, 600]],
      ['refused', [600, 0, 600]],
      ['cancelled', [600, 0, 600]],
    ] as const
    for (const [decision, after] of ends) {
      const id = ask(setup, 'withdrawal', decision === 'paid' ? 400 : 600)
      answered(setup, deciding('withdrawal', decision, id, setup.merchant.test))
      assert.deepEqual(figures(setup), after, decision)
      assert.equal(accounts.balance(setup.fixture.state.settlementAccount('test')), -600)
    }
  })

  it('a withdrawal of everything is paid though nothing is left to spend', async () => {
    const setup = await open(1000)
    const id = ask(setup, 'withdrawal', 1000)
    assert.deepEqual(figures(setup), [1000, 1000, 0])
    assert.equal(answered(setup, payWithdrawal(id)), 'paid')
    assert.deepEqual(figures(setup), [0, 0, 0])
  })

  it('a top-up credits what was confirmed, not what was announced', async () => {
    const setup = await open(0)
    const id = ask(setup, 'top_up', 500)
    assert.deepEqual(figures(setup), [0, 0, 0])
    const topUp = JSON.parse(setup.fixture.do(confirmTopUp(id, { amount: 450 })).body) as Record<string, unknown>
    assert.deepEqual([topUp.state, topUp.amount, topUp.confirmed_amount, topUp.settlement_reference], ['confirmed', 500, 450, 'VIR-1'])
    assert.match(String(topUp.transaction_id), /^[0-9a-f-]{36}$/)
    assert.deepEqual(figures(setup), [450, 0, 450])
  })

  it('the statement has the confirmed top-up and the paid withdrawal, and nothing of holds and releases', async () => {
    const setup = await open(0)
    const { merchant, fixture } = setup
    answered(setup, confirmTopUp(ask(setup, 'top_up', 500)))
    answered(setup, deciding('withdrawal', 'cancelled', ask(setup, 'withdrawal', 300), merchant.test))
    answered(setup, payWithdrawal(ask(setup, 'withdrawal', 200)))
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
    const setup = await open(1000)
    const { fixture, merchant } = setup
    answered(setup, confirmTopUp(ask(setup, 'top_up')))
    answered(setup, confirmTopUp(ask(setup, 'top_up'), { merchant: merchant.test }))
    answered(setup, deciding('top_up', 'refused', ask(setup, 'top_up'), merchant.test))
    answered(setup, payWithdrawal(ask(setup, 'withdrawal')))
    answered(setup, payWithdrawal(ask(setup, 'withdrawal'), merchant.test))
    answered(setup, deciding('withdrawal', 'refused', ask(setup, 'withdrawal'), merchant.test))
    const actions = fixture.engine.query('operatorActions.list', { query: { limit: 4 } })
    assert.deepEqual(
      actions?.rows.map((row) => (JSON.parse(row) as { action: string }).action),
      ['withdrawal.refuse', 'withdrawal.pay', 'top_up.refuse', 'top_up.confirm'],
    )
  })
})

describe('keys and races of cash requests', () => {
  it('the same decision with the same key replays, with another key it is too late', async () => {
    const setup = await open(1000)
    const id = ask(setup, 'withdrawal', 400)
    const first = setup.fixture.do(payWithdrawal(id), { key: 'one' })
    const again = setup.fixture.do(payWithdrawal(id), { key: 'one' })
    assert.deepEqual([again.body, again.replayed], [first.body, true])
    assert.equal(answered(setup, payWithdrawal(id), 'two'), 'request_not_open')
    assert.deepEqual(figures(setup), [600, 0, 600])
  })

  it('a request with the same key holds once', async () => {
    const setup = await open(1000)
    const bodies = [1, 2, 3].map(() => setup.fixture.do(requestWithdrawal(setup.merchant.test, 400), { key: 'w' }).body)
    assert.equal(new Set(bodies).size, 1)
    assert.deepEqual(figures(setup), [1000, 400, 600])
  })

  for (const order of [
    ['paid', 'refused', 'cancelled'],
    ['cancelled', 'paid', 'refused'],
    ['refused', 'cancelled', 'paid'],
  ] as const) {
    it(`of decisions in one burst the first wins: ${order.join(', ')}`, async () => {
      const setup = await open(1000)
      const id = ask(setup, 'withdrawal', 400)
      const sent = order.map((decision) => setup.fixture.send(deciding('withdrawal', decision, id, setup.merchant.test), { mailbox: 0 }))
      setup.fixture.settle()
      const kinds = sent.map(({ outcome }) => outcome?.kind)
      assert.deepEqual(kinds, ['ok', 'conflict', 'conflict'])
      assert.deepEqual(figures(setup), order[0] === 'paid' ? [600, 0, 600] : [1000, 0, 1000])
    })
  }
})

/** A log that dies in the middle of a write when the test says so: the batch is lost, without an answer. */
class DyingLog extends MemoryLog {
  dies = false

  override append(batch: BatchToAppend, done: (error: Error | null) => void): void {
    if (!this.dies) super.append(batch, done)
  }
}

interface Step {
  readonly what: 'top_up' | 'withdrawal' | 'spend' | Decision
  readonly amount: number
  readonly which: number
  /** What happens to the write of the step: it goes through, it is lost in a crash, or the crash comes right after. */
  readonly crash: 'no' | 'lost' | 'after'
}

const STEPS: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    what: fc.constantFrom('top_up', 'withdrawal', 'withdrawal', 'spend', 'confirmed', 'paid', 'refused', 'cancelled'),
    amount: fc.integer({ min: 1, max: 700 }),
    which: fc.nat(5),
    crash: fc.constantFrom('no', 'no', 'no', 'lost', 'after'),
  }),
  { minLength: 1, maxLength: 25 },
)

function commandOf({ fixture, merchant }: Setup, { what, amount, which }: Step): Command | null {
  if (what === 'top_up') return requestTopUp(merchant.test, amount)
  if (what === 'withdrawal') return requestWithdrawal(merchant.test, amount)
  if (what === 'spend') return withdraw({ merchantId: merchant.id }, amount)
  const rows = [...fixture.state.cashRequests.open.values()]
  const row = rows[which % Math.max(1, rows.length)]
  if (row === undefined) return null
  const isOther = (row.kind === 'top_up' && what === 'paid') || (row.kind === 'withdrawal' && what === 'confirmed')
  return isOther ? null : deciding(row.kind, what, row.id, merchant.test)
}

/** What must hold after each step. */
function check(setup: Setup): void {
  const { fixture, merchant } = setup
  const { accounts, cashRequests, holds } = fixture.state
  const open = [...cashRequests.open.values()]
  const held = open
    .filter(({ kind }) => kind === 'withdrawal')
    .reduce(
      (sum, { id }) => sum + (findCashRequest(fixture.state, fixture.engine.history, 'withdrawal', id)?.request.amount ?? Number.NaN),
      0,
    )
  assert.equal(accounts.held(merchant.test), held, 'every open withdrawal is held, and nothing else is')
  assert.equal(holds.table.size, open.filter(({ kind }) => kind === 'withdrawal').length)
  assert.ok(accounts.available(merchant.test) >= 0)
  let sum = 0
  for (let account = 0; account < accounts.count; account++) sum += accounts.balance(account)
  assert.equal(sum, 0, 'the sum of all accounts is zero')
}

async function take(setup: Setup, log: DyingLog, step: Step): Promise<void> {
  const command = commandOf(setup, step)
  if (command === null) return
  const { fixture } = setup
  const before = fixture.rows()
  log.dies = step.crash === 'lost'
  const sent = fixture.send(command)
  if (step.crash === 'no') fixture.settle()
  else {
    fixture.loop.advance(0)
    fixture.disk.runAll()
    log.dies = false
    await fixture.start()
    if (step.crash === 'lost') assert.deepEqual(fixture.rows(), before, 'what was not written never was')
  }
  if (step.crash === 'no') assert.ok(sent.outcome !== null)
  check(setup)
}

describe('crashes of cash requests', () => {
  it('holds, balances and open requests agree after any steps and crashes, and after a replay without a snapshot', async () => {
    await fc.assert(
      fc.asyncProperty(STEPS, async (steps) => {
        const log: { current: DyingLog | null } = { current: null }
        const setup = await open(1000, {
          log: (soon) => {
            log.current = new DyingLog({ soon })
            return log.current
          },
        })
        for (const step of steps) await take(setup, log.current as DyingLog, step)
        const rows = setup.fixture.rows()
        await setup.fixture.startWithoutArchive()
        assert.deepEqual(setup.fixture.rows(), rows, 'a replay of the whole log leads to the same state')
        check(setup)
        await setup.fixture.close()
      }),
      { numRuns: 60 },
    )
  })

  it('lists and look-ups of finished requests read the same from memory and after a restart', async () => {
    const setup = await open(1000)
    const { fixture, merchant } = setup
    const ids = (['paid', 'refused', 'cancelled'] as const).map((decision) => {
      const id = ask(setup, 'withdrawal', 10)
      answered(setup, deciding('withdrawal', decision, id, merchant.test))
      return id
    })
    const own = { kind: 'withdrawal', account: merchant.test } as const
    const read = (): unknown => ({
      each: ids.map((id) => fixture.engine.query('cashRequests.get', { ...own, id })),
      all: fixture.engine.query('cashRequests.list', { ...own, query: {}, slice: 'first' })?.rows,
      paid: fixture.engine.query('cashRequests.list', { ...own, query: { state: 'paid', reference: 'REF' }, slice: 'first' })?.rows,
    })
    const before = read() as { each: string[]; all: string[]; paid: string[] }
    assert.deepEqual(before.all, [...before.each].reverse())
    assert.deepEqual(before.paid, [before.each[0]])
    await fixture.close()
    await fixture.start()
    assert.deepEqual(read(), before)
    assert.equal(fixture.engine.query('cashRequests.get', { ...own, kind: 'top_up', id: ids[0] ?? '' }), null)
    fixture.do(deposit({ merchantId: merchant.id }, 1))
  })
})
