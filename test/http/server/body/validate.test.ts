// The checks before a handler: query, path values and body, row by row.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorCode } from '../../../../engine/contract/errors.ts'
import { because } from '../../../../engine/contract/reasons.ts'
import { BODY_DEPTH_MAX } from '../../../../http/server/body/json-body.ts'
import { Fault, RouteCheck } from '../../../../http/server/body/validation.ts'
import { BODY_VALUES_MAX } from '../../../../http/server/server-limits.ts'
import { errorMessage } from '../../../../http/text/error-text.ts'
import { TABLE } from '../../../support/api-document.ts'

function checkOf(operationId: string): RouteCheck {
  const route = TABLE.find((candidate) => candidate.operationId === operationId)
  assert.ok(route !== undefined, operationId)
  return new RouteCheck(route)
}

const payouts = checkOf('createPayout')
const payoutList = checkOf('listPayouts')

/** `then`: the fault, or nothing when the body is taken. */
interface BodyRow {
  readonly given: string
  readonly body: string
  readonly then?: readonly [code: ErrorCode, param?: string]
}

const GOOD = '"recipient":"@awa","amount":5000'

const BODIES: readonly BodyRow[] = [
  { given: 'all that is required', body: `{${GOOD}}` },
  { given: 'an unknown field', body: `{${GOOD},"colour":{"deep":[1]}}`, then: ['unknown_field', 'colour'] },
  { given: 'an unknown field for a required one', body: '{"recipient":"awa","amout":5000}', then: ['unknown_field', 'amout'] },
  { given: 'amount 1.0, a float', body: '{"recipient":"awa","amount":1.0}', then: ['invalid_request', 'amount'] },
  { given: 'amount 5e3, a float', body: '{"recipient":"awa","amount":5e3}', then: ['invalid_request', 'amount'] },
  { given: 'digits, points and escaped quotes in a text', body: `{${GOOD},"reference":"1.0 \\" 5e3, 2.0"}` },
  { given: 'the largest amount', body: '{"recipient":"awa","amount":1000000000000}' },
  { given: 'white space around', body: ` \n{${GOOD}}\t` },
  { given: 'a field twice', body: `{"amount":5000,${GOOD}}`, then: ['invalid_request', 'amount'] },
  { given: 'a field twice, once escaped', body: `{"\\u0061mount":5000,${GOOD}}`, then: ['invalid_request', 'amount'] },
  { given: 'an unknown field twice further down', body: `{${GOOD},"x":[1,{"y":{"z":1,"z":2}}]}`, then: ['invalid_request', 'x.1.y.z'] },
  { given: 'a float amount under an escaped name', body: '{"recipient":"awa","\\u0061mount":5000.0}', then: ['invalid_request', 'amount'] },
  { given: 'colons and points in a text', body: `{${GOOD},"reference":"a:b \\"c\\":1.0,"}` },
  { given: 'nothing', body: '', then: ['invalid_json'] },
  { given: 'no JSON', body: '{recipient}', then: ['invalid_json'] },
  { given: 'half of it', body: `{${GOOD}`, then: ['invalid_json'] },
  { given: 'something behind it', body: `{${GOOD}}{}`, then: ['invalid_json'] },
  { given: 'a byte order mark', body: `\ufeff{${GOOD}}` },
  { given: 'two byte order marks', body: `\ufeff\ufeff{${GOOD}}`, then: ['invalid_json'] },
  { given: 'a byte order mark alone', body: '\ufeff', then: ['invalid_json'] },
  { given: 'NaN', body: '{"recipient":"awa","amount":NaN}', then: ['invalid_json'] },
  { given: 'null', body: 'null', then: ['invalid_request'] },
  { given: 'an array', body: '[]', then: ['invalid_request'] },
  { given: 'a string', body: '"payout"', then: ['invalid_request'] },
  { given: 'no recipient', body: '{"amount":5000}', then: ['invalid_request', 'recipient'] },
  { given: 'recipient null', body: '{"recipient":null,"amount":5000}', then: ['invalid_request', 'recipient'] },
  { given: 'recipient a number', body: '{"recipient":225,"amount":5000}', then: ['invalid_request', 'recipient'] },
  { given: 'recipient empty', body: '{"recipient":"","amount":5000}', then: ['invalid_recipient', 'recipient'] },
  { given: 'recipient too short', body: '{"recipient":"@aw","amount":5000}', then: ['invalid_recipient', 'recipient'] },
  { given: 'recipient too long', body: `{"recipient":"${'a'.repeat(21)}","amount":5000}`, then: ['invalid_recipient', 'recipient'] },
  { given: 'recipient with two @', body: '{"recipient":"@@awa","amount":5000}', then: ['invalid_recipient', 'recipient'] },
  {
    given: 'recipient with a Kelvin sign for its k',
    body: '{"recipient":"\u212aofi","amount":5000}',
    then: ['invalid_recipient', 'recipient'],
  },
  {
    given: 'recipient with a line break behind it',
    body: '{"recipient":"awa\\n","amount":5000}',
    then: ['invalid_recipient', 'recipient'],
  },
  { given: 'no amount', body: '{"recipient":"awa"}', then: ['invalid_request', 'amount'] },
  { given: 'amount 0', body: '{"recipient":"awa","amount":0}', then: ['invalid_request', 'amount'] },
  { given: 'amount -0', body: '{"recipient":"awa","amount":-0}', then: ['invalid_request', 'amount'] },
  { given: 'a negative amount', body: '{"recipient":"awa","amount":-5}', then: ['invalid_request', 'amount'] },
  { given: 'a fractional amount', body: '{"recipient":"awa","amount":10.5}', then: ['invalid_request', 'amount'] },
  { given: 'an amount in quotes', body: '{"recipient":"awa","amount":"5000"}', then: ['invalid_request', 'amount'] },
  { given: 'an amount beyond the largest', body: '{"recipient":"awa","amount":1000000000001}', then: ['invalid_request', 'amount'] },
  { given: 'an amount beyond all numbers', body: '{"recipient":"awa","amount":1e999}', then: ['invalid_request', 'amount'] },
  { given: 'a reference of 255 characters', body: `{${GOOD},"reference":"${'r'.repeat(255)}"}` },
  { given: 'a reference of 256 characters', body: `{${GOOD},"reference":"${'r'.repeat(256)}"}`, then: ['invalid_request', 'reference'] },
  { given: 'a reference of 255 emoji', body: `{${GOOD},"reference":"${'😀'.repeat(255)}"}` },
  { given: 'a reference of 256 emoji', body: `{${GOOD},"reference":"${'😀'.repeat(256)}"}`, then: ['invalid_request', 'reference'] },
  { given: 'a reference of two lines', body: `{${GOOD},"reference":"a\\nb"}`, then: ['invalid_request', 'reference'] },
  { given: 'a reference with a zero', body: `{${GOOD},"reference":"a\\u0000b"}`, then: ['invalid_request', 'reference'] },
  { given: 'half a surrogate pair', body: `{${GOOD},"reference":"a\\ud83d"}`, then: ['invalid_request', 'reference'] },
  { given: 'an escaped surrogate pair', body: `{${GOOD},"reference":"\\ud83d\\ude00"}` },
  { given: 'reference null', body: `{${GOOD},"reference":null}`, then: ['invalid_request', 'reference'] },
  { given: 'a note of two lines', body: `{${GOOD},"note":"Salaire\\nNovembre"}` },
  { given: 'a note of 501 characters', body: `{${GOOD},"note":"${'n'.repeat(501)}"}`, then: ['invalid_request', 'note'] },
  { given: 'a note that is a list', body: `{${GOOD},"note":[]}`, then: ['invalid_request', 'note'] },
  { given: 'the key __proto__', body: `{${GOOD},"__proto__":{}}`, then: ['invalid_request', '__proto__'] },
  { given: 'the key __proto__, escaped', body: `{${GOOD},"\\u005f_proto__":1}`, then: ['invalid_request', '__proto__'] },
  { given: 'the key constructor further down', body: `{${GOOD},"x":[{"constructor":1}]}`, then: ['invalid_request', 'x.0.constructor'] },
  { given: 'the key prototype', body: `{${GOOD},"x":{"prototype":1}}`, then: ['invalid_request', 'x.prototype'] },
  { given: 'too many values', body: `{${GOOD},"x":[${'{},'.repeat(BODY_VALUES_MAX / 2)}{}]}`, then: ['invalid_request'] },
  { given: 'one deeper', body: `{${GOOD},"x":${'['.repeat(BODY_DEPTH_MAX)}${']'.repeat(BODY_DEPTH_MAX)}}`, then: ['invalid_json'] },
]

