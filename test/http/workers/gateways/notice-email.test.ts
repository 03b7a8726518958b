// E-mails of notices from the events that they name: each has a link to its very page.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { QueuedNotice } from '../../../../engine/api.ts'
import type { Position } from '../../../../engine/kernel/position.ts'
import { noticeEmail } from '../../../../http/workers/gateways/notice-email.ts'

const BASE = 'https://pay.example'
const NOTICE = { merchant_id: 'm', positions: [1, 2] as readonly number[] as readonly Position[], day_ms: null } as const

const cause = (type: string, id: string, amount: number): object => ({
  ...{ type, id, amount, at: '2026-11-28T08:05:00Z', currency: 'XOF', reason: '', failedCount: 0, totalCount: 1, device: '' },
})

async function mailOf(notice: Pick<QueuedNotice, 'kind' | 'count'> & Partial<QueuedNotice>, answers: object): Promise<string> {
  const known: Readonly<Record<string, unknown>> = {
    'merchants.byId': { accounts: { live: 7 }, profile: { email_language: 'fr' } },
    'merchants.reviewedName': 'Chez Awa',
    ...answers,
  }
  const engine = { query: (name: string) => known[name] } as unknown as Parameters<typeof noticeEmail>[0]['engine']
  const queued = { id: 'x', environment: 'live', to: 'awa@shop.example', created_at: '', notice: { ...NOTICE, ...notice } }
  return (await noticeEmail({ engine, baseUrl: BASE }, queued as unknown as Parameters<typeof noticeEmail>[1])).text
}

test('one event is followed by the link to its page', async () => {
  const text = await mailOf({ kind: 'top_up', count: 1 }, { 'notices.causes': [cause('top_up.confirmed', 't-1', 5000)] })
  assert.match(text, /arrivé sur votre compte\.\n\nVoir : https:\/\/pay\.example\/dashboard\/live\/top-ups\/t-1\n/)
})

test('of several events each has its own link, and the list of all stands below', async () => {
  const causes = [cause('withdrawal.paid', 'w-1', 5000), cause('withdrawal.refused', 'w-2', 700)]
  const text = await mailOf({ kind: 'withdrawal', count: 3 }, { 'notices.causes': causes })
  assert.match(text, /- Votre retrait de 5\s000\sF\sCFA est payé\.[^\n]*\n {2}https:\/\/pay\.example\/dashboard\/live\/withdrawals\/w-1\n/)
  assert.match(text, /- Votre retrait de 700\sF\sCFA est refusé[^\n]*\n {2}https:\/\/pay\.example\/dashboard\/live\/withdrawals\/w-2\n/)
  assert.match(text, /… et un autre\.[\s\S]*Voir : https:\/\/pay\.example\/dashboard\/live\/withdrawals\n/)
})

test('several events of one page have its link once', async () => {
  const causes = [cause('biller.approved', '', 0), cause('biller.suspended', '', 0)]
  const text = await mailOf({ kind: 'biller_decision', count: 2 }, { 'notices.causes': causes })
  assert.deepEqual(text.match(/https:\S*\/biller\b/g), [`${BASE}/dashboard/live/biller`])
})

test('a daily summary leads to the transactions of its day, and to its failed payouts', async () => {
  const answers = {
    'transactions.movements': { movements: [{ type: 'charge', amount: 12_500 }], next: null },
    'payouts.list': { rows: [{}], nextCursor: null },
    'accounts.currency': 'XOF',
  }
  const text = await mailOf({ kind: 'daily_summary', count: 1, day_ms: Date.UTC(2026, 10, 27) }, answers)
  assert.match(text, /échec : 1\n {2}https:\S*\/payouts\?state=failed&from=2026-11-27&to=2026-11-27\n/)
  assert.match(text, /Voir : https:\S*\/transactions\?from=2026-11-27&to=2026-11-27\n/)
})
