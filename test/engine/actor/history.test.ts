// History: pages over tail and archive, by several index keys, by time, without false hits.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { PageRequest } from '../../../engine/actor/history.ts'
import type { Hit } from '../../../engine/actor/index-hit.ts'
import { IndexTail } from '../../../engine/actor/index-tail.ts'
import { type PayoutFilters, payoutIndexKey, payoutsIndexKeys } from '../../../engine/domain/payout/payout-index-keys.ts'
import type { Payout } from '../../../engine/domain/payout/payout-state.ts'
import { payloadOf } from '../../../engine/domain/record.ts'
import { RECORD_INDEX_KEYS } from '../../../engine/domain/record-index-keys.ts'
import { hashIndexKey } from '../../../engine/kernel/index-key.ts'
import { SEGMENT_ENTRIES } from '../../../engine/kernel/limits.ts'
import { POSITION_MAX, positionOf } from '../../../engine/kernel/position.ts'
import { openMerchant, openWallet, payout } from '../../support/commands.ts'
import { EngineFixture } from '../../support/engine-fixture.ts'
import { MemoryArchive } from '../../support/memory-archive.ts'

const COUNT = 30

interface Setup {
  readonly fixture: EngineFixture
  readonly merchant: number
  /** Oldest first. */
  readonly times: readonly number[]
}

/** Payouts 0 to 29, one a second: to awa and moussa in turn, every third fails, every fifth has a reference. The archive has the first half. */
async function givenSetup(): Promise<Setup> {
  const fixture = await EngineFixture.open()
  const { test } = openMerchant(fixture, 'baobab', 1_000_000)
  const other = openMerchant(fixture, 'neem', 1000).test
  for (const tag of ['awa', 'moussa']) openWallet(fixture, tag)
  const times: number[] = []
  for (let index = 0; index < COUNT; index++) {
    fixture.loop.nowMs += 1000
    const recipient = index % 3 === 0 ? 'nobody' : ['awa', 'moussa'][index % 2]
    fixture.do(payout(test, recipient as string, 100 + index, index % 5 === 0 ? 'five' : ''), { key: `k${index}` })
    fixture.do(payout(other, 'awa', 1, 'five'))
    times.push(fixture.loop.nowMs)
    if (index === COUNT / 2 - 1) {
      fixture.loop.advance(2000)
      fixture.settle()
      assert.equal(fixture.engine.history.tailEntries, 0)
    }
  }
  return { fixture, merchant: test, times }
}

/** Number of the payout, from its amount. */
function numberOf(hit: Hit): number {
  return payloadOf<Payout>(hit.event).amount - 100
}

function isOf(merchant: number): (hit: Hit) => boolean {
  return ({ event }) => event.type.startsWith('payout.') && event.account === merchant
}

/** All pages one after the other. */
function listAll({ fixture, merchant }: Setup, request: Partial<PageRequest>): number[] {
  const numbers: number[] = []
  for (let below: number | null = POSITION_MAX; below !== null; ) {
    const page = fixture.engine.history.page({ indexKeys: payoutsIndexKeys(merchant), limit: 4, keep: isOf(merchant), ...request, below })
    numbers.push(...page.hits.map(numberOf))
    below = page.next
  }
  return numbers
}

function numbersWhere(holds: (index: number) => boolean): number[] {
  return Array.from({ length: COUNT }, (_, index) => index)
    .filter(holds)
    .reverse()
}

