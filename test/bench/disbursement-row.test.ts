// The arithmetic of row 3c: which figures its claims come from.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { disbursementBody } from '../../bench/load/disbursement-run.ts'
import type { Measurement } from '../../bench/measure.ts'
import { verdictOf } from '../../bench/row.ts'
import { type DisbursementRound, disbursementClaims } from '../../bench/rows/row-15-disbursements.ts'

const measured = (p99Us: number): Measurement => ({ latency: { p99Us } }) as Measurement

const round = (
  takenMs: number,
  paidMs: number,
  peakBytes: number | null,
  [alone, beside]: readonly [number, number],
): DisbursementRound => ({
  times: { json: { takenMs, paidMs }, csv: { takenMs: 2 * takenMs, paidMs } },
  peakBytes,
  alone: measured(alone),
  beside: measured(beside),
  paidBeside: 3,
})

test('a body of each format has a line for each wallet', () => {
  assert.equal((JSON.parse(disbursementBody('json', 3).text) as { items: object[] }).items.length, 3)
  assert.deepEqual(disbursementBody('csv', 2).text.split('\n'), ['recipient;amount', '@w0000000;100', '@w0000001;100'])
})

test('times are medians of the rounds, the latency and the memory are ratios of each round', () => {
  const claims = disbursementClaims([
    round(800, 1000, 100, [1000, 1400]),
    round(900, 1100, 105, [1000, 1200]),
    round(1100, 1900, 105, [1000, 2000]),
  ])
  const figures = claims.map(({ value }) => value?.median)
  assert.deepEqual(figures.slice(0, 4), [900, 1100, 1800, 1100])
  assert.ok(Math.abs((figures[4] ?? 0) - 1.4) < 0.01)
  assert.equal(figures[5], (1 + 1.05) / 2)
  assert.deepEqual(claims.map(verdictOf), ['pass', 'pass', 'pass', 'pass', 'pass', 'pass'])
  assert.match(claims[4]?.figure ?? '', /with 9 disbursements beside/)
})

test('each claim fails by itself', () => {
  const slow = disbursementClaims([round(1001, 2001, 100, [1000, 1600]), round(1001, 2001, 120, [1000, 1600])])
  assert.deepEqual(slow.map(verdictOf), ['pass', 'FAIL', 'FAIL', 'FAIL', 'FAIL', 'FAIL'])
  assert.equal(disbursementClaims([round(1, 1, null, [1, 1]), round(1, 1, null, [1, 1])]).at(-1)?.value, null)
})
