// Lines of new disbursements in memory: strangers fill their parts, and leave room for live, for proven merchants and for small files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { EngineApi } from '../../../../engine/api.ts'
import { DisbursementIntake, type Intake } from '../../../../http/api/disbursements/disbursement-intake.ts'
import { heldQuotasWith } from '../../../support/held-quotas.ts'

const LIVE = 1
const PROVEN = 3

/** Accounts of even numbers are test accounts. Lines that were taken are never judged here. */
function openIntake(): (account: number, held: number) => unknown {
  const answers: Readonly<Record<string, (account: number) => unknown>> = {
    'accounts.environment': (account) => (account % 2 === 0 ? 'test' : 'live'),
    'accounts.isProven': (account) => account === PROVEN,
  }
  const query = ((name: string, { account }: { account: number }) => answers[name]?.(account)) as unknown as EngineApi['query']
  const intake = new DisbursementIntake({ engine: { query }, quotas: heldQuotasWith() })
  return (account, held) => {
    let refused: unknown = null
    const call = { principal: { account }, idempotency: null, ask: () => true, refuse: (...error: unknown[]) => (refused = error) }
    intake.take({ call, held, source: () => [], submit: () => {} } as unknown as Intake)
    return refused
  }
}

const FULL = ['quota_exceeded', 'disbursement_lines']

test('a merchant that no operator knows sends 100 000 lines, and beyond its share gets the name of the quota', () => {
  const take = openIntake()
  assert.equal(take(2, 100_000), null)
  assert.deepEqual(take(2, 100_000), FULL)
})

test('100 test accounts with as many lines as they get leave room for a small file, for live and for proven merchants', () => {
  const take = openIntake()
  for (let stranger = 0; stranger < 100; stranger++) for (let held = 100_000; held >= 1; held /= 10) take(1000 + 2 * stranger, held)
  assert.equal(take(2, 300), null)
  assert.equal(take(LIVE, 100_000), null)
  for (let stranger = 0; stranger < 100; stranger++) take(1001 + 2 * stranger, 100_000)
  assert.deepEqual(take(99, 100_000), FULL)
  assert.equal(take(PROVEN, 100_000), null)
})
