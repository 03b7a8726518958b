// The language of a caller, and the English of the messages of the API.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from '@sinclair/typebox'
import { ERROR_CODES, errorValue } from '../../../engine/contract/errors.ts'
import { Fault, RouteCheck } from '../../../http/server/body/validation.ts'
import { errorBody } from '../../../http/text/error-text.ts'
import { acceptedLanguage } from '../../../http/text/language.ts'
import { FRENCH } from '../../support/french-words.ts'

test('the language with the highest quality is chosen, and French by default', () => {
  const rows: readonly (readonly [header: string, language: string])[] = [
    ['', 'fr'],
    ['en', 'en'],
    ['en-GB,en;q=0.9,fr;q=0.8', 'en'],
    ['fr-SN,fr;q=0.9,en;q=0.8', 'fr'],
    ['wo, en;q=0.7, fr;q=0.3', 'en'],
    ['fr;q=0.5, en;q=0.5', 'fr'],
    ['EN-us', 'en'],
    ['de', 'fr'],
    ['*', 'fr'],
    ['en;q=0', 'fr'],
    ['en;q=2', 'fr'],
    ['enx', 'fr'],
    ['en;q=0.9;level=1', 'en'],
    [`${'de,'.repeat(200)}en`, 'fr'],
    [`${'de,'.repeat(20)}en`, 'fr'],
    ['*, en;q=0.5', 'fr'],
    ['en, *', 'en'],
    ['*;q=0.5, en', 'en'],
    ['*;q=0', 'fr'],
    ['*;q=0, en;q=0.1', 'en'],
    ['en;q=0, *', 'fr'],
    ['en;q=0, fr', 'fr'],
    ['fr;q=0', 'en'],
    ['fr;q=0.000, de', 'en'],
    ['fr;q=0, *', 'en'],
    ['fr;q=0, *;q=0.9, en;q=0.1', 'en'],
    ['fr;q=0, en;q=0', 'fr'],
    ['fr;q=0, fr-FR', 'fr'],
    ['fr-CA;q=0', 'fr'],
    ['fr;q=zero', 'fr'],
  ]
  for (const [header, language] of rows) assert.equal(acceptedLanguage(header), language, header)
})

function english(body: string): string {
  return (JSON.parse(errorBody(body, 'en').body) as { message: string }).message
}

test('each error code has an English message, and keeps its other members', () => {
  for (const code of ERROR_CODES) assert.doesNotMatch(english(errorValue(code)), FRENCH, code)
  const body = errorValue('pin_incorrect', 'pin', { attempts_left: 2, request_id: 'r' })
  const { message, ...rest } = JSON.parse(errorBody(body, 'en').body)
  assert.equal(message, 'The PIN is incorrect.')
  assert.deepEqual(rest, { code: 'pin_incorrect', param: 'pin', attempts_left: 2, request_id: 'r' })
})

test('a text of others stays as it is, also where it is a text of the service', () => {
  const message = 'Votre contrat est résilié depuis le 3 mars.'
  assert.equal(english(errorValue('lookup_failed', undefined, { message })), message)
})

test('the reasons of validation errors are in English', () => {
  const body = Type.Object(
    {
      amount: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
      name: Type.Optional(Type.String({ maxLength: 1000 })),
      list: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
      is_open: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  )
  const check = new RouteCheck({ path: '/v1/x', auth: 'public', body })
  const rows: readonly (readonly [sent: string, english: string])[] = [
    ['{}', 'The field amount is required.'],
    ['{"amount":1.5}', 'The field amount must be a whole number.'],
    ['{"amount":2000000}', 'The field amount is too large: the maximum is 1,000,000.'],
    [`{"amount":1,"name":"${'x'.repeat(1001)}"}`, 'The field name is too long: the maximum is 1,000 characters.'],
    ['{"amount":1,"list":[]}', 'The field list is too short: the minimum is 1 item.'],
    ['{"amount":1,"is_open":"yes"}', 'The field is_open must be true or false.'],
    ['{"amount":1,"amount":2}', 'The field amount occurs more than once.'],
    ['7', 'The body of the request must be an object.'],
  ]
  for (const [sent, wanted] of rows) {
    const fault = check.body('application/json', Buffer.from(sent))
    assert.ok(fault instanceof Fault, sent)
    assert.equal(english(errorValue(fault.code, fault.param, fault.extras)), wanted)
  }
})
