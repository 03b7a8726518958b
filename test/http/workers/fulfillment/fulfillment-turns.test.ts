// Whose code runs next: round-robin over merchants, a limit for each, a reserve for those with few runs under way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FulfillmentTurns, type Turn } from '../../../../http/workers/fulfillment/fulfillment-turns.ts'

const LIMITS = { turnsMax: 8, reservedTurns: 2, fewTurns: 1, perAccountMax: 3 }
const [ONE, TWO, THREE, FOUR] = [1, 2, 3, 4] as const

function queued(counts: Readonly<Record<number, number>>): FulfillmentTurns {
  const turns = new FulfillmentTurns(LIMITS)
  for (const [account, count] of Object.entries(counts)) {
    for (let index = 0; index < count; index++) turns.put(Number(account), `${account}-${index}`)
  }
  return turns
}

/** Everything that may start now. */
function takeAll(turns: FulfillmentTurns): Turn[] {
  const taken: Turn[] = []
  for (let turn = turns.take(); turn !== null; turn = turns.take()) taken.push(turn)
  return taken
}

function idsOf(taken: readonly Turn[]): string[] {
  return taken.map(({ id }) => id)
}

test('merchants take turns, each in the order of its payments, up to its limit', () => {
  const turns = queued({ [ONE]: 5, [TWO]: 2 })
  assert.deepEqual(idsOf(takeAll(turns)), ['1-0', '2-0', '1-1', '2-1', '1-2'])
  assert.equal(turns.running, 5)
})

test('merchants with many runs leave the reserve to those with few', () => {
  const turns = queued({ [ONE]: 9, [TWO]: 9, [THREE]: 9 })
  assert.equal(takeAll(turns).length, 6)
  turns.put(FOUR, '4-0')
  turns.put(FOUR, '4-1')
  assert.deepEqual(idsOf(takeAll(turns)), ['4-0'])
})

test('a merchant whose last run was slow takes no reserved turn, until a run was fast', () => {
  const turns = queued({ [FOUR]: 1 })
  turns.done(turns.take() as Turn, { isSlow: true })
  for (const account of [ONE, TWO]) for (let index = 0; index < 3; index++) turns.put(account, `${account}-${index}`)
  const [first, second] = takeAll(turns)
  turns.put(FOUR, '4-1')
  assert.deepEqual(takeAll(turns), [])
  turns.put(THREE, '3-0')
  assert.deepEqual(idsOf(takeAll(turns)), ['3-0'])
  turns.done(first as Turn, { isSlow: false })
  turns.done(second as Turn, { isSlow: false })
  const [four] = takeAll(turns)
  assert.equal(four?.id, '4-1')
  turns.done(four, { isSlow: false })
  turns.put(ONE, '1-3')
  turns.put(FOUR, '4-2')
  assert.deepEqual(idsOf(takeAll(turns)), ['1-3', '4-2'])
})

test('code that was not begun is first again, after a pause that doubles up to its maximum', () => {
  const turns = queued({ [ONE]: 2 })
  const pauses: (number | null)[] = []
  for (let round = 0; round < 8; round++) {
    const [turn, ...more] = takeAll(turns)
    assert.ok(turn !== undefined && turn.id === '1-0')
    for (const extra of more) turns.putBack(extra)
    pauses.push(turns.putBack(turn))
    assert.equal(turns.take(), null, 'a paused merchant has no turn')
    turns.resume(ONE)
  }
  assert.deepEqual(pauses.slice(1), [200, 400, 800, 1600, 3200, 4000, 4000])
})

test('after a refusal a merchant has one run under way, and one more with each run that ends', () => {
  const turns = queued({ [ONE]: 9 })
  for (const turn of takeAll(turns).reverse()) turns.putBack(turn)
  turns.resume(ONE)
  const [first, ...none] = takeAll(turns)
  assert.ok(first !== undefined && none.length === 0)
  turns.done(first, { isSlow: false })
  assert.equal(takeAll(turns).length, 2)
})
