// The durability barrier: answers leave in order, when everything that they may show is durable, and not before.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DurabilityBarrier } from '../../../engine/actor/durability-barrier.ts'
import type { Outcome } from '../../../engine/actor/envelope.ts'
import { openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'

const OUTCOME: Outcome = { kind: 'created', body: '{}', replayed: false }

class Door {
  readonly gate = new DurabilityBarrier()
  readonly told: string[] = []

  pass(sequence: number, name: string, then: () => void = () => {}): void {
    const settle = (): void => {
      this.told.push(name)
      then()
    }
    this.gate.pass(sequence, { settle }, OUTCOME)
  }
}

describe('an answer', () => {
  it('an answer waits for its sequence', () => {
    const door = new Door()
    door.pass(1, 'a')
    door.pass(3, 'b')
    assert.deepEqual([door.told, door.gate.waiting], [[], 2])
    door.gate.open(2)
    assert.deepEqual([door.told, door.gate.waiting], [['a'], 1])
    door.gate.open(3)
    assert.deepEqual([door.told, door.gate.waiting], [['a', 'b'], 0])
  })

  it('an answer of what is durable leaves at once, unless others wait before it', () => {
    const door = new Door()
    door.gate.open(5)
    door.pass(5, 'a')
    assert.deepEqual(door.told, ['a'])
    door.pass(6, 'b')
    door.pass(6, 'c')
    assert.deepEqual(door.told, ['a'])
    door.gate.open(6)
    assert.deepEqual(door.told, ['a', 'b', 'c'])
  })

  it('an answer that asks for more while it leaves keeps its place behind those that wait', () => {
    const door = new Door()
    door.pass(1, 'a', () => {
      door.pass(1, 'a again')
      door.pass(2, 'later')
    })
    door.pass(1, 'b')
    door.gate.open(1)
    assert.deepEqual(door.told, ['a', 'b', 'a again'])
    assert.equal(door.gate.waiting, 1)
    door.gate.open(2)
    assert.deepEqual(door.told, ['a', 'b', 'a again', 'later'])
  })

  it('an answer leaves once among tens of thousands, in order', () => {
    const door = new Door()
    const names: string[] = []
    for (let sequence = 1; sequence <= 30_000; sequence++) {
      names.push(String(sequence))
      door.pass(sequence, String(sequence))
    }
    for (let sequence = 7; sequence < 30_000; sequence += 7_001) door.gate.open(sequence)
    door.gate.open(30_000)
    assert.deepEqual(door.told, names)
    assert.equal(door.gate.waiting, 0)
  })
})

describe('an outcome', () => {
  it('an outcome leaves with its own reply under a load that always leaves some waiting', () => {
    const barrier = new DurabilityBarrier()
    const waitingMin = 3
    const answered: string[] = []
    const count = 30_000
    for (let sequence = 1; sequence <= count; sequence++) {
      const body = String(sequence)
      const settle = (outcome: Outcome): void => {
        assert.equal(outcome.body, body)
        answered.push(outcome.body)
      }
      barrier.pass(sequence, { settle }, { ...OUTCOME, body })
      if (sequence > waitingMin) barrier.open(sequence - waitingMin)
    }
    assert.equal(barrier.waiting, waitingMin)
    barrier.open(count)
    assert.deepEqual(
      answered,
      Array.from({ length: count }, (_, index) => String(index + 1)),
    )
  })
})

describe('a read', () => {
  it('a read of what is on disk runs at once, of what is not yet on disk with its flush', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 100)
    openWallet(fixture, 'awa')
    const seen: string[] = []
    fixture.engine.whenDurable(() => seen.push('nothing new'))
    assert.deepEqual(seen, ['nothing new'])
    fixture.send(payout(test, 'awa', 1), { onSettle: () => seen.push('payout') })
    fixture.engine.whenDurable(() => seen.push('before the turn'))
    fixture.loop.turn()
    fixture.engine.whenDurable(() => seen.push('after the turn'))
    assert.deepEqual(seen, ['nothing new', 'before the turn'])
    fixture.settle()
    assert.deepEqual(seen, ['nothing new', 'before the turn', 'payout', 'after the turn'])
  })

  it('a read waits for the batch that gathers behind the one that is being flushed, when it has seen it', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 100)
    openWallet(fixture, 'awa')
    const seen: string[] = []
    fixture.send(payout(test, 'awa', 1), { onSettle: () => seen.push('first') })
    fixture.loop.turn()
    fixture.send(payout(test, 'awa', 1), { onSettle: () => seen.push('second') })
    fixture.loop.turn()
    fixture.engine.whenDurable(() => seen.push('read'))
    assert.equal(fixture.disk.runOne(), true)
    assert.deepEqual(seen, ['first'])
    fixture.loop.turn()
    assert.equal(fixture.disk.runOne(), true)
    assert.deepEqual(seen, ['first', 'second', 'read'])
  })

  it('a read gets the rejection of what it saw no earlier than what it saw', async () => {
    const fixture = await EngineFixture.open()
    openMerchant(fixture, 'baobab', 100)
    const seen: string[] = []
    fixture.send({ type: 'CreateTestWallet', tag: 'awa' }, { onSettle: () => seen.push('made') })
    fixture.send({ type: 'CreateTestWallet', tag: 'awa' }, { onSettle: () => seen.push('taken') })
    fixture.loop.turn()
    assert.deepEqual(seen, [], 'that the tag is taken is not visible before it is on disk')
    fixture.settle()
    assert.deepEqual(seen, ['made', 'taken'])
  })
})

it('durable records are published in order, before their answers, and none twice', async () => {
  const fixture = await EngineFixture.open()
  const { test } = openMerchant(fixture, 'baobab', 100)
  openWallet(fixture, 'awa')
  const seen: number[] = []
  for (let index = 0; index < 5; index++) fixture.send(payout(test, 'awa', 1), { onSettle: () => seen.push(fixture.records.length) })
  fixture.settle()
  assert.deepEqual(
    fixture.records.map(({ sequence }) => sequence),
    Array.from({ length: fixture.log.durableSequence }, (_, index) => index + 1),
  )
  assert.ok(seen.every((count) => count === fixture.log.durableSequence))
})
