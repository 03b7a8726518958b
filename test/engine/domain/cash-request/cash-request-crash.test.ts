// Top-ups and withdrawals through crashes: holds, balances and open requests agree after each of them.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { BatchesToAppend } from '../../../../engine/actor/ports.ts'
import { findCashRequest } from '../../../../engine/domain/cash-request/cash-request-versions.ts'
import type { Command } from '../../../../engine/domain/command.ts'
import {
  answeredState,
  askCash,
  type CashDecision,
  type CashSetup,
  decidingCash,
  openCashSetup,
  requestTopUp,
  requestWithdrawal,
} from '../../../support/cash-request-commands.ts'
import { deposit, withdraw } from '../../../support/commands.ts'
import { MemoryLog } from '../../../support/memory-log.ts'

/** A log that dies in the middle of a write when the test says so: the batch is lost, without an answer. */
class DyingLog extends MemoryLog {
  dies = false

  override append(batches: BatchesToAppend, done: (error: Error | null) => void): void {
    if (!this.dies) super.append(batches, done)
  }
}

interface Step {
  readonly what: 'top_up' | 'withdrawal' | 'spend' | CashDecision
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

function commandOf({ fixture, merchant }: CashSetup, { what, amount, which }: Step): Command | null {
  if (what === 'top_up') return requestTopUp(merchant.test, amount)
  if (what === 'withdrawal') return requestWithdrawal(merchant.test, amount)
  if (what === 'spend') return withdraw({ merchantId: merchant.id }, amount)
  const rows = [...fixture.state.cashRequests.open.values()]
  const row = rows[which % Math.max(1, rows.length)]
  if (row === undefined) return null
  const isOther = (row.kind === 'top_up' && what === 'paid') || (row.kind === 'withdrawal' && what === 'confirmed')
  return isOther ? null : decidingCash(row.kind, what, row.id, merchant.test)
}

/** What must hold after each step. */
function check(setup: CashSetup): void {
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

async function take(setup: CashSetup, log: DyingLog, step: Step): Promise<void> {
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
        const setup = await openCashSetup(1000, {
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

  it('an open withdrawal keeps its hold over a start from a snapshot, and is paid then', async () => {
    const setup = await openCashSetup(1000)
    const { fixture, merchant } = setup
    const id = askCash(setup, 'withdrawal', 700)
    await fixture.close()
    await fixture.start()
    const { recovered, lastSequence } = fixture.engine
    assert.deepEqual([recovered.snapshotSequence, recovered.replayedRecords], [lastSequence, 0])
    check(setup)
    assert.equal(fixture.state.accounts.available(merchant.test), 300)
    assert.equal(answeredState(setup, decidingCash('withdrawal', 'paid', id, merchant.test)), 'paid')
    assert.deepEqual([fixture.state.accounts.balance(merchant.test), fixture.state.accounts.held(merchant.test)], [300, 0])
    await fixture.close()
  })

  it('lists and look-ups of finished requests read the same from memory and after a restart', async () => {
    const setup = await openCashSetup(1000)
    const { fixture, merchant } = setup
    const ids = (['paid', 'refused', 'cancelled'] as const).map((decision) => {
      const id = askCash(setup, 'withdrawal', 10)
      answeredState(setup, decidingCash('withdrawal', decision, id, merchant.test))
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
