// Quotas: who gets a row while strangers fill the table, and what is counted.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fewOf, type Quota, Quotas, QuotaUse } from '../../../engine/kernel/quota.ts'
import { SnapshotTables, Table } from '../../../engine/kernel/table.ts'
import { runs } from '../../support/property-runs.ts'

const QUOTA: Quota = {
  name: 'things',
  counts: 'things',
  countsFr: 'choses',
  holder: 'account',
  max: { live: 1000, test: 16_000 },
  share: 100,
  atShare: 'refused',
  retryAfterS: 60,
}

function fill(use: QuotaUse, part: 'live' | 'test', holder: string, isProven = false): number {
  while (use.hasRoom(part, holder, isProven)) use.change(part, holder, 1)
  return use.rowsOf(part, holder)
}

describe('a quota', () => {
  it('a holder gets its share and no more, and the other environment has its own part', () => {
    const use = new QuotaUse(QUOTA)
    assert.equal(fill(use, 'live', 'one'), 100)
    assert.equal(use.hasRoom('live', 'one', false), false)
    assert.equal(use.hasRoom('test', 'one', false), true)
  })

  it('900 strangers leave few rows to each further holder, who has few', () => {
    const use = new QuotaUse(QUOTA)
    for (let stranger = 0; stranger < 900; stranger++) fill(use, 'test', `stranger ${stranger}`)
    assert.equal(fill(use, 'test', 'honest'), fewOf(16_000))
    assert.equal(fewOf(16_000), 6)
  })

  it('strangers never take the last quarter, which is for proven holders, and its last half for those with few rows', () => {
    const use = new QuotaUse(QUOTA)
    for (let stranger = 0; stranger < 3000; stranger++) fill(use, 'test', `stranger ${stranger}`)
    assert.equal(use.rows('test'), 12_000)
    assert.equal(use.hasRoom('test', 'late', false), false)
    assert.equal(fill(use, 'test', 'proven', true), 100)
    for (let count = 0; count < 30; count++) fill(use, 'test', `other ${count}`, true)
    assert.equal(fill(use, 'test', 'last', true), fewOf(16_000))
  })

  it('rows that a decision has already taken count, so that several at once do not exceed the share', () => {
    const use = new QuotaUse(QUOTA)
    assert.deepEqual([use.hasRoom('live', 'one', false, 99), use.hasRoom('live', 'one', false, 100)], [true, false])
  })

  it('a holder with many rows has at most a fraction of what its class has free, where the quota says so', () => {
    const use = new QuotaUse({ ...QUOTA, share: 16_000, ofFree: 1 / 2 })
    assert.deepEqual(
      [1, 2, 3].map((holder) => fill(use, 'test', String(holder))),
      [2000, 1334, 889],
    )
    for (let stranger = 0; stranger < 100; stranger++) fill(use, 'test', `stranger ${stranger}`)
    assert.equal(fill(use, 'test', 'honest'), fewOf(16_000))
  })

  it('the largest holder is known after any changes', () => {
    const change = fc.record({ holder: fc.nat(5), wanted: fc.integer({ min: -3, max: 3 }) })
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
        const use = new QuotaUse(QUOTA)
        const rows = new Map<number, number>()
        for (const { holder, wanted } of changes) {
          const before = rows.get(holder) ?? 0
          const change = Math.max(wanted, -before)
          rows.set(holder, before + change)
          use.change('live', holder, change)
        }
        const largest = Math.max(0, ...rows.values())
        const sum = [...rows.values()].reduce((total, one) => total + one, 0)
        assert.deepEqual(use.figures[0], { part: 'live', rows: sum, max: 1000, largest })
        const holder = use.largestHolder('live')
        assert.equal(holder === null ? 0 : rows.get(holder as number), largest)
      }),
      { numRuns: runs(200) },
    )
  })

  it('a table counts the rows that its quota counts, when they change, move to another holder, or come from a snapshot', () => {
    interface Row {
      readonly owner: string
      readonly isOpen: boolean
    }
    const quotas = new Quotas()
    quotas.declare([QUOTA])
    const use = quotas.counted(QUOTA)
    const table = new Table<Row>(new SnapshotTables(), 'thing', {
      useOf: () => use,
      partOf: () => 'live',
      holderOf: ({ owner }) => owner,
      counts: ({ isOpen }) => isOpen,
    })
    const counted = (): number[] => ['a', 'b'].map((owner) => use.rowsOf('live', owner))
    table.set('1', { owner: 'a', isOpen: true })
    table.set('2', { owner: 'a', isOpen: false })
    assert.deepEqual(counted(), [1, 0])
    table.set('2', { owner: 'a', isOpen: true })
    table.set('1', { owner: 'b', isOpen: true })
    assert.deepEqual(counted(), [1, 1])
    table.set('1', { owner: 'b', isOpen: false })
    table.delete('2')
    assert.deepEqual(counted(), [0, 0])
    table.restore('3', { owner: 'b', isOpen: true })
    table.restored()
    assert.deepEqual(counted(), [0, 1])
  })
})