function faultOf(result: unknown): readonly [code: string, param: string | undefined] {
  assert.ok(result instanceof Fault, JSON.stringify(result))
  return [result.code, result.param]
}

for (const { given, body, then } of BODIES) {
  test(`a payout body is checked: ${given} → ${then?.join(' ') ?? 'taken'}`, () => {
    const result = payouts.body('application/json', Buffer.from(body))
    if (then === undefined) assert.deepEqual(result, JSON.parse(body.replace(/^\ufeff/, '')))
    else assert.deepEqual(faultOf(result), [then[0], then[1]])
  })
}

test('an unknown field further down is named with its path', () => {
  const body = '{"items":[{"recipient":"awa","amount":5000},{"recipient":"awa","amount":5000,"colour":1}]}'
  assert.deepEqual(faultOf(checkOf('createSchedule').body('application/json', Buffer.from(body))), ['unknown_field', 'items.1.colour'])
})

const MANDATE = '"customer_tag":"awa","amount":5000,"interval":"monthly"'
const QUOTE = '"ratio":1'

/** Every integer of a body is spelled in digits alone; values of forms are none of the API's integers. */
const FLOATS: readonly (readonly [operationId: string, body: string, fault: readonly [string, string] | null])[] = [
  ['createMandate', `{${MANDATE},"max_payments":2}`, null],
  ['createMandate', `{${MANDATE},"max_payments":2.0}`, ['invalid_request', 'max_payments']],
  ['createMandate', `{${MANDATE},"max_payments":2e0}`, ['invalid_request', 'max_payments']],
  ['redeliverBillPayment', '{"force":1.0}', ['invalid_request', 'force']],
  ['createQuote', `{${QUOTE},"form_values":{"index":12.0,"amount":1e2}}`, null],
  ['createQuote', `{${QUOTE},"form_values":{"\\u0069ndex":-0.5}}`, null],
  ['testFulfillment', '{"form_values":{"index":12.0},"amount":5000.0}', ['invalid_request', 'amount']],
  ['testFulfillment', '{"amount":5000.0,"form_values":{"index":12.0}}', ['invalid_request', 'amount']],
  ['testFulfillment', '{"form_values":{"index":12.0},"amount":5000}', null],
]

