// Payouts of one batch have a single entry for their merchant's list: lists read the same, in the tail, in the archive and rebuilt.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Payout } from '../../../engine/domain/payout/payout-state.ts'
import { payloadOf } from '../../../engine/domain/record.ts'
import { listPayouts } from '../../../engine/query/payout-queries.ts'
import { listTransactions } from '../../../engine/query/transaction-queries.ts'
import { openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { runs } from '../../support/property-runs.ts'

/** A line: who gets it, and its reference. A recipient that does not exist fails; null is no tag, so it makes no payout. */
interface Line {
  readonly recipient: string | null
  readonly reference: string
}

const LINE: fc.Arbitrary<Line> = fc.record({
  recipient: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom('awa', 'moussa') },
    { weight: 1, arbitrary: fc.constantFrom('nobody', null) },
  ),
  reference: fc.constantFrom('', '', 'R1', 'R2'),
})

/** Batches and single payouts in between. */
const COMMANDS = fc.array(fc.array(LINE, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 5 })

const FILTERS = [
  {},
  { state: 'paid' },
  { state: 'failed' },
  { recipient: '@awa' },
  { recipient: '@moussa', state: 'paid' },
  { reference: 'R1' },
  { reference: 'R2', state: 'paid', recipient: '@awa' },
] as const

async function givenPayouts(
  commands: readonly (readonly Line[])[],
): Promise<{ readonly fixture: EngineFixture; readonly merchant: number }> {
  const fixture = await EngineFixture.open()
  const { test: merchant } = openMerchant(fixture, 'baobab', 100)
  const other = openMerchant(fixture, 'neem', 100).test
  for (const tag of ['awa', 'moussa']) openWallet(fixture, tag)
  for (const [index, lines] of commands.entries()) {
    for (const account of [merchant, other]) {
      fixture.do({
        type: 'CreateBatch',
        merchant: account,
        lines: lines.map(({ recipient, reference }) => ({
          recipient: recipient ?? '?',
          amount: 2,
          reference,
          note: '',
          fault: recipient === null ? 'invalid_recipient' : null,
        })),
        reference: '',
        scheduleId: null,
      })
    }
    fixture.do(payout(merchant, 'awa', 1, 'R1'))
    if (index % 2 === 0) fixture.loop.advance(2000)
  }
  return { fixture, merchant }
}

function payoutsOf({ records }: EngineFixture, merchant: number): Payout[] {
  const events = records
    .flatMap((record) => record.events)
    .filter(({ type, account }) => type.startsWith('payout.') && account === merchant)
  return events.map((event) => payloadOf<Payout>(event)).reverse()
}

function listed(fixture: EngineFixture, account: number, filters: object, limit: number): string[] {
  const ids: string[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = listPayouts(fixture.engine, { account, query: { ...filters, limit, ...(cursor === undefined ? {} : { cursor }) } })
    ids.push(...(page?.rows ?? []).map((row) => (JSON.parse(row) as Payout).id))
    cursor = page?.nextCursor ?? null
  }
  return ids
}

function statement(fixture: EngineFixture, account: number): (string | null)[] {
  const page = listTransactions(fixture.engine, { account, query: { type: 'payout', limit: 100 } })
  return (page?.rows ?? []).map((row) => (JSON.parse(row) as { payout_id: string }).payout_id)
}

function checkLists(fixture: EngineFixture, merchant: number): void {
  const payouts = payoutsOf(fixture, merchant)
  for (const filters of FILTERS) {
    const wanted = Object.entries(filters).map(([name, value]) => [name, value.replace('@', '')] as const)
    const expected = payouts.filter((one) => wanted.every(([name, value]) => one[name as 'state'] === value)).map(({ id }) => id)
    for (const limit of [3, 100]) assert.deepEqual(listed(fixture, merchant, filters, limit), expected)
  }
  const paid = payouts.filter(({ state }) => state === 'paid').map(({ id }) => id)
  assert.deepEqual(statement(fixture, merchant), paid.slice(0, 100))
}

describe('the payouts of a batch in the index', () => {
  it('lists by every filter have the same payouts from the tail, from the archive and after a rebuild', async () => {
    await fc.assert(
      fc.asyncProperty(COMMANDS, async (commands) => {
        const { fixture, merchant } = await givenPayouts(commands)
        checkLists(fixture, merchant)
        fixture.loop.advance(2000)
        fixture.settle()
        assert.equal(fixture.engine.history.tailEntries, 0)
        checkLists(fixture, merchant)
        await fixture.startWithoutArchive()
        checkLists(fixture, merchant)
      }),
      { numRuns: runs(25) },
    )
  })
})
