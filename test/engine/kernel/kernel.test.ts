// The small things that everything stands on: amounts, tags, positions, JSON texts, times, index key hashes, tables.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { AMOUNT_MAX, isAmount } from '../../../engine/kernel/amount.ts'
import { InvariantError } from '../../../engine/kernel/assert.ts'
import { environmentOfPhone } from '../../../engine/kernel/environment.ts'
import { hashIndexKey, IndexValue } from '../../../engine/kernel/index-key.ts'
import { jsonString } from '../../../engine/kernel/json.ts'
import { eventIndexOf, positionOf, sequenceOf } from '../../../engine/kernel/position.ts'
import { SnapshotTables, Table } from '../../../engine/kernel/table.ts'
import { normalizeTag } from '../../../engine/kernel/tag.ts'
import { rfc3339 } from '../../../engine/kernel/time.ts'

/** Any UTF-16 text: lone surrogates, controls and newlines included. */
const anyText = fc.string({ unit: 'binary' }).chain((text) => fc.constantFrom(text, `${text}\ud800`, `\udc00${text}`, `\n${text}\u2028`))

describe('an amount', () => {
  const rows: readonly (readonly [value: unknown, isOne: boolean])[] = [
    [1, true],
    [AMOUNT_MAX, true],
    [AMOUNT_MAX + 1, false],
    [0, false],
    [-1, false],
    [1.5, false],
    [Number.NaN, false],
    [Number.POSITIVE_INFINITY, false],
    ['1', false],
    [null, false],
    [true, false],
    [1n, false],
  ]
  for (const [value, isOne] of rows) {
    it(`an amount is ${isOne ? '' : 'not '}${typeof value} ${String(value)}`, () => assert.equal(isAmount(value), isOne))
  }
})

describe('a tag', () => {
  const rows: readonly (readonly [input: string, tag: string | null])[] = [
    ['awa', 'awa'],
    ['@awa', 'awa'],
    ['@Awa_Diallo9', 'awa_diallo9'],
    ['@@awa', null],
    ['aw', null],
    ['a'.repeat(20), 'a'.repeat(20)],
    ['a'.repeat(21), null],
    ['awa diallo', null],
    ['awa\n', null],
    ['éva', null],
    ['', null],
    ['@', null],
    ['İabc', null],
    ['\u212Aofi', null],
    ['x'.repeat(1_000_000), null],
  ]
  for (const [input, tag] of rows) {
    it(`${JSON.stringify(input.slice(0, 30))} is ${tag ?? 'none'}`, () => assert.equal(normalizeTag(input), tag))
  }
})

it('a phone says its environment', () => {
  assert.equal(environmentOfPhone('+2250000000001'), 'test')
  assert.equal(environmentOfPhone('+2250700000001'), 'live')
})

it('a position is sequence and index in one safe integer, and ascends with both', () => {
  const parts = fc.tuple(fc.integer({ min: 0, max: 2 ** 40 }), fc.integer({ min: 0, max: 4095 }))
  fc.assert(
    fc.property(parts, parts, ([sequence, index], [other, otherIndex]) => {
      const position = positionOf(sequence, index)
      assert.ok(Number.isSafeInteger(position))
      assert.deepEqual([sequenceOf(position), eventIndexOf(position)], [sequence, index])
      const isBefore = sequence < other || (sequence === other && index < otherIndex)
      assert.equal(position < positionOf(other, otherIndex), isBefore)
    }),
  )
})

it('a JSON text by hand is the one of JSON.stringify', () => {
  fc.assert(fc.property(anyText, (text) => assert.equal(jsonString(text), JSON.stringify(text))))
})

it('a time is written as RFC 3339, one after the other and back', () => {
  for (const timeMs of [0, 1_790_000_000_000, 1_790_000_000_001, 0, 951_782_400_000]) {
    assert.equal(rfc3339(timeMs), new Date(timeMs).toISOString())
  }
})

describe('an index key', () => {
  /** Frozen: the hashes of indexes that have this key. Another function needs the index rebuilt. */
  const FROZEN: readonly (readonly [kind: number, owner: number, value: string, hash: string])[] = [
    [1, 0, 'operator:k', '8cb87fe109c4d2d2'],
    [21, 7, '', 'f8bfbe8f6a03ea13'],
    [23, 7, 'awa_diallo', 'cb96a0e3e3a3d2cf'],
    [24, 4294967295, 'Salaire d’août \u{1F4B6}', '4beb16a7ef6721a0'],
  ]

  it('an index key hashes its parts in their places', () => {
    const hashes = [
      hashText(1, 0, 'a'),
      hashText(0, 1, 'a'),
      hashText(1, 1, 'a'),
      hashText(1, 0, 'b'),
      hashText(1, 0, ''),
      hashText(1, 0, 'aa'),
    ]
    assert.equal(new Set(hashes).size, hashes.length)
    for (const [kind, owner, value, hash] of FROZEN) assert.equal(hashText(kind, owner, value), hash)
  })

  it('an index key rarely collides', () => {
    const hashes = new Set<string>()
    for (let owner = 0; owner < 300; owner++) for (let value = 0; value < 300; value++) hashes.add(hashText(20, owner, `r-${value}`))
    assert.equal(hashes.size, 90_000)
  })
})

function hashText(kind: number, owner: number, value: string): string {
  const { high, low } = { ...hashIndexKey([0x03020100, 0x07060504], kind, owner, value) }
  const ofUnits = new IndexValue()
  for (let at = 0; at < value.length; at++) {
    ofUnits.hash([0, 0], kind, owner)
    ofUnits.add(value.charCodeAt(at))
  }
  assert.deepEqual(ofUnits.hash([0x03020100, 0x07060504], kind, owner), { high, low })
  return `${high.toString(16).padStart(8, '0')}${low.toString(16).padStart(8, '0')}`
}

interface Row {
  readonly name: string
}

const BOUND = { boundedBy: 'the test' }

describe('a table', () => {
  it('a table lists its changes once, removed rows as null, and keeps what else finds a row', () => {
    const names = new Set<string>()
    const table = new Table<Row>(new SnapshotTables(), 'row', BOUND, (row, before) => {
      if (before !== undefined) names.delete(before.name)
      if (row !== undefined) names.add(row.name)
    })
    table.set('1', { name: 'a' })
    table.set('2', { name: 'b' })
    table.set('1', { name: 'c' })
    table.delete('2')
    assert.deepEqual([...table.capture()].sort(), [
      ['1', '{"name":"c"}'],
      ['2', null],
    ])
    assert.deepEqual([...table.capture()], [])
    assert.deepEqual([...names], ['c'])
    assert.equal(table.size, 1)
  })

  it('a table restores rows that are no changes', () => {
    const names: string[] = []
    const table = new Table<Row>(new SnapshotTables(), 'row', BOUND, (row) => names.push(row?.name ?? 'gone'))
    table.restore('1', { name: 'a' })
    assert.deepEqual([...table.capture()], [])
    assert.deepEqual([...table.rows()], [['1', { name: 'a' }]])
    assert.deepEqual(names, ['a'])
  })

  it('a table has no row to delete twice', () => {
    const table = new Table<Row>(new SnapshotTables(), 'row', BOUND)
    table.set('1', { name: 'a' })
    table.delete('1')
    assert.throws(() => table.delete('1'), InvariantError)
  })
})
