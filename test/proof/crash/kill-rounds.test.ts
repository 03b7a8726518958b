// The short form of `npm run crash -- --kills 2000`: the real server, killed under every write that moves money.
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { kindsNotSeen, operationsNotSeen } from './kill-report.ts'
import { runKillRounds } from './kill-rounds.ts'
import { moneyOperations, postOperation } from './money-operations.ts'

const ROUNDS = 20

it(`nothing is lost, doubled or read wrong through ${ROUNDS} times kill -9 under every write that moves money`, async () => {
  const report = await runKillRounds({ rounds: ROUNDS, seed: 16 })
  const { rounds, duplicatedKeys, acknowledged, readings, fulfillments, faults } = report
  assert.deepEqual(faults, [])
  assert.deepEqual([rounds, duplicatedKeys], [ROUNDS, ROUNDS])
  assert.deepEqual(kindsNotSeen(report), [])
  assert.deepEqual(operationsNotSeen(report), [])
  assert.ok(fulfillments > 0)
  assert.ok(acknowledged >= ROUNDS && readings > 0, `${acknowledged} answers, ${readings} readings`)
})

it('operations that move money are found by the commands that have posted or held', () => {
  const operations = moneyOperations()
  for (const id of ['createPayout', 'payCheckout', 'createDeposit', 'approveMovement', 'cancelWithdrawal', 'runTestSchedule']) {
    assert.ok(operations.includes(id), id)
  }
  for (const id of ['createCharge', 'createTopUp', 'startCheckoutOtp', 'refuseMovement']) assert.ok(!operations.includes(id), id)
  assert.equal(postOperation('/v1/operator/approvals/01/approve'), 'approveMovement')
  assert.equal(postOperation('/pay/01'), null)
})
