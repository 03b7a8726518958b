// Schedules for the golden files: each change of a schedule, runs that fail, and replaced plans.
import { readBatchLines } from '../support/batch-lines.ts'
import { MEMBER, openLiveWallet, openMerchant, openWallet } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { must, newestId } from './golden-steps.ts'

const MINUTE_MS = 60_000

export function playSchedules(fixture: EngineFixture): void {
  const { test: merchant } = openMerchant(fixture, 'Boutique', 1000)
  openWallet(fixture, 'awa')
  const lines = [
    { recipient: 'awa', amount: 100, reference: '', note: '' },
    { recipient: 'nobody', amount: 100, reference: 'un', note: 'é' },
  ]
  const create = (recurrence: 'once' | 'weekly' | 'monthly'): string => {
    const startMs = fixture.loop.nowMs + 10 * MINUTE_MS
    must(fixture, { type: 'CreateSchedule', merchant, recurrence, startMs, reference: 'paie', lines, by: MEMBER }, 201)
    return newestId(fixture)
  }
  const pausedOver = create('once')
  must(fixture, { type: 'PauseSchedule', merchant, id: pausedOver }, 200, 'pause')
  create('once')
  const weekly = create('weekly')
  fixture.loop.advance(11 * MINUTE_MS)
  fixture.settle()
  must(fixture, { type: 'ResumeSchedule', merchant, id: pausedOver }, 200, 'resume for nothing')
  must(fixture, { type: 'PauseSchedule', merchant, id: weekly }, 200)
  must(fixture, { type: 'ResumeSchedule', merchant, id: weekly }, 200, 'resume')
  must(fixture, { type: 'RunSchedule', merchant, id: weekly, dueMs: null }, 200, 'by hand')
  must(fixture, { type: 'CancelSchedule', merchant, id: create('monthly') }, 200, 'cancel')
  must(fixture, { type: 'PauseSchedule', merchant, id: create('monthly') }, 200)
}

/** Version 2: plans that are replaced, warnings, and recipients by phone. */
export function playReplacedSchedules(fixture: EngineFixture): void {
  playSchedules(fixture)
  const { test, live } = openMerchant(fixture, 'Atelier', 1000)
  openLiveWallet(fixture, '+221770000001', 'fatou')
  const phone = fixture.state.wallets.byTag('test', 'awa')?.phone ?? ''
  const toPhone = { recipient: phone, amount: 30, reference: '', note: '' }
  const lines = [toPhone, toPhone, { recipient: '+2250099999999', amount: 1, reference: 'r', note: '' }]
  const startMs = fixture.loop.nowMs + 10 * MINUTE_MS
  must(
    fixture,
    { type: 'CreateSchedule', merchant: test, recurrence: 'weekly', startMs, reference: 'paie', lines, by: MEMBER },
    201,
    'warnings',
  )
  const id = newestId(fixture)
  const plan = { recurrence: 'monthly', reference: 'PAIE', lines: [...lines, { ...toPhone, amount: 31 }] } as const
  must(fixture, { type: 'ReplaceSchedule', merchant: test, id, ...plan }, 200, 'replace')
  fixture.loop.advance(11 * MINUTE_MS)
  fixture.settle()
  must(fixture, { type: 'PauseSchedule', merchant: test, id }, 200, 'pause again')
  must(fixture, { type: 'ReplaceSchedule', merchant: test, id, ...plan, lines: [toPhone] }, 200, 'replace again')
  must(fixture, { type: 'CancelSchedule', merchant: test, id }, 200, 'cancel again')
  must(fixture, { type: 'ReplaceSchedule', merchant: test, id, ...plan }, 409, 'too late')
  const toTwice = readBatchLines([
    { recipient: '+221770000001', amount: 5 },
    { recipient: '@fatou', amount: 5 },
    { recipient: 'FATOU', amount: 5 },
  ])
  must(fixture, { type: 'CreateBatch', merchant: live, lines: toTwice, reference: '', scheduleId: null }, 201, 'duplicates')
}
