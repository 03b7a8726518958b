// The reader of JSON bodies against a second one: what both take is the same value, and what one refuses the other refuses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { JsonFault, parseJson, parseJsonLines } from '../../../../http/server/body/json-body.ts'
import { runs } from '../../../support/property-runs.ts'
import { strictJson } from '../../../support/strict-json.ts'

const VALUES_MAX = 10_000

const PIECE = fc.constantFrom(
  ...['{', '}', '[', ']', ':', ',', '"a"', '"b"', '"form_values"', '"__proto__"', '"\\u0061"', '"constructor"', '""'],
  ...['1', '-1', '0', '-0', '1.0', '1e2', '1E+2', '0.5', '01', '1.', '.5', '-', '9007199254740993', '1e999', 'true', 'false', 'null'],
  ...[' ', '\n', '\t', '\u00a0', '\ufeff', '"\\ud800"', '"\\x"', '"\t"', '"\\u12"', "'a'", 'nul', 'NaN', '/**/', '{"a":1}', '[1,2]', '"'],
)

/** Pieces in any order are seldom JSON; values with a change often are. */
const TEXT = fc.oneof(
  fc.array(PIECE, { maxLength: 14 }).map((pieces) => pieces.join('')),
  fc.tuple(fc.json({ maxDepth: 4 }), fc.nat(200), PIECE).map(([text, at, piece]) => text.slice(0, at) + piece + text.slice(at)),
  fc.tuple(fc.array(PIECE, { maxLength: 3 }), fc.json()).map(([pieces, text]) => `{"form_values":${text},"a":${pieces.join('')}}`),
  fc.nat(40).map((depth) => '['.repeat(depth) + ']'.repeat(depth)),
)

test('a body is read as a second reader reads it', () => {
  fc.assert(
    fc.property(TEXT, (text) => {
      const read = parseJson(Buffer.from(text), VALUES_MAX)
      const expected = strictJson(
        Buffer.from(text)
          .toString()
          .replace(/^\ufeff/, ''),
      )
      if ('value' in expected) assert.deepEqual(read, expected.value, text)
      else assert.ok(read instanceof JsonFault, `${JSON.stringify(text)} is ${expected.fault}, but was read`)
    }),
    { numRuns: runs(5000) },
  )
})

test('lines are read together as each is read alone, so that two broken ones make no whole one', () => {
  const line = fc.oneof(
    TEXT,
    fc.tuple(fc.array(PIECE, { maxLength: 4 }), fc.json()).map(([pieces, text]) => `{"a":${text}}${pieces.join('')}`),
  )
  fc.assert(
    fc.property(fc.array(line, { maxLength: 4 }), (lines) => {
      const alone = lines.map((text) => {
        const value = parseJson(Buffer.from(text), VALUES_MAX)
        return value instanceof JsonFault ? null : value
      })
      const read = parseJsonLines(
        lines.map((text) =>
          Buffer.from(text)
            .toString()
            .replace(/^\ufeff/, ''),
        ),
        VALUES_MAX,
      )
      assert.deepEqual(read, alone)
    }),
    { numRuns: runs(5000) },
  )
  assert.deepEqual(parseJsonLines(['{"a":1},[3', '4]'], VALUES_MAX), [null, null])
  assert.deepEqual(parseJsonLines(['{"a":1}', '{"a":1,"a":2}', '{"b":1.0}'], VALUES_MAX), [{ a: 1 }, null, { b: 0.5 }])
  assert.deepEqual(parseJsonLines(['{"a":[1,2,3]}', '{"a":[1]}'], 4), [null, { a: [1] }])
})

test('bytes of any kind are a value or a fault', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 1, max: 20 }), (bytes, valuesMax) => {
      const read = parseJson(bytes, valuesMax)
      if (!(read instanceof JsonFault))
        assert.ok(
          'value' in
            strictJson(
              Buffer.from(bytes)
                .toString()
                .replace(/^\ufeff/, ''),
            ),
        )
    }),
    { numRuns: runs(2000) },
  )
})