describe('a list', () => {
  const rows: readonly (readonly [what: string, filters: PayoutFilters, holds: (index: number) => boolean])[] = [
    ['everything', {}, () => true],
    ['what failed', { state: 'failed' }, (index) => index % 3 === 0],
    ['what was paid', { state: 'paid' }, (index) => index % 3 !== 0],
    ['one recipient', { recipient: 'awa' }, (index) => index % 3 !== 0 && index % 2 === 0],
    ['one reference', { reference: 'five' }, (index) => index % 5 === 0],
    ['state and reference', { state: 'failed', reference: 'five' }, (index) => index % 15 === 0],
    ['state and recipient', { state: 'paid', recipient: 'awa' }, (index) => index % 3 !== 0 && index % 2 === 0],
    ['three at once', { state: 'paid', recipient: 'moussa', reference: 'five' }, (index) => [5, 25].includes(index)],
    ['what nobody has', { reference: 'six' }, () => false],
    ['what no two have', { state: 'failed', recipient: 'awa' }, () => false],
  ]
  for (const [what, filters, holds] of rows) {
    it(`a list of ${what}: newest first, over tail and archive, page by page`, async () => {
      const setup = await givenSetup()
      const indexKeys = payoutsIndexKeys(setup.merchant, filters)
      assert.deepEqual(listAll(setup, { indexKeys }), numbersWhere(holds))
      assert.deepEqual(listAll(setup, { indexKeys, limit: 100 }), numbersWhere(holds))
      assert.deepEqual(listAll(setup, { indexKeys: indexKeys.toReversed(), limit: 1 }), numbersWhere(holds))
    })
  }

  it('a list is the same when the archive has everything, and when it has nothing', async () => {
    const setup = await givenSetup()
    setup.fixture.loop.advance(2000)
    setup.fixture.settle()
    assert.deepEqual(
      listAll(setup, {}),
      numbersWhere(() => true),
    )
    await setup.fixture.startWithoutArchive()
    assert.deepEqual(
      listAll(setup, {}),
      numbersWhere(() => true),
    )
  })

  it('a list of no more than a page has no next page, of one more has', async () => {
    const { fixture, merchant } = await givenSetup()
    const page = (limit: number) => fixture.engine.history.page({ indexKeys: payoutsIndexKeys(merchant), limit, keep: isOf(merchant) })
    assert.equal(page(COUNT).next, null)
    assert.equal(page(COUNT - 1).next, page(COUNT - 1).hits.at(-1)?.position)
  })

  it('a list goes on where it was, though there is news', async () => {
    const setup = await givenSetup()
    const { fixture, merchant } = setup
    const first = fixture.engine.history.page({ indexKeys: payoutsIndexKeys(merchant), limit: 10, keep: isOf(merchant) })
    fixture.do(payout(merchant, 'awa', 100 + COUNT))
    const second = fixture.engine.history.page({
      indexKeys: payoutsIndexKeys(merchant),
      limit: 10,
      keep: isOf(merchant),
      below: first.next ?? 0,
    })
    assert.deepEqual(
      [...first.hits, ...second.hits].map(numberOf),
      numbersWhere((index) => index >= 10),
    )
  })
})

describe('a list by time', () => {
  const rows: readonly (readonly [
    what: string,
    range: (times: readonly number[]) => Partial<PageRequest>,
    holds: (index: number) => boolean,
  ])[] = [
    ['from a time on, itself included', (times) => ({ createdFromMs: times[10] as number }), (index) => index >= 10],
    ['from just after a time on', (times) => ({ createdFromMs: (times[10] as number) + 1 }), (index) => index > 10],
    ['to a time, itself excluded', (times) => ({ createdToMs: times[10] as number }), (index) => index < 10],
    ['to just after a time', (times) => ({ createdToMs: (times[10] as number) + 1 }), (index) => index <= 10],
    [
      'between two times',
      (times) => ({ createdFromMs: times[12] as number, createdToMs: times[20] as number }),
      (index) => index >= 12 && index < 20,
    ],
    ['from before everything', () => ({ createdFromMs: 0 }), () => true],
    ['to after everything', () => ({ createdToMs: Number.MAX_SAFE_INTEGER }), () => true],
    ['from after everything', () => ({ createdFromMs: Number.MAX_SAFE_INTEGER }), () => false],
    ['to before everything', () => ({ createdToMs: 0 }), () => false],
    ['the wrong way round', (times) => ({ createdFromMs: times[20] as number, createdToMs: times[12] as number }), () => false],
  ]
  for (const [what, range, holds] of rows) {
    it(what, async () => {
      const setup = await givenSetup()
      assert.deepEqual(listAll(setup, range(setup.times)), numbersWhere(holds))
    })
  }
})

const HASH_KEY = [1, 2] as const

/** Every answer has one position too many: of something else. */
class CollidingArchive extends MemoryArchive {
  override find(high: number, low: number, below: number, limit: number): number[] {
    const alien = positionOf(1, 0)
    const found = super.find(high, low, below, limit)
    return alien < below && found.length < limit && !found.includes(alien) ? [...found, alien] : found
  }

  override mayHave(): boolean {
    return true
  }
}

describe('a hash collision', () => {
  it('a hash collision is in no list, no look-up and no key', async () => {
    const fixture = await EngineFixture.open({ archive: (soon) => new CollidingArchive({ soon }) })
    const { test } = openMerchant(fixture, 'baobab', 1000)
    openWallet(fixture, 'awa')
    fixture.do(payout(test, 'awa', 100), { key: 'k' })
    fixture.loop.advance(2000)
    fixture.settle()
    assert.deepEqual(listAll({ fixture, merchant: test, times: [] }, {}), [0])
    assert.equal(fixture.engine.history.byId(payoutIndexKey('nobody'), isOf(test)), null)
    assert.equal(fixture.engine.history.result('5', 'unknown'), null)
    assert.equal(fixture.do(payout(test, 'awa', 1), { key: 'l' }).replayed, false)
  })

  it('a hash that hundreds of newer keys share hides no key', async () => {
    const fixture = await EngineFixture.open()
    const { test } = openMerchant(fixture, 'baobab', 1000)
    openWallet(fixture, 'awa')
    const first = fixture.do(payout(test, 'awa', 100), { key: 'k' })
    for (let count = 0; count < 300; count++) {
      fixture.do(payout(test, 'awa', 1), { key: `other ${count}` })
      fixture.engine.history.addEntry(RECORD_INDEX_KEYS.idempotency, 0, `${test}:k`, 0)
    }
    const again = fixture.do(payout(test, 'awa', 100), { key: 'k' })
    assert.deepEqual([again.replayed, again.body], [true, first.body])
  })
})

