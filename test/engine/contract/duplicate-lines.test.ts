// Which lines of a batch are duplicates, compared with a slow model.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { duplicateLines } from '../../../engine/contract/duplicate-lines.ts'
import { readBatchLines } from '../../support/batch-lines.ts'

const LINE = fc.record({
  recipient: fc.constantFrom('awa', '@AWA', 'moussa', '+2250000000001', '', '@@'),
  amount: fc.constantFrom(1, 2, 11, 0, 1.5),
  reference: fc.constantFrom(undefined, '', 'a', 'A', '1 a', ' '),
})

describe('duplicate lines', () => {
  it('duplicate lines are the later ones with the same recipient, amount and reference', () => {
    fc.assert(
      fc.property(fc.array(LINE, { maxLength: 40 }), (items) => {
        const lines = readBatchLines(items)
        const same = (one: number, other: number): boolean =>
          (['recipient', 'amount', 'reference'] as const).every((field) => lines[one]?.[field] === lines[other]?.[field])
        const expected = lines.flatMap((line, index) => {
          const isRepeated = lines.some((earlier, at) => at < index && earlier.fault === null && same(at, index))
          return line.fault === null && isRepeated ? [index] : []
        })
        assert.deepEqual(duplicateLines(lines), expected)
      }),
    )
  })

  it('duplicate lines differ in nothing but the note', () => {
    const lines = readBatchLines([
      { recipient: 'awa', amount: 5, reference: 'r', note: 'un' },
      { recipient: '@AWA', amount: 5, reference: 'r', note: 'deux' },
      { recipient: 'awa', amount: 5, reference: 'R' },
      { recipient: 'awa', amount: 5, reference: 'r' },
    ])
    assert.deepEqual(duplicateLines(lines), [1, 3])
  })
})
