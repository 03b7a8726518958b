// Documented errors of routes: what the deciders of their commands reject is in them, and exceptions stay true.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commandRejections } from '../../../engine/api.ts'
import type { ErrorCode } from '../../../engine/contract/errors.ts'
import { errorsOf } from '../../../http/server/route-errors.ts'
import { TABLE } from '../../support/api-document.ts'

test('a route documents every rejection of its commands, but those that it declares unreachable', () => {
  const refund = TABLE.find(({ operationId }) => operationId === 'refundCharge')
  assert.ok(refund !== undefined)
  assert.deepEqual(refund.commands, ['RefundCharge'])
  const documented = new Set([...errorsOf(refund).values()].flat())
  assert.ok(commandRejections('RefundCharge').length > 0)
  for (const code of commandRejections('RefundCharge')) assert.ok(documented.has(code), code)
  const without = errorsOf({ ...refund, unreachable: ['funds_paid_out'] })
  assert.ok(!([...without.values()].flat() as ErrorCode[]).includes('funds_paid_out'))
})

test('every rejection that a route declares unreachable is one of its commands', () => {
  for (const { operationId, commands = [], unreachable = [] } of TABLE) {
    const rejections = commands.flatMap((command) => commandRejections(command))
    for (const code of unreachable) assert.ok(rejections.includes(code), `${operationId}: ${code}`)
  }
})

test('no route repeats by hand what the deciders of its commands reject', () => {
  for (const { operationId, commands = [], errors } of TABLE) {
    const rejections = new Set(commands.flatMap((command) => commandRejections(command)))
    const repeated = errors.filter((code) => rejections.has(code))
    // Both lists hold the faults of a product's definition: the order in which they are checked is documented with the route.
    if (!commands.includes('SaveProduct')) assert.deepEqual(repeated, [], operationId)
  }
})