describe('the tail of the index', () => {
  it('the tail of the index takes a record of any size whole into one segment', () => {
    const tail = new IndexTail(HASH_KEY)
    const perRecord = 7000
    const records = 25
    for (let sequence = 1; sequence <= records; sequence++) {
      tail.begin(sequence, 0)
      for (let index = 0; index < perRecord; index++) tail.add(21, 7, '', index % 4096)
      tail.endRecord()
    }
    assert.ok(tail.sealedCount >= 2, 'it was more than one segment')
    for (let through = 0; tail.oldestSealed() !== null; ) {
      const segment = tail.oldestSealed()
      assert.ok(segment !== null)
      assert.equal(segment.count, (segment.throughSequence - through) * perRecord, 'no record in two segments')
      assert.ok(segment.count >= SEGMENT_ENTRIES * 0.9 && segment.high.length >= segment.count)
      through = segment.throughSequence
      tail.drop(segment)
    }
  })

  it('the tail of the index finds what was filed, newest first, through its segments', () => {
    const steps = fc.array(fc.record({ value: fc.nat(3), seals: fc.boolean(), drops: fc.integer({ min: 0, max: 9 }) }), { maxLength: 60 })
    fc.assert(
      fc.property(steps, fc.nat(60), fc.integer({ min: 1, max: 8 }), (some, belowSequence, limit) => {
        const tail = new IndexTail(HASH_KEY)
        let filed: { readonly value: number; readonly position: number; readonly sequence: number }[] = []
        some.forEach(({ value, seals, drops }, at) => {
          tail.begin(at + 1, 0)
          tail.add(21, 7, String(value), 0)
          tail.endRecord()
          filed.push({ value, position: positionOf(at + 1, 0), sequence: at + 1 })
          if (seals) tail.seal()
          const oldest = tail.oldestSealed()
          if (drops > 7 && oldest !== null) {
            tail.drop(oldest)
            filed = filed.filter(({ sequence }) => sequence > oldest.throughSequence)
          }
        })
        assert.equal(tail.entryCount, filed.length)
        for (let value = 0; value < 4; value++) {
          const { high, low } = hashIndexKey(HASH_KEY, 21, 7, String(value))
          const below = positionOf(belowSequence, 0)
          const expected = filed.filter((entry) => entry.value === value && entry.position < below).map(({ position }) => position)
          assert.deepEqual(tail.find(high, low, below, limit), expected.reverse().slice(0, limit))
        }
      }),
    )
  })

  it('the tail of the index finds each entry of a segment that outgrew its first capacity', () => {
    const tail = new IndexTail(HASH_KEY)
    const count = 2 * SEGMENT_ENTRIES + 5
    for (let entry = 0; entry < count; entry++) tail.add(21, entry, '', entry)
    tail.endRecord()
    assert.equal(tail.entryCount, count)
    for (const entry of [0, 1, SEGMENT_ENTRIES - 1, SEGMENT_ENTRIES, 2 * SEGMENT_ENTRIES - 1, 2 * SEGMENT_ENTRIES, count - 1]) {
      const { high, low } = hashIndexKey(HASH_KEY, 21, entry, '')
      assert.deepEqual(tail.find(high, low, POSITION_MAX, 10), [entry])
    }
  })

  it('the tail of the index compares both halves of a hash', () => {
    for (const half of ['high', 'low'] as const) {
      const values = valuesWithEqual(half)
      const [one, other] = values.map((value) => ({ ...hashIndexKey(HASH_KEY, 21, 7, value) }))
      assert.ok(one !== undefined && other !== undefined && one[half] === other[half])
      const tail = new IndexTail(HASH_KEY)
      values.forEach((value, at) => {
        tail.add(21, 7, value, at)
      })
      assert.deepEqual([tail.find(one.high, one.low, POSITION_MAX, 10), tail.find(other.high, other.low, POSITION_MAX, 10)], [[0], [1]])
    }
  })
})

/** Two values whose index keys have one half of the hash in common. About 80 000 tries find some. */
function valuesWithEqual(half: 'high' | 'low'): readonly [string, string] {
  const seen = new Map<number, string>()
  for (let number = 0; ; number++) {
    const value = String(number)
    const found = hashIndexKey(HASH_KEY, 21, 7, value)[half]
    const earlier = seen.get(found)
    if (earlier !== undefined) return [earlier, value]
    seen.set(found, value)
  }
}
