// Values that are sent empty: parameters of a URL, and maps as PHP writes them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fault, RouteCheck } from '../../../http/server/body/validation.ts'
import { TABLE } from '../../support/api-document.ts'

function checkOf(operationId: string): RouteCheck {
  const route = TABLE.find((candidate) => candidate.operationId === operationId)
  assert.ok(route !== undefined, operationId)
  return new RouteCheck(route)
}

test('no parameter of any route of the API may be sent empty', () => {
  for (const route of TABLE.filter(({ path }) => path.startsWith('/v1/'))) {
    const check = new RouteCheck(route)
    for (const name of Object.keys(route.query?.properties ?? {})) {
      for (const text of [`${name}=`, name]) {
        const fault = check.query(text)
        assert.deepEqual(fault instanceof Fault ? [fault.code, fault.param] : fault, ['invalid_parameter', name], route.operationId)
      }
    }
  }
})

test('an empty list stands for an empty map, as PHP writes it, in fields that hold a map and nowhere else', () => {
  const read = (operationId: string, body: object): unknown => checkOf(operationId).body('', Buffer.from(JSON.stringify(body)))
  assert.deepEqual(read('createCharge', { amount: 5, metadata: [] }), { amount: 5, metadata: {} })
  assert.ok(read('createCharge', { amount: 5, metadata: ['a'] }) instanceof Fault)
  assert.ok(read('createCharge', { amount: 5, reference: [] }) instanceof Fault)
  assert.deepEqual(read('createQuote', { form_values: [] }), { form_values: {} })
})
