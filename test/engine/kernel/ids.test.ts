// Ids: UUIDs of version 7 that ascend within a process at any change of the clock.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { IdSource, isUuid } from '../../../engine/kernel/ids.ts'
import { START_MS } from '../../support/engine-fixture.ts'
import { Prng } from '../../support/prng.ts'

const V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
function given(): IdSource {
  const prng = new Prng(3)
  return new IdSource((target) => prng.fill(target))
}

function timeOf(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

function assertAscending(ids: readonly string[]): void {
  for (let at = 1; at < ids.length; at++) assert.ok((ids[at - 1] as string) < (ids[at] as string), `${ids[at - 1]} < ${ids[at]}`)
}

describe('ids', () => {
  it('ids are version 7, variant 10, and carry the time', () => {
    const id = given().next(START_MS)
    assert.match(id, V7)
    assert.equal(timeOf(id), START_MS)
    assert.equal(isUuid(id), true)
  })

  it('ids ascend within a millisecond however many there are, and keep its time', () => {
    const source = given()
    const ids = Array.from({ length: 20_000 }, () => source.next(START_MS))
    assertAscending(ids)
    assert.ok(ids.every((id) => V7.test(id) && timeOf(id) === START_MS))
  })

  it('ids of each account ascend within a millisecond where accounts alternate', () => {
    const source = given()
    const ids = Array.from({ length: 3000 }, (_, at) => source.next(START_MS, at % 3))
    for (const account of [0, 1, 2]) assertAscending(ids.filter((_, at) => at % 3 === account))
  })

  it('two ids of an account say nothing of how many others had between them', () => {
    const counterOf = (id: string): number => Number.parseInt(id.slice(15, 18) + id.slice(20, 23), 16)
    const distances = [0, 1000].map((others) => {
      const source = given()
      const first = source.next(START_MS, 1)
      for (let count = 0; count < others; count++) source.next(START_MS, 2 + (count % 7))
      return counterOf(source.next(START_MS, 1)) - counterOf(first)
    })
    assert.equal(distances[0], distances[1])
  })

  it('the counter of the first id in a millisecond says nothing of how many ids there were', () => {
    const source = given()
    const counters = new Set(Array.from({ length: 100 }, (_, at) => source.next(START_MS + at).slice(15, 18)))
    assert.ok(counters.size > 90)
  })

  it('ids go on ascending when the clock goes back', () => {
    const source = given()
    const ids = [START_MS, START_MS - 5000, START_MS - 4999, START_MS + 1, START_MS - 1].map((timeMs) => source.next(timeMs))
    assertAscending(ids)
  })

  it('ids are different over many refills of randomness, also for two sources in the same millisecond', () => {
    const prng = new Prng(5)
    const sources = [new IdSource((target) => prng.fill(target)), new IdSource((target) => prng.fill(target))]
    const ids = Array.from({ length: 20_000 }, (_, index) => (sources[index % 2] as IdSource).next(START_MS))
    assert.equal(new Set(ids).size, ids.length)
    const tails = new Set(ids.map((id) => id.slice(19)))
    assert.equal(tails.size, ids.length)
  })
})

const shapes: readonly (readonly [text: string, isOne: boolean])[] = [
  ['01a0c450-6c00-7000-8707-070707070707', true],
  ['01A0C450-6C00-7000-8707-070707070707', false],
  ['01a0c450-6c00-7000-8707-07070707070', false],
  ['01a0c450-6c00-7000-8707-070707070707\n', false],
  ['', false],
]
for (const [text, isOne] of shapes) it(`${JSON.stringify(text)} is ${isOne ? 'an' : 'no'} id`, () => assert.equal(isUuid(text), isOne))
