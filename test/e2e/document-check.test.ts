// The judge of all answers is judged: a good answer passes, and each way to be wrong is seen.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { type ErrorCode, type ErrorExtras, errorValue, withRequestId } from '../../engine/contract/errors.ts'
import { PAID_PAYOUT } from '../../http/api/shared-examples.ts'
import type { JsonObject } from '../../http/openapi/openapi-schemas.ts'
import { ERROR_MESSAGES } from '../../http/text/error-messages.ts'
import { errorBody } from '../../http/text/error-text.ts'
import { DOCUMENT_YAML } from '../support/api-document.ts'
import { CompiledDocument, DocumentCheck, type SeenAnswer, type SeenRequest } from '../support/document-check.ts'

const judge = new DocumentCheck(new CompiledDocument(parse(DOCUMENT_YAML) as JsonObject))
const REQUEST: SeenRequest = { method: 'POST', path: '/v1/biz/payouts', headers: { 'x-request-id': 'mine' } }
const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'mine' }
const REFUSED = { ...HEADERS, 'content-language': 'fr' }
const GOOD: SeenAnswer = { status: 201, headers: HEADERS, text: JSON.stringify(PAID_PAYOUT) }

function refusal(code: ErrorCode, param?: string, extras?: ErrorExtras): string {
  return errorBody(withRequestId(errorValue(code, param, extras), 'mine'), 'fr').body
}

const { created_at: _, ...withoutTime } = PAID_PAYOUT

const GOOD_ANSWERS: readonly (readonly [name: string, request: SeenRequest, answer: SeenAnswer])[] = [
  ['a payout', REQUEST, GOOD],
  ['a replayed one with rates', REQUEST, { ...GOOD, headers: { ...HEADERS, 'idempotent-replayed': 'true', 'ratelimit-limit': '200' } }],
  ['a refusal', REQUEST, { status: 400, headers: REFUSED, text: refusal('invalid_recipient', 'recipient') }],
  ['a refusal with a wait', REQUEST, { status: 429, headers: { ...REFUSED, 'retry-after': '1' }, text: refusal('rate_limited') }],
  ['an unknown path', { ...REQUEST, path: '/nowhere' }, { status: 404, headers: REFUSED, text: refusal('not_found') }],
  [
    'a wrong method',
    { ...REQUEST, method: 'PUT' },
    { status: 405, headers: { ...REFUSED, allow: 'GET' }, text: refusal('method_not_allowed') },
  ],
]

for (const [name, request, answer] of GOOD_ANSWERS) {
  test(`the document check passes: ${name}`, () => judge.check(request, answer))
}

const BAD_ANSWERS: readonly (readonly [name: string, answer: SeenAnswer, request?: SeenRequest])[] = [
  ['a field too many', { ...GOOD, text: JSON.stringify({ ...PAID_PAYOUT, colour: 'red' }) }],
  ['a field too few', { ...GOOD, text: JSON.stringify(withoutTime) }],
  ['null where none may be', { ...GOOD, text: JSON.stringify({ ...PAID_PAYOUT, reference: null }) }],
  ['a time that is none', { ...GOOD, text: JSON.stringify({ ...PAID_PAYOUT, created_at: 'today' }) }],
  ['a tag with its @', { ...GOOD, text: JSON.stringify({ ...PAID_PAYOUT, recipient: '@awa' }) }],
  ['a status that is not documented', { ...GOOD, status: 200 }],
  ['another content type', { ...GOOD, headers: { ...HEADERS, 'content-type': 'text/html' } }],
  ['no request id', { ...GOOD, headers: { 'content-type': 'application/json' } }],
  ['another request id', { ...GOOD, headers: { ...HEADERS, 'x-request-id': 'yours' } }],
  ['an unknown header', { ...GOOD, headers: { ...HEADERS, 'x-powered-by': 'cowries' } }],
  ['a rate that is no number', { ...GOOD, headers: { ...HEADERS, 'ratelimit-limit': 'many' } }],
  ['a wait that is missing', { status: 429, headers: REFUSED, text: refusal('rate_limited') }],
  [
    'a refusal without the id of its request',
    { status: 400, headers: REFUSED, text: errorBody(errorValue('invalid_recipient', 'recipient'), 'fr').body },
  ],
  [
    'a refusal with another id',
    { status: 400, headers: REFUSED, text: errorBody(withRequestId(errorValue('invalid_recipient'), 'yours'), 'fr').body },
  ],
  ['a code of another route', { status: 400, headers: REFUSED, text: refusal('title_required') }],
  ['a code under another status', { status: 403, headers: REFUSED, text: refusal('unauthorized') }],
  ['a message of its own', { status: 400, headers: REFUSED, text: refusal('invalid_recipient', 'recipient', { message: 'Bad tag' }) }],
  [
    'an error with a stack',
    {
      status: 500,
      headers: REFUSED,
      text: JSON.stringify({ code: 'internal_error', message: ERROR_MESSAGES.fr.internal_error, request_id: 'mine', stack: 'at x' }),
    },
  ],
  ['a refusal without its language', { status: 400, headers: HEADERS, text: refusal('invalid_recipient', 'recipient') }],
  ['an unknown path that is found', GOOD, { ...REQUEST, path: '/nowhere' }],
  ['a wrong method without Allow', { status: 405, headers: REFUSED, text: refusal('method_not_allowed') }, { ...REQUEST, method: 'PUT' }],
]

for (const [name, answer, request = REQUEST] of BAD_ANSWERS) {
  test(`the document check sees: ${name}`, () => assert.throws(() => judge.check(request, answer), { name: 'AssertionError' }))
}
