// The form of a JSON body where unknown fields are ignored: depth, number of values, and what stands inside texts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BODY_DEPTH_MAX } from '../../../http/server/body/json-body.ts'
import { Fault, RouteCheck } from '../../../http/server/body/validation.ts'
import { BODY_VALUES_MAX } from '../../../http/server/server-limits.ts'
import { TABLE } from '../../support/api-document.ts'

const ROUTE = TABLE.find(({ operationId }) => operationId === 'createTestWallet')
assert.ok(ROUTE !== undefined)
const CHECK = new RouteCheck(ROUTE)

const TAG = '"tag":"@awa"'

/** Bodies that move no money ignore unknown fields: JSON of any form is taken in them. */
const OPEN_BODIES: readonly { readonly given: string; readonly body: string }[] = [
  { given: 'an unknown field', body: `{${TAG},"colour":{"deep":[1]}}` },
  { given: 'one name in two objects', body: `{${TAG},"x":{"amount":1},"y":{"x":{"amount":2}}}` },
  { given: 'as deep as it may be', body: `{${TAG},"x":${'['.repeat(BODY_DEPTH_MAX - 1)}${']'.repeat(BODY_DEPTH_MAX - 1)}}` },
  { given: 'as many values as it may have', body: `{${TAG},"x":[${'1,'.repeat(BODY_VALUES_MAX - 10)}1]}` },
  { given: 'many commas in a text', body: `{${TAG},"x":"${','.repeat(BODY_VALUES_MAX + 1)}"}` },
  { given: 'brackets inside a string', body: `{${TAG},"x":"${'[{'.repeat(5000)}"}` },
  { given: 'a quote and brackets inside a string', body: `{${TAG},"x":"\\"${'['.repeat(5000)}"}` },
]

for (const { given, body } of OPEN_BODIES) {
  test(`a body that moves no money is taken: ${given}`, () => {
    assert.deepEqual(CHECK.body('application/json', Buffer.from(body)), JSON.parse(body))
  })
}

test('a float in an unknown field is ignored with it', () => {
  const body = Buffer.from(`{${TAG},"ratio":5000.0}`)
  assert.ok(!(CHECK.body('application/json', body) instanceof Fault))
})
