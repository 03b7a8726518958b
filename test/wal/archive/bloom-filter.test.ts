// The filter never forgets a hash, lets few strangers pass, and keeps both when it is folded.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BloomFilter, FilterSet, Probe } from '../../../wal/archive/bloom-filter.ts'

const probe = new Probe()

/** Two well-mixed halves of a number. */
function aim(index: number): Probe {
  const high = Math.imul(index ^ (index >>> 15), 0x85ebca6b) >>> 0
  return probe.aim(high, Math.imul(high ^ (high >>> 13), 0xc2b2ae35) >>> 0)
}

function filled(hashes: number, sizedFor = hashes): BloomFilter {
  const filter = BloomFilter.sized(sizedFor)
  for (let index = 0; index < hashes; index++) filter.add(aim(index))
  return filter
}

function assertHoldsAll(filter: BloomFilter, hashes: number): void {
  for (let index = 0; index < hashes; index++) assert.ok(filter.mayHold(aim(index)))
}

function shareOfStrangers(filter: BloomFilter): number {
  let passed = 0
  for (let index = 0; index < 100_000; index++) if (filter.mayHold(aim(10_000_000 + index))) passed++
  return passed / 100_000
}

describe('a Bloom filter', () => {
  for (const hashes of [1, 17, 1000, 50_000]) {
    it(`a Bloom filter of ${hashes} hashes holds all of them and passes few others`, () => {
      const filter = filled(hashes)
      assertHoldsAll(filter, hashes)
      assert.ok(shareOfStrangers(filter) < 0.003, `${shareOfStrangers(filter)} of strangers pass`)
    })
  }

  it('a Bloom filter folded to a quarter still does, and is as small as one made for that many', () => {
    const folded = filled(10_000, 43_000).foldedFor(10_000)
    assertHoldsAll(folded, 10_000)
    assert.ok(shareOfStrangers(folded) < 0.003)
    assert.ok(folded.sizeBytes < 2 * BloomFilter.sized(10_000).sizeBytes)
  })

  it('a Bloom filter that is hardly larger than it needs to be stays as it is', () => {
    const filter = filled(1000, 1500)
    assert.equal(filter.foldedFor(1000), filter)
  })
})

describe('a set of filters', () => {
  const sizes = [700, 0, 90_000, 1, 3]
  const from = (size: number): number => sizes.slice(0, sizes.indexOf(size)).reduce((sum, before) => sum + before, 0)
  const filters = sizes.map((size) => {
    const filter = BloomFilter.sized(size)
    for (let index = 0; index < size; index++) filter.add(aim(from(size) + index))
    return filter
  })

  it('a set of filters holds what any of them holds, and passes what any of them passes', () => {
    const set = new FilterSet(filters)
    assertHolds(set, from(3) + 3)
    for (let index = 10_000_000; index < 10_050_000; index++) {
      const passes = filters.some((filter) => filter.mayHold(aim(index)))
      assert.equal(set.mayHold(aim(index)), passes)
    }
  })

  it('filters of fewer bits a hash, as older archives have, are asked the same way', () => {
    const sparse = BloomFilter.sized(1000)
    for (let index = 0; index < 3000; index++) sparse.add(aim(index))
    assertHolds(new FilterSet([BloomFilter.sized(10), sparse]), 3000)
  })

  it('a set without filters holds nothing', () => {
    assert.equal(new FilterSet([]).mayHold(aim(1)), false)
  })
})

function assertHolds(set: FilterSet, hashes: number): void {
  for (let index = 0; index < hashes; index++) assert.ok(set.mayHold(aim(index)), `hash ${index}`)
}
