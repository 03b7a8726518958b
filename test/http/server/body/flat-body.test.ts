// The quick reader of JSON bodies against the whole one: what it reads is the same value, and it leaves every other body.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { FlatBodyReader } from '../../../../http/server/body/flat-body.ts'
import { parseJson } from '../../../../http/server/body/json-body.ts'
import { RouteCheck } from '../../../../http/server/body/validation.ts'
import { TABLE } from '../../../support/api-document.ts'
import { runs } from '../../../support/property-runs.ts'

const VALUES_MAX = 256
const FIELDS = ['recipient', 'amount', 'reference', 'note', 'currency']
const reader = new FlatBodyReader(FIELDS)

const KEY = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(...FIELDS.map((name) => `"${name}"`)) },
  fc.constantFrom('"amounts"', '"amoun"', '"\\u0061mount"', '"__proto__"', '"constructor"', '""', '"0"', 'amount', "'amount'", '"é"'),
)
const VALUE = fc.oneof(
  { weight: 10, arbitrary: fc.nat(10_000).map(String) },
  { weight: 10, arbitrary: fc.constantFrom('"@awa"', '"+2250700000001"', '"XOF"', '""', '" "', '"a:b,{c}[d]"', '"x"') },
  fc.constantFrom('0', '-0', '-1', '00', '01', '1.0', '1e2', '5E3', '.5', '+1', '0x1', '999999999999999', '9007199254740993', '1 2'),
  fc.constantFrom('"\\n"', '"\\""', '"\\\\"', '"\u00e9"', '"\ud83d\ude00"', '"\u0000"', '"\u007f"', '"a\nb"', '"', '"a', "'a'", '"\ufeff"'),
  fc.constantFrom('true', 'null', '{}', '[]', '{"a":1}', '[1]', '', 'NaN', '{"amount":1}'),
  fc.string().map((text) => JSON.stringify(text)),
)
const BLANK = fc.oneof({ weight: 8, arbitrary: fc.constantFrom('', ' ') }, fc.constantFrom('\n', '\t', '  ', '\u00a0', '/**/'))
const MEMBER = fc.tuple(BLANK, KEY, BLANK, VALUE, BLANK).map(([a, key, b, value, c]) => `${a}${key}${b}:${b}${value}${c}`)
const PIECE = fc.constantFrom('{', '}', ',', ':', '"', '\\', ' ', '0', 'a', '\ufeff', '\u0141', '}}', ',,')
const OBJECT = fc.array(MEMBER, { maxLength: 6 }).map((members) => `{${members.join(',')}}`)
/** Objects, as they are and with a piece put in, taken out or cut off. */
const TEXT = fc.oneof(
  { weight: 3, arbitrary: OBJECT },
  fc.tuple(OBJECT, fc.nat(80), fc.nat(2), PIECE).map(([text, at, out, piece]) => text.slice(0, at) + piece + text.slice(at + out)),
  fc.tuple(OBJECT, fc.nat(80)).map(([text, end]) => text.slice(0, end)),
  fc.json(),
)

/** Returns whether it was read. */
function isReadAlike(read: object | null, bytes: Buffer): boolean {
  if (read === null) return false
  const whole = parseJson(bytes, VALUES_MAX) as object
  assert.deepEqual(read, whole, bytes.toString())
  assert.deepEqual(Object.keys(read), Object.keys(whole))
  return true
}

test('what the quick reader reads, as bytes or as text, is what the whole parser reads', () => {
  let quick = 0
  fc.assert(
    fc.property(TEXT, (text) => {
      const bytes = Buffer.from(text)
      const isQuick = isReadAlike(reader.read(bytes), bytes)
      // A lone surrogate has no bytes of its own.
      assert.equal(isReadAlike(reader.readText(text), bytes), isQuick)
      if (isQuick) quick++
    }),
    { numRuns: runs(10_000) },
  )
  assert.ok(quick >= runs(500), `${quick} bodies were read quickly`)
})

test('bytes of any kind are read as the whole parser reads them, or left', () => {
  const changed = fc.tuple(OBJECT, fc.nat(80), fc.nat(255)).map(([text, at, byte]) => {
    const bytes = Buffer.from(text)
    bytes[at % bytes.length] = byte
    return bytes
  })
  const any = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes))
  fc.assert(
    fc.property(fc.oneof(changed, any), (bytes) => {
      isReadAlike(reader.read(bytes), bytes)
    }),
    { numRuns: runs(10_000) },
  )
})

const READ = [
  '{"recipient":"@awa","amount":5000}',
  '{"amount": 5000, "recipient": "@awa", "note": ""}',
  ' { "amount" : 0 } ',
  '{"amount":999999999999999}',
  `{"note":"${'n'.repeat(1013)}"}`,
]
const LEFT = [
  ...['', '{}', '[]', '5', '{"amount":5', '{"amount":5}}', '{"amount":5}x', '{"amount":5,}', '{,"amount":5}', '{"amount":5 "note":"a"}'],
  ...['{"amount":1,"amount":2}', '{"colour":1}', '{"amount":05}', '{"amount":-5}', '{"amount":5.0}', '{"amount":1000000000000000}'],
  ...[
    '{"note":"a\\nb"}',
    '{"note":"a\nb"}',
    '{"note":"é"}',
    '{"note":"a',
    '{"amount":\n5}',
    '\ufeff{"amount":5}',
    '{"note":null}',
    '{"note":{}}',
  ],
  `{"note":"${'n'.repeat(1014)}"}`,
]

for (const text of READ)
  test(`is read quickly: ${text.slice(0, 60)}`, () => assert.deepEqual(reader.read(Buffer.from(text)), JSON.parse(text)))
for (const text of LEFT)
  test(`is left to the whole parser: ${JSON.stringify(text.slice(0, 60))}`, () => {
    assert.equal(reader.read(Buffer.from(text)), null)
    assert.equal(reader.readText(text), null)
  })

test('a text of an HTTP thread is read without what an earlier one left behind', () => {
  assert.notEqual(reader.readText('{"amount":12345,"note":"a"}'), null)
  for (const text of ['{"amount":', '{"amount":1', '{"amount":12345,"note":"', '{"amount":12345', ''])
    assert.equal(reader.readText(text), null)
})

test('names that mean something to objects are not read', () => {
  for (const name of ['__proto__', 'constructor', 'prototype', '0', ''])
    assert.equal(new FlatBodyReader([name]).read(Buffer.from(`{"${name}":1}`)), null)
})

test('every route gives a body, or its error, alike by both readers', () => {
  // The whole parser reads a body with a line break behind it.
  for (const route of TABLE.filter(({ body, bodyType = 'json' }) => body !== undefined && bodyType === 'json')) {
    const check = new RouteCheck(route)
    const names = Object.keys((route.body as { readonly properties?: object }).properties ?? {})
    const member = fc.tuple(fc.constantFrom(...names, 'colour'), VALUE).map(([name, value]) => `"${name}":${value}`)
    fc.assert(
      fc.property(fc.array(member, { maxLength: 5 }), (members) => {
        const text = `{${members.join(',')}}`
        const bytes = Buffer.from(text)
        assert.deepEqual(check.body('', bytes), check.body('', Buffer.concat([bytes, Buffer.from('\n')])), text)
      }),
      { numRuns: runs(50) },
    )
  }
})
