// The vocabulary of schemas: times, cursors, and every schema compiles.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Value } from '@sinclair/typebox/value'
import fc from 'fast-check'
import { decodeCursor, encodeCursor } from '../../../engine/contract/cursor.ts'
import { ACCOUNT_TYPES } from '../../../engine/contract/operator.ts'
import { text } from '../../../engine/contract/schema.ts'
import { parseTime } from '../../../engine/contract/time-text.ts'
import { TRANSACTION_TYPES as CONTRACT_TYPES } from '../../../engine/contract/transaction.ts'
import { REGISTRY } from '../../../engine/domain/registry.ts'
import { ACCOUNT_KINDS } from '../../../engine/ledger/accounts.ts'

const TIMES: readonly (readonly [text: string, then: string | null])[] = [
  ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T10:00:00.123456Z', '2026-11-20T10:00:00.123Z'],
  ['2026-11-20t10:00:00z', '2026-11-20T10:00:00.000Z'],
  ['2026-11-20T10:00:00+01:30', '2026-11-20T08:30:00.000Z'],
  ['2026-11-20T00:30:00-23:59', '2026-11-21T00:29:00.000Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
  ['2026-02-29T00:00:00Z', null],
  ['2100-02-29T00:00:00Z', null],
  ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
  ['2026-04-31T00:00:00Z', null],
  ['2026-13-01T00:00:00Z', null],
  ['2026-00-01T00:00:00Z', null],
  ['2026-01-00T00:00:00Z', null],
  ['2026-11-20T24:00:00Z', null],
  ['2026-11-20T23:60:00Z', null],
  ['2026-12-31T23:59:60Z', null],
  ['2026-11-20T10:00:00', null],
  ['2026-11-20T10:00Z', null],
  ['2026-11-20T10:00:00+24:00', null],
  ['2026-11-20 10:00:00Z', null],
  ['2026-11-20', null],
  ['1790000000', null],
  ['', null],
]

for (const [text, then] of TIMES) {
  test(`the time ${JSON.stringify(text)} is ${then ?? 'none'}`, () => {
    const timeMs = parseTime(text)
    assert.equal(timeMs === null ? null : new Date(timeMs).toISOString(), then)
  })
}

test('any time that we write is read back', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }), (date) => {
      assert.equal(parseTime(date.toISOString()), date.getTime())
    }),
  )
})

test('a cursor comes back as what it was made from', () => {
  fc.assert(fc.property(fc.maxSafeNat(), (position) => assert.deepEqual(decodeCursor(encodeCursor({ position })), { position })))
  fc.assert(fc.property(fc.uuid(), (rowId) => assert.deepEqual(decodeCursor(encodeCursor({ rowId })), { rowId })))
})

test('no other text is a cursor', () => {
  const good = encodeCursor({ position: 4096 })
  const spoiled = [
    `${good}=`,
    ` ${good}`,
    good.slice(1),
    good.toLowerCase(),
    `${good}AA`,
    btoa('p'),
    btoa('p-1'),
    btoa('p9999999999999999'),
    btoa('p0x10'),
    btoa('r1'),
    btoa('p007'),
  ]
  for (const text of ['', 'abc', 'é', 'p1', ...spoiled]) assert.equal(decodeCursor(text), null, text)
  fc.assert(
    fc.property(fc.string(), (text) => {
      const place = decodeCursor(text)
      assert.ok(place === null || encodeCursor(place) === text)
    }),
  )
})

const SEEN_TEXTS = ['x', ' x ', '\n-\n', '👍', 'ñ', '٣', '…'] as const
const BLANK_TEXTS = ['', ' ', '\u00a0\u3000', '\u200b', '\u2060\ufeff', '\u202e', '\u2800', '\ue000', '\u0301'] as const

test('a text that may not be empty must show its reader something', () => {
  for (const lines of ['one', 'many'] as const) {
    const schema = text({ lines, minLength: 1, maxLength: 10 })
    const pattern = new RegExp(String((schema as { pattern?: string }).pattern), 'u')
    const blanks = lines === 'many' ? [...BLANK_TEXTS, '\n', ' \t\r\n '] : BLANK_TEXTS
    for (const value of blanks) {
      assert.equal(Value.Check(schema, value), false, JSON.stringify(value))
      if (value !== '\u0301') assert.equal(pattern.test(value), false, JSON.stringify(value))
    }
    for (const value of SEEN_TEXTS.filter((shown) => lines === 'many' || !shown.includes('\n')))
      assert.deepEqual([Value.Check(schema, value), pattern.test(value)], [true, true], value)
    assert.equal(Value.Check(text({ lines, maxLength: 10 }), '  '), true, 'an optional text may be blank')
  }
})

test('the words of the contract are the words of the engine', () => {
  assert.deepEqual([...CONTRACT_TYPES].sort(), [...REGISTRY.transactionTypes].sort())
  assert.deepEqual([...ACCOUNT_TYPES], [...ACCOUNT_KINDS])
})
