// What users type to find a biller, and what they find.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BillerProfile } from '../../../engine/domain/biller/biller-state.ts'
import { isFound, wordsOf } from '../../../engine/query/biller-search.ts'

const BILLER = { slug: 'cote-d-eau', display_name: 'Côte d’Eau & Cœur', short_desc: 'L’eau potable à domicile' } as BillerProfile

const ROWS: readonly (readonly [string, boolean])[] = [
  ['', true],
  ['   ', true],
  ['cote', true],
  ['CÔTE', true],
  ['coeur', true],
  ['cœur', true],
  ["d'eau", true],
  ['d’eau', true],
  ['cote eau', true],
  ['eau cote', true],
  ['cote-d-eau', true],
  ['potable, domicile', true],
  ['services d eau', true],
  ['pota', true],
  ['cote gaz', false],
  ['%', false],
  ['.*', false],
  ['électricité', false],
]

for (const [query, found] of ROWS) {
  test(`"${query}" ${found ? 'finds' : 'does not find'} it`, () => assert.equal(isFound(BILLER, 'Services d’eau', wordsOf(query)), found))
}

test('characters that Unicode writes in two ways are the same', () => {
  assert.ok(isFound(BILLER, 'Eau', wordsOf('co\u0302te')))
})
