// Pages of the lines of a disbursement: in each state they have what the whole list has, and parse few blocks.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DISBURSEMENT_LINE_STATES, type DisbursementLine } from '../../../engine/contract/disbursement.ts'
import { LINES_PER_BLOCK } from '../../../engine/domain/disbursement/disbursement-limits.ts'
import type { Payout } from '../../../engine/domain/payout/payout-state.ts'
import { readBatchLines } from '../../support/batch-lines.ts'
import { deposit, openMerchant, openWallet } from '../../support/commands.ts'
import { DisbursementSteps } from '../../support/disbursement-steps.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'

async function open(amount: number) {
  const fixture = await EngineFixture.open()
  const merchant = openMerchant(fixture, 'baobab', amount)
  openWallet(fixture, 'awa')
  const steps = new DisbursementSteps(fixture, merchant.test)
  const slice = (id: string, query: object) => {
    const found = fixture.engine.query('disbursements.lines', { account: merchant.test, id, query })
    assert.ok(found !== null && found !== 'not_found')
    return found
  }
  /** All lines, by slices of so many, and the number of blocks that were parsed. */
  const walk = (id: string, query: object, limit: number) => {
    const lines: Omit<DisbursementLine, 'holder'>[] = []
    let parsed = 0
    for (let cursor: string | null = ''; cursor !== null; ) {
      const found = slice(id, { ...query, limit, ...(cursor === '' ? {} : { cursor }) })
      lines.push(...found.lines)
      parsed += found.candidates
      cursor = found.nextCursor
    }
    return { lines, parsed }
  }
  const assertEachState = (id: string) => {
    const { lines: all } = walk(id, {}, 100)
    for (const state of DISBURSEMENT_LINE_STATES) {
      const wanted = all.filter((line) => line.state === state)
      for (const limit of [1, 7, 100]) assert.deepEqual(walk(id, { state }, limit).lines, wanted, `${state} by ${limit}`)
    }
    for (const line of all.filter(({ payout_id }) => payout_id !== undefined)) {
      const text = fixture.engine.query('payouts.get', { account: merchant.test, id: line.payout_id as string })
      const payout = JSON.parse(text ?? '{}') as Payout
      assert.deepEqual(
        [payout.recipient, payout.amount, payout.reference, payout.state, payout.transaction_id, payout.failure_code],
        [line.recipient, line.amount, line.reference, line.state, line.transaction_id, line.failure_code],
      )
    }
    return all
  }
  const pass = () => {
    fixture.loop.advance(25)
    fixture.settle()
  }
  const untilRest = (id: string) => {
    const { live } = fixture.state.disbursements
    for (let turn = 0; turn < 100 && live.get(id)?.status.state === 'running'; turn++) pass()
  }
  return { fixture, merchant, steps, slice, walk, assertEachState, untilRest }
}

const line = (index: number, more: object = {}) => ({ recipient: 'awa', amount: 1, reference: `L${index}`, ...more })

describe('lines of a disbursement by state', () => {
  it('are the lines of the whole list that are in it, also between turns, after a stop within a block and a restart', async () => {
    const { fixture, merchant, steps, assertEachState, untilRest } = await open(400)
    const lines = readBatchLines(
      Array.from({ length: 900 }, (_, index) =>
        line(index, index % 97 === 5 ? { recipient: 'ghost' } : index === 500 ? { amount: 90 } : {}),
      ),
    )
    const { id } = steps.create({ lines })
    assertEachState(id)
    steps.start(id)
    assertEachState(id)
    untilRest(id)
    assert.equal(assertEachState(id).filter(({ state }) => state === 'waiting').length > 400, true)
    fixture.do(deposit({ merchantId: merchant.id }, 200, 'test'))
    await fixture.start()
    steps.move(id, 'resume')
    untilRest(id)
    assertEachState(id)
    steps.move(id, 'cancel')
    assert.ok(assertEachState(id).some(({ state }) => state === 'cancelled'))
  })

  it('parse the blocks alone that have one, and of a turn the wanted payouts', async () => {
    const { steps, walk, slice, assertEachState, untilRest } = await open(10_000)
    const rare = (index: number) => (index === 70 || index === 2030 ? { recipient: 'ghost' } : index === 2040 ? { amount: 20_000 } : {})
    const lines = readBatchLines(Array.from({ length: 32 * LINES_PER_BLOCK }, (_, index) => line(index, rare(index))))
    const { id } = steps.create({ lines, start: 'auto', onInsufficientBalance: 'fail' })
    untilRest(id)
    const invalid = walk(id, { state: 'invalid' }, 100)
    assert.deepEqual([invalid.lines.map(({ index }) => index), invalid.parsed], [[70, 2030], 2])
    const failed = walk(id, { state: 'failed' }, 100)
    assert.deepEqual([failed.lines.map(({ index }) => index), failed.parsed], [[2040], 1])
    for (const state of ['valid', 'waiting', 'cancelled']) assert.deepEqual(walk(id, { state }, 100), { lines: [], parsed: 0 })
    assert.equal(slice(id, { limit: 50 }).candidates, 1)
    assert.equal(slice(id, { limit: 50, state: 'paid' }).candidates, 1)
    assertEachState(id)
    const retried = steps.retry(id)
    assert.deepEqual(
      walk(retried.id, {}, 10).lines.map(({ reference, amount }) => [reference, amount]),
      [['L2040', 20_000]],
    )
  })
})