for (const [operationId, body, fault] of FLOATS) {
  test(`${operationId} ${body} → ${fault?.join(' ') ?? 'taken'}`, () => {
    const result = checkOf(operationId).body('application/json', Buffer.from(body))
    if (fault === null) assert.deepEqual(result, JSON.parse(body))
    else assert.deepEqual(faultOf(result), fault)
  })
}

test('a body that is no UTF-8 is no JSON', () => {
  assert.deepEqual(payouts.body('', Buffer.from(`{${GOOD},"note":"\xe9"}`, 'latin1')), new Fault('invalid_json'))
})

test('a megabyte of brackets is refused before it is parsed', () => {
  assert.deepEqual(payouts.body('', Buffer.alloc(1024 * 1024, '[')), new Fault('invalid_json'))
})

/** `then`: the message of `invalid_request`. */
const REASONS: readonly (readonly [given: string, body: string, then: string])[] = [
  ['a missing field', '{"recipient":"awa"}', 'Le champ amount est obligatoire.'],
  ['a fraction', '{"recipient":"awa","amount":10.5}', 'Le champ amount doit être un nombre entier.'],
  ['a float', '{"recipient":"awa","amount":10.0}', 'Le champ amount doit être un nombre entier.'],
  ['zero', '{"recipient":"awa","amount":0}', 'Le champ amount est trop petit : le minimum est 1.'],
  ['a large amount', '{"recipient":"awa","amount":1000000000001}', 'Le champ amount est trop grand : le maximum est 1 000 000 000 000.'],
  ['a long text', `{${GOOD},"reference":"${'r'.repeat(256)}"}`, 'Le champ reference est trop long : le maximum est de 255 caractères.'],
  ['a control character', `{${GOOD},"reference":"\\u0000"}`, 'Le champ reference contient des caractères qui ne sont pas acceptés.'],
  ['a list for a text', `{${GOOD},"note":[]}`, 'Le champ note doit être un texte.'],
  ['a field twice', `{${GOOD},"amount":1}`, 'Le champ amount figure plusieurs fois.'],
  ['a reserved name', `{${GOOD},"constructor":1}`, 'Le champ constructor porte un nom réservé.'],
  ['no object', '[]', 'Le corps de la requête doit être un objet.'],
  ['too many values', `{${GOOD},"x":[${'1,'.repeat(BODY_VALUES_MAX)}1]}`, 'Le corps de la requête comporte trop de valeurs.'],
]

