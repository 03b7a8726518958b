// Pages of a search over several ways: the union of what they find, newest first, each once, within the period, at any limit.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { PageRequest } from '../../../engine/actor/history.ts'
import type { Hit } from '../../../engine/actor/index-hit.ts'
import type { PageWindow } from '../../../engine/query/list-page.ts'
import { searchPage, type Way } from '../../../engine/query/search.ts'

const POSITIONS = 12
/** Two positions share a time. */
const hitAt = (position: number): Hit => ({ position, timeMs: 1000 + Math.floor(position / 2) }) as unknown as Hit

/** A history in which every record has every index key, so the filter of a way alone decides. */
const history = {
  page({ below = POSITIONS, createdFromMs = 0, createdToMs = Number.POSITIVE_INFINITY, limit, keep }: PageRequest) {
    const all = Array.from({ length: POSITIONS }, (_, at) => hitAt(POSITIONS - 1 - at))
    const found = all.filter((hit) => hit.position < below && hit.timeMs >= createdFromMs && hit.timeMs < createdToMs && keep(hit))
    const hits = found.slice(0, limit)
    return { hits, next: found.length > limit ? (hits.at(-1)?.position ?? null) : null }
  },
}

function wayTo(positions: readonly number[], kind: 'indexed' | 'known'): Way {
  return kind === 'known' ? positions.map(hitAt) : { indexKeys: [], keep: ({ position }) => positions.includes(position) }
}

function walk(ways: readonly Way[], window: PageWindow): number[] {
  const found: number[] = []
  let below: number | undefined
  for (let pages = 0; pages <= POSITIONS; pages++) {
    const { hits, next } = searchPage(history, below === undefined ? window : { ...window, below }, () => true, ways)
    assert.ok(hits.length <= window.limit && (next === null || hits.length === window.limit), 'a page with a next one is full')
    found.push(...hits.map(({ position }) => position))
    if (next === null) return found
    below = next
  }
  return assert.fail('the pages end')
}

const WAYS: readonly (readonly [name: string, ways: readonly Way[], found: readonly number[]])[] = [
  ['one way beyond the limit', [wayTo([9, 7, 5, 3], 'indexed')], [9, 7, 5, 3]],
  ['two ways of which only the union exceeds the limit', [wayTo([9, 5], 'indexed'), wayTo([7, 3], 'indexed')], [9, 7, 5, 3]],
  ['a way that fills the page, and a known hit behind it', [wayTo([9, 7], 'indexed'), wayTo([2], 'known')], [9, 7, 2]],
  ['known hits alone that exceed the limit', [wayTo([4, 9, 1], 'known')], [9, 4, 1]],
  ['two ways that find the same', [wayTo([9, 5], 'indexed'), wayTo([9, 5], 'known')], [9, 5]],
]

for (const [name, ways, found] of WAYS) {
  test(`a search by ${name} has a next page exactly while there is more`, () => {
    for (const limit of [1, 2, 3, 4]) assert.deepEqual(walk(ways, { limit }), found)
  })
}

test('a search by a known hit looks in its period alone', () => {
  const ways = [wayTo([6], 'known')]
  const timeMs = hitAt(6).timeMs
  for (const [createdFromMs, createdToMs, found] of [
    [timeMs, timeMs + 1, [6]],
    [timeMs + 1, timeMs + 5, []],
    [timeMs - 5, timeMs, []],
  ] as const) {
    assert.deepEqual(walk(ways, { limit: 2, createdFromMs, createdToMs }), found)
  }
})

test('a search by any ways, limit and period is the union of its ways in pages', () => {
  const way = fc.tuple(fc.uniqueArray(fc.nat(POSITIONS - 1)), fc.constantFrom('indexed', 'known'))
  fc.assert(
    fc.property(fc.array(way, { maxLength: 4 }), fc.integer({ min: 1, max: 5 }), fc.nat(6), fc.nat(7), (drawn, limit, from, length) => {
      const period = { createdFromMs: 1000 + from, createdToMs: 1000 + from + length }
      const isIn = (position: number): boolean => {
        const { timeMs } = hitAt(position)
        return timeMs >= period.createdFromMs && timeMs < period.createdToMs
      }
      const union = [...new Set(drawn.flatMap(([positions]) => positions))].filter(isIn).sort((one, other) => other - one)
      const ways = drawn.map(([positions, kind]) => wayTo(positions, kind))
      assert.deepEqual(walk(ways, { limit, ...period }), union)
    }),
  )
})
