// Bodies of routes that post, hold or plan money: every one of them refuses what it does not know.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isStrict } from '../../../engine/contract/money-body.ts'
import { type ObjectSchema, type Schema, Type } from '../../../engine/contract/schema.ts'
import { Fault, RouteCheck } from '../../../http/server/body/validation.ts'
import { isMoneyRoute, type Route, route } from '../../../http/server/route.ts'
import { TABLE } from '../../support/api-document.ts'
import { readBatchLine } from '../../support/batch-lines.ts'

const MONEY_ROUTES = TABLE.filter(isMoneyRoute)

type Json = Record<string, unknown>

function sent(row: Route, body: unknown): unknown {
  return new RouteCheck(row).body('application/json', Buffer.from(JSON.stringify(body)))
}

function faultOf(read: unknown): unknown {
  return read instanceof Fault ? [read.code, read.param] : read
}

/** The objects with known fields in the body, by their path: those that a batch judges line by line are not among them. */
function objectsIn(schema: Schema, value: unknown, path: string): [path: string, object: Json][] {
  const { type, items, properties } = schema as Schema & Partial<Pick<ObjectSchema, 'properties'>> & { readonly items?: Schema }
  if (type === 'array' && Array.isArray(value)) return value.flatMap((item, index) => objectsIn(items as Schema, item, `${path}${index}.`))
  if (type !== 'object' || properties === undefined || value === undefined) return []
  const inner = Object.entries(properties).flatMap(([name, field]) => objectsIn(field, (value as Json)[name], `${path}${name}.`))
  return [[path, value as Json], ...inner]
}

test('these operations are about money', () => {
  assert.deepEqual(MONEY_ROUTES.map(({ operationId }) => operationId).sort(), [
    ...['approveDisbursement', 'approveMandate', 'approveMovement', 'chargeMandate', 'collectTestMandate', 'confirmTestTopUp'],
    ...['confirmTopUp', 'createBatch', 'createCharge', 'createDeposit', 'createDisbursement', 'createMandate'],
    ...['createPaymentLink', 'createPayout', 'createSchedule', 'createTestDeposit', 'createTopUp', 'createTransfer'],
    ...['createWithdrawal', 'expireTestCharge', 'payBill', 'payCharge', 'payCheckout', 'payTestCharge'],
    ...['payTestWithdrawal', 'payWithdrawal', 'refundBillPayment', 'refundCharge', 'refuseMovement', 'refuseTopUp'],
    ...['refuseWithdrawal', 'rejectDisbursement', 'replaceSchedule', 'requestWithdrawal', 'retryDisbursement', 'runTestSchedule'],
    'setApiKeyLimits',
    ...['setFeePlan', 'setFeeRules', 'setLimitRules', 'setMerchantLimits', 'setWalletTier', 'startDisbursement'],
  ])
})

test('no other operation refuses a field that it does not know', () => {
  const strict = TABLE.filter(
    (row) => !isMoneyRoute(row) && (row.body as Partial<ObjectSchema> | undefined)?.additionalProperties === false,
  )
  assert.deepEqual(
    strict.map(({ operationId }) => operationId),
    [],
  )
})

for (const row of MONEY_ROUTES) {
  test(`${row.operationId} takes its example, names an unknown field at each place, and takes a currency alone`, () => {
    const example = row.bodyExample as Json
    assert.deepEqual(sent(row, example), example)
    assert.deepEqual(faultOf(sent(row, { ...example, currency: 'XOF' })), { ...example, currency: 'XOF' })
    assert.deepEqual(faultOf(sent(row, { ...example, currency: 'francs' })), ['unsupported_currency', 'currency'])
    const count = objectsIn(row.body as Schema, example, '').length
    for (let index = 0; index < count; index++) {
      const body = structuredClone(example)
      const [path, object] = objectsIn(row.body as Schema, body, '')[index] ?? assert.fail()
      object.ammount = 1
      assert.deepEqual(faultOf(sent(row, body)), ['unknown_field', `${path}ammount`])
    }
  })
}

test('an unknown field is named before the one that is missing for it', () => {
  const payout = MONEY_ROUTES.find(({ operationId }) => operationId === 'createPayout') ?? assert.fail()
  assert.deepEqual(faultOf(sent(payout, { recipient: 'awa', ammount: 5 })), ['unknown_field', 'ammount'])
})

test('metadata is free inside, and its own rules are no unknown fields', () => {
  const charge = MONEY_ROUTES.find(({ operationId }) => operationId === 'createCharge') ?? assert.fail()
  const body = { amount: 5, metadata: { anything: 'a', currency: 'EUR' } }
  assert.deepEqual(sent(charge, body), body)
  assert.deepEqual(
    faultOf(sent(charge, { amount: 5, metadata: { ['k'.repeat(65)]: 'a' } }))
      ?.toString()
      .split(',')[0],
    'invalid_request',
  )
})

test('a line of a schedule takes the currency of the account alone', () => {
  const schedule = MONEY_ROUTES.find(({ operationId }) => operationId === 'createSchedule') ?? assert.fail()
  const items = [
    { recipient: 'awa', amount: 5, currency: 'XOF' },
    { recipient: 'awa', amount: 5, currency: 'xof' },
  ]
  const body = { ...(schedule.bodyExample as Json), items }
  assert.deepEqual(faultOf(sent(schedule, body)), ['unsupported_currency', 'items.1.currency'])
})

test('a line of a batch with an unknown field or another currency fails, and says so before its other faults', () => {
  const line = { recipient: 'awa', amount: 5 }
  const rows: readonly (readonly [item: object, fault: string | null])[] = [
    [{ ...line, currency: 'XOF' }, null],
    [{ ...line, currency: 'EUR' }, 'unsupported_currency'],
    [{ ...line, currency: null }, 'unsupported_currency'],
    [{ ...line, colour: 'red' }, 'unknown_field'],
    [{ recipient: '!', ammount: 5 }, 'unknown_field'],
    [{ ...line, recipient: '!', currency: 'EUR' }, 'invalid_recipient'],
  ]
  for (const [item, fault] of rows) assert.equal(readBatchLine(item).fault, fault, JSON.stringify(item))
})

test('a route that moves money cannot be declared without a strict body', () => {
  const row = MONEY_ROUTES.find(({ operationId }) => operationId === 'createPayout') ?? assert.fail()
  const { body: _, ...without } = row
  assert.throws(() => route(without), /createPayout, which moves money, is strict/)
  assert.throws(() => route({ ...row, body: Type.Object({ amount: Type.Integer() }) }), /is strict/)
  const nested = Type.Object({ to: Type.Object({ tag: Type.String() }) }, { additionalProperties: false })
  assert.throws(() => route({ ...row, body: nested }), /is strict/)
  assert.equal(isStrict(nested), false)
})