function messageOf({ code, extras }: Fault): string {
  return errorMessage({ code, ...extras }, 'fr')
}

for (const [given, body, then] of REASONS) {
  test(`the reason that is given for ${given}: ${then}`, () => {
    const result = payouts.body('application/json', Buffer.from(body))
    assert.ok(result instanceof Fault)
    assert.deepEqual([result.code, messageOf(result)], ['invalid_request', then])
  })
}

test('public and sign-in routes take fewer values than others, and batches more', () => {
  const listOf = (values: number): Buffer => Buffer.from(`{"x":[${'1,'.repeat(values)}1]}`)
  const said = (operationId: string, values: number): string | undefined => {
    const result = checkOf(operationId).body('application/json', listOf(values))
    return result instanceof Fault ? messageOf(result) : undefined
  }
  const tooMany = 'Le corps de la requête comporte trop de valeurs.'
  assert.equal(said('logInToDashboard', 256), tooMany)
  assert.notEqual(said('createBatch', 9000), tooMany)
  assert.equal(said('createBatch', 10_000), tooMany)
})

const CONTENT_TYPES: readonly (readonly [contentType: string, isTaken: boolean])[] = [
  ['application/json', true],
  ['Application/JSON', true],
  ['application/json; charset=utf-8', true],
  ['application/json;charset="UTF-8"', true],
  ['', true],
  ['text/plain', false],
  ['text/plain;charset=UTF-8', false],
  ['application/x-www-form-urlencoded', false],
  ['multipart/form-data; boundary=x', false],
  ['application/json; charset=iso-8859-1', true],
  ['application/json; version=2; x="a;b"', true],
  ['application/json;', true],
  ['application/jsonp', false],
]

for (const [contentType, isTaken] of CONTENT_TYPES) {
  test(`content type ${JSON.stringify(contentType)} is ${isTaken ? 'taken' : 'refused'}`, () => {
    const result = payouts.body(contentType, Buffer.from(`{${GOOD}}`))
    if (isTaken) assert.deepEqual(result, { recipient: '@awa', amount: 5000 })
    else assert.deepEqual(result, new Fault('unsupported_media_type'))
  })
}

test('a route without a body ignores any body', () => {
  assert.equal(checkOf('ping').body('text/plain', Buffer.from('{{{')), undefined)
})

