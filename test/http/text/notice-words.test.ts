// Words of notices: one of each event that causes one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NOTICE_CAUSES } from '../../../engine/domain/notice/notice-causes-evolve.ts'
import { dayWords } from '../../../http/text/notice-day-words.ts'
import { CAUSE_WORDS } from '../../../http/text/notice-words.ts'

test('each event that causes a notice has a subject and a sentence in both languages', () => {
  const types = Object.keys(NOTICE_CAUSES).map((key) => key.replace(/@\d+$/, ''))
  const states = ['awaiting_approval', 'paused', 'completed', 'rejected'].map((state) => `disbursement.${state}`)
  // The end of a run that took a while is said as a run.
  const named = [...types.filter((type) => !type.startsWith('disbursement.') && type !== 'schedule.run_ended'), ...states]
  assert.deepEqual(Object.keys(CAUSE_WORDS).toSorted(), named.toSorted())
  const said = { amount: 5000, currency: 'XOF', reason: 'Compte inconnu.', failedCount: 1, totalCount: 3, device: 'Firefox, Linux' }
  for (const [type, words] of Object.entries(CAUSE_WORDS)) {
    for (const { subject, line } of [words.fr, words.en]) {
      const cause = { ...said, type, at: '2026-11-28T08:05:00Z' }
      assert.ok(subject(cause).length <= 70 && !subject(cause).includes('\n'), subject(cause))
      assert.match(line(cause), /[.?]$/)
    }
  }
})

test('a daily summary names the day, what came in, what went out and what failed', () => {
  const day = { dayMs: Date.UTC(2026, 10, 27), utcName: 'UTC', currency: 'XOF', takings: 12_500, takingsCount: 3, refunds: 500 }
  const whole = { ...day, payouts: 7000, payoutsCount: 2, failedPayouts: 100, areAllFailures: false }
  const { subject, lines } = dayWords(whole, 'fr')
  assert.match(subject, /^Votre journée : 12\s500\sF\sCFA encaissés$/)
  assert.deepEqual([lines[0], lines.at(-1)], ['Vendredi 27 novembre 2026 (UTC) :', '- Versements en échec : 100+'])
  assert.match(dayWords(whole, 'en').lines.join('\n'), /Paid out: 7,000\sF\sCFA \(2\)/)
})
