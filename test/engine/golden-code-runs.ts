// The scenario behind the golden file of runs of merchants' code.

import { openMerchant } from '../support/commands.ts'
import type { EngineFixture } from '../support/engine-fixture.ts'
import { must } from './golden-steps.ts'

export function playCodeRuns(fixture: EngineFixture): void {
  const { test, live } = openMerchant(fixture, 'Boutique')
  const fetches = [{ method: 'POST', host: 'api.example:8443', status: 200, duration_ms: 12 }]
  const run = {
    product: 'facture',
    kind: 'lookup',
    test: false,
    ok: true,
    error: null,
    duration_ms: 15,
    fetches,
    logs: ['é\n"\u{1F4B6}"'],
  } as const
  const failed = { ...run, kind: 'fulfillment', test: true, ok: false, error: 'no such contract (line 2)', fetches: [], logs: [] } as const
  must(fixture, { type: 'RecordCodeRun', merchant: live, run }, 200)
  must(fixture, { type: 'RecordCodeRun', merchant: test, run: failed }, 200)
  must(
    fixture,
    { type: 'EndTrial', merchant: test, run: { ...run, test: true }, requestId: 'req_1', answer: '{"ok":true,"amount":5}' },
    200,
    'trial',
  )
  must(fixture, { type: 'EndTrial', merchant: test, run: null, requestId: 'req_2', answer: '{"ok":false}' }, 200, 'webhook trial')
}