/** `then`: what the handler gets, or the parameter at fault. */
const QUERIES: readonly {
  readonly given: string
  readonly query: string
  readonly then: Record<string, unknown> | { readonly fault: string | undefined }
}[] = [
  { given: 'none', query: '', then: {} },
  { given: 'the smallest limit', query: 'limit=1', then: { limit: 1 } },
  { given: 'the largest limit', query: 'limit=100', then: { limit: 100 } },
  { given: 'limit 0', query: 'limit=0', then: { fault: 'limit' } },
  { given: 'limit 101', query: 'limit=101', then: { fault: 'limit' } },
  { given: 'limit -1', query: 'limit=-1', then: { fault: 'limit' } },
  { given: 'limit 1.5', query: 'limit=1.5', then: { fault: 'limit' } },
  { given: 'limit 1e1', query: 'limit=1e1', then: { fault: 'limit' } },
  { given: 'limit in words', query: 'limit=ten', then: { fault: 'limit' } },
  { given: 'an empty text', query: 'reference=', then: { fault: 'reference' } },
  { given: 'an empty filter', query: 'state=', then: { fault: 'state' } },
  { given: 'an empty limit', query: 'limit=', then: { fault: 'limit' } },
  { given: 'a limit without a value', query: 'limit', then: { fault: 'limit' } },
  { given: 'an empty cursor', query: 'cursor=', then: { fault: 'cursor' } },
  { given: 'an empty time', query: 'created_from=&created_to=', then: { fault: 'created_from' } },
  { given: 'an empty id', query: 'batch_id=', then: { fault: 'batch_id' } },
  { given: 'a name without a value', query: 'state', then: { fault: 'state' } },
  { given: 'a stray &', query: '&state=paid&', then: { state: 'paid' } },
  { given: 'an unknown parameter', query: 'colour=red', then: { fault: 'colour' } },
  { given: 'an unknown one without a value', query: 'colour', then: { fault: 'colour' } },
  { given: 'a name out of Object.prototype', query: 'constructor=x', then: { fault: 'constructor' } },
  { given: '__proto__', query: '__proto__=x', then: { fault: '__proto__' } },
  { given: 'one twice', query: 'state=paid&state=failed', then: { fault: 'state' } },
  { given: 'a state that is none', query: 'state=pending', then: { fault: 'state' } },
  { given: 'an escaped name and value', query: '%73tate=pa%69d', then: { state: 'paid' } },
  { given: 'a broken escape in the value', query: 'reference=%zz', then: { fault: 'reference' } },
  { given: 'a broken escape in the name', query: '%zz=1', then: { fault: undefined } },
  { given: 'a plus for a space', query: 'reference=a+b', then: { reference: 'a b' } },
  { given: 'accents', query: 'reference=pay%C3%A9', then: { reference: 'payé' } },
  { given: 'a cursor, whose seal is opened later', query: 'cursor=abc', then: { cursor: 'abc' } },
  { given: 'a time', query: 'created_from=2026-11-20T10:00:00Z', then: { created_from: '2026-11-20T10:00:00Z' } },
  { given: 'a time with an offset', query: 'created_to=2026-11-20T10:00:00%2B01:00', then: { created_to: '2026-11-20T10:00:00+01:00' } },
  {
    given: 'an offset whose plus was not escaped',
    query: 'created_to=2026-11-20T10:00:00+01:00',
    then: { created_to: '2026-11-20T10:00:00+01:00' },
  },
  { given: 'a blank for the T', query: 'created_to=2026-11-20+10:00:00Z', then: { fault: 'created_to' } },
  { given: 'a day that does not exist', query: 'created_from=2026-02-30T10:00:00Z', then: { fault: 'created_from' } },
  { given: 'a date without time', query: 'created_from=2026-11-20', then: { fault: 'created_from' } },
  { given: 'Unix seconds', query: 'created_to=1790000000', then: { fault: 'created_to' } },
  { given: 'a batch id that is none', query: 'batch_id=12', then: { fault: 'batch_id' } },
  { given: 'a recipient that is none', query: 'recipient=%40', then: { fault: 'recipient' } },
  { given: 'more parameters than there are', query: Array.from({ length: 40 }, () => 'limit=').join('&'), then: { fault: undefined } },
]

for (const { given, query, then } of QUERIES) {
  test(`a query is checked: ${given}`, () => {
    const result = payoutList.query(query)
    if (then !== null && 'fault' in then) assert.deepEqual(faultOf(result), ['invalid_parameter', then.fault])
    else assert.deepEqual(result, then)
  })
}

test('a route without parameters knows none; outside /v1 strangers are ignored', () => {
  assert.deepEqual(
    checkOf('ping').query('utm_source=mail'),
    new Fault('invalid_parameter', 'utm_source', because('unknown_parameter', { name: 'utm_source' })),
  )
  assert.deepEqual(checkOf('getHealth').query('utm_source=mail'), {})
})

test('path values that cannot be an id lead to nothing', () => {
  const check = checkOf('getPayout')
  assert.equal(check.params(['01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f']), true)
  assert.equal(check.params(['01965C1E-7A2B-7C3D-8E4F-5A6B7C8D9E0F']), true)
  for (const value of ['', '1', '../..', '01965c1e-7a2b-7c3d-8e4f-5a6b7c8d9e0f ', 'undefined'])
    assert.equal(check.params([value]), false, value)
})
