// The row of the run log for a lookup by webhook.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OutboundOutcome } from '../../../../http/outbound/outcome.ts'
import { readAnswer } from '../../../../http/workers/lookups/lookup-answer.ts'
import { callReport } from '../../../../http/workers/lookups/lookup-report.ts'

const URL_TEXT = 'https://api.energie.example:8443/lookup?secret=1'
const ROW = { product: 'facture', kind: 'lookup', test: false, duration_ms: 7 }

function answered(status: number, body: string): OutboundOutcome {
  return { kind: 'answered', status, headers: new Map(), body, bytes: Buffer.from(body), durationMs: 7.2 }
}

function call(status: number | null): object {
  return { method: 'POST', host: 'api.energie.example:8443', status, duration_ms: 7 }
}

function json(text: string) {
  const raw = { kind: 'json', text, read: readAnswer(text, 'XOF') } as const
  return callReport({ product: 'facture', url: URL_TEXT, outcome: answered(200, text), raw })
}

test('a valid answer is logged with host and status, without its contents', () => {
  assert.deepEqual(json('{"ok":true,"amount":5000}'), { ...ROW, ok: true, error: null, fetches: [call(200)], logs: [] })
})

test('an answer that customers are refused for is logged with its problem', () => {
  const { ok, error, logs } = json('{"ok":true,"amount":"5000"}')
  assert.deepEqual([ok, error, logs.length], [true, null, 1])
  assert.match(String(logs[0]), /amount doit être un entier/)
})

test('a failed call is logged with why, cut to 300 characters', () => {
  const outcome = { kind: 'failed', failure: 'timeout', message: 'x', durationMs: 7 } as const
  const raw = { kind: 'failed', code: 'lookup_timeout', transportError: 'é'.repeat(400) } as const
  const { ok, error, fetches } = callReport({ product: 'facture', url: URL_TEXT, outcome, raw })
  assert.deepEqual([ok, error?.length, fetches], [false, 300, [call(null)]])
})
