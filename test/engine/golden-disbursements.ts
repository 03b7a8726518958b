// The golden scenario of disbursements: paid, short of balance, approved, rejected, cancelled, retried.
import { readBatchLines } from '../support/batch-lines.ts'
import { deposit, openMerchant, testWallet } from '../support/commands.ts'
import { DisbursementSteps } from '../support/disbursement-steps.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { must, newestId } from './golden-steps.ts'

export function playDisbursements(fixture: EngineFixture): void {
  const { id, test } = openMerchant(fixture, 'Boutique')
  must(fixture, testWallet('awa'), 201)
  must(fixture, deposit({ merchantId: id }, 1000), 201)
  const steps = new DisbursementSteps(fixture, test)
  const lines = readBatchLines([
    { recipient: 'awa', amount: 400 },
    { recipient: 'ghost', amount: 1 },
    { recipient: 'awa', amount: 400 },
    { recipient: 'awa', amount: 900 },
  ])
  const paid = steps.create({ lines, start: 'auto', onInsufficientBalance: 'fail' })
  fixture.loop.advance(1)
  steps.retry(paid.id)
  const short = steps.create({ lines: lines.slice(3), start: 'auto' })
  fixture.loop.advance(1)
  steps.move(short.id, 'cancel')
  // Two runs: one with a line that fails, one of which nothing is paid.
  const plan = {
    recurrence: 'weekly',
    startMs: fixture.loop.nowMs + 60_000,
    reference: 'PAIE',
    lines: [],
    disbursementId: paid.id,
  } as const
  must(fixture, { type: 'CreateSchedule', merchant: test, ...plan, by: steps.maker }, 201, 'plan')
  const schedule = newestId(fixture)
  for (let runs = 0; runs < 2; runs++) {
    must(fixture, { type: 'RunSchedule', merchant: test, id: schedule, dueMs: null }, 200)
    fixture.loop.advance(1)
    fixture.settle()
  }
  const again = { type: 'ReplaceSchedule', merchant: test, id: schedule, recurrence: 'monthly', reference: '' } as const
  must(fixture, { ...again, lines: [], disbursementId: short.id }, 200, 'replace')
  must(fixture, { type: 'SetPayoutPolicy', merchant: test, approvalAbove: 0 }, 200)
  const rejected = steps.create({ lines: lines.slice(0, 1), start: 'auto' })
  must(fixture, { type: 'ReleaseDisbursement', merchant: test, id: rejected.id, verb: 'start', by: steps.maker }, 409)
  steps.create({ lines: lines.slice(0, 1), start: 'manual', startAtMs: fixture.loop.nowMs + 60_000 })
}
